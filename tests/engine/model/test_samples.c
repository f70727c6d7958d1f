/* Columns of samples: weights, and their order. */
#include "engine/model/profile.h"
#include "tests/support/suite.h"

static struct profile *p;

TEST(periods_become_weights)
{
    static const uint64_t periods[] = {1, 4000000, 0, UINT64_C(1) << 33};
    static const uint64_t weights[] = {1, 4000000, 1, UINT64_C(1) << 33};

    p = profile_new();
    p->trace.period_of = strings_add(p->strings, "cycles", 6);
    p->trace.interval_ns = 1000000;
    for (size_t i = 0; i < 4; i++)
        profile_sample(p, &(struct sample){.weight = 1, .period = periods[i]});
    for (size_t i = 0; i < 4; i++)
        ck_assert_uint_eq(profile_sample_at(p, i).period, periods[i]);
    ck_assert(profile_weigh_by_period(p));
    ck_assert_ptr_null(p->samples.period);
    for (size_t i = 0; i < 4; i++)
        ck_assert_uint_eq(p->samples.weight[i], weights[i]);
    ck_assert_str_eq(profile_metric_word(p), "period:cycles");
    ck_assert_uint_eq(p->trace.period_of, 0);
    ck_assert_int_eq(p->trace.interval_ns, 0);
    ck_assert_uint_eq(p->quality.warnings.len, 0);
    ck_assert(!profile_weigh_by_period(p));
    profile_free(p);
}
