/* Equal runs of addresses have one id. */
#include "engine/attribution/callchains.h"

#include "engine/base/hash.h"
#include "tests/support/suite.h"

static uint32_t add(struct callchains *runs, const uint8_t *frames,
                    uint32_t count, uint32_t width, bool lasting)
{
    struct callchain run = {frames, count, width, NULL};

    return callchains_add(runs, &run, callchain_fingerprint(&run), lasting);
}

TEST(equal_runs)
{
    uint8_t frames[64], same[64];
    struct callchains runs;
    uint32_t id;

    for (size_t i = 0; i < sizeof(frames); i++)
        frames[i] = same[i] = (uint8_t)(i * 7 + 1);
    callchains_init(&runs);
    id = add(&runs, frames, 8, 8, true);
    ck_assert_uint_eq(id, 1);
    ck_assert_uint_eq(add(&runs, same, 8, 8, true), id);
    ck_assert_uint_eq(runs.list.len, 2);
    ck_assert_ptr_eq(runs.list.data[id].frames, frames);
    ck_assert_uint_eq(runs.list.data[id].count, 8);
    ck_assert_uint_eq(runs.list.data[0].count, 0);
    callchains_release(&runs);
}

/* Whichever byte it is that differs, and whatever the length. */
TEST(runs_that_differ)
{
    enum { WORDS = 12 };
    uint8_t frames[WORDS][8 * WORDS][8 * WORDS];
    struct callchains runs;
    uint32_t expected = 1;

    callchains_init(&runs);
    for (uint32_t n = 1; n <= WORDS; n++)
        for (uint32_t at = 0; at < 8 * n; at++) {
            uint8_t *run = frames[n - 1][at];

            memset(run, 0x11, 8 * n);
            run[at] = 0x12;
            ck_assert_uint_eq(add(&runs, run, n, 8, true), expected);
            expected++;
        }
    callchains_release(&runs);
}

/* What frame pointers that lead nowhere give: an address and many equal words,
 * most often zeros. */
TEST(runs_of_equal_words)
{
    enum { WORDS = 255, RUNS = 50 };
    static uint8_t frames[RUNS][8 * WORDS];
    static const uint8_t words[] = {0, 1, 0xFF};
    struct callchains runs;
    uint32_t expected = 1;

    callchains_init(&runs);
    for (size_t w = 0; w < sizeof(words); w++)
        for (uint32_t i = 0; i < RUNS; i++) {
            memset(frames[i], words[w], sizeof(frames[i]));
            store_u64(frames[i], 0x7F0000001000 + i * 16);
            ck_assert_uint_eq(add(&runs, frames[i], WORDS, 8, true), expected);
            expected++;
        }
    callchains_release(&runs);
}

/* Frames of 4 bytes, of odd and even number; zeros are frames, too. */
TEST(narrow_runs)
{
    static const uint8_t zeros[64];
    uint8_t frames[7][28][28];
    struct callchains runs;
    uint32_t expected = 1;

    callchains_init(&runs);
    for (uint32_t n = 1; n <= 7; n++)
        for (uint32_t at = 0; at < 4 * n; at++) {
            uint8_t *run = frames[n - 1][at];

            memset(run, 0x11, 4 * n);
            run[at] = 0x12;
            ck_assert_uint_eq(add(&runs, run, n, 4, true), expected);
            expected++;
        }
    for (uint32_t n = 1; n <= 16; n++)
        ck_assert_uint_eq(add(&runs, zeros, n, 4, true), expected++);
    /* The same bytes as fewer and wider frames. */
    ck_assert_uint_eq(add(&runs, frames[1][0], 1, 8, true), expected++);
    ck_assert_uint_eq(add(&runs, zeros, 1, 8, true), expected++);
    ck_assert_uint_eq(add(&runs, zeros, 8, 8, true), expected++);
    ck_assert_uint_eq(add(&runs, zeros, 16, 4, true), expected - 4);
    callchains_release(&runs);
}

/* Both halves of a fingerprint tell runs apart by themselves. */
TEST(fingerprints)
{
    uint8_t frames[48];
    struct callchain run = {frames, 0, 0, NULL};
    struct callchain_print first, other;

    memset(frames, 0x11, sizeof(frames));
    for (run.width = 4; run.width <= 8; run.width += 4)
        for (run.count = 1; run.count <= 6; run.count++) {
            first = callchain_fingerprint(&run);
            for (size_t i = 0; i < (size_t)run.count * run.width; i++) {
                frames[i] ^= 0x80;
                other = callchain_fingerprint(&run);
                frames[i] ^= 0x80;
                ck_assert_uint_ne(first.hash, other.hash);
                ck_assert_uint_ne(first.check, other.check);
            }
        }
    run = (struct callchain){frames, 6, 8, NULL};
    /* Order counts. */
    for (size_t i = 0; i < 6; i++)
        frames[8 * i] = (uint8_t)i;
    first = callchain_fingerprint(&run);
    for (size_t i = 0; i < 5; i++) {
        uint8_t kept = frames[8 * i];

        frames[8 * i] = frames[8 * i + 8];
        frames[8 * i + 8] = kept;
        other = callchain_fingerprint(&run);
        frames[8 * i + 8] = frames[8 * i];
        frames[8 * i] = kept;
        ck_assert_uint_ne(first.hash, other.hash);
        ck_assert_uint_ne(first.check, other.check);
    }
    run = (struct callchain){frames, 4, 4, NULL};
    first = callchain_fingerprint(&run);
    run = (struct callchain){frames, 2, 8, NULL};
    other = callchain_fingerprint(&run);
    ck_assert(first.hash != other.hash || first.check != other.check);
}

/* A run that does not last is copied when it is new. */
TEST(passing_runs)
{
    uint8_t frames[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    struct callchains runs;
    uint32_t id;

    callchains_init(&runs);
    id = add(&runs, frames, 2, 8, false);
    ck_assert_uint_eq(add(&runs, frames, 2, 8, false), id);
    memset(frames, 0, sizeof(frames));
    ck_assert_uint_eq(callchain_frame(&runs.list.data[id], 0),
                      0x0807060504030201u);
    ck_assert_uint_eq(callchain_frame(&runs.list.data[id], 1), 9);
    ck_assert_uint_eq(add(&runs, frames, 2, 8, false), id + 1);
    callchains_release(&runs);
}

TEST(single_addresses)
{
    struct callchains runs;
    uint32_t id;

    callchains_init(&runs);
    id = callchains_add_address(&runs, 0xFFFF800012345678u);
    ck_assert_uint_eq(runs.list.data[id].count, 1);
    ck_assert_uint_eq(runs.list.data[id].width, 8);
    ck_assert_uint_eq(callchain_frame(&runs.list.data[id], 0),
                      0xFFFF800012345678u);
    ck_assert_uint_eq(callchains_add_address(&runs, 0), id + 1);
    ck_assert_uint_eq(callchains_add_address(&runs, 0xFFFF800012345678u), id);
    ck_assert_uint_eq(callchain_frame(&runs.list.data[id + 1], 0), 0);
    callchains_release(&runs);
}

TEST(frames_of_both_widths)
{
    static const uint8_t bytes[] = {1, 0, 0, 0, 2, 0, 0, 0,
                                    3, 0, 0, 0, 4, 0, 0, 0x80};
    struct callchain narrow = {bytes, 4, 4, NULL}, wide = {bytes, 2, 8, NULL};

    ck_assert_uint_eq(callchain_frame(&narrow, 3), 0x80000004u);
    ck_assert_uint_eq(callchain_frame(&narrow, 1), 2);
    ck_assert_uint_eq(callchain_frame(&wide, 1), 0x8000000400000003u);
}

/* In their first frame only, which nothing that follows may wear away: long
 * runs of zeros, and of frames that are all return addresses. */
TEST(long_runs_that_differ)
{
    enum { DEEP = 1000, RUNS = 50 };
    static uint8_t zeros[RUNS][8 * DEEP], exact[DEEP], frames[RUNS][8 * DEEP];
    struct hash_key key = hash_key;

    for (uint64_t seed = 0; seed < 20; seed++) {
        struct callchains runs;

        hash_set_key(seed);
        callchains_init(&runs);
        for (uint32_t i = 0; i < RUNS; i++) {
            struct callchain run = {frames[i], DEEP, 8, exact};

            store_u64(zeros[i], i + 1);
            for (size_t k = 0; k < DEEP; k++)
                store_u64(frames[i] + 8 * k, 0x401000 + 16 * (k ? k : i));
            ck_assert_uint_eq(add(&runs, zeros[i], DEEP, 8, true), 2 * i + 1);
            ck_assert_uint_eq(
                callchains_add(&runs, &run, callchain_fingerprint(&run), true),
                2 * i + 2);
        }
        callchains_release(&runs);
    }
    hash_key = key;
}
