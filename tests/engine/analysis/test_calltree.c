#include "engine/analysis/calltree.h"

#include "tests/support/profile_builder.h"
#include "tests/support/random_profile.h"
#include "tests/support/suite.h"

/* Links, order and sums of one node and its children. Top down, samples
 * that do not end in a node are all in its children. */
static bool is_sane_node(const struct calltree *tree, uint32_t i,
                         bool top_down)
{
    const struct calltree_node *node = &tree->nodes[i];
    struct calltree_inlined inlined = calltree_inlined(tree, i);
    uint64_t below = 0, last = UINT64_MAX, own = calltree_exclusive(tree, i);

    for (uint32_t c = node->first_child; c; c = tree->nodes[c].next_sibling) {
        const struct calltree_node *child = &tree->nodes[c];

        if (child->parent != i || c <= i || child->inclusive > last)
            return false;
        last = child->inclusive;
        below += last;
    }
    if (top_down && node->inclusive != own + below)
        return false;
    return below <= node->inclusive && inlined.inclusive <= node->inclusive &&
           inlined.exclusive <= own;
}

static bool is_sane(const struct calltree *tree, bool top_down)
{
    uint64_t exclusive = 0;

    for (uint32_t i = 0; i < tree->len; i++) {
        if (!is_sane_node(tree, i, top_down))
            return false;
        exclusive += calltree_exclusive(tree, i);
    }
    return exclusive == tree->nodes[0].inclusive;
}

/* Every option alone and all together. */
static void check_options(const struct profile *p, const struct selection *sel,
                          unsigned bits)
{
    struct calltree_options options = {.fold_recursion = bits & 1,
                                       .fold_startup = bits & 2,
                                       .processes = bits & 4,
                                       .threads = bits & 8};
    struct calltree *tree = calltree_build(p, sel, &options);

    ck_assert_uint_eq(tree->nodes[0].inclusive, sel->samples);
    ck_assert(is_sane(tree, true));
    calltree_free(tree);
    options = (struct calltree_options){.direction = CALLTREE_BOTTOM_UP,
                                        .fold_recursion = true};
    tree = calltree_build(p, sel, &options);
    ck_assert(is_sane(tree, false));
    calltree_free(tree);
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

static struct calltree *bottom_up(struct builder *b)
{
    struct profile *p = builder_finish(b);
    struct selection *sel = selection_new(p, NULL);
    struct calltree *tree = calltree_new(p, sel, CALLTREE_BOTTOM_UP, 0);

    selection_free(sel);
    profile_free(p);
    return tree;
}

/* Where every path is another, a step for each node; where a leaf has many
 * callers that were called alike, the way out from there is gone once. */
TEST(bottom_up_costs_what_it_makes)
{
    enum { DEPTH = 300 };
    char stack[DEPTH * 8] = "", leaf[DEPTH * 8 + 30];
    struct builder *chain = builder_new("chain.etl");
    struct builder *fan = builder_new("fan.etl");
    uint32_t t = builder_thread(chain, 10, "a.exe", 11);
    uint32_t u = builder_thread(fan, 10, "a.exe", 11);
    struct calltree *tree;

    for (unsigned i = 0; i < DEPTH; i++) {
        sprintf(stack + strlen(stack), "%sa!f%u", i ? ";" : "", i);
        builder_samples(chain, t, 1, stack);
    }
    tree = bottom_up(chain);
    ck_assert_uint_eq(tree->steps, (size_t)DEPTH * (DEPTH + 1) / 2);
    ck_assert_uint_eq(tree->len, tree->steps + 1);
    calltree_free(tree);

    for (unsigned i = 0; i < DEPTH; i++) {
        sprintf(leaf, "%s;a!g@file.c:%u;a!leaf", stack, i + 1);
        builder_samples(fan, u, 1, leaf);
    }
    tree = bottom_up(fan);
    ck_assert_uint_eq(tree->len, 1 + 2 + DEPTH);
    ck_assert_uint_lt(tree->steps, (size_t)4 * DEPTH);
    calltree_free(tree);
}

TEST(root_is_all_that_was_selected)
{
    for (uint32_t seed = 0; seed < 25; seed++) {
        struct profile *p = random_profile(seed);

        for (uint32_t f = 0; f < 8; f++) {
            struct filter filter = random_filter(f);
            struct selection *sel = selection_new(p, &filter);

            check_directions(p, sel);
            check_options(p, sel, seed % 16);
            selection_free(sel);
        }
        profile_free(p);
    }
}

static size_t steps_up(const struct profile *p, const struct selection *sel,
                       uint64_t least, size_t deepest)
{
    struct calltree_options options = {
        .direction = CALLTREE_BOTTOM_UP, .least = least, .deepest = deepest};
    struct calltree *tree = calltree_build(p, sel, &options);
    size_t steps = tree->steps;

    calltree_free(tree);
    return steps;
}

/* Many functions on top of one long chain: its callers are another path for
 * each of them, which nobody looks at where it is small or deep. */
TEST(bottom_up_goes_no_further_than_is_shown)
{
    enum { DEPTH = 200, LEAVES = 500 };
    char chain[DEPTH * 8] = "", stack[DEPTH * 8 + 30];
    struct builder *b = builder_new("bush.etl");
    uint32_t t = builder_thread(b, 10, "a.exe", 11);
    struct selection *sel;
    struct profile *p;

    for (unsigned i = 0; i < DEPTH; i++)
        sprintf(chain + strlen(chain), "%sa!f%u", i ? ";" : "", i);
    for (unsigned i = 0; i < LEAVES; i++) {
        sprintf(stack, "%s;a!leaf%u", chain, i);
        builder_samples(b, t, 1, stack);
    }
    p = builder_finish(b);
    sel = selection_new(p, NULL);
    ck_assert_uint_eq(steps_up(p, sel, 0, 0), (size_t)LEAVES * (DEPTH + 1));
    ck_assert_uint_eq(steps_up(p, sel, 2, 0), LEAVES);
    ck_assert_uint_eq(steps_up(p, sel, 0, 3), (size_t)4 * LEAVES);
    selection_free(sel);
    profile_free(p);
}
