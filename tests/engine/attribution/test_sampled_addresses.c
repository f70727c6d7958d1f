/* Against looking at every address. */
#include "engine/attribution/sampled_addresses.h"

#include "tests/support/suite.h"

TEST_LOOP(agrees, 7)
{
    enum { ADDRESSES = 500, RANGES = 20000 };
    const uint64_t span = (uint64_t)1 << (12 + 4 * _i);
    uint64_t addresses[ADDRESSES];
    struct callchains runs;
    struct sampled_addresses s;

    callchains_init(&runs);
    for (unsigned i = 0; i < ADDRESSES; i++) {
        addresses[i] = suite_random(span);
        callchains_add_address(&runs, addresses[i]);
    }
    sampled_addresses_init(&s, &runs);
    for (unsigned i = 0; i < RANGES; i++) {
        uint64_t start = suite_random(span);
        uint64_t size = suite_random((uint64_t)1 << suite_random(20));
        bool within = false;

        for (unsigned j = 0; j < ADDRESSES; j++)
            within |= addresses[j] - start < size;
        ck_assert_int_eq(sampled_addresses_within(&s, start, size), within);
    }
    sampled_addresses_release(&s);
    callchains_release(&runs);
}

TEST(edges)
{
    struct callchains runs;
    struct sampled_addresses s;

    callchains_init(&runs);
    sampled_addresses_init(&s, &runs);
    ck_assert(!sampled_addresses_within(&s, 0, UINT64_MAX));
    sampled_addresses_release(&s);
    callchains_add_address(&runs, UINT64_MAX);
    sampled_addresses_init(&s, &runs);
    ck_assert(sampled_addresses_within(&s, UINT64_MAX, 1));
    ck_assert(sampled_addresses_within(&s, UINT64_MAX - 5, UINT64_MAX));
    ck_assert(!sampled_addresses_within(&s, UINT64_MAX, 0));
    ck_assert(!sampled_addresses_within(&s, 0, 1));
    sampled_addresses_release(&s);
    callchains_release(&runs);
}
