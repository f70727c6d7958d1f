/* What is counted of stacks is the same whether they are a tree or rows. */
#include "engine/analysis/hot_path.h"
#include "engine/analysis/rank.h"
#include "engine/model/whole_stacks.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/profile_builder.h"
#include "tests/support/random_profile.h"
#include "tests/support/rows_made.h"
#include "tests/support/suite.h"

static void check_selections(const struct profile *p, const struct selection *a,
                             const struct selection *b)
{
    ck_assert_uint_eq(a->samples, b->samples);
    ck_assert_uint_eq(a->period, b->period);
    ck_assert_uint_eq(a->unresolved, b->unresolved);
    ck_assert_mem_eq(a->by_class, b->by_class, sizeof(a->by_class));
    ck_assert_mem_eq(a->by_cause, b->by_cause, sizeof(a->by_cause));
    ck_assert_mem_eq(a->location_counts, b->location_counts,
                     p->locations.len * sizeof(*a->location_counts));
}

static void check_row(const struct rank_row *a, const struct rank_row *b)
{
    ck_assert_str_eq(a->name, b->name);
    ck_assert_str_eq(a->module, b->module);
    ck_assert_uint_eq(a->exclusive, b->exclusive);
    ck_assert_uint_eq(a->inclusive, b->inclusive);
    ck_assert_uint_eq(a->inlined_exclusive, b->inlined_exclusive);
    ck_assert_uint_eq(a->inlined_inclusive, b->inlined_inclusive);
    ck_assert_uint_eq(a->exclusive_period, b->exclusive_period);
    ck_assert_uint_eq(a->inclusive_period, b->inclusive_period);
}

/* A profile, or what is selected of it. */
struct side {
    struct profile *p;
    struct selection *sel;
};

static void check_rankings(const struct side *a, const struct side *b)
{
    for (int by = 0; by < RANK_LABEL; by++) {
        struct ranking *x =
            ranking_new(a->p, a->sel, (enum rank_by)by, SORT_INCLUSIVE);
        struct ranking *y =
            ranking_new(b->p, b->sel, (enum rank_by)by, SORT_INCLUSIVE);

        ck_assert_uint_eq(x->len, y->len);
        for (size_t i = 0; i < x->len; i++)
            check_row(&x->rows[i], &y->rows[i]);
        ranking_free(x);
        ranking_free(y);
    }
}

static void check_hot_paths(const struct side *a, const struct side *b)
{
    struct hot_path x = {0}, y = {0};

    hot_path_find(&x, a->p, a->sel);
    hot_path_find(&y, b->p, b->sel);
    ck_assert_uint_eq(x.steps.len, y.steps.len);
    for (size_t i = 0; i < x.steps.len; i++) {
        ck_assert_uint_eq(x.steps.data[i].function, y.steps.data[i].function);
        ck_assert_uint_eq(x.steps.data[i].depth, y.steps.data[i].depth);
        ck_assert_uint_eq(x.steps.data[i].samples, y.steps.data[i].samples);
    }
    hot_path_release(&x);
    hot_path_release(&y);
}

static void check_same(struct profile *tree, struct profile *other,
                       const struct filter *filter)
{
    struct side a = {tree, selection_new(tree, filter)};
    struct side b = {other, selection_new(other, filter)};

    check_selections(tree, a.sel, b.sel);
    check_rankings(&a, &b);
    check_hot_paths(&a, &b);
    selection_free(a.sel);
    selection_free(b.sel);
}

static void add_periods(struct profile *p)
{
    p->samples.period = mem_new(p->samples.len, sizeof(uint64_t));
    for (size_t i = 0; i < p->samples.len; i++)
        p->samples.period[i] = i % 3 ? 1 : 1000;
}

START_TEST(rows_count_as_a_tree_does)
{
    for (uint32_t seed = 1; seed <= 40; seed++) {
        struct profile *tree = random_profile(seed);
        struct profile *rows = random_profile(seed);
        struct filter filter = random_filter(seed);

        if (seed % 2) {
            add_periods(tree);
            add_periods(rows);
        }
        rows_made(rows, seed);
        ck_assert_uint_eq(profile_stack_count(rows),
                          rows->samples.len ? rows->rows.stacks.len : 1);
        check_same(tree, rows, &filter);
        profile_free(tree);
        profile_free(rows);
    }
}
END_TEST

START_TEST(rows_become_the_tree_they_were)
{
    struct threads *pool = threads_new(2);

    for (uint32_t seed = 1; seed <= 20; seed++) {
        struct profile *tree = random_profile(seed);
        struct profile *rows = random_profile(seed);

        rows_made(rows, seed);
        whole_stacks_make(rows, pool);
        ck_assert_uint_eq(rows->rows.list.len, 0);
        ck_assert_uint_eq(rows->stacks.len, tree->stacks.len);
        check_same(tree, rows, NULL);
        profile_free(tree);
        profile_free(rows);
    }
    threads_free(pool);
}
END_TEST

/* So many rows that several threads share them; code of the outer ones is in
 * inner ones, too. */
static struct profile *large_profile(void)
{
    enum { STACKS = 9000, NAMES = 50 };
    struct builder *b = builder_new("large.etl");
    uint32_t t = builder_thread(b, 10, "a.exe", 11);

    for (unsigned i = 0; i < STACKS; i++) {
        char stack[128];

        snprintf(stack, sizeof(stack),
                 "a!main;a!f%u;a!g%u<a!f%u;b!h%u;a!f%u;b!h%u", i % NAMES,
                 i / NAMES, i % 7, i % 3, i / 7 % NAMES, i % 11);
        builder_samples(b, t, 1 + i % 4, stack);
    }
    return builder_finish(b);
}

START_TEST(so_do_many_threads)
{
    struct profile *tree = large_profile();
    struct profile *rows = large_profile();

    rows_made(rows, 1);
    ck_assert_uint_gt(rows->rows.list.len, 8192);
    for (unsigned threads = 1; threads <= 8; threads++) {
        tree->concurrency = rows->concurrency = threads;
        check_same(tree, rows, NULL);
    }
    profile_free(tree);
    profile_free(rows);
}
END_TEST

/* The row with most samples leaves the hot path, and so does the next one
 * farther in: what most have in common are rows of few samples each. */
static struct profile *parting_profile(void)
{
    struct builder *b = builder_new("parting.etl");
    uint32_t t = builder_thread(b, 10, "a.exe", 11);

    builder_samples(b, t, 9, "a!m;a!f;a!x;a!y");
    builder_samples(b, t, 8, "a!m;a!f;a!g;a!h;a!h;a!z");
    for (unsigned i = 0; i < 24; i++) {
        char stack[64];

        snprintf(stack, sizeof(stack), "a!m;a!f;a!g@f.c:%u;a!h;a!h;a!i;b!k%u",
                 i % 2, i);
        builder_samples(b, t, 1, stack);
    }
    return builder_finish(b);
}

START_TEST(another_row_leads_on)
{
    for (uint32_t seed = 1; seed <= 30; seed++) {
        struct profile *tree = parting_profile();
        struct profile *rows = parting_profile();
        struct selection *sel;
        struct hot_path path = {0};

        rows_made(rows, seed);
        check_same(tree, rows, NULL);
        sel = selection_new(rows, NULL);
        hot_path_find(&path, rows, sel);
        ck_assert_uint_eq(path.steps.len, 5);
        ck_assert_uint_eq(path.steps.data[2].samples, 32);
        ck_assert_uint_eq(path.steps.data[3].depth, 2);
        ck_assert_uint_eq(path.steps.data[4].samples, 24);
        hot_path_release(&path);
        selection_free(sel);
        profile_free(tree);
        profile_free(rows);
    }
}
END_TEST

/* Most stacks have most calls in common, of several lines and inlined now and
 * then, and end anywhere. */
static struct profile *leaning_profile(uint32_t seed)
{
    struct builder *b = builder_new("leaning.etl");
    uint32_t t = builder_thread(b, 10, "a.exe", 11), state = seed;

    for (unsigned i = 0; i < 60; i++) {
        char stack[512] = "a!main";
        size_t n = strlen(stack);

        for (unsigned level = 1; n < sizeof(stack) - 64; level++) {
            state = state * 1664525u + 1013904223u;
            if (state >> 8 & 15 ? false : level > 1)
                break;
            n += (size_t)snprintf(
                stack + n, sizeof(stack) - n,
                state >> 12 & 7 ? ";a!f%u@f.c:%u" : ";a!g%u@f.c:%u<a!f9@g.c:1",
                state >> 16 & 7 ? level / 2 : 90, state >> 20 & 1);
        }
        builder_samples(b, t, 1 + (state >> 24) % 5, stack);
    }
    return builder_finish(b);
}

START_TEST(long_paths_are_the_same)
{
    for (uint32_t seed = 1; seed <= 100; seed++) {
        struct profile *tree = leaning_profile(seed);
        struct profile *rows = leaning_profile(seed);

        rows_made(rows, seed);
        check_same(tree, rows, NULL);
        profile_free(tree);
        profile_free(rows);
    }
}
END_TEST

START_TEST(no_samples)
{
    struct profile *p = builder_finish(builder_new("empty.etl"));
    struct selection *sel;

    rows_made(p, 1);
    sel = selection_new(p, NULL);
    ck_assert_uint_eq(profile_stack_count(p), 1);
    ck_assert_uint_eq(sel->samples, 0);
    selection_free(sel);
    profile_free(p);
}
END_TEST

int main(void)
{
    return suite_run("stack rows", rows_count_as_a_tree_does,
                     rows_become_the_tree_they_were, so_do_many_threads,
                     another_row_leads_on, long_paths_are_the_same, no_samples);
}
