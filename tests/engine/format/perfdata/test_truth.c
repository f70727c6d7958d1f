/*
 * Recordings against the text that `perf script` prints of them, sample by
 * sample and frame by frame: real ones that came with their text, and, where
 * perf is installed, ones made here.
 *
 * perf_compare.h says how they are compared. All stacks are equal in the
 * recordings that came with their text. Stacks that were unwound from copies
 * here may differ if evidence decides for ours; one in twenty may stay
 * undecided.
 */
#include <unistd.h>

#include "engine/input/recording.h"
#include "symbols/frame_images.h"
#include "tests/support/opened.h"
#include "tests/support/perf_compare.h"
#include "tests/support/profile_check.h"
#include "tests/support/suite.h"
#include "tests/support/temp_folder.h"

/* ---- opening ---- */

static void *open_image(void *state, const struct profile *p, uint32_t module)
{
    return frame_image_open(state, p, module);
}

static struct profile *open_recording(const char *path, const char *event,
                                      struct places *places)
{
    struct frame_rules_source frames = {
        .state = places,
        .identify = frame_image_identify,
        .open = open_image,
        .find = frame_image_find,
        .close = frame_image_close,
    };
    struct read_options options = {.event = event, .frames = &frames};
    struct profile *p;

    places_add_beside(places, path);
    p = opened_profile(path, &options);
    ck_assert_msg(!profile_check(p), "%s", profile_check(p));
    ck_assert_uint_eq(p->quality.skipped_ranges, 0);
    ck_assert_uint_eq(p->quality.malformed, 0);
    return p;
}

/* Returns how many stacks end otherwise. */
static size_t compare(const char *path, const char *event, bool walked,
                      FILE *text)
{
    struct places places = {.paths = {0}};
    struct profile *p = open_recording(path, event, &places);
    struct perf_comparison c = {.profile = p, .event = event, .walked = walked};

    ck_assert_ptr_nonnull(text);
    ck_assert_msg(perf_compare(&c, text), "%s: %s", path, c.differs);
    printf("%s: %zu samples, %zu frames as perf has them; %zu stacks end "
           "otherwise, %zu of them in doubt\n",
           path, c.samples, c.frames, c.parted, c.doubtful);
    ck_assert_uint_le(c.doubtful * 20, c.samples + 40);
    profile_free(p);
    places_release(&places);
    return c.parted;
}

static const struct real {
    const char *data, *text, *event;
    bool walked;
} reals[] = {
    {"ledger-fp.data", "ledger-fp.script.txt", NULL, false},
    {"ledger-dwarf.data", "ledger-dwarf.script.txt", NULL, true},
    {"copyforward.perf.data", "copyforward.perf.script.txt", NULL, false},
};

enum { REALS = COUNT(reals) };

TEST(real_recordings)
{
    for (size_t i = 0; i < REALS; i++) {
        char *path = traces_path("perfdata", reals[i].data, "");
        char *script = traces_path("perfdata", reals[i].text, "");
        FILE *text = fopen(script, "r");

        if (text && !access(path, R_OK))
            ck_assert_uint_eq(
                compare(path, reals[i].event, reals[i].walked, text), 0);
        else
            suite_skip(1, reals[i].data);
        if (text)
            fclose(text);
        free(path);
        free(script);
    }
}

/* ---- recordings made here ---- */

/* Forks, execs, sorts and computes for a third of a second. */
static const char sorts[] =
    "sh -c 'for i in 1 2 3; do seq 9000 | sort -R | sort -n | tail -n 1; "
    "done; expr 1 + 1' >/dev/null 2>&1";

static const struct made {
    const char *name, *options, *event;
    const char *wild; /* as its number: wild_stacks.c, not what sorts */
    bool walked, pipe;
} mades[] = {
    {.name = "frame pointers", .options = "-e cpu-clock -F 999 -g"},
    {.name = "no stacks", .options = "-e cpu-clock -F 999"},
    {.name = "pipe", .options = "-e cpu-clock -F 999 -g", .pipe = true},
    {.name = "packed", .options = "-z -e cpu-clock -F 999 -g"},
    {.name = "packed pipe",
     .options = "-z -e cpu-clock -F 999 -g",
     .pipe = true},
    {.name = "fixed period", .options = "-e cpu-clock -c 1500000 -g"},
    {.name = "two events",
     .options = "-e cpu-clock,page-faults -g",
     .event = "cpu-clock"},
    {.name = "the second",
     .options = "-e cpu-clock,page-faults -g",
     .event = "page-faults"},
    {.name = "everything",
     .options = "-e cpu-clock -F 499 -g -d --phys-data "
                "-T -W --sample-cpu"},
    {.name = "user registers",
     .options = "-e cpu-clock -F 499 "
                "--user-regs=ip,sp,bp --intr-regs "
                "-g"},
    {.name = "build-ids of mappings",
     .options = "--buildid-mmap -e cpu-clock -F 499 -g"},
    {.name = "group",
     .options = "-e {cpu-clock,page-faults}:S -g",
     .event = "cpu-clock"},
    {.name = "stacks",
     .options = "-e cpu-clock -F 999 --call-graph dwarf,4096",
     .walked = true},
    {.name = "packed stacks",
     .options = "-z -e cpu-clock -F 499 --call-graph dwarf,4096",
     .walked = true},
    {.name = "wild stacks", .options = "-e cpu-clock -F 999 -g", .wild = "1"},
    {.name = "wild stacks, data",
     .options = "-e cpu-clock -F 999 -g -d",
     .wild = "2"},
    {.name = "wild stacks, data, build-ids",
     .options = "--buildid-mmap -e cpu-clock -F 999 -g -d",
     .wild = "3"},
    {.name = "wild stacks, data, packed pipe",
     .options = "-z -e cpu-clock -F 999 -g -d",
     .wild = "4",
     .pipe = true},
};

enum { MADES = COUNT(mades) };

/* What is to be recorded; false: there is no compiler. */
static bool make_workload(const struct made *m, const char *folder,
                          char *workload, size_t size)
{
    char command[300];

    snprintf(workload, size, "%s", sorts);
    if (!m->wild)
        return true;
    snprintf(workload, size, "%s/wild_stacks %s", folder, m->wild);
    snprintf(command, sizeof(command),
             "cc -D_GNU_SOURCE -O1 -fno-omit-frame-pointer -o %s/wild_stacks "
             "tests/engine/format/perfdata/wild_stacks.c 2>/dev/null",
             folder);
    return !system(command);
}

/* Returns false when this machine cannot; that is no fault of ours. */
static bool record(const struct made *m, const char *folder, const char *path)
{
    char workload[300], command[1500];

    if (!make_workload(m, folder, workload, sizeof(workload)))
        return false;
    snprintf(command, sizeof(command),
             "perf record -q %s -o %s -- %s 2>/dev/null %s%s", m->options,
             m->pipe ? "-" : path, workload, m->pipe ? ">" : "",
             m->pipe ? path : "");
    return !system(command) && !access(path, R_OK);
}

static void compare_with_perf(const char *path, const char *event, bool walked)
{
    char command[1000];
    FILE *text;

    snprintf(command, sizeof(command),
             "perf script --no-inline -F comm,tid,time,period,event,ip,sym,"
             "dso -i %s 2>/dev/null",
             path);
    text = popen(command, "r");
    compare(path, event, walked, text);
    pclose(text);
}

TEST_LOOP(made_recordings, MADES)
{
    const struct made *m = &mades[_i];
    char folder[TEMP_FOLDER], path[300];

    temp_folder(folder);
    snprintf(path, sizeof(path), "%s/perf.data", folder);
    if (record(m, folder, path))
        compare_with_perf(path, m->event, m->walked);
    else
        suite_skip(1, m->name);
    temp_folder_remove(folder);
}

/* One's own, a whole machine's (-a) for example, in which other programs come
 * and go while perf lists them: PERFDATA=FILE, PERFDATA_EVENT=NAME if it has
 * several, and PERFDATA_WALKED=1 if it has copies of stacks. */
TEST(given_recording)
{
    const char *path = getenv("PERFDATA");

    if (path)
        compare_with_perf(path, getenv("PERFDATA_EVENT"),
                          getenv("PERFDATA_WALKED"));
}
