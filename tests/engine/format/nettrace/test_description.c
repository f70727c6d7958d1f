/* What a stream says of itself: keys, clocks and dates. */
#include "tests/engine/format/nettrace/events.h"

static struct nettrace_writer *w;

static void put(uint64_t value, unsigned width)
{
    put_number(&w->block, value, width);
}

static uint32_t pid_of(const char *text)
{
    uint32_t pid;

    w = nettrace_writer_new(6, true);
    w->out.len = 20; /* behind the header of the stream */
    nettrace_begin_block(w, NT_BLOCK_TRACE);
    for (unsigned i = 0; i < 4; i++)
        put(0, 8);
    w->block.data[24] = 1; /* a tick a second */
    put(8, 4);
    put(3, 4);
    put_string(&w->block, "ProcessIds");
    put_string(&w->block, "7");
    put_string(&w->block, "ProcessId");
    put_string(&w->block, text);
    put_string(&w->block, "HardwareThreadCount");
    put_string(&w->block, text);
    events_read(w);
    ck_assert_int_eq(got.code, ERR_NONE);
    ck_assert_uint_eq(got.file.cpus,
                      got.file.pid <= 1 << 20 ? got.file.pid : 0);
    pid = got.file.pid;
    events_end(w);
    return pid;
}

TEST(keys_of_the_description)
{
    ck_assert_uint_eq(pid_of("1234"), 1234);
    ck_assert_uint_eq(pid_of("1048576"), 1 << 20);
    ck_assert_uint_eq(pid_of("1048577"), (1 << 20) + 1);
    ck_assert_uint_eq(pid_of("4294967295"), UINT32_MAX);
    ck_assert_uint_eq(pid_of("4294967296"), 0);
    ck_assert_uint_eq(pid_of("42949672950"), 0);
    ck_assert_uint_eq(pid_of("184467440737095516161"), 0);
    ck_assert_uint_eq(pid_of("12a"), 0);
    ck_assert_uint_eq(pid_of("1:2"), 0);
    ck_assert_uint_eq(pid_of("-1"), 0);
    ck_assert_uint_eq(pid_of(""), 0);
}

static const struct {
    uint64_t frequency;
    uint32_t pointer;
    const char *damage;
} descriptions[] = {
    {1, 4, NULL},
    {INT64_MAX, 8, NULL},
    {0, 8, "clock frequency is not positive"},
    {UINT64_C(1) << 63, 8, "clock frequency is not positive"},
    {1, 5, "pointer size is neither 4 nor 8"},
};

TEST_LOOP(descriptions_that_make_no_sense, COUNT(descriptions))
{
    w = nettrace_writer_new(6, true);
    for (unsigned i = 0; i < 8; i++)
        w->out.data[24 + 24 + i] =
            (uint8_t)(descriptions[_i].frequency >> 8 * i);
    w->out.data[24 + 32] = (uint8_t)descriptions[_i].pointer;
    events_read(w);
    ck_assert(got.file.described == !descriptions[_i].damage);
    ck_assert_int_eq(got.code,
                     descriptions[_i].damage ? ERR_TRUNCATED : ERR_NONE);
    ck_assert_uint_eq(got.file.damaged, descriptions[_i].damage ? 1 : 0);
    events_end(w);
}

/* A date as the stream has it, and nanoseconds since 1970. */
static const struct {
    uint16_t date[8];
    int64_t ns;
} dates[] = {
    {{1970, 1, 4, 1, 0, 0, 0, 1}, 1000000},
    {{2000, 2, 2, 29, 12, 30, 15, 999}, 951827415999000000},
    {{2000, 3, 3, 1, 0, 0, 0, 0}, 951868800000000000},
    {{1999, 12, 5, 31, 23, 59, 60, 0}, 946684800000000000},
    {{2100, 3, 1, 1, 0, 0, 0, 0}, 4107542400000000000},
    {{2250, 12, 2, 31, 0, 0, 0, 0}, 8867404800000000000},
    {{2025, 1, 5, 31, 23, 59, 59, 0}, 1738367999000000000},
    {{1969, 12, 3, 31, 0, 0, 0, 0}, 0},
    {{2251, 1, 3, 1, 0, 0, 0, 0}, 0},
    {{2025, 0, 0, 1, 0, 0, 0, 0}, 0},
    {{2025, 13, 0, 1, 0, 0, 0, 0}, 0},
    {{2025, 1, 0, 0, 0, 0, 0, 0}, 0},
    {{2025, 1, 0, 32, 0, 0, 0, 0}, 0},
    {{2025, 1, 0, 1, 24, 0, 0, 0}, 0},
    {{2025, 1, 0, 1, 0, 60, 0, 0}, 0},
    {{2025, 1, 0, 1, 0, 0, 61, 0}, 0},
    {{2025, 1, 0, 1, 0, 0, 0, 1000}, 0},
};

TEST_LOOP(dates_of_recordings, COUNT(dates))
{
    uint8_t bytes[16] = {0};
    struct reader r = reader_of("", bytes, sizeof(bytes), 0, NULL);

    for (unsigned i = 0; i < 8; i++) {
        bytes[2 * i] = (uint8_t)dates[_i].date[i];
        bytes[2 * i + 1] = (uint8_t)(dates[_i].date[i] >> 8);
    }
    ck_assert_int_eq(nt_unix_time(&r), dates[_i].ns);
    ck_assert_uint_eq(reader_left(&r), 0);
}
