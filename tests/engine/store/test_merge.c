#include "engine/store/merge.h"

#include "engine/analysis/calltree.h"
#include "report/report.h"
#include "tests/support/profile_check.h"
#include "tests/support/random_profile.h"
#include "tests/support/suite.h"

static char *printed(const struct profile *p, const char *report)
{
    struct report_options options = {.format = FORMAT_JSON};
    struct selection *sel = selection_new(p, NULL);
    struct subject subject = {.options = &options, .p = p, .sel = sel};
    struct out *out = out_memory();
    char *text;

    report_find(report)->write[options.format](&subject, out);
    text = strdup(out_text(out, NULL));
    out_close(out, NULL);
    selection_free(sel);
    return text;
}

static struct profile *join(const struct profile *a, const struct profile *b,
                            const struct profile *c)
{
    const struct profile *all[] = {a, b, c};
    struct profile *p = profile_new();

    for (size_t i = 0; i < 3 && all[i]; i++)
        ck_assert_int_eq(merge_add(p, all[i], NULL), ERR_NONE);
    merge_end(p);
    ck_assert_msg(!profile_check(p), "%s", profile_check(p));
    return p;
}

static void assert_same(const struct profile *a, const struct profile *b)
{
    static const char *const names[] = {"top", "tree", "folded", "info"};

    for (size_t i = 0; i < 4; i++) {
        char *x = printed(a, names[i]), *y = printed(b, names[i]);

        ck_assert_str_eq(x, y);
        free(x);
        free(y);
    }
    ck_assert_uint_eq(a->trace.inputs.len, b->trace.inputs.len);
    for (size_t i = 0; i < a->trace.inputs.len; i++)
        ck_assert(a->trace.inputs.data[i].from ==
                      b->trace.inputs.data[i].from &&
                  a->trace.inputs.data[i].to == b->trace.inputs.data[i].to);
}

TEST(joining_is_associative)
{
    for (uint32_t seed = 0; seed < 20; seed++) {
        struct profile *a = random_profile(seed);
        struct profile *b = random_profile(seed + 100);
        struct profile *c = random_profile(seed + 200);
        struct profile *ab = join(a, b, NULL), *bc = join(b, c, NULL);
        struct profile *all = join(a, b, c);
        struct profile *left = join(ab, c, NULL), *right = join(a, bc, NULL);

        assert_same(all, left);
        assert_same(all, right);
        ck_assert_uint_eq(all->trace.inputs.len, 3);
        profile_free(a), profile_free(b), profile_free(c);
        profile_free(ab), profile_free(bc), profile_free(all);
        profile_free(left), profile_free(right);
    }
}

static uint64_t samples_in(const struct profile *p,
                           const struct trace_input *part)
{
    struct filter filter = {.has_time = true, .include_idle = true};
    struct selection *sel;
    uint64_t samples;

    if (part) {
        filter.from = part->from;
        filter.to = part->to;
    } else {
        filter.has_time = false;
    }
    sel = selection_new(p, &filter);
    samples = sel->samples;
    selection_free(sel);
    return samples;
}

TEST(inputs_keep_their_samples)
{
    for (uint32_t seed = 0; seed < 20; seed++) {
        struct profile *a = random_profile(seed);
        struct profile *b = random_profile(seed + 77);
        struct profile *all = join(a, b, NULL);

        ck_assert_uint_eq(samples_in(all, &all->trace.inputs.data[0]),
                          samples_in(a, NULL));
        ck_assert_uint_eq(samples_in(all, &all->trace.inputs.data[1]),
                          samples_in(b, NULL));
        ck_assert_uint_eq(all->trace.files.len, 2);
        profile_free(a), profile_free(b), profile_free(all);
    }
}

static struct profile *stated(uint64_t n, const char *format, int64_t interval,
                              uint32_t cpus, int64_t duration)
{
    struct profile *p = profile_new();

    p->trace.format = strings_add(p->strings, format, strlen(format));
    p->trace.interval_ns = interval;
    p->trace.cpus = (uint16_t)cpus;
    p->trace.duration_ns = duration;
    p->trace.start_unix_ns = (int64_t)n;
    p->trace.pointer_size = n % 2 ? 8 : 4;
    p->quality.lost_events = n;
    p->quality.lost_buffers = n + 1;
    p->quality.skipped_bytes = n + 2;
    p->quality.skipped_ranges = n + 3;
    p->quality.malformed = n + 4;
    p->quality.undefined_keys = n + 5;
    p->quality.event_stacks = n + 6;
    p->quality.cut_stacks = n + 7;
    profile_finish(p);
    return p;
}

/* Losses add up; single values come from the first input, or are unknown if the
 * inputs differ. */
TEST(what_is_said_of_the_whole)
{
    static const struct {
        const char *format, *joined;
        int64_t interval, common;
        uint32_t cpus, most;
    } cases[] = {
        {"etl", "etl", 1000, 1000, 4, 4},
        {"nettrace", "mixed", 1000, 1000, 3, 4},
        {"etl", "etl", 2000, 0, 5, 5},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct profile *a = stated(100, "etl", 1000, 4, 50);
        struct profile *b =
            stated(1001, cases[i].format, cases[i].interval, cases[i].cpus, 70);
        struct profile *all = join(a, b, NULL);
        const struct quality *q = &all->quality;
        const struct trace_info *t = &all->trace;

        ck_assert_uint_eq(q->lost_events, 1101);
        ck_assert_uint_eq(q->lost_buffers, 1103);
        ck_assert_uint_eq(q->skipped_bytes, 1105);
        ck_assert_uint_eq(q->skipped_ranges, 1107);
        ck_assert_uint_eq(q->malformed, 1109);
        ck_assert_uint_eq(q->undefined_keys, 1111);
        ck_assert_uint_eq(q->event_stacks, 1113);
        ck_assert_uint_eq(q->cut_stacks, 1115);
        ck_assert_str_eq(strings_get(all->strings, t->format), cases[i].joined);
        ck_assert_int_eq(t->interval_ns, cases[i].common);
        ck_assert_uint_eq(t->cpus, cases[i].most);
        ck_assert_int_eq(t->duration_ns, 120);
        ck_assert_int_eq(t->start_unix_ns, 100);
        ck_assert_uint_eq(t->pointer_size, 4);
        ck_assert_uint_eq(t->inputs.len, 2);
        ck_assert_int_eq(t->inputs.data[1].from, 50);
        ck_assert_int_eq(t->inputs.data[1].to, 120);
        profile_free(a), profile_free(b), profile_free(all);
    }
}

/* Periods are kept where all have them, of the same event. */
TEST(periods_of_one_event_are_kept)
{
    static const struct {
        const char *of[2];
        bool have[2], kept;
    } cases[] = {
        {{"cycles", "cycles"}, {true, true}, true},
        {{"cycles", "faults"}, {true, true}, false},
        {{"cycles", "cycles"}, {true, false}, false},
        {{"cycles", "cycles"}, {false, true}, false},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct profile *p[2], *all;

        for (uint32_t k = 0; k < 2; k++) {
            p[k] = random_profile(11 + k);
            p[k]->trace.period_of = strings_add(p[k]->strings, cases[i].of[k],
                                                strlen(cases[i].of[k]));
            if (!cases[i].have[k])
                continue;
            p[k]->samples.period =
                mem_new(p[k]->samples.len, sizeof(*p[k]->samples.period));
            for (size_t j = 0; j < p[k]->samples.len; j++)
                p[k]->samples.period[j] = 1000 * (k + 1) + j;
        }
        all = join(p[0], p[1], NULL);
        ck_assert_str_eq(strings_get(all->strings, all->trace.period_of),
                         cases[i].kept ? "cycles" : "");
        ck_assert_int_eq(!!all->samples.period, cases[i].kept);
        if (cases[i].kept) {
            ck_assert_uint_eq(all->samples.period[0], 1000);
            ck_assert_uint_eq(all->samples.period[p[0]->samples.len], 2000);
        }
        profile_free(p[0]), profile_free(p[1]), profile_free(all);
    }
}
