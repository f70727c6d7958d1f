/* Files of several stretches: what is read is the same, by how many threads
 * so ever, wherever blocks lie and whatever is wrong with them. */
#include "tests/engine/format/nettrace/stream.h"

enum {
    SEVERAL = 5 << 20, /* bytes: more than two stretches */
    BLOCK_EVENTS = 1024,
    MOST_THREADS = 8,
};

/* Rounds that make so many bytes. Events of version 3 are all in one block. */
static const struct {
    unsigned version;
    bool compressed;
    unsigned rounds;
} versions[] = {
    {3, false, 4500}, {4, false, 4000}, {4, true, 36000},
    {6, false, 6000}, {6, true, 36000},
};

enum { VERSIONS = sizeof(versions) / sizeof(versions[0]), V4_COMPRESSED = 2 };

static struct nettrace_writer *long_scenario(int i)
{
    struct nettrace_writer *w = nettrace_scenario(
        versions[i].version, versions[i].compressed, versions[i].rounds);

    ck_assert_uint_gt(w->out.len, SEVERAL);
    return w;
}

static struct profile *read_by(unsigned threads, const uint8_t *data,
                               size_t size)
{
    struct read_options options = {.threads = threads};
    struct err err = {0};
    struct profile *p = read_bytes(data, size, &options, &err);

    ck_assert_msg(p, "%s", err.message);
    return p;
}

START_TEST(all_of_it)
{
    struct nettrace_writer *w = long_scenario(_i);
    uint64_t rounds = versions[_i].rounds;

    for (unsigned threads = 1; threads <= MOST_THREADS; threads *= 2) {
        struct profile *p = read_by(threads, w->out.data, w->out.len);

        ck_assert_uint_eq(p->trace.events,
                          nettrace_scenario_events((unsigned)rounds));
        ck_assert_uint_eq(p->samples.len, rounds * 16);
        ck_assert_uint_eq(p->quality.skipped_ranges, 0);
        assert_function(p, "App.Work.Cold()", "App", rounds * 2, rounds * 2);
        assert_function(p, "Start.Program.Main()", "Start", rounds * 8,
                        rounds * 16);
        profile_free(p);
    }
    nettrace_writer_free(w);
}
END_TEST

/* A block in the second stretch is none. */
START_TEST(damaged_in_the_middle)
{
    struct nettrace_writer *w = long_scenario(V4_COMPRESSED);
    uint8_t *middle = w->out.data + SEVERAL / 2;
    uint8_t *type = memmem(middle, SEVERAL / 2, "EventBlock", 10);

    ck_assert_ptr_nonnull(type);
    *type = 'X';
    for (unsigned threads = 1; threads <= 2; threads++) {
        struct profile *p = read_by(threads, w->out.data, w->out.len);

        ck_assert_uint_eq(p->quality.skipped_ranges, 1);
        ck_assert_uint_eq(p->trace.events, nettrace_scenario_events(
                                               versions[V4_COMPRESSED].rounds) -
                                               BLOCK_EVENTS);
        profile_free(p);
    }
    nettrace_writer_free(w);
}
END_TEST

/* Around the ends of stretches. */
START_TEST(cut_off)
{
    static const int ends[] = {-1, 0, 1, 4};
    struct nettrace_writer *w = long_scenario(_i);

    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        size_t size = (size_t)((4 << 20) + ends[i]);
        struct profile *one = read_by(1, w->out.data, size);
        struct profile *two = read_by(2, w->out.data, size);

        ck_assert_uint_gt(one->trace.events, 0);
        ck_assert_uint_eq(one->trace.events, two->trace.events);
        ck_assert_uint_eq(one->quality.skipped_ranges,
                          two->quality.skipped_ranges);
        ck_assert_str_eq(warning(one, 0), warning(two, 0));
        profile_free(one);
        profile_free(two);
    }
    nettrace_writer_free(w);
}
END_TEST

SUITE
{
    TCase *tcase = tcase_create("ahead");

    tcase_add_loop_test(tcase, all_of_it, 0, VERSIONS);
    tcase_add_test(tcase, damaged_in_the_middle);
    tcase_add_loop_test(tcase, cut_off, 0, VERSIONS);
    return suite_run_case("ahead", tcase);
}
