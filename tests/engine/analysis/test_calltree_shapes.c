/* Whole trees of a small profile, by what is asked of them. */
#include "engine/analysis/calltree.h"
#include "engine/base/out.h"
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

struct shape {
    struct calltree_options options;
    const char *root; /* name of functions; NULL: not asked */
    const char *tree;
};

#define UP CALLTREE_BOTTOM_UP

static const struct shape shapes[] = {
    {{.direction = CALLTREE_TOP_DOWN},
     NULL,
     "all 12/0 (a.main 11/0 (a.f 7/1 (a.f 6/0 (a.g 6/6)), b.f 3/3, a.g 1/1), "
     "b.g "
     "1/0 (a.main 1/0 (a.in 1/1 ~1/1)))"},
    {{.fold_recursion = true},
     NULL,
     "all 12/0 (a.main 11/0 (a.f 7/1 x2 (a.g 6/6), b.f 3/3, a.g 1/1), b.g 1/0 "
     "(a.main 1/0 (a.in 1/1 ~1/1)))"},
    {{.processes = true},
     NULL,
     "all 12/0 (pid 10 6/0 (a.main 6/0 (a.f 3/1 (a.f 2/0 (a.g 2/2)), b.f "
     "3/3)), "
     "pid 20 6/0 (a.main 5/0 (a.f 4/0 (a.f 4/0 (a.g 4/4)), a.g 1/1), b.g 1/0 "
     "(a.main 1/0 (a.in 1/1 ~1/1))))"},
    {{.threads = true},
     NULL,
     "all 12/0 (tid 21 6/0 (a.main 5/0 (a.f 4/0 (a.f 4/0 (a.g 4/4)), a.g 1/1), "
     "b.g 1/0 (a.main 1/0 (a.in 1/1 ~1/1))), tid 11 3/0 (a.main 3/0 (a.f 3/1 "
     "(a.f 2/0 (a.g 2/2)))), tid 12 3/0 (a.main 3/0 (b.f 3/3)))"},
    {{.processes = true, .threads = true},
     NULL,
     "all 12/0 (pid 10 6/0 (tid 11 3/0 (a.main 3/0 (a.f 3/1 (a.f 2/0 (a.g "
     "2/2)))), tid 12 3/0 (a.main 3/0 (b.f 3/3))), pid 20 6/0 (a.main 5/0 (a.f "
     "4/0 (a.f 4/0 (a.g 4/4)), a.g 1/1), b.g 1/0 (a.main 1/0 (a.in 1/1 "
     "~1/1))))"},
    {{.processes = true, .threads = true, .fold_recursion = true},
     NULL,
     "all 12/0 (pid 10 6/0 (tid 11 3/0 (a.main 3/0 (a.f 3/1 x2 (a.g 2/2))), "
     "tid "
     "12 3/0 (a.main 3/0 (b.f 3/3))), pid 20 6/0 (a.main 5/0 (a.f 4/0 x2 (a.g "
     "4/4), a.g 1/1), b.g 1/0 (a.main 1/0 (a.in 1/1 ~1/1))))"},
    {{.threads = true, .least = 4},
     NULL,
     "all 12/0 (tid 21 6/0 (a.main 5/0 (a.f 4/0 (a.f 4/0 (a.g 4/4)), a.g 1/1), "
     "b.g 1/0 (a.main 1/0 (a.in 1/1 ~1/1))), tid 11 3/0, tid 12 3/0)"},
    {{.processes = true, .threads = true, .least = 6},
     NULL,
     "all 12/0 (pid 10 6/0 (tid 11 3/0, tid 12 3/0), pid 20 6/0 (a.main 5/0 "
     "(a.f "
     "4/0 (a.f 4/0 (a.g 4/4)), a.g 1/1), b.g 1/0 (a.main 1/0 (a.in 1/1 "
     "~1/1))))"},
    {{.least = 0},
     "f",
     "all 12/0 (a.f 7/1 (a.f 6/0 (a.g 6/6)), b.f 3/3)"},
    {{.fold_recursion = true},
     "f",
     "all 12/0 (a.f 7/1 x2 (a.g 6/6), b.f 3/3)"},
    {{.least = 0}, "in", "all 12/0 (a.in 1/1 ~1/1)"},
    {{.direction = UP},
     NULL,
     "all 12/0 (a.g 7/7 (a.f 6/0 (a.f 6/0 (a.main 6/0)), a.main 1/0), b.f 3/3 "
     "(a.main 3/0), a.f 1/1 (a.main 1/0), a.in 1/1 ~1/1 (a.main 1/0 (b.g "
     "1/0)))"},
    {{.direction = UP, .fold_recursion = true},
     NULL,
     "all 12/0 (a.g 7/7 (a.f 6/0 x2 (a.main 6/0), a.main 1/0), b.f 3/3 (a.main "
     "3/0), a.f 1/1 (a.main 1/0), a.in 1/1 ~1/1 (a.main 1/0 (b.g 1/0)))"},
    {{.direction = UP, .deepest = 1},
     NULL,
     "all 12/0 (a.g 7/7 (a.f 6/0, a.main 1/0), b.f 3/3 (a.main 3/0), a.f 1/1 "
     "(a.main 1/0), a.in 1/1 ~1/1 (a.main 1/0))"},
    {{.direction = UP, .deepest = 2},
     NULL,
     "all 12/0 (a.g 7/7 (a.f 6/0 (a.f 6/0), a.main 1/0), b.f 3/3 (a.main 3/0), "
     "a.f 1/1 (a.main 1/0), a.in 1/1 ~1/1 (a.main 1/0 (b.g 1/0)))"},
    {{.direction = UP, .least = 2},
     NULL,
     "all 12/0 (a.g 7/7 (a.f 6/0 (a.f 6/0 (a.main 6/0)), a.main 1/0), b.f 3/3 "
     "(a.main 3/0), a.f 1/1, a.in 1/1 ~1/1)"},
    {{.direction = UP},
     "f",
     "all 12/0 (a.f 7/0 (a.main 7/0), b.f 3/0 (a.main 3/0))"},
    {{.direction = UP, .fold_recursion = true},
     "f",
     "all 12/0 (a.f 7/0 (a.main 7/0), b.f 3/0 (a.main 3/0))"},
    {{.direction = UP}, "main", "all 12/0 (a.main 12/0 (b.g 1/0))"},
};

/* Of all functions of that name. */
static bool *named(const struct profile *p, const char *name)
{
    bool *is = name ? mem_new(p->functions.len, sizeof(*is)) : NULL;

    for (size_t i = 0; name && i < p->functions.len; i++)
        is[i] =
            !strcmp(strings_get(p->strings, p->functions.data[i].name), name);
    return is;
}

static void check(const struct profile *p, const struct shape *shape)
{
    struct selection *sel = selection_new(p, NULL);
    struct calltree_options options = shape->options;
    bool *root = named(p, shape->root);
    struct out *out = out_memory();
    struct calltree *tree;

    options.root = root;
    tree = calltree_build(p, sel, &options);
    show(out, p, tree, 0);
    ck_assert_str_eq(out_text(out, NULL), shape->tree);
    out_close(out, NULL);
    calltree_free(tree);
    selection_free(sel);
    free(root);
}

/* What starts a thread is folded where that is asked, from its beginning. */
TEST(startup_is_folded_where_asked)
{
    static const struct shape starts[] = {
        {{.least = 0},
         NULL,
         "all 2/0 (ntdll.dll.RtlUserThreadStart 2/0 (a.main 2/2))"},
        {{.fold_startup = true},
         NULL,
         "all 2/0 (startup 2/0 (a.main 2/2))"},
        {{.fold_startup = true},
         "RtlUserThreadStart",
         "all 2/0 (ntdll.dll.RtlUserThreadStart 2/0 (a.main 2/2))"},
    };
    struct builder *b = builder_new("app.etl");
    struct profile *p;

    builder_samples(b, builder_thread(b, 1, "a", 1), 2,
                    "ntdll.dll!RtlUserThreadStart;a!main");
    p = builder_finish(b);
    for (size_t i = 0; i < COUNT(starts); i++)
        check(p, &starts[i]);
    calltree_free(NULL);
    profile_free(p);
}

TEST(trees_are_as_asked)
{
    struct profile *p = small_profile();

    for (size_t i = 0; i < COUNT(shapes); i++)
        check(p, &shapes[i]);
    profile_free(p);
}
