/*
 * A program built here (ring.cc) and recorded by perf, where both are
 * installed: counts of functions against those of `perf report`, inlined
 * functions and their lines against `llvm-symbolizer`. (addr2line of binutils,
 * and with it perf, gives the innermost of them the name of the function that
 * has its code.)
 *
 * Counts must be equal for every file, for every function of the program and,
 * if its list can be read, of the kernel. Functions of libraries are left
 * out: perf has names of their symbol tables alone, and several functions
 * have several names there.
 */
#include <unistd.h>

#include "engine/analysis/filter.h"
#include "engine/base/text.h"
#include "engine/input/recording.h"
#include "symbols/naming.h"
#include "tests/support/profile_check.h"
#include "tests/support/suite.h"
#include "tests/support/temp_folder.h"

static char folder[TEMP_FOLDER];

/* In the folder. */
static bool run(const char *what)
{
    char command[1000];

    snprintf(command, sizeof(command), "cd %s && %s", folder, what);
    return !system(command);
}

static bool build(void)
{
    char command[300];

    temp_folder(folder);
    snprintf(command, sizeof(command),
             "c++ -O2 -g -fno-omit-frame-pointer -o %s/ring "
             "tests/engine/format/perfdata/ring.cc 2>/dev/null",
             folder);
    return !system(command) && run("cat /proc/kallsyms >kallsyms");
}

static bool record(const char *events)
{
    char command[200];

    snprintf(command, sizeof(command),
             "perf record -q %s -g ./ring >/dev/null 2>&1", events);
    return run(command);
}

static FILE *report(const char *columns)
{
    char command[300];
    FILE *text;

    snprintf(command, sizeof(command),
             "perf report --stdio --no-children -g none -F %s -t '|' "
             "-i %s/perf.data 2>/dev/null",
             columns, folder);
    text = popen(command, "r");
    ck_assert_ptr_nonnull(text);
    return text;
}

static struct profile *read_named(bool periods)
{
    struct places places = {.paths = {0}};
    struct naming_options naming = {&places, DEMANGLE_FULL, 1, NULL};
    struct read_options options = {.threads = 1, .periods = periods};
    struct err err = {0};
    char file[100];
    const char *path = file;
    struct profile *p;

    snprintf(file, sizeof(file), "%s/perf.data", folder);
    places_add_beside(&places, path);
    p = recording_take(recording_open(&path, 1, &options, &err));
    ck_assert_msg(p, "%s", err.message);
    name_profile(p, &naming, NULL);
    profile_finish(p);
    ck_assert_msg(!profile_check(p), "%s", profile_check(p));
    places_release(&places);
    return p;
}

/* ---- counts ---- */

/* The weight of samples taken in a file (NULL: any), or in one of its functions
 * that is not inlined. */
static size_t taken_in(const struct profile *p, const char *file,
                       const char *function)
{
    size_t n = 0;

    for (size_t i = 0; i < p->samples.len; i++) {
        uint32_t l = p->stacks.data[p->samples.stack[i]].location;
        const struct frame *outer =
            &p->frames.data[p->frame_start.data[l + 1] - 1];
        const char *name =
            strings_get(p->strings, p->functions.data[outer->function].name);

        if ((!file || !strcmp(profile_location_module(p, l), file)) &&
            (!function || !strcmp(name, function)))
            n += sample_weight(p, i);
    }
    return n;
}

/* "  12  |ring  |[.] fill" */
static bool parse_row(char *line, size_t *count, char **file, char **function)
{
    char *bar = strchr(line, '|'), *next = bar ? strchr(bar + 1, '|') : NULL;

    if (*line == '#' || !next || strlen(next) < 6)
        return false;
    *count = strtoul(line, NULL, 10);
    *file = bar + 1;
    *next = 0;
    (*file)[strcspn(*file, " |")] = 0;
    *function = next + 5;
    (*function)[strcspn(*function, " \n")] = 0;
    return *count > 0;
}

static void compare_counts(const struct profile *p, FILE *text)
{
    char line[4096], *file, *function;
    size_t count, of_ring = 0, of_kernel = 0, all = 0, same = 0;

    while (fgets(line, sizeof(line), text)) {
        if (!parse_row(line, &count, &file, &function))
            continue;
        all += count;
        if (!strcmp(file, "ring")) {
            of_ring += count;
            ck_assert_msg(taken_in(p, file, function) == count,
                          "%s: %zu, perf: %zu", function,
                          taken_in(p, file, function), count);
        } else if (!strcmp(file, "[kernel.kallsyms]")) {
            of_kernel += count;
            if (taken_in(p, file, function) == count)
                same += count;
        }
    }
    printf("%zu samples: %zu of the program, %zu of the kernel, %zu of these "
           "by function as perf has them\n",
           all, of_ring, of_kernel, same);
    ck_assert_uint_eq(all, p->samples.len);
    ck_assert_uint_gt(of_ring, all / 2);
    ck_assert_uint_eq(of_ring, taken_in(p, "ring", NULL));
    ck_assert_uint_eq(of_kernel, taken_in(p, "[kernel.kallsyms]", NULL));
    /* Of several names at one address perf may take another one. */
    if (!taken_in(p, "[kernel.kallsyms]", ""))
        ck_assert_uint_ge(same * 10 + 20, of_kernel * 9);
}

/* As events that samples stand for: of the whole, and of all functions of the
 * program. */
static void compare_periods(const struct profile *p, FILE *text)
{
    char line[4096], *file, *function;
    size_t count, of_ring = 0, all = 0;

    while (fgets(line, sizeof(line), text)) {
        if (!parse_row(line, &count, &file, &function))
            continue;
        all += count;
        if (strcmp(file, "ring") != 0)
            continue;
        of_ring += count;
        ck_assert_msg(taken_in(p, file, function) == count,
                      "%s: %zu, perf: %zu", function,
                      taken_in(p, file, function), count);
    }
    printf("%zu page faults: %zu of the program\n", all, of_ring);
    ck_assert_uint_ge(all, p->samples.len);
    ck_assert_uint_eq(all, taken_in(p, NULL, NULL));
    ck_assert_uint_eq(of_ring, taken_in(p, "ring", NULL));
}

/* ---- inlined functions ---- */

/* "Ring::push" of "Ring::push(unsigned int)", "mix" of "unsigned int
 * mix<unsigned int>(unsigned int)". */
static size_t plain_name(const char *text, const char **from)
{
    size_t n = strcspn(text, "(<\n");

    *from = text;
    for (size_t i = 0; i < n; i++)
        if (text[i] == ' ')
            *from = text + i + 1;
    return (size_t)(text + n - *from);
}

static void assert_frame(const struct profile *p, const struct frame *f,
                         const char *function, const char *place)
{
    const char *own =
                   strings_get(p->strings, p->functions.data[f->function].name),
               *a, *b;
    size_t n = plain_name(own, &a), m = plain_name(function, &b);
    const char *colon = strrchr(place, ':');

    ck_assert_msg(n == m && !memcmp(a, b, n), "%s, llvm: %s", own, function);
    ck_assert_msg(colon && strtoul(colon + 1, NULL, 10) == f->line,
                  "%s: line %u, llvm: %s", own, f->line, place);
}

/* All that one address is: returns how many functions. */
static size_t compare_inlined(const struct profile *p, uint32_t location)
{
    uint32_t first = p->frame_start.data[location];
    uint32_t end = p->frame_start.data[location + 1], at = first;
    char command[300], function[1000], place[1000];
    FILE *text;

    snprintf(command, sizeof(command),
             "llvm-symbolizer --output-style=GNU --obj=%s/ring 0x%llx", folder,
             (unsigned long long)p->locations.data[location].address -
                 p->locations.data[location].caller);
    text = popen(command, "r");
    ck_assert_ptr_nonnull(text);
    while (fgets(function, sizeof(function), text) &&
           fgets(place, sizeof(place), text)) {
        ck_assert_msg(at < end, "0x%llx: llvm has one more: %s",
                      (unsigned long long)p->locations.data[location].address,
                      function);
        if (*function != '?' && !strstr(place, ":?"))
            assert_frame(p, &p->frames.data[at], function, place);
        at++;
    }
    pclose(text);
    ck_assert_uint_eq(at, end);
    return at - first;
}

static void compare_all_inlined(const struct profile *p)
{
    size_t addresses = 0, functions = 0;

    for (uint32_t l = 0; l < p->locations.len; l++) {
        if (strcmp(profile_location_module(p, l), "ring") != 0)
            continue;
        addresses++;
        functions += compare_inlined(p, l);
    }
    printf("%zu addresses are %zu functions, as llvm has them\n", addresses,
           functions);
    ck_assert_uint_gt(functions, addresses);
}

/* ---- the test ---- */

TEST(named_as_others_do)
{
    struct profile *p;
    FILE *text;

    if (!build() || !record("-e cpu-clock -F 999")) {
        suite_skip(1, "perf or a C++ compiler is not here");
        temp_folder_remove(folder);
        return;
    }
    p = read_named(false);
    text = report("sample,dso,sym");
    compare_counts(p, text);
    pclose(text);
    if (!run("llvm-symbolizer --version >/dev/null 2>&1"))
        suite_skip(1, "llvm-symbolizer is not here");
    else
        compare_all_inlined(p);
    profile_free(p);
    temp_folder_remove(folder);
}

/* If an event is sampled at a fixed frequency, each sample stands for the
 * events since the last sample. */
TEST(weighed_by_periods)
{
    struct profile *p;
    FILE *text;

    if (!build() || !record("-e page-faults -F 997")) {
        suite_skip(1, "perf or a C++ compiler is not here");
        temp_folder_remove(folder);
        return;
    }
    p = read_named(true);
    text = report("period,dso,sym");
    compare_periods(p, text);
    pclose(text);
    ck_assert_str_eq(profile_metric_word(p), "period:page-faults");
    profile_free(p);
    temp_folder_remove(folder);
}

/* Samples have no times then, and nothing is said of how long they took. */
TEST(per_thread)
{
    struct profile *p;
    FILE *text;

    if (!build() || !record("--per-thread -e page-faults -c 1")) {
        suite_skip(1, "perf or a C++ compiler is not here");
        temp_folder_remove(folder);
        return;
    }
    p = read_named(false);
    text = report("sample,dso,sym");
    compare_counts(p, text);
    pclose(text);
    ck_assert_int_ge(p->samples.time[p->samples.len - 1],
                     p->trace.duration_ns ? 1 : 0);
    profile_free(p);
    temp_folder_remove(folder);
}
