#include "engine/attribution/named_code.h"

#include "tests/support/suite.h"

/* Samples of these weights as text has them, a nanosecond after another. */
struct weight {
    uint64_t value;
    uint32_t decimals;
};

static struct profile *weighed(const struct weight *weights, size_t n)
{
    struct profile *p = profile_new();
    struct named_code code = named_code_of(p);
    uint32_t thread = named_thread(&code, named_process(&code, 1, 0), 1, 0);
    struct named_frame frame = named_frame_of(&code, "run", 3);
    struct named_stack stack = {0};

    profile_set_metric_word(p, "samples");
    stack = named_push(&code, stack, named_location(&code, &frame));
    for (size_t i = 0; i < n; i++)
        named_sample(&code, &(struct named_sample){
                                .time = (int64_t)i,
                                .thread = thread,
                                .stack = stack.whole,
                                .weight = named_decimal(&code, weights[i].value,
                                                        weights[i].decimals)});
    named_code_end(&code, "");
    profile_finish(p);
    return p;
}

static void check(struct profile *p, uint32_t decimals,
                  const uint64_t *expected, size_t n)
{
    ck_assert_uint_eq(p->trace.metric.decimals, decimals);
    ck_assert_uint_eq(p->samples.len, n);
    for (size_t i = 0; i < n; i++)
        ck_assert_uint_eq(p->samples.weight ? p->samples.weight[i] : 1,
                          expected[i]);
    profile_free(p);
}

/* Weights so far are scaled when a finer one comes; zeros at the end of a
 * fraction are none. */
TEST(fractions_are_kept)
{
    static const struct weight weights[] = {
        {15, 1}, {25, 2}, {2, 0}, {125, 3}, {2000, 3}, {0, 5}};

    check(weighed(weights, 6), 3, (uint64_t[]){1500, 250, 2000, 125, 2000}, 5);
    check(weighed(&weights[4], 1), 0, (uint64_t[]){2}, 1);
}

/* Nine decimals at most, the last rounded. */
TEST(finer_fractions_are_rounded)
{
    static const struct weight weights[] = {{15, 10}, {14, 10}, {1, 0}};

    check(weighed(weights, 3), 9, (uint64_t[]){2, 1, 1000000000}, 3);
}

TEST(what_no_weight_holds_is_left_out)
{
    static const struct weight weights[] = {
        {7, 0}, {UINT64_C(1) << 62, 0}, {1, 1}};
    struct profile *p = weighed(weights, 3);

    ck_assert_uint_eq(p->quality.warnings.len, 1);
    check(p, 1, (uint64_t[]){70}, 1);
}

/* Numbers of JSON: decimals that only come from their being binary are none. */
TEST(binary_fractions)
{
    static const struct {
        double value, size;
        uint64_t weight;
        uint32_t decimals;
    } rows[] = {
        {3, 3, 3, 0},
        {0.1, 0.1, 1, 1},
        {0.3 - 0.1, 0.3, 2, 1},
        {1e9 + 0.3 - 1e9, 1e9, 3, 1},
        {1.0 / 3, 1.0 / 3, 333333333, 9},
        {1e14 + 0.5, 1e14 + 0.5, 1000000000000005, 1},
        {1e18, 1e18, 1000000000000000000, 0},
        {1e19, 1e19, 0, 0},
        {0, 0, 0, 0},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct profile *p = profile_new();
        struct named_code code = named_code_of(p);

        ck_assert_uint_eq(named_weight(&code, rows[i].value, rows[i].size),
                          rows[i].weight);
        ck_assert_uint_eq(code.decimals, rows[i].decimals);
        named_code_end(&code, "");
        profile_free(p);
    }
}
