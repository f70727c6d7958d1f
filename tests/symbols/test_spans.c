/* Nested ranges against the rule, asked of every range in turn. */
#include "symbols/dwarf/spans.h"
#include "tests/support/suite.h"

enum { MOST = 24, SPACE = 60 };

/* The rule of spans.h, word for word; `first`: of equal ones that counts. */
static uint32_t expected(const struct span *all, size_t n, uint64_t at,
                         bool first)
{
    const struct span *best = NULL;

    for (size_t i = 0; i < n; i++) {
        const struct span *s = &all[i];

        if (at < s->low || at >= s->high)
            continue;
        if (!best || s->low > best->low ||
            (s->low == best->low &&
             (s->high < best->high || (s->high == best->high && !first))))
            best = s;
    }
    return best ? best->value : SPAN_NONE;
}

TEST(agrees_with_the_rule)
{
    for (unsigned round = 0; round < 3000; round++) {
        struct spans spans = {0};
        struct span all[MOST];
        size_t n = suite_random(MOST);

        for (size_t i = 0; i < n; i++) {
            uint64_t low = suite_random(SPACE);

            all[i] = (struct span){low, low + suite_random(20), (uint32_t)i, 0};
            spans_add(&spans, all[i].low, all[i].high, all[i].value);
        }
        if (round % 2)
            spans_build_first(&spans);
        else
            spans_build(&spans);
        for (uint64_t at = 0; at < SPACE + 20; at++)
            ck_assert_uint_eq(spans_find(&spans, at),
                              expected(all, n, at, round % 2));
        spans_release(&spans);
    }
}
