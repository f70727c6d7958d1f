/* The table of metrics, and a profile's way into it. */
#include "engine/model/profile.h"
#include "tests/support/suite.h"

START_TEST(every_row_is_found_by_its_word)
{
    for (unsigned i = METRIC_EVENTS + 1; i < METRICS; i++) {
        const struct metric *row = metric_row((enum metric_id)i);

        ck_assert(row->word && *row->word);
        ck_assert_int_eq(metric_by_word(row->word), i);
    }
}
END_TEST

START_TEST(other_words_are_events)
{
    static const char *const words[] = {
        "",           "cpu",          "CPU-SAMPLES",
        "cpu-sample", "cpu-samples ", "GCAllocationTick"};

    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        ck_assert_int_eq(metric_by_word(words[i]), METRIC_EVENTS);
}
END_TEST

/* Words that name what they count, too. */
START_TEST(words_with_a_name)
{
    static const struct {
        const char *word;
        enum metric_id id;
    } rows[] = {
        {"pmc", METRIC_COUNTER},        {"pmc:", METRIC_COUNTER},
        {"pmc:cycles", METRIC_COUNTER}, {"pmcx", METRIC_EVENTS},
        {"pm", METRIC_EVENTS},          {"period", METRIC_PERIODS},
        {"period:", METRIC_PERIODS},    {"period:a:b", METRIC_PERIODS},
        {"periods", METRIC_EVENTS},     {"perio", METRIC_EVENTS},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        ck_assert_msg(metric_by_word(rows[i].word) == rows[i].id, "%s",
                      rows[i].word);
}
END_TEST

/* What depends on a metric, for each that a recording can have. */
START_TEST(properties)
{
    static const struct {
        const char *word;
        bool microseconds, wall_clock, leaves_return;
    } rows[] = {
        {"cpu-samples", false, false, false},
        {"event-samples", false, false, false},
        {"thread-samples", false, true, true},
        {"thread-microseconds", true, true, true},
        {"wait-microseconds", true, false, false},
        {"context-switches", false, false, true},
        {"page-faults", false, false, true},
        {"allocations", false, false, true},
        {"exceptions", false, false, true},
        {"contentions", false, false, true},
        {"Company/Event", false, false, true},
        {"period:cycles", false, false, false},
    };
    struct profile *p = profile_new();

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        profile_set_metric_word(p, rows[i].word);
        ck_assert_str_eq(profile_metric_word(p), rows[i].word);
        ck_assert(profile_counts_microseconds(p) == rows[i].microseconds);
        ck_assert(profile_metric(p)->wall_clock == rows[i].wall_clock);
        ck_assert(profile_leaves_return(p) == rows[i].leaves_return);
    }
    profile_free(p);
}
END_TEST

START_TEST(a_profile_without_a_metric_counts_samples)
{
    struct profile *p = profile_new();

    ck_assert_int_eq(p->trace.metric.id, METRIC_EVENTS);
    ck_assert_str_eq(profile_metric_word(p), "");
    ck_assert(!profile_counts_microseconds(p));
    profile_free(p);
}
END_TEST

START_TEST(units)
{
    static const struct {
        const char *word, *one, *many;
    } rows[] = {
        {"cpu-samples", "sample", "samples"},
        {"wait-microseconds", "microsecond", "microseconds"},
        {"heap-bytes", "byte", "bytes"},
        {"period:cycles", "cycles", "cycles"},
        {"period:sched:sched_switch", "sched:sched_switch",
         "sched:sched_switch"},
        {"period", "events", "events"},
    };
    struct profile *p = profile_new();

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        profile_set_metric_word(p, rows[i].word);
        ck_assert_str_eq(profile_unit(p, 1), rows[i].one);
        ck_assert_str_eq(profile_unit(p, 2), rows[i].many);
    }
    profile_free(p);
}
END_TEST

START_TEST(metrics_are_the_same_by_word)
{
    struct profile *a = profile_new(), *b = profile_new();

    profile_set_metric(a, METRIC_CPU_SAMPLES);
    profile_set_metric_word(b, "cpu-samples");
    ck_assert_int_eq(b->trace.metric.id, METRIC_CPU_SAMPLES);
    ck_assert(profile_same_metric(a, b));
    profile_set_metric_word(a, "one/event");
    profile_set_metric_word(b, "another/event");
    ck_assert_int_eq(a->trace.metric.id, b->trace.metric.id);
    ck_assert(!profile_same_metric(a, b));
    profile_free(a);
    profile_free(b);
}
END_TEST

int main(void)
{
    return suite_run("metric", every_row_is_found_by_its_word,
                     other_words_are_events, words_with_a_name, properties,
                     a_profile_without_a_metric_counts_samples, units,
                     metrics_are_the_same_by_word);
}
