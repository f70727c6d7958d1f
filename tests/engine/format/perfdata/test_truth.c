/*
 * Recordings against the text that `perf script` prints of them, sample by
 * sample and frame by frame: real ones that came with their text, and, where
 * perf is installed, ones made here.
 *
 * Stacks that the kernel walked must be the same. Those walked from copies
 * need not be: libunwind, which perf walks with, passes over frames of code
 * that has rules, then reads return addresses from the wrong places and ends
 * in no file, or early. Where the two part, the callers' addresses decide:
 * from there on every one of ours must be right behind a call instruction of
 * its file, and where ours has ended perf's next one must not be. What is
 * decided so is counted, and may be half of a recording at most: a walk that
 * left out a frame every time would differ in nearly all.
 */
#include <ctype.h>
#include <unistd.h>

#include "engine/recording.h"
#include "symbols/frame_images.h"
#include "tests/support/call_site.h"
#include "tests/support/profile_check.h"
#include "tests/support/suite.h"
#include "tests/support/temp_folder.h"

/* One sample as perf prints it. */
struct printed_frame {
    uint64_t address;
    char file[256];
};

struct printed {
    uint32_t tid;
    uint64_t us; /* time */
    struct printed_frame frames[1200];
    size_t count;
};

struct comparison {
    const struct profile *p;
    const char *event; /* samples of others are passed over */
    bool walked;       /* perf prints the byte before where a call returns */
    size_t next;       /* sample of the profile */
    uint64_t first_us;
    int64_t first_ns;
    size_t frames, parted; /* stacks that differ, ours being right */
};

/* ---- what perf printed ---- */

/* "comm  pid/tid  [cpu]  12.345678:   period event: ", behind which is the
 * one frame of a sample that has no stack. */
static bool parse_head(char *line, struct printed *s, char **event)
{
    char *colon = line, *at;
    unsigned long seconds, fraction;

    /* Names of threads may have colons and blanks: the time has a point
     * before and six digits behind. */
    for (;; colon++) {
        colon = strchr(colon, ':');
        if (!colon)
            return false;
        for (at = colon; at > line && isdigit((unsigned char)at[-1]); at--)
            continue;
        if (colon - at == 6 && at > line && at[-1] == '.')
            break;
    }
    fraction = strtoul(at, NULL, 10);
    for (at--; at > line && isdigit((unsigned char)at[-1]); at--)
        continue;
    seconds = strtoul(at, NULL, 10);
    s->us = seconds * 1000000 + fraction;
    while (at > line && at[-1] == ' ')
        at--;
    while (at > line && (isdigit((unsigned char)at[-1]) || at[-1] == '-'))
        at--;
    s->tid = (uint32_t)strtol(at, NULL, 10);
    s->count = 0;
    *event = colon + 1 + strspn(colon + 1, " 0123456789");
    at = strstr(*event, ": ");
    if (!at)
        at = *event + strlen(*event) - 1;
    *at = 0;
    return true;
}

/* "   address symbol (file)" */
static void parse_frame(const char *line, struct printed *s)
{
    struct printed_frame *f = &s->frames[s->count];
    const char *open = strrchr(line, '('), *close = strrchr(line, ')');

    if (strstr(line, "(inlined)"))
        return;
    /* "(/memfd:doublemapper (deleted))" */
    if (open && open > line && !strncmp(open, "(deleted)", 9))
        for (open--; open > line && *open != '(';)
            open--;
    ck_assert_uint_lt(s->count, sizeof(s->frames) / sizeof(s->frames[0]));
    f->address = strtoull(line, NULL, 16);
    /* perf's last word on a stack deeper than what was copied: the byte
     * before address 0. */
    if (f->address == UINT64_MAX)
        return;
    *f->file = 0;
    if (open && close > open)
        snprintf(f->file, sizeof(f->file), "%.*s", (int)(close - open - 1),
                 open + 1);
    s->count++;
}

/* ---- what we read ---- */

/* As perf shows an address: an offset in a file, else where it is. */
static bool is_shown(const struct profile *p, const struct location *l,
                     uint64_t shown, const char *file)
{
    uint64_t address = l->address;

    if (l->module == NO_ID && l->method != NO_ID)
        address += p->methods.data[l->method].start;
    if (shown == address)
        return true;
    /* To perf a memfd is a file; to us it is memory that a runtime fills. */
    if (!strncmp(file, "/memfd:", 7))
        return l->module == NO_ID && !((shown ^ address) & 0xfff);
    /* perf 6.5 and later show where files are, too. */
    for (size_t i = 0; l->module != NO_ID && i < p->mappings.len; i++) {
        const struct mapping *m = &p->mappings.data[i];

        if (m->module == l->module && shown == address - m->rva + m->base)
            return true;
    }
    return false;
}

static void assert_file(const struct profile *p, const struct location *l,
                        const struct printed_frame *f)
{
    const char *path = l->module == NO_ID
                           ? ""
                           : strings_get(p->strings,
                                         p->modules.data[l->module].path);

    if (!strcmp(path, "[anon]"))
        path = "//anon"; /* perf's word for it, in mappings of data */
    if (*path && strcmp(path, "[bpf]") != 0)
        ck_assert_msg(!strncmp(f->file, path, strlen(path)) ||
                          strstr(path, f->file),
                      "%s, perf: %s", path, f->file);
    else
        ck_assert_msg(strchr("[/", f->file[0]) || !*f->file, "perf: %s",
                      f->file);
}

/* What is left of our stack has been called, as far as files can tell. */
static void assert_called(const struct profile *p, uint32_t stack,
                          size_t sample, size_t frame)
{
    for (; stack; stack = p->stacks.data[stack].parent, frame++) {
        const struct location *l =
            &p->locations.data[p->stacks.data[stack].location];
        const char *path = l->module == NO_ID
                               ? ""
                               : strings_get(p->strings,
                                             p->modules.data[l->module].path);

        ck_assert_msg(is_call_site(path, l->address),
                      "sample %zu, frame %zu: not perf's, and no call is "
                      "before 0x%llx of %s", sample, frame,
                      (unsigned long long)l->address, path);
    }
}

static bool is_same(const struct comparison *c, uint32_t stack,
                    const struct printed *s, size_t i)
{
    const struct location *l =
        &c->p->locations.data[c->p->stacks.data[stack].location];
    const struct printed_frame *f = &s->frames[i];

    return is_shown(c->p, l, f->address, f->file) ||
           (c->walked && i && is_shown(c->p, l, f->address + 1, f->file));
}

/* Frames of a stack, innermost first, as far as both agree. */
static void assert_frames(struct comparison *c, const struct printed *s,
                          size_t sample)
{
    const struct profile *p = c->p;
    uint32_t stack = p->samples.stack[sample];
    const struct printed_frame *f = s->frames;
    size_t i = 0;

    for (; stack && i < s->count && is_same(c, stack, s, i); i++, f++) {
        assert_file(p, &p->locations.data[p->stacks.data[stack].location], f);
        stack = p->stacks.data[stack].parent;
    }
    c->frames += i;
    if (!stack && i == s->count)
        return;
    ck_assert_msg(c->walked && i, "sample %zu, frame %zu of %zu: %s; perf: "
                  "0x%llx of %s", sample, i, s->count,
                  stack ? "another" : "no more", (unsigned long long)f->address,
                  f->file);
    assert_called(p, stack, sample, i);
    ck_assert_msg(stack || !is_call_site(f->file, f->address + 1),
                  "sample %zu: perf has a frame more: 0x%llx of %s", sample,
                  (unsigned long long)f->address, f->file);
    c->parted++;
}

static void assert_sample(struct comparison *c, const struct printed *s)
{
    const struct profile *p = c->p;
    size_t i = c->next++;
    int64_t us;

    ck_assert_msg(i < p->samples.len, "perf has more than %zu samples", i);
    if (!i) {
        c->first_us = s->us;
        c->first_ns = p->samples.time[0];
    }
    us = (int64_t)(s->us - c->first_us) -
         (p->samples.time[i] - c->first_ns) / 1000;
    ck_assert_msg(us >= -1 && us <= 1, "sample %zu: time", i);
    ck_assert_uint_eq(p->threads.data[p->samples.thread[i]].tid, s->tid);
    if (s->count)
        assert_frames(c, s, i);
}

static void compare(struct comparison *c, FILE *text)
{
    struct printed *s = calloc(1, sizeof(*s));
    char line[4096], *event = line, *rest;
    bool open = false;

    while (fgets(line, sizeof(line), text)) {
        if (*line == '\n' || *line == '#') {
            if (open)
                assert_sample(c, s);
            open = false;
        } else if (*line == '\t') {
            if (open)
                parse_frame(line, s);
        } else {
            if (open)
                assert_sample(c, s);
            open = parse_head(line, s, &event) &&
                   (!c->event || !strcmp(event, c->event));
            rest = event + strlen(event) + 1;
            if (open && strchr(rest, '('))
                parse_frame(rest, s);
        }
    }
    if (open)
        assert_sample(c, s);
    free(s);
    ck_assert_msg(c->next == c->p->samples.len, "%zu samples, perf: %zu",
                  c->p->samples.len, c->next);
}

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
    struct read_options options = {
        .event = event, .frames = &frames, .jit_folder = "/nowhere"};
    struct err err = {0};
    struct profile *p;

    places_add_beside(places, path);
    p = recording_take(recording_open(&path, 1, &options, &err));
    ck_assert_msg(p, "%s", err.message);
    profile_finish(p);
    ck_assert_msg(!profile_check(p), "%s", profile_check(p));
    ck_assert_uint_eq(p->quality.skipped_ranges, 0);
    ck_assert_uint_eq(p->quality.malformed, 0);
    return p;
}

static size_t compare_with(const char *path, const char *event, bool walked,
                           FILE *text)
{
    struct places places = {.paths = {0}};
    struct comparison c = {.event = event, .walked = walked};
    struct profile *p = open_recording(path, event, &places);

    ck_assert_ptr_nonnull(text);
    c.p = p;
    compare(&c, text);
    printf("%s: %zu samples, %zu frames as perf has them; %zu stacks end "
           "otherwise\n", path, c.next, c.frames, c.parted);
    ck_assert_uint_le(c.parted * 2, c.next + 10);
    profile_free(p);
    places_release(&places);
    return c.next;
}

static const struct real {
    const char *data, *text, *event;
    bool walked;
} reals[] = {
    {"ledger-fp.data", "ledger-fp.script.txt", NULL, false},
    {"ledger-dwarf.data", "ledger-dwarf.script.txt", NULL, true},
    {"copyforward.perf.data", "copyforward.perf.script.txt", NULL, false},
};

enum { REALS = sizeof(reals) / sizeof(reals[0]) };

START_TEST(real_recordings)
{
    for (size_t i = 0; i < REALS; i++) {
        char *path = traces_path("perfdata", reals[i].data, "");
        char *script = traces_path("perfdata", reals[i].text, "");
        FILE *text = fopen(script, "r");

        if (text && !access(path, R_OK))
            compare_with(path, reals[i].event, reals[i].walked, text);
        else
            suite_skip(1, reals[i].data);
        if (text)
            fclose(text);
        free(path);
        free(script);
    }
}
END_TEST

/* ---- recordings made here ---- */

/* One's own, a whole machine's (-a) for example, in which other programs come
 * and go while perf lists them: PERFDATA=FILE, PERFDATA_EVENT=NAME if it has
 * several, and PERFDATA_WALKED=1 if it has copies of stacks. */
START_TEST(given_recording)
{
    const char *path = getenv("PERFDATA");
    char command[1000];
    FILE *text;

    if (!path)
        return;
    snprintf(command, sizeof(command),
             "perf script --no-inline -F comm,tid,time,period,event,ip,sym,"
             "dso -i %s 2>/dev/null", path);
    text = popen(command, "r");
    compare_with(path, getenv("PERFDATA_EVENT"), getenv("PERFDATA_WALKED"),
                 text);
    pclose(text);
}
END_TEST

static const struct made {
    const char *name, *options, *event;
    bool walked, pipe;
} mades[] = {
    {"frame pointers", "-e cpu-clock -F 999 -g", NULL, false, false},
    {"no stacks", "-e cpu-clock -F 999", NULL, false, false},
    {"pipe", "-e cpu-clock -F 999 -g", NULL, false, true},
    {"packed", "-z -e cpu-clock -F 999 -g", NULL, false, false},
    {"packed pipe", "-z -e cpu-clock -F 999 -g", NULL, false, true},
    {"fixed period", "-e cpu-clock -c 1500000 -g", NULL, false, false},
    {"two events", "-e cpu-clock,page-faults -g", "cpu-clock", false, false},
    {"the second", "-e cpu-clock,page-faults -g", "page-faults", false, false},
    {"everything", "-e cpu-clock -F 499 -g -d --phys-data -T -W --sample-cpu",
     NULL, false, false},
    {"user registers", "-e cpu-clock -F 499 --user-regs=ip,sp,bp --intr-regs "
     "-g", NULL, false, false},
    {"build-ids of mappings", "--buildid-mmap -e cpu-clock -F 499 -g", NULL,
     false, false},
    {"group", "-e {cpu-clock,page-faults}:S -g", "cpu-clock", false, false},
    {"stacks", "-e cpu-clock -F 999 --call-graph dwarf,4096", NULL, true,
     false},
    {"packed stacks", "-z -e cpu-clock -F 499 --call-graph dwarf,4096", NULL,
     true, false},
};

enum { MADES = sizeof(mades) / sizeof(mades[0]) };

/* Forks, execs, sorts and computes for a third of a second. */
static const char workload[] =
    "sh -c 'for i in 1 2 3; do seq 9000 | sort -R | sort -n | tail -n 1; "
    "done; expr 1 + 1' >/dev/null 2>&1";

static bool has_perf(void)
{
    return !system("perf record -q -o /dev/null -e cpu-clock true "
                   ">/dev/null 2>&1");
}

START_TEST(made_recordings)
{
    const struct made *m = &mades[_i];
    char folder[TEMP_FOLDER], path[300], command[1500];
    FILE *text;

    if (!has_perf()) {
        suite_skip(1, "perf cannot record here");
        return;
    }
    temp_folder(folder);
    snprintf(path, sizeof(path), "%s/perf.data", folder);
    snprintf(command, sizeof(command),
             "perf record -q %s -o %s -- %s 2>/dev/null %s%s", m->options,
             m->pipe ? "-" : path, workload, m->pipe ? ">" : "",
             m->pipe ? path : "");
    /* What a machine cannot record is no fault of ours. */
    if (system(command) || access(path, R_OK)) {
        suite_skip(1, m->name);
    } else {
        snprintf(command, sizeof(command),
                 "perf script --no-inline -F comm,tid,time,period,event,ip,"
                 "sym,dso -i %s 2>/dev/null", path);
        text = popen(command, "r");
        compare_with(path, m->event, m->walked, text);
        pclose(text);
    }
    temp_folder_remove(folder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("perfdata_truth");
    TCase *tcase = tcase_create("perfdata_truth");
    SRunner *runner;
    int failed;

    tcase_set_timeout(tcase, 120);
    if (getenv("PERFDATA")) {
        tcase_add_test(tcase, given_recording);
    } else {
        tcase_add_test(tcase, real_recordings);
        tcase_add_loop_test(tcase, made_recordings, 0, MADES);
    }
    suite_add_tcase(suite, tcase);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
