#include "report/profile/tree_rows.h"

#include "engine/base/out.h"
#include "tests/support/profile_builder.h"
#include "tests/support/random_profile.h"
#include "tests/support/suite.h"

static uint64_t samples_of(const struct tree_rows *r, size_t row)
{
    const struct tree_row *t = &r->rows.data[row];

    return t->node == NO_ID ? t->others : r->tree->nodes[t->node].inclusive;
}

/* Where any of a row's children is shown, they are all that it called, but for
 * others too small for a row. */
static void check_sums(const struct tree_rows *r)
{
    size_t n = r->rows.len;
    uint64_t *below = mem_new(n, sizeof(*below));
    uint64_t top = 0;

    for (size_t i = 0; i < n; i++) {
        if (r->rows.data[i].parent == NO_ID)
            top += samples_of(r, i);
        else
            below[r->rows.data[i].parent] += samples_of(r, i);
    }
    ck_assert(!n || r->tree->nodes[0].inclusive - top < r->least);
    for (size_t i = 0; i < n; i++) {
        const struct tree_row *row = &r->rows.data[i];

        if (below[i])
            ck_assert_uint_lt(r->tree->nodes[row->node].inclusive -
                                  calltree_exclusive(r->tree, row->node) -
                                  below[i],
                              r->least);
    }
    free(below);
}

TEST(children_add_up)
{
    for (uint32_t seed = 0; seed < 40; seed++) {
        struct profile *p = random_profile(seed);
        struct selection *sel = selection_new(p, NULL);
        struct calltree_options options = {.fold_recursion = seed & 1,
                                           .fold_startup = seed & 2,
                                           .processes = seed & 4,
                                           .threads = seed & 8};
        struct tree_rows rows = {.p = p,
                                 .least = seed % 5 + 1,
                                 .depth = seed % 3 ? 0 : 4,
                                 .indent = 20,
                                 .others = true};
        struct calltree *tree = calltree_build(p, sel, &options);

        rows.tree = tree;
        tree_rows_collect(&rows);
        check_sums(&rows);
        tree_rows_release(&rows);
        calltree_free(tree);
        selection_free(sel);
        profile_free(p);
    }
}

/* The text before a row grows by three columns a level, by two or by one, as
 * the width allows; of more levels only the innermost are drawn. */
TEST(drawn_no_further_in)
{
    static const struct {
        size_t indent, most;
    } rows[] = {{1, 2},   {10, 10}, {19, 19}, {20, 20},
                {38, 38}, {56, 38}, {57, 57}, {100, 57}};
    struct builder *b = builder_new("app.etl");
    uint32_t t = builder_thread(b, 10, "app.exe", 11);
    struct calltree_options options = {.processes = false};
    char stack[400] = "a!f0";
    struct selection *sel;
    struct calltree *tree;
    struct profile *p;

    for (size_t i = 1; i < 20; i++) {
        builder_samples(b, t, 1, stack);
        snprintf(stack + strlen(stack), sizeof(stack) - strlen(stack), ";a!%s",
                 i % 2 ? "g" : "f");
        builder_samples(b, t, 2, stack);
        snprintf(stack + strlen(stack) - 1, sizeof(stack) - strlen(stack) + 1,
                 "h%zu", i);
        builder_samples(b, t, 2, stack);
    }
    p = builder_finish(b);
    sel = selection_new(p, NULL);
    tree = calltree_build(p, sel, &options);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tree_rows r = {
            .p = p, .tree = tree, .least = 1, .indent = rows[i].indent};
        size_t most = 0;

        tree_rows_collect(&r);
        for (size_t k = 0; k < r.rows.len; k++)
            if (out_columns(r.rows.data[k].draw) > most)
                most = out_columns(r.rows.data[k].draw);
        ck_assert_uint_eq(most, rows[i].most);
        tree_rows_release(&r);
    }
    calltree_free(tree);
    selection_free(sel);
    profile_free(p);
}
