#include "engine/analysis/calltree.h"

#include <string.h>

#include "tests/support/profile_builder.h"
#include "tests/support/random_profile.h"
#include "tests/support/suite.h"

static struct profile *small_profile(void)
{
    struct builder *b = builder_new("app.etl");
    uint32_t t = builder_thread(b, 10, "a.exe", 11);

    builder_samples(b, t, 4, "a!main;a!x;a!leaf");
    builder_samples(b, t, 4, "a!main;a!b;a!leaf");
    builder_samples(b, t, 2, "a!main");
    builder_samples(b, t, 3, "a!main;a!in@h:1<a!out@c:2");
    return builder_finish(b);
}

static const char *name_of(const struct profile *p,
                           const struct calltree *tree, uint32_t node)
{
    uint32_t function = tree->nodes[node].function;

    return strings_get(p->strings, p->functions.data[function].name);
}

START_TEST(callees_are_below_callers)
{
    struct profile *p = small_profile();
    struct selection *sel = selection_new(p, NULL);
    struct calltree *tree = calltree_new(p, sel, CALLTREE_TOP_DOWN, 0);
    const struct calltree_node *nodes = tree->nodes;
    uint32_t main = nodes[0].first_child, b, x, out, in;

    ck_assert_str_eq(name_of(p, tree, main), "main");
    ck_assert_uint_eq(nodes[main].inclusive, 13);
    ck_assert_uint_eq(nodes[main].exclusive, 2);
    ck_assert_uint_eq(nodes[main].next_sibling, 0);
    b = nodes[main].first_child;
    x = nodes[b].next_sibling;
    out = nodes[x].next_sibling;
    in = nodes[out].first_child;
    ck_assert_str_eq(name_of(p, tree, b), "b"); /* as many as x */
    ck_assert_str_eq(name_of(p, tree, x), "x");
    ck_assert_str_eq(name_of(p, tree, out), "out");
    ck_assert_str_eq(name_of(p, tree, in), "in");
    ck_assert_uint_eq(nodes[out].inlined_inclusive, 0);
    ck_assert_uint_eq(nodes[in].inlined_inclusive, 3);
    ck_assert_uint_eq(nodes[in].inlined_exclusive, 3);
    calltree_free(tree);
    selection_free(sel);
    profile_free(p);
}
END_TEST

START_TEST(callers_are_below_sampled_functions)
{
    struct profile *p = small_profile();
    struct selection *sel = selection_new(p, NULL);
    struct calltree *tree = calltree_new(p, sel, CALLTREE_BOTTOM_UP, 0);
    const struct calltree_node *nodes = tree->nodes;
    uint32_t leaf = nodes[0].first_child, b, main;

    ck_assert_str_eq(name_of(p, tree, leaf), "leaf");
    ck_assert_uint_eq(nodes[leaf].inclusive, 8);
    ck_assert_uint_eq(nodes[leaf].exclusive, 8);
    b = nodes[leaf].first_child;
    ck_assert_str_eq(name_of(p, tree, b), "b");
    ck_assert_uint_eq(nodes[b].inclusive, 4);
    ck_assert_uint_eq(nodes[b].exclusive, 0);
    main = nodes[b].first_child;
    ck_assert_str_eq(name_of(p, tree, main), "main");
    ck_assert_uint_eq(nodes[main].first_child, 0);
    calltree_free(tree);
    selection_free(sel);
    profile_free(p);
}
END_TEST

START_TEST(small_branches_are_not_followed)
{
    struct profile *p = small_profile();
    struct selection *sel = selection_new(p, NULL);
    struct calltree *tree = calltree_new(p, sel, CALLTREE_BOTTOM_UP, 5);

    for (size_t i = 1; i < tree->len; i++)
        if (tree->nodes[i].inclusive < 5)
            ck_assert_uint_eq(tree->nodes[i].first_child, 0);
    calltree_free(tree);
    selection_free(sel);
    profile_free(p);
}
END_TEST

/* Links, order and sums of one node and its children. Top down, samples
 * that do not end in a node are all in its children. */
static bool is_sane_node(const struct calltree *tree, uint32_t i,
                         bool top_down)
{
    const struct calltree_node *node = &tree->nodes[i];
    uint64_t below = 0, last = UINT64_MAX;

    for (uint32_t c = node->first_child; c; c = tree->nodes[c].next_sibling) {
        const struct calltree_node *child = &tree->nodes[c];

        if (child->parent != i || c <= i || child->inclusive > last)
            return false;
        last = child->inclusive;
        below += last;
    }
    if (top_down && node->inclusive != node->exclusive + below)
        return false;
    return below <= node->inclusive &&
           node->inlined_inclusive <= node->inclusive &&
           node->inlined_exclusive <= node->exclusive;
}

static bool is_sane(const struct calltree *tree, bool top_down)
{
    uint64_t exclusive = 0;

    for (uint32_t i = 0; i < tree->len; i++) {
        if (!is_sane_node(tree, i, top_down))
            return false;
        exclusive += tree->nodes[i].exclusive;
    }
    return exclusive == tree->nodes[0].inclusive;
}

static void check_directions(const struct profile *p,
                             const struct selection *sel)
{
    for (int up = 0; up < 2; up++) {
        struct calltree *tree = calltree_new(
            p, sel, up ? CALLTREE_BOTTOM_UP : CALLTREE_TOP_DOWN, 0);

        ck_assert_uint_eq(tree->nodes[0].inclusive, sel->samples);
        ck_assert(is_sane(tree, !up));
        calltree_free(tree);
    }
}

START_TEST(root_is_all_that_was_selected)
{
    for (uint32_t seed = 0; seed < 25; seed++) {
        struct profile *p = random_profile(seed);

        for (uint32_t f = 0; f < 8; f++) {
            struct filter filter = random_filter(f);
            struct selection *sel = selection_new(p, &filter);

            check_directions(p, sel);
            selection_free(sel);
        }
        profile_free(p);
    }
}
END_TEST

int main(void)
{
    return suite_run("calltree", callees_are_below_callers,
                     callers_are_below_sampled_functions,
                     small_branches_are_not_followed,
                     root_is_all_that_was_selected);
}
