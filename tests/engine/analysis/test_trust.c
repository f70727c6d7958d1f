/* What selected samples are worth: known counts of small profiles. */
#include "engine/analysis/trust.h"

#include "tests/support/profile_builder.h"
#include "tests/support/suite.h"

static const char *const words[] = {"main"};

#define WORDS {.data = (const char **)words, .len = 1}

/* Ten samples. */
static const struct {
    int64_t interval, duration;
    uint32_t cpus;
    enum metric_id metric;
    struct filter filter;
    uint32_t busy;
} busy_cases[] = {
    {1000000, 8000000, 2, METRIC_CPU_SAMPLES, {0}, 625},
    {1000000, 7000000, 3, METRIC_CPU_SAMPLES, {0}, 476},
    {1000000, 8000000, 3, METRIC_CPU_SAMPLES, {0}, 417},
    {1000000, 10000000, 1, METRIC_CPU_SAMPLES, {0}, 1000},
    {1000000, 8000000, 1, METRIC_CPU_SAMPLES, {0}, 1000},
    {1, 1, 100, METRIC_CPU_SAMPLES, {0}, 100},
    {0, 8000000, 2, METRIC_CPU_SAMPLES, {0}, NO_ID},
    {1000000, 0, 2, METRIC_CPU_SAMPLES, {0}, NO_ID},
    {1000000, 8000000, 0, METRIC_CPU_SAMPLES, {0}, NO_ID},
    {1000000, 8000000, 2, METRIC_CPU_TIME, {0}, NO_ID},
    {1000000, 8000000, 2, METRIC_CPU_SAMPLES, {.groups = WORDS}, 625},
    {1000000, 8000000, 2, METRIC_CPU_SAMPLES, {.folds = WORDS}, 625},
    {1000000, 8000000, 2, METRIC_CPU_SAMPLES, {.fold_percent = 1}, 625},
    {1000000, 8000000, 2, METRIC_CPU_SAMPLES, {.focus = WORDS}, NO_ID},
    {1000000, 8000000, 2, METRIC_CPU_SAMPLES, {.include_idle = true}, NO_ID},
    {1000000, 8000000, 2, METRIC_CPU_SAMPLES, {.types = SAMPLE_MANAGED}, NO_ID},
    {1000000, 8000000, 2, METRIC_CPU_SAMPLES,
     {.has_time = true, .from = 0, .to = TIME_MAX}, NO_ID},
};

TEST(busy_is_a_part_of_all_processors)
{
    struct builder *b = builder_new("app.etl");
    struct profile *p;

    builder_samples(b, builder_thread(b, 1, "a.exe", 1), 10, "a.exe!main");
    p = builder_finish(b);
    for (size_t i = 0; i < COUNT(busy_cases); i++) {
        struct selection *sel = selection_new(p, NULL);

        sel->filter = busy_cases[i].filter;
        p->trace.interval_ns = busy_cases[i].interval;
        p->trace.duration_ns = busy_cases[i].duration;
        p->trace.cpus = busy_cases[i].cpus;
        profile_set_metric(p, busy_cases[i].metric);
        ck_assert_msg(trust_busy(p, sel) == busy_cases[i].busy, "%zu: %u", i,
                      (unsigned)trust_busy(p, sel));
        selection_free(sel);
    }
    profile_free(p);
}
