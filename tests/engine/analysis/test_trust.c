/* What selected samples are worth: known counts of small profiles. */
#include "engine/analysis/trust.h"

#include "tests/support/profile_builder.h"
#include "tests/support/suite.h"

static void add(struct builder *b, uint32_t thread, unsigned count,
                enum stack_end end, uint16_t flags)
{
    while (count--)
        builder_sample(b, thread, flags | stack_end_flags(end), "a.exe!main");
}

static struct trust found(const struct profile *p, const struct filter *filter)
{
    struct selection *sel = selection_new(p, filter);
    struct trust trust = {0};

    trust_stacks(&trust, sel);
    selection_free(sel);
    return trust;
}

#define check_stacks(t, all, cut, not_known, why)                              \
    do {                                                                       \
        struct trust found_ = t;                                               \
                                                                               \
        ck_assert_uint_eq(found_.complete, all);                               \
        ck_assert_uint_eq(found_.truncated, cut);                              \
        ck_assert_uint_eq(found_.unknown, not_known);                          \
        ck_assert_int_eq(found_.cause, why);                                   \
    } while (0)

/* By samples, those that the filter selects; idle ones do not count. */
TEST(ends_of_stacks_are_counted)
{
    struct builder *b = builder_new("app.etl");
    uint32_t app = builder_thread(b, 10, "app.exe", 11);
    uint32_t svc = builder_thread(b, 20, "svc.exe", 21);
    const char *svc_id[] = {"20"};
    struct filter of_svc = {.processes = {.data = svc_id, .len = 1}};
    struct filter with_idle = {.include_idle = true};
    struct profile *p;

    add(b, app, 3, STACK_END_ROOT, 0);
    add(b, app, 2, STACK_END_COPY, 0);
    add(b, app, 4, STACK_END_UNKNOWN, 0);
    add(b, svc, 3, STACK_END_BROKEN, 0);
    add(b, svc, 1, STACK_END_COPY, 0);
    add(b, svc, 1, STACK_END_ROOT, 0);
    add(b, svc, 7, STACK_END_DEPTH, SAMPLE_IDLE);
    p = builder_finish(b);
    check_stacks(found(p, NULL), 4, 6, 4, STACK_END_COPY);
    check_stacks(found(p, &of_svc), 1, 4, 0, STACK_END_BROKEN);
    check_stacks(found(p, &with_idle), 4, 13, 4, STACK_END_DEPTH);
    p->samples.weight = mem_new(p->samples.len, sizeof(*p->samples.weight));
    for (size_t i = 0; i < p->samples.len; i++)
        p->samples.weight[i] = i < 10 ? 1 : 100; /* two broken ones and on */
    check_stacks(found(p, NULL), 103, 303, 4, STACK_END_BROKEN);
    profile_free(p);
}

static void assert_nameless(const struct profile *p, const char *expected)
{
    struct selection *sel = selection_new(p, NULL);
    struct trust trust = {0};
    char text[200] = "";

    trust_find(&trust, p, sel);
    for (size_t i = 0; i < trust.nameless.len; i++) {
        size_t n = strlen(text);

        snprintf(text + n, sizeof(text) - n, "%s %u; ",
                 strings_get(p->strings, trust.nameless.data[i].module),
                 (unsigned)trust.nameless.data[i].samples);
    }
    ck_assert_str_eq(text, expected);
    trust_release(&trust);
    selection_free(sel);
}

TEST(modules_without_names_are_counted)
{
    struct builder *b = builder_new("app.etl");
    uint32_t t = builder_thread(b, 10, "app.exe", 11);
    struct profile *p;

    builder_samples(b, t, 2, "a.exe!main;d.dll!+0x10");
    builder_samples(b, t, 1, "a.exe!main;D.DLL!+0x10");
    builder_samples(b, t, 3, "a.exe!main;c.dll!+0x10");
    builder_samples(b, t, 1, "c.dll!+0x20;a.exe!main");
    builder_samples(b, t, 9, "a.exe!main");
    builder_samples(b, t, 5, "a.exe!main;0x7ff0");
    builder_samples(b, t, 1, "e.dll!+0x20");
    p = builder_finish(b);
    assert_nameless(p, " 5; c.dll 3; d.dll 3; e.dll 1; ");
    profile_free(p);
}

TEST(all_named)
{
    struct builder *b = builder_new("app.etl");
    struct profile *p;

    builder_samples(b, builder_thread(b, 1, "a.exe", 1), 2, "a.exe!main");
    p = builder_finish(b);
    assert_nameless(p, "");
    profile_free(p);
}

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
