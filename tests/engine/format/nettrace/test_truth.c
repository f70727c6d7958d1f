/*
 * Real recordings against the numbers of an independent decoder, and the
 * streams of the reference reader's own tests against what it reads there or,
 * where it refuses more than the format does, against the format.
 */
#include <dirent.h>
#include <jansson.h>
#include <unistd.h>

#include "engine/analysis/rank.h"
#include "engine/input/recording.h"
#include "tests/engine/format/nettrace/stream.h"
#include "tests/support/suite.h"
#include "tests/support/truth.h"

static const char *const recordings[] = {
    "dotnet-5.0-SampleProfiler-single-thread.golden.nettrace",
    "eventpipe-dotnetcore3.0-win-x64-objver4.nettrace",
    "eventpipe-dotnetcore5.0-win-x64-arraytypes.nettrace",
    "linux-all-cswitch.nettrace",
    "linux-cpu.nettrace",
    "mixed_managed_external_samples.nettrace",
    "mixed_managed_external_samples.v6.nettrace",
    "net10-default.nettrace",
    "net10-killed.nettrace",
    "net10-lossy.nettrace",
    "net10-no-rundown.nettrace",
    "net10-reuse.nettrace",
    "only_managed_samples.nettrace",
    "only_managed_samples.v6.nettrace",
    "VoiceMemo.23092.nettrace.zip",
    "eventpipe-dotnetcore2.1-linux-x64-objver3.netperf.zip",
};

enum { RECORDINGS = COUNT(recordings) };

static struct profile *open_weighed(const char *path, bool weighed,
                                    struct err *err)
{
    struct read_options options = {.thread_weights = weighed};
    struct profile *p = recording_take(recording_open(&path, 1, &options, err));

    if (p)
        profile_finish(p);
    return p;
}

static struct profile *open_trace(const char *path, struct err *err)
{
    return open_weighed(path, false, err);
}

TEST_LOOP(recording, RECORDINGS)
{
    char path[1000], truth[1000];
    struct err err = {0};
    struct profile *p;
    char *why;

    snprintf(path, sizeof(path), "%s/nettrace/%s", traces_folder(),
             recordings[_i]);
    snprintf(truth, sizeof(truth), "%s/truth/%s.json", traces_folder(),
             recordings[_i]);
    if (access(path, R_OK)) {
        suite_skip(1, recordings[_i]);
        return;
    }
    p = open_trace(path, &err);
    ck_assert_msg(p, "%s", err.message);
    ck_assert_msg(!profile_check(p), "%s", profile_check(p));
    why = truth_differs(p, truth);
    ck_assert_msg(!why, "%s: %s", recordings[_i], why);
    profile_free(p);
}

/* ---- weights of dotnet-trace report ---- */

/* The only events here are the program's own, which those numbers leave
 * out. */
static const char own_events[] =
    "eventpipe-dotnetcore5.0-win-x64-arraytypes.nettrace";

/* Rows are called "module!name"; all unnamed code is "?!?" and samples
 * without a stack are "Threads". */
static bool is_row(const struct rank_row *row, const char *name)
{
    const char *module = row->module;
    size_t n;

    if (!strcmp(row->name, "[no stack]"))
        return !strcmp(name, "Threads");
    if (row->cause != CAUSE_NONE)
        return !strcmp(name, "?!?");
    if (!strcmp(module, "[unknown]"))
        module = "?";
    n = strlen(module);
    return !strncmp(name, module, n) && name[n] == '!' &&
           !strcmp(name + n + 1, row->name);
}

/* Percent of what the tool prints with two decimals. */
static void assert_percent(const json_t *row, const char *key, double total,
                           uint64_t us)
{
    double wanted = json_number_value(json_object_get(row, key));
    double differ = ((double)us / 1000 - wanted) * 100 / total;

    ck_assert_msg(differ < 0.001 && differ > -0.001,
                  "%s %s: expected %f ms, got %llu us",
                  json_string_value(json_object_get(row, "name")), key,
                  wanted, (unsigned long long)us);
}

static void compare_row(const struct ranking *r, const json_t *row,
                        double total)
{
    const char *name = json_string_value(json_object_get(row, "name"));
    uint64_t exclusive = 0, inclusive = 0, rows = 0;

    for (size_t i = 0; i < r->len; i++) {
        if (!is_row(&r->rows[i], name))
            continue;
        exclusive += r->rows[i].exclusive;
        inclusive += r->rows[i].inclusive;
        rows++;
    }
    assert_percent(row, "exclusive_ms", total, exclusive);
    /* Rows of a stack that are counted as one there do not add up. */
    if (rows <= 1)
        assert_percent(row, "inclusive_ms", total, inclusive);
}

static void compare_time(const struct profile *p, const json_t *truth)
{
    const json_t *time = json_object_get(truth, "thread_time");
    const json_t *rows = json_object_get(time, "by_method");
    double total = json_number_value(json_object_get(time, "total_ms"));
    struct selection *sel = selection_new(p, NULL);
    struct ranking *r = ranking_new(p, sel, RANK_FUNCTION, SORT_EXCLUSIVE);
    double differ = (double)sel->samples / 1000 - total;

    ck_assert(json_is_object(time));
    ck_assert_msg(differ < 0.01 && differ > -0.01, "%f ms too much", differ);
    for (size_t i = 0; i < json_array_size(rows); i++)
        compare_row(r, json_array_get(rows, i), total);
    ranking_free(r);
    selection_free(sel);
}

TEST_LOOP(thread_time, RECORDINGS)
{
    char path[1000], truth[1000];
    struct err err = {0};
    struct profile *p;
    json_t *expected;

    snprintf(path, sizeof(path), "%s/nettrace/%s", traces_folder(),
             recordings[_i]);
    snprintf(truth, sizeof(truth), "%s/truth/%s.json", traces_folder(),
             recordings[_i]);
    if (!strcmp(recordings[_i], own_events) || access(path, R_OK)) {
        suite_skip(1, recordings[_i]);
        return;
    }
    p = open_weighed(path, true, &err);
    ck_assert_msg(p, "%s", err.message);
    expected = json_load_file(truth, 0, NULL);
    ck_assert_msg(expected, "%s", truth);
    compare_time(p, expected);
    json_decref(expected);
    profile_free(p);
}

/* ---- folded text of another reader ---- */

/* "module!function" from the outermost frame, joined by semicolons. */
static void stack_text(const struct profile *p, uint32_t stack, char *text,
                       size_t size)
{
    char rest[1000];
    const struct function *f;
    const char *name;
    uint32_t location = p->stacks.data[stack].location;

    f = &p->functions.data[p->frames.data[p->frame_start.data[location]]
                               .function];
    snprintf(rest, sizeof(rest), "%s%s", *text ? ";" : "", text);
    name = strings_get(p->strings, f->name);
    snprintf(text, size, "%s!%s%.*s", strings_get(p->strings, f->module),
             name, (int)sizeof(rest) - 1, rest);
    if (p->stacks.data[stack].parent)
        stack_text(p, p->stacks.data[stack].parent, text, size);
}

/* The other reader counts the nanoseconds between two samples, under the stack
 * of the second but the type of the first. Ours counts samples. */
static int64_t folded_weight(const struct profile *p, const char *line,
                             size_t n, uint8_t types)
{
    int64_t sum = 0;

    for (size_t i = 1; i < p->samples.len; i++) {
        char text[4000] = "";

        if (!(p->samples.flags[i - 1] & types))
            continue;
        stack_text(p, p->samples.stack[i], text, sizeof(text));
        if (strlen(text) == n && !strncmp(text, line, n))
            sum += p->samples.time[i] - p->samples.time[i - 1];
    }
    return sum;
}

static void compare_folded(const struct profile *p, const char *name,
                           uint8_t types)
{
    char path[1000], line[4000];
    unsigned lines = 0;
    FILE *file;

    snprintf(path, sizeof(path), "%s/nettrace/%s", traces_folder(), name);
    file = fopen(path, "r");
    ck_assert_msg(file, "%s", path);
    while (fgets(line, sizeof(line), file)) {
        char *space = strrchr(line, ' ');

        if (!space)
            continue;
        lines++;
        ck_assert_int_eq(
            folded_weight(p, line, (size_t)(space - line), types),
            strtoll(space, NULL, 10));
    }
    fclose(file);
    ck_assert_uint_eq(lines, 4);
}

/* Line by line the same stacks as ours; their numbers are times, ours are
 * samples. */
TEST(folded_texts)
{
    static const char stem[] = "dotnet-5.0-SampleProfiler-single-thread";
    char path[1000];
    struct err err = {0};
    struct profile *p;

    snprintf(path, sizeof(path), "%s/nettrace/%s.golden.nettrace",
             traces_folder(), stem);
    if (access(path, R_OK)) {
        suite_skip(2, "folded text of another reader");
        return;
    }
    p = open_trace(path, &err);
    ck_assert_msg(p, "%s", err.message);
    snprintf(path, sizeof(path), "%s.txt", stem);
    compare_folded(p, path, SAMPLE_EXTERNAL | SAMPLE_MANAGED);
    snprintf(path, sizeof(path), "%s-managed-only.txt", stem);
    compare_folded(p, path, SAMPLE_MANAGED);
    profile_free(p);
}

/* ---- conformance ---- */

/* Where ours reads on although the reference stops: nothing of these streams
 * is lost by it. The field description is not needed to count events, and
 * a v3 stack may be as large as its event has room for. */
static const char *const kinder[] = {
    "V6DataLocThrowsOnVariableSizedElementType",
    "v3wrap_ReadFromFormatV3RejectsStackSizeThatOverflowsExtendedDataUShort",
};

static bool is_kinder(const char *name)
{
    for (size_t i = 0; i < COUNT(kinder); i++)
        if (!strncmp(name, kinder[i], strlen(kinder[i])))
            return true;
    return false;
}

static json_int_t member(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

/* Damage has to be told, with its offset. */
static void assert_told(const struct profile *p, const char *name)
{
    ck_assert_msg(p->quality.skipped.len || p->quality.warnings.len,
                  "%s: reads without a word", name);
}

static void compare(const char *name, const struct profile *p,
                    const struct err *err, const json_t *expected)
{
    const json_t *format = json_object_get(expected, "by_format");
    bool problem = json_is_string(json_object_get(format, "problem")) ||
                   json_is_string(json_object_get(expected, "error"));

    if (!p) {
        ck_assert_msg(problem && !member(format, "events"), "%s: %s", name,
                      err->message);
        ck_assert_msg(strstr(err->message, "offset 0x"), "%s: %s", name,
                      err->message);
        return;
    }
    ck_assert_msg((json_int_t)p->trace.events == member(format, "events"),
                  "%s: %llu events", name,
                  (unsigned long long)p->trace.events);
    ck_assert_msg((json_int_t)p->quality.lost_events ==
                      member(format, "lost"),
                  "%s: %llu lost", name,
                  (unsigned long long)p->quality.lost_events);
    if (problem && !is_kinder(name))
        assert_told(p, name);
}

static void conform(const char *folder, const char *name)
{
    char path[1500];
    struct err err = {0};
    struct profile *p;
    json_t *expected;
    size_t stem = strlen(name) - strlen(".json");

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    expected = json_load_file(path, 0, NULL);
    ck_assert_msg(expected, "%s", path);
    snprintf(path, sizeof(path), "%s/%.*s.nettrace", folder, (int)stem, name);
    p = open_trace(path, &err);
    compare(name, p, &err, expected);
    profile_free(p);
    json_decref(expected);
}

static int is_answer(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');

    return dot && !strcmp(dot, ".json");
}

TEST(conformance)
{
    struct dirent **names;
    char folder[1000];
    int n;

    snprintf(folder, sizeof(folder), "%s/nettrace/conformance",
             traces_folder());
    n = scandir(folder, &names, is_answer, alphasort);
    if (n <= 0) {
        suite_skip(1, "conformance streams of nettrace");
        return;
    }
    for (int i = 0; i < n; i++) {
        conform(folder, names[i]->d_name);
        free(names[i]);
    }
    free(names);
}
