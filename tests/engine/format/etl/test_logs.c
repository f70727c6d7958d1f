/* Several logs of one recording: which belong together, and what they say. */
#include "engine/input/recording.h"
#include "tests/support/etl_events.h"
#include "tests/support/suite.h"
#include "tests/support/temp_file.h"

enum { SECOND = 10000000 };

static const uint64_t START = 133537248000000000u; /* FILETIME */
static char paths[2][TEMP_PATH];

/* A log with one sample at that tick behind its start. */
static void write_log(unsigned i, const struct etl_options *options,
                      uint64_t after)
{
    FILE *f;
    struct etl_writer *w;

    temp_file(paths[i], "", 0);
    f = fopen(paths[i], "wb");
    ck_assert_ptr_nonnull(f);
    w = etl_writer_new(options, f);
    etl_sampled_profile(
        w, (struct etl_at){.tick = etl_writer_options(w)->t0 + after},
        0x401000 + i, 7, 0);
    ck_assert(etl_writer_finish(w));
    etl_writer_free(w);
    fclose(f);
}

static struct profile *read_both(struct err *err)
{
    const char *const names[] = {paths[0], paths[1]};
    struct read_options options = {.threads = 1};
    struct profile *p;

    *err = (struct err){0};
    p = recording_take(recording_open((const char **)names, 2, &options, err));
    unlink(paths[0]);
    unlink(paths[1]);
    return p;
}

static struct etl_options first_options(void)
{
    return (struct etl_options){.cpus = 2,
                                .t0 = 1000 * (uint64_t)SECOND,
                                .start_filetime = START,
                                .events_lost = 3,
                                .buffers_lost = 4};
}

/* Their counters began at the same time, but for a minute, and count the same
 * ticks by the same clock. */
static const struct {
    int seconds; /* between the starts of their counters */
    uint64_t frequency;
    enum etl_writer_clock clock;
    bool together;
} pairs[] = {
    {60, SECOND, ETL_CLOCK_QPC, true},     {-60, SECOND, ETL_CLOCK_QPC, true},
    {61, SECOND, ETL_CLOCK_QPC, false},    {-61, SECOND, ETL_CLOCK_QPC, false},
    {0, SECOND + 1, ETL_CLOCK_QPC, false}, {0, SECOND, ETL_CLOCK_SYSTEM, false},
};

TEST_LOOP(which_belong_together, COUNT(pairs))
{
    struct etl_options first = first_options(), second = first;
    struct err err;
    struct profile *p;

    second.start_filetime += (uint64_t)((int64_t)pairs[_i].seconds * SECOND);
    second.perf_freq = pairs[_i].frequency;
    second.clock = pairs[_i].clock;
    write_log(0, &first, 20);
    write_log(1, &second, 20);
    p = read_both(&err);
    ck_assert(!p == !pairs[_i].together);
    if (!p) {
        ck_assert_int_eq(err.code, ERR_UNSUPPORTED);
        ck_assert_ptr_nonnull(
            strstr(err.message, "not of the same recording as"));
        ck_assert_ptr_nonnull(strstr(err.message, "open them one at a time"));
    }
    profile_free(p);
}

/* A start that no log is from is not known. */
TEST(when_it_began)
{
    static const struct {
        uint64_t filetime;
        int64_t ns;
    } starts[] = {
        {116444736000000000, 0},
        {116444736000000007, 700},
        {116444735990000000, 0},
        {133537248001234567, 1709251200123456700},
    };
    struct etl_options options = first_options();
    struct err err;
    struct profile *p;

    for (size_t i = 0; i < 4; i++) {
        options.start_filetime = starts[i].filetime;
        write_log(0, &options, 20);
        write_log(1, &options, 30);
        p = read_both(&err);
        ck_assert_msg(p, "%s", err.message);
        ck_assert_int_eq(p->trace.start_unix_ns, starts[i].ns);
        profile_free(p);
    }
}
