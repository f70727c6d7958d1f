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
