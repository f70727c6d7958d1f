/* Whole trees of a small profile, by what is asked of them. */
#include "engine/analysis/calltree.h"
#include "engine/base/out.h"
#include "tests/support/cells.h"
#include "tests/support/counted_stacks.h"
#include "tests/support/profile_builder.h"
#include "tests/support/suite.h"

/* Two threads of one process, one of another. */
static struct profile *small_profile(void)
{
    struct builder *b = builder_new("app.etl");
    uint32_t one = builder_thread(b, 10, "a.exe", 11);
    uint32_t two = builder_thread(b, 10, "a.exe", 12);
    uint32_t other = builder_thread(b, 20, "b.exe", 21);

    builder_samples(b, one, 2, "a!main;a!f;a!f;a!g");
    builder_samples(b, other, 1, "a!main;a!g");
    builder_samples(b, two, 3, "a!main;b!f");
    builder_samples(b, one, 1, "a!main;a!f");
    builder_samples(b, other, 4, "a!main;a!f;a!f;a!g");
    builder_samples(b, other, 1, "b!g;a!in<a!main");
    return builder_finish(b);
}

/* "main 3/1 ~2 x4 (g 2/2)": inclusive, exclusive, inlined, in a row. */
static void show(struct out *out, const struct profile *p,
                 const struct calltree *tree, uint32_t node)
{
    const struct calltree_node *n = &tree->nodes[node];
    struct calltree_inlined inlined = calltree_inlined(tree, node);

    if (n->kind == CALLTREE_PROCESS)
        out_fmt(out, "pid %u", p->processes.data[n->function].pid);
    else if (n->kind == CALLTREE_THREAD)
        out_fmt(out, "tid %u", p->threads.data[n->function].tid);
    else if (n->kind == CALLTREE_CODE)
        out_fmt(out, "%s.%s",
                strings_get(p->strings, p->functions.data[n->function].module),
                strings_get(p->strings, p->functions.data[n->function].name));
    else
        out_str(out, n->kind == CALLTREE_STARTUP ? "startup" : "all");
    out_fmt(out, " %u/%u", (unsigned)n->inclusive,
            (unsigned)calltree_exclusive(tree, node));
    if (inlined.inclusive)
        out_fmt(out, " ~%u/%u", (unsigned)inlined.inclusive,
                (unsigned)inlined.exclusive);
    if (n->kind == CALLTREE_CODE && n->depth != 1)
        out_fmt(out, " x%u", (unsigned)n->depth);
    for (uint32_t c = n->first_child; c; c = tree->nodes[c].next_sibling) {
        out_str(out, c == n->first_child ? " (" : ", ");
        show(out, p, tree, c);
    }
    if (n->first_child)
        out_str(out, ")");
}

/* Of all functions of that name. */
static bool *named(const struct profile *p, const char *name)
{
    bool *is = name ? mem_new(p->functions.len, sizeof(*is)) : NULL;

    for (size_t i = 0; name && i < p->functions.len; i++)
        is[i] =
            !strcmp(strings_get(p->strings, p->functions.data[i].name), name);
    return is;
}

static uint32_t number_after(const char *text, const char *word)
{
    const char *at = strstr(text, word);

    return at ? (uint32_t)atoi(at + strlen(word)) : 0;
}

static struct profile *asked;

static void check(const struct cells *row)
{
    const char *how = row->cell[0];
    struct selection *sel = selection_new(asked, NULL);
    struct calltree_options options = {
        .direction =
            strstr(how, "up") == how ? CALLTREE_BOTTOM_UP : CALLTREE_TOP_DOWN,
        .processes = strstr(how, "processes"),
        .threads = strstr(how, "threads"),
        .fold_recursion = strstr(how, "fold"),
        .fold_startup = strstr(how, "startup"),
        .least = number_after(how, "least="),
        .deepest = number_after(how, "deepest=")};
    bool *root = named(asked, row->len[1] ? row->cell[1] : NULL);
    struct out *out = out_memory();
    struct calltree *tree;

    options.root = root;
    tree = calltree_build(asked, sel, &options);
    show(out, asked, tree, 0);
    cells_expect(row, 2, out_text(out, NULL));
    out_close(out, NULL);
    calltree_free(tree);
    selection_free(sel);
    free(root);
}

/* What starts a thread is folded where that is asked, from its beginning. */
TEST(startup_is_folded_where_asked)
{
    struct builder *b = builder_new("app.etl");

    builder_samples(b, builder_thread(b, 1, "a", 1), 2,
                    "ntdll.dll!RtlUserThreadStart;a!main");
    asked = builder_finish(b);
    cells_each("tests/engine/analysis/shapes.cells", "starts", check);
    calltree_free(NULL);
    profile_free(asked);
}

TEST(trees_are_as_asked)
{
    asked = small_profile();
    cells_each("tests/engine/analysis/shapes.cells", "shapes", check);
    profile_free(asked);
}

static void check_stacks(const struct cells *row)
{
    asked = counted_stacks(row->cell[3]);
    check(row);
    profile_free(asked);
}

TEST(trees_of_stacks)
{
    cells_each("tests/engine/analysis/shapes.cells", "trees", check_stacks);
}
