#include "engine/observations/named_code.h"

#include <string.h>

#include "tests/support/suite.h"

/* Samples of these weights, a nanosecond after another. */
static struct profile *weighed(const uint64_t *weights, size_t n,
                               enum named_unit unit)
{
    struct profile *p = profile_new();
    struct named_code code = named_code_of(p);
    uint32_t thread = named_thread(&code, named_process(&code, 1, 0), 1, 0);
    struct named_frame frame = named_frame_of(&code, "run", 3);
    struct named_stack stack = {0};

    stack = named_push(&code, stack, named_location(&code, &frame));
    for (size_t i = 0; i < n; i++)
        named_sample(&code, &(struct named_sample){.time = (int64_t)i,
                                                   .thread = thread,
                                                   .stack = stack.whole,
                                                   .weight = weights[i]});
    ck_assert_uint_eq(code.samples, n);
    named_code_end(&code, unit, "");
    profile_finish(p);
    return p;
}

static void check(struct profile *p, const uint32_t *expected, size_t n)
{
    ck_assert_uint_eq(p->samples.len, n);
    for (size_t i = 0; i < n; i++)
        ck_assert_uint_eq(p->samples.weight ? p->samples.weight[i] : 1,
                          expected[i]);
    profile_free(p);
}

/* What one leaves over counts with the next. */
START_TEST(nanoseconds_become_microseconds)
{
    static const uint64_t weights[] = {1500, 1500, 200, 900};

    check(weighed(weights, 4, NAMED_NANOSECONDS), (uint32_t[]){1, 2, 1}, 3);
    check(weighed(weights, 1, NAMED_NANOSECONDS), (uint32_t[]){1, 1}, 2);
}
END_TEST

START_TEST(what_no_row_holds_takes_several)
{
    static const uint64_t weights[] = {1000, 5000000000000, 2000};
    struct profile *p = weighed(weights, 3, NAMED_NANOSECONDS);

    ck_assert_int_eq(p->samples.time[2], 1);
    check(p, (uint32_t[]){1, UINT32_MAX, 705032705, 2}, 4);
}
END_TEST

START_TEST(counts_are_divided_where_one_is_too_large)
{
    static const uint64_t weights[] = {5000000000, 3, 7000};
    struct profile *p = weighed(weights, 3, NAMED_COUNTS);
    const struct trace_fact *fact = p->trace.facts.data;

    while (strcmp(strings_get(p->strings, fact->name), "weights") != 0)
        fact++;
    ck_assert_str_eq(strings_get(p->strings, fact->value), "divided by 1000");
    check(p, (uint32_t[]){5000000, 7}, 2);
}
END_TEST

/* Half of a unit that is left over counts, less does not. */
START_TEST(what_is_left_over_at_the_end)
{
    static const uint64_t half[] = {1000, 500}, less[] = {1000, 499};

    check(weighed(half, 2, NAMED_NANOSECONDS), (uint32_t[]){1, 1}, 2);
    check(weighed(less, 2, NAMED_NANOSECONDS), (uint32_t[]){1}, 1);
}
END_TEST

/* The largest weight of a row, one more, and what sixteen rows hold. */
START_TEST(rows_of_one_sample)
{
    static const uint64_t most[] = {UINT32_MAX},
                          more[] = {(uint64_t)UINT32_MAX + 1},
                          all[] = {(uint64_t)UINT32_MAX * 16 * 1000},
                          beyond[] = {((uint64_t)UINT32_MAX * 16 + 1) * 1000};
    struct profile *p;

    check(weighed(most, 1, NAMED_COUNTS), (uint32_t[]){UINT32_MAX}, 1);
    check(weighed(more, 1, NAMED_COUNTS), (uint32_t[]){4294967}, 1);
    p = weighed(all, 1, NAMED_NANOSECONDS);
    ck_assert_uint_eq(p->samples.len, 16);
    ck_assert_uint_eq(p->samples.weight[15], UINT32_MAX);
    ck_assert_uint_eq(p->quality.malformed, 0);
    profile_free(p);
    p = weighed(beyond, 1, NAMED_NANOSECONDS);
    ck_assert_uint_eq(p->samples.len, 16);
    ck_assert_uint_eq(p->quality.malformed, 1);
    profile_free(p);
}
END_TEST

/* Several too large ones among others: by the largest. */
START_TEST(all_are_divided_alike)
{
    static const uint64_t weights[] = {6000000, 5000000000, 1000000,
                                       5000000000000, 2000000};
    struct profile *p = weighed(weights, 5, NAMED_COUNTS);

    check(p, (uint32_t[]){6, 5000, 1, 5000000, 2}, 5);
}
END_TEST

START_TEST(samples_say_what_they_are)
{
    struct profile *p = profile_new();
    struct named_code code = named_code_of(p);
    uint32_t thread = named_thread(&code, named_process(&code, 1, 0), 1, 0);
    struct named_frame frame = named_frame_of(&code, "run", 3);
    struct named_stack stack = {0};

    stack = named_push(&code, stack, named_location(&code, &frame));
    named_sample(&code, &(struct named_sample){3, thread, 0, 1, false, 0});
    named_sample(&code,
                 &(struct named_sample){5, thread, stack.whole, 2, true,
                                        STACK_END_ROOT});
    named_sample(&code, &(struct named_sample){4, thread, 0, 0, false, 0});
    ck_assert_uint_eq(code.samples, 2);
    named_code_end(&code, NAMED_COUNTS, "");
    profile_finish(p);
    ck_assert_uint_eq(p->samples.len, 2);
    ck_assert_int_eq(p->samples.time[0], 3);
    ck_assert_uint_eq(p->samples.flags[0],
                      stack_end_flags(STACK_END_NO_STACK));
    ck_assert_uint_eq(p->samples.flags[1],
                      SAMPLE_HAS_STACK | SAMPLE_USER_PART | SAMPLE_IDLE |
                          stack_end_flags(STACK_END_ROOT));
    ck_assert_int_eq(
        p->locations.data[p->stacks.data[p->samples.stack[0]].location].cause,
        CAUSE_NO_STACK);
    profile_free(p);
}
END_TEST

START_TEST(ones_need_no_column)
{
    static const uint64_t weights[] = {1000, 1000};
    struct profile *p = weighed(weights, 2, NAMED_NANOSECONDS);

    ck_assert_ptr_null(p->samples.weight);
    check(p, (uint32_t[]){1, 1}, 2);
}
END_TEST

int main(void)
{
    return suite_run("named samples", nanoseconds_become_microseconds,
                     what_no_row_holds_takes_several,
                     counts_are_divided_where_one_is_too_large,
                     what_is_left_over_at_the_end, rows_of_one_sample,
                     all_are_divided_alike, samples_say_what_they_are,
                     ones_need_no_column);
}
