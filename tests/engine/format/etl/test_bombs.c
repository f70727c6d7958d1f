/* Packed buffers of a few bytes that claim to be many. */
#include "engine/input/recording.h"
#include "tests/support/opened.h"
#include "tests/support/suite.h"
#include "tests/support/temp_file.h"

enum {
    HEADER = 512,
    BUFFER = 72,
    EVENTS = 1 << 15,
    UNPACKED = BUFFER + 32 * EVENTS,
    BOMBS = 40,
};

/* One sample, and a match that repeats it to the end of the buffer. */
static size_t put_bomb(uint8_t *to, uint64_t time, uint64_t sequence)
{
    static const uint8_t match[] = {
        0, 0, 0, 0x80, (31 << 3 | 7) & 255, (31 << 3 | 7) >> 8, 15, 255, 0, 0};
    size_t at = BUFFER;
    uint32_t size = UNPACKED, number;

    memset(to, 0, BUFFER + 4);
    at += 4; /* 32 literals */
    memcpy(to + at, (uint8_t[]){2, 0, 17, 0xC0, 32, 0, 0x2E, 0x0F}, 8);
    memcpy(to + at + 8, &time, 8);
    memset(to + at + 16, 1, 16);
    at += 32;
    memcpy(to + at, match, sizeof(match));
    at += sizeof(match);
    memcpy(to + at, &size, 4);
    at += 4;
    number = (uint32_t)at;
    memcpy(to, &number, 4);
    memcpy(to + 4, &size, 4);
    memcpy(to + 0x18, &sequence, 8);
    memcpy(to + 0x30, &size, 4);
    to[0x34] = 0x60;
    return at;
}

/* The log file header of a packed log of ours, and bombs. */
static size_t make_log(uint8_t *to)
{
    FILE *f = fopen("testdata/etl/packed.etl", "rb");
    uint32_t size = UNPACKED, buffers = BOMBS + 1;
    size_t at = HEADER;
    uint64_t first;

    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fread(to, 1, HEADER, f), HEADER);
    fclose(f);
    memcpy(to + BUFFER + 32, &size, 4);
    memcpy(to + BUFFER + 68, &buffers, 4);
    memcpy(&first, to + BUFFER + 16, 8);
    for (unsigned i = 0; i < BOMBS; i++)
        at += put_bomb(to + at, first + 1000 + i, i + 2);
    return at;
}

/* 40 MiB of events in 5 KB: the first 8 are read, the rest is counted. */
TEST(refused_beyond_the_limit)
{
    static uint8_t log[64 << 10];
    size_t n = make_log(log);
    char path[TEMP_PATH];
    struct profile *p;

    temp_file(path, log, n);
    p = opened_profile(path, &(struct read_options){.threads = 1});
    unlink(path);
    ck_assert_uint_eq(p->samples.len, 8 * EVENTS);
    ck_assert_uint_eq(p->quality.skipped_ranges, 1);
    ck_assert_uint_eq(p->quality.skipped_bytes, (n - HEADER) / BOMBS * 32);
    profile_free(p);
}
