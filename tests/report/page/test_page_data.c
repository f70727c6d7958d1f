#include "report/page/page.h"

#include "report/report.h"
#include "tests/support/page_profiles.h"
#include "tests/support/profile_builder.h"
#include "tests/support/random_profile.h"
#include "tests/support/suite.h"

enum { MEGABYTES_3 = 3000000 };

static struct page_tree tree_of(struct page_stacks *stacks,
                                const struct profile *p,
                                const struct selection *sel, size_t most,
                                size_t functions)
{
    struct page_side side = {.p = p, .sel = sel};
    struct page_tree tree = {.left_out = 0};

    page_stacks_add(stacks, &side);
    page_stacks_finish(stacks);
    page_tree_make(&tree, stacks, most, functions);
    return tree;
}

/* The exclusive samples of each function of a tree, in any order of nodes. */
static void exclusive_counts(const struct page_tree *t, uint64_t *counts)
{
    memset(counts, 0, t->functions.len * sizeof(*counts));
    for (size_t i = 1; i < t->nodes.len; i++)
        counts[t->nodes.data[i].function] += t->nodes.data[i].count[0];
}

/* However much is left out, no sample is lost or changes its function, and
 * parents come first. */
static void check(const struct profile *p, const struct selection *sel)
{
    static const size_t sizes[] = {100000, 20, 5, 1, 0};
    uint64_t wanted[1000], counts[1000];

    for (size_t k = 0; k < COUNT(sizes); k++) {
        struct page_stacks stacks = {.node_of = NULL};
        struct page_tree t = tree_of(&stacks, p, sel, sizes[k], 1000);
        uint64_t sum = 0;

        for (size_t i = 0; i < t.nodes.len; i++) {
            const struct page_node *n = &t.nodes.data[i];

            sum += n->count[0];
            if (!i)
                continue;
            ck_assert_uint_lt(n->parent, i);
            ck_assert_uint_eq(n->depth, t.nodes.data[n->parent].depth + 1);
        }
        ck_assert_uint_eq(sum, sel->samples);
        ck_assert_uint_lt(t.functions.len, COUNT(counts));
        exclusive_counts(&t, k ? counts : wanted);
        if (k)
            ck_assert_mem_eq(counts, wanted,
                             t.functions.len * sizeof(*counts));
        ck_assert(k || !t.left_out_samples);
        page_tree_release(&t);
        page_stacks_release(&stacks);
    }
}

TEST(no_sample_is_lost)
{
    random_selections(check);
}

static size_t page_size(const struct profile *p)
{
    struct report_options options = REPORT_DEFAULTS;
    struct selection *sel = selection_new(p, NULL);
    struct subject subject = {.options = &options, .p = p, .sel = sel};
    struct out *out = out_memory();
    size_t n;

    page_report.write[FORMAT_TEXT](&subject, out);
    out_text(out, &n);
    out_close(out, NULL);
    selection_free(sel);
    return n;
}

/* Every sample in a stack of its own, which is the worst. */
TEST(a_page_has_3_megabytes_at_most)
{
    struct profile *p = large_page_profile(400000, 400000);

    ck_assert_uint_lt(page_size(p), MEGABYTES_3);
    profile_free(p);
}

TEST(a_page_of_nothing)
{
    struct profile *p = builder_finish(builder_new("empty.etl"));

    ck_assert_uint_gt(page_size(p), 1000);
    profile_free(p);
}
