/* The table of metrics, and a profile's way into it. */
#include "engine/model/profile.h"
#include "tests/support/suite.h"

TEST(units)
{
    static const struct {
        const char *word, *one, *many;
    } rows[] = {
        {"cpu-samples", "sample", "samples"},
        {"wait-time", "nanosecond", "nanoseconds"},
        {"lock-microseconds", "microsecond", "microseconds"},
        {"heap-bytes", "byte", "bytes"},
        {"period:cycles", "cycles", "cycles"},
        {"period:sched:sched_switch", "sched:sched_switch",
         "sched:sched_switch"},
        {"period", "events", "events"},
    };
    struct profile *p = profile_new();

    for (size_t i = 0; i < COUNT(rows); i++) {
        profile_set_metric_word(p, rows[i].word);
        ck_assert_str_eq(profile_unit_text(p, 1), rows[i].one);
        ck_assert_str_eq(profile_unit_text(p, 2), rows[i].many);
    }
    profile_free(p);
}

/* As a fleet stores it, and back. */
TEST(metrics_as_text)
{
    static const struct {
        const char *word, *unit;
        uint32_t decimals;
        const char *text;
    } rows[] = {
        {"cpu-samples", "samples", 0, "cpu-samples"},
        {"wait-time", "nanoseconds", 0, "wait-time"},
        {"wait-time", "ms", 0, "wait-time, ms"},
        {"alloc_space", "bytes", 0, "alloc_space, bytes"},
        {"samples", "samples", 3, "samples, 0.001 samples"},
        {"time", "seconds", 9, "time, 0.000000001 seconds"},
        {"period:cycles", "cycles", 0, "period:cycles"},
        {"lock-microseconds", "microseconds", 0, "lock-microseconds"},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct profile *p = profile_new();
        struct out *out = out_memory();

        profile_set_metric_word(p, rows[i].word);
        profile_set_unit(p, rows[i].unit, rows[i].decimals);
        out_metric(out, p);
        ck_assert_str_eq(out_text(out, NULL), rows[i].text);
        profile_set_metric_word(p, "other");
        profile_set_metric_text(p, rows[i].text);
        ck_assert_str_eq(profile_metric_word(p), rows[i].word);
        ck_assert_str_eq(profile_unit(p), rows[i].unit);
        ck_assert_uint_eq(p->trace.metric.decimals, rows[i].decimals);
        out_close(out, NULL);
        profile_free(p);
    }
}

TEST(fractions_of_units)
{
    static const struct {
        const char *unit;
        size_t length;
        uint32_t decimals;
    } rows[] = {
        {"0.1 s", 4, 1},      {"0.001 samples", 6, 3}, {"0.000000001 s", 12, 9},
        {"0.0000000001 s", 0, 0}, {"0.2 s", 0, 0},    {"0.1", 0, 0},
        {"0.", 0, 0},         {"1 s", 0, 0},          {"", 0, 0},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        uint32_t decimals = 0;

        ck_assert_uint_eq(unit_fraction(rows[i].unit, &decimals),
                          rows[i].length);
        ck_assert_uint_eq(decimals, rows[i].decimals);
    }
}

/* The finer unit and the most decimals of both, whole numbers in each. */
TEST(weights_in_one_scale)
{
    static const struct {
        const char *units[2], *unit;
        uint32_t decimals[2], most;
        uint64_t weights[2]; /* of 7 in each */
        bool same;
    } rows[] = {
        {{"bytes", "bytes"}, "bytes", {0, 0}, 0, {7, 7}, true},
        {{"samples", "samples"}, "samples", {0, 3}, 3, {7000, 7}, true},
        {{"seconds", "us"}, "us", {0, 0}, 0, {7000000, 7}, true},
        {{"nanoseconds", "ms"}, "nanoseconds", {0, 2}, 2, {700, 7000000}, true},
        {{"bytes", "seconds"}, "bytes", {0, 0}, 0, {7, 7}, false},
        {{"bytes", "objects"}, "bytes", {0, 0}, 0, {7, 7}, false},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct profile *p[2];
        struct weight_scale scale;

        for (int k = 0; k < 2; k++) {
            p[k] = profile_new();
            profile_set_metric_word(p[k], "it");
            profile_set_unit(p[k], rows[i].units[k], rows[i].decimals[k]);
            profile_sample(p[k], &(struct sample){.weight = 7});
        }
        ck_assert(profile_same_metric(p[0], p[1]) == rows[i].same);
        scale = weight_scale_of((const struct profile *const *)p, 2);
        for (int k = 0; k < 2 && rows[i].same; k++) {
            ck_assert_str_eq(scale.unit, rows[i].unit);
            ck_assert_uint_eq(scale.decimals, rows[i].most);
            profile_scale_weights(p[k], &scale);
            ck_assert_uint_eq(p[k]->samples.weight ? p[k]->samples.weight[0]
                                                   : 1,
                              rows[i].weights[k]);
            ck_assert_str_eq(profile_unit(p[k]), rows[i].unit);
        }
        profile_free(p[0]);
        profile_free(p[1]);
    }
}

TEST(what_is_too_much_for_a_scale)
{
    struct profile *p = profile_new();
    struct weight_scale ns = {"nanoseconds", 0};

    profile_set_metric_word(p, "it");
    profile_set_unit(p, "seconds", 0);
    profile_sample(p, &(struct sample){.weight = 1});
    profile_sample(p, &(struct sample){.weight = UINT64_C(1) << 62});
    ck_assert_uint_eq(weight_in(p, &ns, UINT64_C(1) << 62), WEIGHTS_MOST);
    profile_scale_weights(p, &ns);
    ck_assert_uint_eq(p->samples.len, 1);
    ck_assert_uint_eq(p->quality.warnings.len, 1);
    profile_free(p);
}

/* Samples and what pprof calls their count are of one metric; bytes and
 * kilobytes are not, and their units tell them apart. */
TEST(units_of_one_metric)
{
    static const struct {
        const char *word, *units[2];
        bool same;
    } rows[] = {
        {"thread-samples", {"samples", "count"}, true},
        {"space", {"bytes", "kilobytes"}, false},
        {"time", {"ms", "seconds"}, true},
        {"time", {"ms", "count"}, false},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct profile *a = profile_new(), *b = profile_new();

        profile_set_metric_word(a, rows[i].word);
        profile_set_metric_word(b, rows[i].word);
        profile_set_unit(a, rows[i].units[0], 0);
        profile_set_unit(b, rows[i].units[1], 0);
        ck_assert(profile_same_metric(a, b) == rows[i].same);
        ck_assert_str_eq(profile_metric_beside(a, b), rows[i].units[0]);
        ck_assert_str_eq(profile_metric_beside(b, a), rows[i].units[1]);
        profile_set_metric_word(b, "other");
        ck_assert_str_eq(profile_metric_beside(a, b), rows[i].word);
        profile_free(a);
        profile_free(b);
    }
}
