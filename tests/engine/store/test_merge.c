#include "engine/store/merge.h"

#include <string.h>

#include "engine/analysis/calltree.h"
#include "engine/analysis/rank.h"
#include "report/report.h"
#include "tests/support/profile_builder.h"
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
    struct profile *p = profile_merge(all, c ? 3 : b ? 2 : 1, NULL);

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

START_TEST(joining_is_associative)
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
END_TEST

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

START_TEST(inputs_keep_their_samples)
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
END_TEST

START_TEST(equal_functions_become_one)
{
    struct profile *a = random_profile(3);
    struct profile *all = join(a, a, NULL);

    ck_assert_uint_eq(all->functions.len, a->functions.len);
    ck_assert_uint_eq(all->processes.len, 2 * a->processes.len);
    profile_free(a), profile_free(all);
}
END_TEST

START_TEST(different_samples_do_not_add_up)
{
    struct profile *a = random_profile(1), *b = random_profile(2);
    const struct profile *both[] = {a, b};
    struct err err = {0};

    profile_set_metric(b, METRIC_THREAD_SAMPLES);
    ck_assert_ptr_null(profile_merge(both, 2, &err));
    ck_assert_int_eq(err.code, ERR_USAGE);
    profile_free(a), profile_free(b);
}
END_TEST

/* A profile that counts what it has in weights, and one that does not. */
START_TEST(weights_are_kept)
{
    for (int first = 0; first < 2; first++) {
        struct profile *a = random_profile(5), *b = random_profile(6), *all;
        struct profile *heavy = first ? a : b;

        heavy->samples.weight =
            mem_new(heavy->samples.len, sizeof(*heavy->samples.weight));
        for (size_t i = 0; i < heavy->samples.len; i++)
            heavy->samples.weight[i] = 1 + (uint32_t)i % 3;
        all = join(a, b, NULL);
        ck_assert_uint_eq(samples_in(all, NULL),
                          samples_in(a, NULL) + samples_in(b, NULL));
        profile_free(a), profile_free(b), profile_free(all);
    }
}
END_TEST

int main(void)
{
    return suite_run("merge", joining_is_associative,
                     inputs_keep_their_samples, equal_functions_become_one,
                     different_samples_do_not_add_up, weights_are_kept);
}
