/* Streams with known answers, sound and damaged. */
#include "engine/format/nettrace/nettrace.h"
#include "tests/engine/format/nettrace/stream.h"
#include "tests/support/suite.h"

static const char runtime[] = "Microsoft-Windows-DotNETRuntime";
static const char rundown[] = "Microsoft-Windows-DotNETRuntimeRundown";
static const char sampler[] = "Microsoft-DotNETCore-SampleProfiler";

enum { MS = 1000000 };

static const struct {
    unsigned version;
    bool compressed;
} versions[] = {{3, false}, {4, false}, {4, true},
                {5, true},  {6, false}, {6, true}};

enum { VERSIONS = COUNT(versions) };

static struct nettrace_writer *scenario(int i, unsigned rounds)
{
    return nettrace_scenario(versions[i].version, versions[i].compressed,
                             rounds);
}

TEST_LOOP(versions_agree, VERSIONS)
{
    /* Enough rounds for a sequence point within. */
    struct profile *p = read_stream(scenario(_i, 100), NULL);

    ck_assert_uint_eq(p->trace.events, nettrace_scenario_events(100));
    ck_assert_uint_eq(p->samples.len, 1600);
    ck_assert_uint_eq(p->quality.lost_events,
                      versions[_i].version == 3 ? 0 : SCENARIO_LOST);
    ck_assert_int_eq(p->trace.metric.id, METRIC_THREAD_SAMPLES);
    ck_assert_str_eq(strings_get(p->strings, p->processes.data[0].name),
                     "Start");
    ck_assert_int_eq(p->trace.duration_ns, 1607 * (int64_t)MS);
    ck_assert_int_eq(p->trace.start_unix_ns,
                     1738555506 * (int64_t)1000000000);
    assert_function(p, "App.Work.Hot(class System.String)", "App", 600, 600);
    assert_function(p, "App.Work.Cold()", "App", 200, 200);
    assert_function(p, "Start.Program.Main()", "Start", 800, 1600);
    ck_assert_uint_eq(p->quality.warnings.len, versions[_i].version > 3);
    ck_assert_uint_eq(p->methods.len, 3);
    profile_free(p);
}

/* Where the program's path has spaces it is in quotes, which are not of its
 * name. */
TEST(quoted_program)
{
    static const char plain[] = "/srv/bin/Start --fast",
                      quoted[] = "\"/My Dir/Start.exe\" -";
    struct nettrace_writer *w = scenario(4, 1);
    uint8_t *line, wide[2 * (sizeof(plain) - 1)] = {0};
    struct profile *p;

    ck_assert_uint_eq(sizeof(plain), sizeof(quoted));
    for (size_t i = 0; plain[i]; i++)
        wide[2 * i] = (uint8_t)plain[i];
    line = memmem(w->out.data, w->out.len, wide, sizeof(wide));
    ck_assert_ptr_nonnull(line);
    for (size_t i = 0; quoted[i]; i++)
        line[2 * i] = (uint8_t)quoted[i];
    p = read_stream(w, NULL);
    ck_assert_str_eq(strings_get(p->strings, p->processes.data[0].name),
                     "Start.exe");
    profile_free(p);
}

/* Every prefix gives the events that are whole in it, or an error that says
 * where it ends. */
TEST_LOOP(cut_off, VERSIONS)
{
    struct nettrace_writer *w = scenario(_i, 1);
    uint64_t last = 0;

    for (size_t n = 8; n < w->out.len; n++) {
        struct err err = {0};
        uint8_t *part = memcpy(mem_new(n, 1), w->out.data, n);
        struct profile *p =
            n < 24 ? NULL : read_bytes(part, n, NULL, &err);

        if (p) {
            ck_assert_uint_ge(p->trace.events, last);
            last = p->trace.events;
            ck_assert(p->quality.skipped.len || p->quality.warnings.len);
            profile_free(p);
        } else if (n >= 24) {
            ck_assert_ptr_nonnull(strstr(err.message, "test: offset 0x"));
            ck_assert_uint_eq(last, 0);
        }
        free(part);
    }
    ck_assert_uint_ge(last, 16);
    nettrace_writer_free(w);
}

TEST_LOOP(cut_off_names_its_cause, VERSIONS)
{
    struct nettrace_writer *w = scenario(_i, 1);
    struct err err = {0};
    const uint8_t *names;
    struct profile *p;

    /* Before the first method: the names are in what is missing. */
    names = memmem(w->out.data, w->out.len, "H\0o\0t\0", 6);
    p = read_bytes(w->out.data, (size_t)(names - w->out.data), NULL, &err);
    ck_assert_ptr_nonnull(p);
    ck_assert_uint_eq(p->samples.len, 16);
    ck_assert_uint_eq(p->locations.data[0].cause, CAUSE_CUT_OFF);
    profile_free(p);
    nettrace_writer_free(w);
}

/* ---- lost events ---- */

static struct nettrace_writer *numbered(unsigned version)
{
    struct nettrace_writer *w = nettrace_writer_new(version, true);

    nettrace_kind(w, 1, "App", 1, "Tick", 0);
    if (version == 6) {
        nettrace_thread(w, 1, 1234, 11);
        nettrace_thread(w, 2, 1234, 12);
    }
    return w;
}

static void tick(struct nettrace_writer *w, uint64_t thread, uint32_t number)
{
    struct nettrace_event e = {.kind = 1,
                               .thread = thread,
                               .capture_thread = thread,
                               .sequence = number,
                               .time = w->last.time + 1};

    nettrace_event(w, &e);
}

static void assert_lost(struct nettrace_writer *w, uint64_t lost,
                        uint64_t events)
{
    struct profile *p;

    nettrace_end(w);
    p = read_stream(w, NULL);
    ck_assert_uint_eq(p->quality.lost_events, lost);
    ck_assert_uint_eq(p->trace.events, events);
    profile_free(p);
}

TEST(first_number_is_the_base_before_v6)
{
    const uint64_t point[2][2] = {{1, 12}, {2, 100}};
    struct nettrace_writer *w = numbered(4);

    tick(w, 1, 5);
    tick(w, 1, 6);
    tick(w, 1, 9); /* 2 lost */
    nettrace_sequence_point(w, 0, point, 2); /* 3 lost, and a new thread */
    tick(w, 2, 102); /* 1 lost */
    tick(w, 1, 1);   /* another thread with the id */
    tick(w, 1, 2);
    assert_lost(w, 6, 6);
}

TEST(numbers_count_from_0_in_v6)
{
    const uint64_t point[2][2] = {{1, 8}, {2, 5}};
    struct nettrace_writer *w = numbered(6);

    tick(w, 1, 3); /* 2 lost */
    nettrace_sequence_point(w, 0, point, 2); /* 5 and 5 lost */
    nettrace_remove_thread(w, 2, 6);         /* 1 lost */
    tick(w, 1, 9);
    assert_lost(w, 13, 2);
}

TEST_LOOP(numbers_that_go_back_lose_nothing, 3)
{
    struct nettrace_writer *w = numbered((unsigned)(_i + 4));
    struct profile *p;

    tick(w, 1, 1);
    tick(w, 1, 2);
    tick(w, 1, 3);
    tick(w, 1, 2);
    tick(w, 1, 3);
    nettrace_end(w);
    p = read_stream(w, NULL);
    ck_assert_uint_eq(p->quality.lost_events, 0);
    ck_assert_ptr_nonnull(strstr(warning(p, 0), "decreased: 1"));
    profile_free(p);
}

/* ---- methods in time ---- */

static void put_method_event(struct nettrace_writer *w, uint32_t kind,
                             uint64_t time, uint64_t at, const char *name)
{
    struct nettrace_event e = {.kind = kind, .thread = 1, .time = time};
    byte_vec p = {0};

    put_method(&p, at, 0x100, 7, "N.T", name, "void  ()");
    e.payload = p.data;
    e.size = p.len;
    e.sequence = w->last.sequence + 1;
    nettrace_event(w, &e);
    vec_release(&p);
}

static void put_sample(struct nettrace_writer *w, uint64_t time)
{
    static const uint8_t managed[4] = {2};
    struct nettrace_event e = {.kind = 1,
                               .thread = 1,
                               .stack = 1,
                               .time = time,
                               .payload = managed,
                               .size = 4};

    e.sequence = w->last.sequence + 1;
    nettrace_event(w, &e);
}

static struct nettrace_writer *reuse(void)
{
    static const uint64_t frame[] = {0x5010};
    struct nettrace_writer *w = nettrace_writer_new(4, true);

    nettrace_kind(w, 1, sampler, 0, "", 0);
    nettrace_kind(w, 2, runtime, 144, "", 1);
    nettrace_kind(w, 3, runtime, 143, "", 1);
    nettrace_kind(w, 4, rundown, 144, "", 1);
    nettrace_kind(w, 5, runtime, 153, "", 1);
    nettrace_stack(w, 1, frame, 1);
    return w;
}

/* Unload events alone tell turns apart, and name samples before them. */
TEST(memory_is_reused)
{
    struct nettrace_writer *w = reuse();
    struct profile *p;

    for (uint64_t t = 1; t <= 5; t++)
        put_sample(w, t * 10);
    put_method_event(w, 2, 25, 0x5000, "First");
    put_method_event(w, 2, 35, 0x5000, "Second");
    put_method_event(w, 4, 60, 0x5000, "Third");
    nettrace_end(w);
    p = read_stream(w, NULL);
    assert_function(p, "N.T.First()", "[unknown]", 2, 2);
    assert_function(p, "N.T.Second()", "[unknown]", 1, 1);
    assert_function(p, "N.T.Third()", "[unknown]", 2, 2);
    profile_free(p);
}

/* ---- several files ---- */

/* Files of one recording, which began at different times. */
TEST_LOOP(files_are_one_profile, VERSIONS)
{
    struct nettrace_writer *w[2] = {scenario(_i, 1), scenario(_i, 1)};
    const struct read_options options = {0};
    struct profile *p = profile_new();
    struct entry entries[2];
    /* The millisecond of the start: 250. */
    uint8_t *start = memmem(w[0]->out.data, w[0]->out.len, "\5\0\6\0\0\0", 6);

    ck_assert_ptr_nonnull(start);
    start[4] = 250;
    for (unsigned i = 0; i < 2; i++)
        entries[i] = (struct entry){.name = i ? "b" : "a",
                                    .data = w[i]->out.data,
                                    .size = w[i]->out.len};
    ck_assert_int_eq(
        recording_read(&nettrace_format, entries, 2, &options, p, NULL), 0);
    profile_finish(p);
    ck_assert_msg(!profile_check(p), "%s", profile_check(p));
    ck_assert_uint_eq(p->samples.len, 32);
    ck_assert_int_eq(p->samples.time[0], MS);
    ck_assert_int_eq(p->samples.time[31], 266 * (int64_t)MS);
    /* 23 ms each: what lies between them was not recorded. */
    ck_assert_int_eq(p->trace.duration_ns, 46 * (int64_t)MS);
    ck_assert_uint_eq(p->trace.events, 2 * nettrace_scenario_events(1));
    assert_function(p, "Start.Program.Main()", "Start", 16, 32);
    profile_free(p);
    nettrace_writer_free(w[0]);
    nettrace_writer_free(w[1]);
}

/* ---- damage ---- */

static struct profile *read_with_change(struct nettrace_writer *w, size_t at,
                                        uint8_t value)
{
    struct err err = {0};
    uint8_t old = w->out.data[at];
    struct profile *p;

    w->out.data[at] = value;
    p = read_bytes(w->out.data, w->out.len, NULL, &err);
    w->out.data[at] = old;
    return p;
}

/* An object that cannot be understood costs what is in it, not what is
 * behind it. */
TEST_LOOP(goes_on_after_damage, 2)
{
    struct nettrace_writer *w = nettrace_scenario((unsigned)(_i + 3), true, 200);
    const char *type = (_i + 3) == 3 ? "EventBlock" : "StackBlock";
    uint8_t *second, *found = memmem(w->out.data, w->out.len, type, 10);
    struct profile *p;

    ck_assert_ptr_nonnull(found);
    found++;
    second = memmem(found, w->out.len - (size_t)(found - w->out.data), type,
                    10);
    if (!second) /* v3 has one block */
        second = found - 1;
    p = read_with_change(w, (size_t)(second - w->out.data), 'X');
    if ((_i + 3) == 3) {
        ck_assert_ptr_null(p);
    } else {
        ck_assert_ptr_nonnull(p);
        ck_assert_uint_eq(p->trace.events, nettrace_scenario_events(200));
        ck_assert_uint_eq(p->quality.skipped_ranges, 1);
        ck_assert_ptr_nonnull(strstr(warning(p, 0), "undefined stack"));
        ck_assert_ptr_nonnull(strstr(warning(p, 1), "thread 10: 3"));
    }
    profile_free(p);
    nettrace_writer_free(w);
}

static void assert_refused(const void *bytes, size_t n, const char *why)
{
    struct err err = {0};

    ck_assert_ptr_null(read_bytes(bytes, n, NULL, &err));
    ck_assert_msg(strstr(err.message, why) &&
                      strstr(err.message, "test: offset 0x"),
                  "%s", err.message);
}

TEST(refused_by_name)
{
    static const uint8_t v7[20] = "Nettrace\0\0\0\0\7\0\0\0\1";
    static const uint8_t v2[20] = "Nettrace\0\0\0\0\2";
    static const uint8_t old[] =
        "\x14\0\0\0!FastSerialization.1\4\4\1\1\0\0\0\0\0\0\0\x26\0\0\0"
        "Microsoft.DotNet.Runtime.EventPipeFile\6";
    static const uint8_t other[] = "Nettrace\x14\0\0\0!FastSerialization.1"
                                   "\5\5\1\1\0\0\0\0\0\0\0\5\0\0\0Novel\6";

    assert_refused(v7, sizeof(v7), "version 7.1");
    assert_refused(v2, sizeof(v2), "not a header");
    assert_refused(old, sizeof(old) - 1, "version 1 of netperf files");
    assert_refused(other, sizeof(other) - 1, "\"Novel\"");
    assert_refused("Nettrace", 8, "truncated");
}
