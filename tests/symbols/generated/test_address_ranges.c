/* Ranges painted one over the other, against the rule, asked of each. */
#include "symbols/generated/address_ranges.h"
#include "tests/support/suite.h"

enum { MOST = 20, SPACE = 60 };

struct range {
    uint64_t start, size; /* 0: up to the next edge of any */
};

/* Where any range begins, or ends that has an end. */
static bool is_edge(const struct range *all, size_t n, uint64_t at)
{
    for (size_t i = 0; i < n; i++)
        if (all[i].start == at ||
            (all[i].size && all[i].start + all[i].size == at))
            return true;
    return false;
}

/* The last one that holds it. */
static uint32_t expected(const struct range *all, size_t n, uint64_t at)
{
    for (size_t i = n; i-- > 0;) {
        uint64_t end = all[i].start + all[i].size;

        if (!all[i].size)
            for (end++; !is_edge(all, n, end) && end < 10 * SPACE;)
                end++;
        if (at >= all[i].start && at < end)
            return (uint32_t)i;
    }
    return ADDRESS_RANGE_NONE;
}

TEST(agrees_with_the_rule)
{
    for (unsigned round = 0; round < 2000; round++) {
        struct address_ranges p = {.ranges = {0}};
        struct range all[MOST];
        size_t n = suite_random(MOST);

        for (size_t i = 0; i < n; i++) {
            all[i] = (struct range){suite_random(SPACE), suite_random(15)};
            address_ranges_add(&p, all[i].start, all[i].size);
        }
        address_ranges_build(&p);
        for (uint64_t at = 0; at < SPACE + 20; at++)
            ck_assert_uint_eq(address_ranges_find(&p, at),
                              expected(all, n, at));
        address_ranges_release(&p);
    }
}
