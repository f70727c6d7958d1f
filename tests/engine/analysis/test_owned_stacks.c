#include "engine/analysis/filter.h"

#include "tests/support/profile_builder.h"
#include "tests/support/random_profile.h"
#include "tests/support/suite.h"

/* Threads two and one of a process, and one of another, in that order. */
static struct profile *shared_stacks(void)
{
    struct builder *b = builder_new("a.etl");
    uint32_t one = builder_thread(b, 10, "a.exe", 11);
    uint32_t two = builder_thread(b, 10, "a.exe", 12);
    uint32_t other = builder_thread(b, 20, "b.exe", 21);

    builder_samples(b, two, 2, "a.exe!main;a.exe!f");
    builder_samples(b, one, 1, "a.exe!main");
    builder_samples(b, other, 4, "a.exe!main");
    builder_samples(b, one, 3, "a.exe!main;a.exe!f");
    builder_samples(b, two, 1, "a.exe!main;a.exe!f");
    return builder_finish(b);
}

static void check_counts(const struct profile *p, bool threads,
                         const uint64_t *counts, size_t n)
{
    struct selection *sel = selection_new(p, NULL);
    owned_stacks list = {0};

    owned_stacks_count(&list, p, sel, threads);
    ck_assert_uint_eq(list.len, n);
    for (size_t i = 0; i < n; i++) {
        ck_assert_uint_eq(list.data[i].count, counts[i]);
        ck_assert_uint_eq(list.data[i].rows, counts[i]);
    }
    vec_release(&list);
    selection_free(sel);
}

TEST(stacks_are_counted_as_they_are_met)
{
    struct profile *p = shared_stacks();

    check_counts(p, true, (const uint64_t[]){3, 1, 4, 3}, 4);
    check_counts(p, false, (const uint64_t[]){6, 1, 4}, 3);
    profile_free(p);
}

/* Whatever is selected: owners in order, stacks behind their parents, none
 * twice, and nothing lost. */
static void check_order(const struct profile *p, const struct selection *sel)
{
    for (int threads = 0; threads < 2; threads++) {
        owned_stacks list = {0};
        uint64_t all = 0;

        owned_stacks_count(&list, p, sel, threads);
        owned_stacks_sort(&list);
        for (size_t i = 0; i < list.len; i++) {
            const struct owned_stack *s = &list.data[i];

            all += s->count;
            if (i && s[-1].owner == s->owner)
                ck_assert_uint_lt(s[-1].stack, s->stack);
            else if (i)
                ck_assert_uint_lt(s[-1].owner, s->owner);
        }
        ck_assert_uint_eq(all, sel->samples);
        vec_release(&list);
    }
}

TEST(sorted_they_are_by_owner_and_stack)
{
    random_selections(check_order);
}
