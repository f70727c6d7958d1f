#include "engine/model/profile.h"

#include "tests/support/random_profile.h"
#include "tests/support/suite.h"

static void check_order(const struct preorder *order, const uint32_t *expected,
                        size_t n)
{
    size_t at = 0;

    for (size_t i = 0; i < order->len; i++) {
        struct stack_chain chain = order->walk[i];

        for (uint32_t s = chain.from; s < chain.to; s++) {
            ck_assert_uint_lt(at, n);
            ck_assert_uint_eq(s, expected[at++]);
        }
    }
    ck_assert_uint_eq(at, n);
}

START_TEST(a_profile_without_stacks_has_no_order)
{
    struct profile *p = profile_new();

    ck_assert_uint_eq(preorder_of(p)->len, 0);
    profile_free(p);
}
END_TEST

/* 1 calls 2, that 3 and 7, and 3 calls 4; 1 calls 5, too, that 6; 8 is another
 * root. */
START_TEST(what_parts_farthest_in_comes_first)
{
    static const struct stack stacks[] = {
        {0, 0}, {1, 1}, {2, 2}, {3, 3}, {1, 4}, {5, 5}, {2, 6}, {0, 7},
    };
    static const uint32_t expected[] = {8, 1, 2, 3, 4, 7, 5, 6};
    struct profile *p = profile_new();

    for (size_t i = 0; i < 8; i++)
        ck_assert_uint_eq(
            stack_table_add(&p->stacks, stacks[i].parent, stacks[i].location),
            i + 1);
    check_order(preorder_of(p), expected, 8);
    profile_free(p);
}
END_TEST

START_TEST(it_is_made_once_and_anew_when_it_was_forgotten)
{
    struct profile *p = profile_new();
    const struct preorder *order = preorder_of(p);
    uint32_t outer;

    outer = stack_table_add(&p->stacks, 0, 0);
    ck_assert_ptr_eq(preorder_of(p), order);
    ck_assert_uint_eq(order->len, 0);
    stack_table_add(&p->stacks, outer, 1);
    preorder_forget(p->order);
    check_order(preorder_of(p), (const uint32_t[]){1, 2}, 2);
    profile_free(p);
}
END_TEST

/* Every stack comes once, and right behind the last one of its parent's tree
 * that came so far. */
static void check_walk(const struct profile *p)
{
    const struct preorder *order = preorder_of(p);
    VEC(uint32_t) path = {0};
    size_t entered = 0;

    *vec_add(&path) = 0;
    for (size_t i = 0; i < order->len; i++) {
        struct stack_chain chain = order->walk[i];

        for (uint32_t s = chain.from; s < chain.to; s++) {
            while (path.data[path.len - 1] != p->stacks.data[s].parent) {
                ck_assert_uint_gt(path.len, 1);
                path.len--;
            }
            *vec_add(&path) = s;
            entered++;
        }
    }
    ck_assert_uint_eq(entered, p->stacks.len - 1);
    vec_release(&path);
}

START_TEST(each_stack_is_entered_once)
{
    for (uint32_t seed = 1; seed <= 20; seed++) {
        struct profile *p = random_profile(seed);

        check_walk(p);
        profile_free(p);
    }
}
END_TEST

SUITE
{
    return suite_run("preorder", a_profile_without_stacks_has_no_order,
                     what_parts_farthest_in_comes_first,
                     it_is_made_once_and_anew_when_it_was_forgotten,
                     each_stack_is_entered_once);
}
