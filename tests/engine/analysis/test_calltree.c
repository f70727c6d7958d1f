#include "engine/analysis/calltree.h"

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
