/* Recordings of a fleet as one profile. */
#include "engine/fleet/read.h"

#include "tests/support/reading.h"

#define HEAD                                                                   \
    "malformed: 37\n"                                                          \
    "process - app.exe: 0\n"                                                   \
    "module /bin/app a.pdb 7 guid 01000000000000000000000000000002 id 00ab\n"
#define OUTER "(in [app] a.h:3 native main [app] native +1000\n"
#define TOTAL "Shop.Total(int) [app] a.cs:9 managed +8 <- " OUTER

TEST(recordings_become_a_profile)
{
    struct err err = {0};
    struct profile *p;

    serve_all();
    assert_reads(&all, false,
                 "cpu-samples, every 1000, for 5000, from "
                 "1700000000000000000\n" HEAD "0 #0 x4: " TOTAL
                 "0 #0 x3 idle: " OUTER);
    ck_assert_uint_eq(asked_times("SELECT id, "), FLEET_CONTENT);
    p = read_fleet(&all, false, &err);
    ck_assert_uint_eq(p->trace.recordings, 2);
    ck_assert_uint_eq(p->trace.hosts, 1);
    ck_assert_uint_eq(p->trace.cpus, 4);
    ck_assert_uint_eq(p->trace.pointer_size, 8);
    ck_assert_uint_eq(p->trace.idle_not_kept, 31);
    ck_assert_uint_eq(p->trace.events, 32);
    ck_assert(p->trace.adds_up);
    ck_assert_uint_eq(p->quality.lost_events, 33);
    ck_assert_uint_eq(p->quality.lost_buffers, 34);
    ck_assert_uint_eq(p->quality.skipped_bytes, 35);
    ck_assert_uint_eq(p->quality.skipped_ranges, 36);
    ck_assert_uint_eq(p->quality.cut_stacks, 38);
    ck_assert_str_eq(strings_get(p->strings, p->trace.format), "etl");
    ck_assert_str_eq(strings_get(p->strings, p->trace.os), "Linux");
    ck_assert_str_eq(strings_get(p->strings, p->trace.files.data[0]),
                     fleet_stand_in_address(server));
    profile_free(p);
}

/* Recordings lie on top of each other: as long as the longest. */
TEST(with_times)
{
    static const struct sum sums[] = {
        {0, 9, 10, 2}, {0, 8, 5, 4}, {0, 9, 0, 1}};

    serve_totals(&usual);
    serve_sums(sums, COUNT(sums));
    serve_content();
    assert_reads(&all, true,
                 "cpu-samples, every 1000, for 3000, from "
                 "1700000000000000000\n" HEAD "0 #0 idle: " OUTER
                 "5 #0 x4: " TOTAL "10 #0 x2 idle: " OUTER);
    ck_assert_ptr_nonnull(strstr(asked("SELECT number AS unit"),
                                 "toUInt64(slice) * slice_ns AS begins"));
}

/* Those that stay apart follow each other; one without a length has 1 ns. */
TEST(recordings_apart)
{
    static const struct fleet_question apart = {.apart = "run"};
    static const struct sum sums[] = {
        {22, 8, 5, 4}, {21, 9, 10, 2}, {23, 9, 0, 1}};
    struct out *units = out_memory();
    struct err err = {0};
    struct profile *p;

    row_u64(units, 22);
    row_text(units, "b.etl");
    row_u64(units, 100);
    row_u64(units, 23);
    row_text(units, "c.etl");
    row_u64(units, 0);
    row_u64(units, 21);
    row_text(units, "a.etl");
    row_u64(units, 50);
    fleet_stand_in_reply(server, "SELECT run AS number, file AS name", units);
    serve_totals(&usual);
    serve_sums(sums, COUNT(sums));
    serve_content();
    assert_reads(&apart, true,
                 "cpu-samples, every 1000, for 5000, from "
                 "1700000000000000000\n" HEAD "5 #0 x4: " TOTAL
                 "100 #0 idle: " OUTER "111 #0 x2 idle: " OUTER);
    p = read_fleet(&apart, true, &err);
    ck_assert_uint_eq(p->trace.inputs.len, 3);
    ck_assert_int_eq(p->trace.inputs.data[1].from, 100);
    ck_assert_int_eq(p->trace.inputs.data[1].to, 101);
    ck_assert_int_eq(p->trace.inputs.data[2].to, 151);
    ck_assert(p->trace.adds_up);
    profile_free(p);
    ck_assert_ptr_nonnull(
        strstr(asked("SELECT run AS number"), "ORDER BY time, hash"));
}

TEST(large_weights)
{
    static const struct sum sums[] = {{0, 8, 0, (UINT64_C(1) << 32) + 4}};
    struct totals totals = usual;

    totals.n[SAMPLES] = sums[0].weight;
    totals.n[LEAST] = 500; /* and MOST: unknown */
    serve_totals(&totals);
    serve_sums(sums, 1);
    serve_content();
    assert_reads(&all, false,
                 "cpu-samples, for 5000, from 1700000000000000000\n" HEAD
                 "0 #0 x4294967300: " TOTAL);
}

TEST(what_differs_is_not_named)
{
    struct totals totals = usual;
    struct err err = {0};
    struct profile *p;

    totals.n[FORMATS] = totals.n[SYSTEMS] = 2;
    serve_totals(&totals);
    serve_sums(usual_sums, COUNT(usual_sums));
    serve_content();
    p = read_fleet(&all, false, &err);
    ck_assert_ptr_nonnull(p);
    ck_assert_str_eq(strings_get(p->strings, p->trace.format), "mixed");
    ck_assert_uint_eq(p->trace.os, 0);
    profile_free(p);
}

TEST(what_does_not_add_up)
{
    struct totals none = usual, kinds = usual;

    none.n[RUNS] = 0;
    kinds.n[KINDS] = 2;
    serve_content();
    serve_totals(&none);
    serve_totals(&kinds);
    assert_fails(&all, false, ERR_NOT_FOUND,
                 "no recordings match ('topfn runs' lists them)");
    assert_fails(&all, false, ERR_USAGE,
                 "samples of 2 different kinds cannot be added up: choose one "
                 "with --where metric=...");
    fleet_stand_in_reply(server, "SELECT count()", NULL);
    assert_fails(&all, false, ERR_TRUNCATED, "value truncated");
}

/* ---- while others push ---- */

TEST(asked_again_until_it_is_settled)
{
    static const struct sum early[] = {{0, 8, 0, 4}};

    serve_totals(&usual);
    serve_sums(early, 1); /* fewer samples than the recordings have */
    serve_sums(usual_sums, COUNT(usual_sums));
    serve_content();
    assert_reads(&all, false,
                 "cpu-samples, every 1000, for 5000, from "
                 "1700000000000000000\n" HEAD "0 #0 x4: " TOTAL
                 "0 #0 x3 idle: " OUTER);
    ck_assert_uint_eq(asked_times("SELECT count()"), 2);
}

TEST(never_settled)
{
    struct totals totals = usual;

    totals.n[SAMPLES] = 6;
    serve_totals(&totals);
    serve_sums(usual_sums, COUNT(usual_sums));
    serve_content();
    assert_fails(&all, false, ERR_CORRUPT,
                 "the table runs counts 6 samples, the table samples 7; if "
                 "recordings are being sent now, try again later");
    ck_assert_uint_eq(asked_times("SELECT count()"), 4);
}

SUITE_FIXTURE(reading_begin, reading_end)
