#include "engine/analysis/calltree.h"

#include "engine/base/out.h"
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

TEST(callees_are_below_callers)
{
    struct profile *p = small_profile();
    struct selection *sel = selection_new(p, NULL);
    struct calltree *tree = calltree_new(p, sel, CALLTREE_TOP_DOWN, 0);
    const struct calltree_node *nodes = tree->nodes;
    uint32_t main = nodes[0].first_child, b, x, out, in;

    ck_assert_str_eq(name_of(p, tree, main), "main");
    ck_assert_uint_eq(nodes[main].inclusive, 13);
    ck_assert_uint_eq(calltree_exclusive(tree, main), 2);
    ck_assert_uint_eq(nodes[main].next_sibling, 0);
    b = nodes[main].first_child;
    x = nodes[b].next_sibling;
    out = nodes[x].next_sibling;
    in = nodes[out].first_child;
    ck_assert_str_eq(name_of(p, tree, b), "b"); /* as many as x */
    ck_assert_str_eq(name_of(p, tree, x), "x");
    ck_assert_str_eq(name_of(p, tree, out), "out");
    ck_assert_str_eq(name_of(p, tree, in), "in");
    ck_assert_uint_eq(calltree_inlined(tree, out).inclusive, 0);
    ck_assert_uint_eq(calltree_inlined(tree, in).inclusive, 3);
    ck_assert_uint_eq(calltree_inlined(tree, in).exclusive, 3);
    calltree_free(tree);
    selection_free(sel);
    profile_free(p);
}

TEST(callers_are_below_sampled_functions)
{
    struct profile *p = small_profile();
    struct selection *sel = selection_new(p, NULL);
    struct calltree *tree = calltree_new(p, sel, CALLTREE_BOTTOM_UP, 0);
    const struct calltree_node *nodes = tree->nodes;
    uint32_t leaf = nodes[0].first_child, b, main;

    ck_assert_str_eq(name_of(p, tree, leaf), "leaf");
    ck_assert_uint_eq(nodes[leaf].inclusive, 8);
    ck_assert_uint_eq(calltree_exclusive(tree, leaf), 8);
    b = nodes[leaf].first_child;
    ck_assert_str_eq(name_of(p, tree, b), "b");
    ck_assert_uint_eq(nodes[b].inclusive, 4);
    ck_assert_uint_eq(calltree_exclusive(tree, b), 0);
    main = nodes[b].first_child;
    ck_assert_str_eq(name_of(p, tree, main), "main");
    ck_assert_uint_eq(nodes[main].first_child, 0);
    calltree_free(tree);
    selection_free(sel);
    profile_free(p);
}

TEST(small_branches_are_not_followed)
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

/* A node as "name*run:inclusive/exclusive", its children in brackets. */
static void draw(const struct profile *p, const struct calltree *tree,
                 uint32_t node, struct out *out)
{
    const struct calltree_node *n = &tree->nodes[node];

    switch ((enum calltree_kind)n->kind) {
    case CALLTREE_CODE:
        out_str(out, name_of(p, tree, node));
        break;
    case CALLTREE_PROCESS:
        out_fmt(out, "p%u", p->processes.data[n->function].pid);
        break;
    case CALLTREE_THREAD:
        out_fmt(out, "t%u", p->threads.data[n->function].tid);
        break;
    default:
        out_str(out, n->kind == CALLTREE_ROOT ? "all" : "start");
    }
    if (n->depth > 1)
        out_fmt(out, "*%u", (unsigned)n->depth);
    out_fmt(out, ":%u/%u", (unsigned)n->inclusive,
            (unsigned)calltree_exclusive(tree, node));
    for (uint32_t i = n->first_child; i; i = tree->nodes[i].next_sibling) {
        out_char(out, i == n->first_child ? '(' : ' ');
        draw(p, tree, i, out);
    }
    out_str(out, n->first_child ? ")" : "");
}

static void check_tree(const struct profile *p,
                       const struct calltree_options *options,
                       const char *expected)
{
    struct selection *sel = selection_new(p, NULL);
    struct calltree *tree = calltree_build(p, sel, options);
    struct out *out = out_memory();

    draw(p, tree, 0, out);
    ck_assert_str_eq(out_text(out, NULL), expected);
    out_close(out, NULL);
    calltree_free(tree);
    selection_free(sel);
}

TEST(recursion_is_one_node)
{
    struct builder *b = builder_new("app.etl");
    uint32_t t = builder_thread(b, 10, "a.exe", 11);
    struct calltree_options options = {.fold_recursion = true};
    struct profile *p;

    builder_samples(b, t, 3, "a!main;a!fib;a!fib;a!fib");
    builder_samples(b, t, 2, "a!main;a!fib;a!fib;a!add");
    builder_samples(b, t, 1, "a!main;a!fib;a!add;a!fib");
    p = builder_finish(b);
    check_tree(p, &options, "all:6/0(main:6/0(fib*3:6/3(add:3/2(fib:1/1))))");
    options.direction = CALLTREE_BOTTOM_UP;
    check_tree(p, &options,
               "all:6/0(fib*3:4/4(main:3/0 add:1/0(fib:1/0(main:1/0))) "
               "add:2/2(fib*2:2/0(main:2/0)))");
    profile_free(p);
}

static struct profile *two_processes(void)
{
    struct builder *b = builder_new("app.etl");
    uint32_t one = builder_thread(b, 10, "a.exe", 11);
    uint32_t two = builder_thread(b, 10, "a.exe", 12);
    uint32_t other = builder_thread(b, 20, "b.exe", 21);

    builder_samples(b, one, 4, "a!main;a!x");
    builder_samples(b, two, 5, "a!run;a!x");
    builder_samples(b, two, 1, "a!main;a!x");
    builder_samples(b, other, 2, "a!main;a!x");
    return builder_finish(b);
}

TEST(levels_are_above_code)
{
    struct profile *p = two_processes();
    struct calltree_options options = {.processes = true, .threads = true};

    check_tree(p, &options,
               "all:12/0(p10:10/0(t12:6/0(run:5/0(x:5/5) main:1/0(x:1/1)) "
               "t11:4/0(main:4/0(x:4/4))) p20:2/0(main:2/0(x:2/2)))");
    options.threads = false;
    check_tree(p, &options,
               "all:12/0(p10:10/0(main:5/0(x:5/5) run:5/0(x:5/5)) "
               "p20:2/0(main:2/0(x:2/2)))");
    options = (struct calltree_options){.threads = true};
    check_tree(p, &options,
               "all:12/0(t12:6/0(run:5/0(x:5/5) main:1/0(x:1/1)) "
               "t11:4/0(main:4/0(x:4/4)) t21:2/0(main:2/0(x:2/2)))");
    profile_free(p);
}

TEST(startup_is_one_node)
{
    struct builder *b = builder_new("app.etl");
    uint32_t t = builder_thread(b, 10, "a.exe", 11);
    struct calltree_options options = {.fold_startup = true};
    struct profile *p;

    builder_samples(b, t, 4,
                    "ntdll.dll!RtlUserThreadStart;clr.dll!Run;[jit]!M()");
    builder_samples(b, t, 2, "ntdll.dll!RtlUserThreadStart;clr.dll!Run;a!f");
    builder_samples(b, t, 1, "ntdll.dll!RtlUserThreadStart;clr.dll!Run");
    p = builder_finish(b);
    /* of the same two frames both are folded, or one, or none */
    check_tree(p, &options,
               "all:7/0(start:6/0(M():4/4 Run:2/0(f:2/2)) "
               "RtlUserThreadStart:1/0(Run:1/1))");
    profile_free(p);
}

static bool *functions_called(const struct profile *p, const char *name)
{
    bool *found = mem_new(p->functions.len, sizeof(*found));

    for (size_t i = 0; i < p->functions.len; i++)
        found[i] =
            !strcmp(strings_get(p->strings, p->functions.data[i].name), name);
    return found;
}

TEST(begins_at_a_function)
{
    struct builder *b = builder_new("app.etl");
    uint32_t t = builder_thread(b, 10, "a.exe", 11);
    struct calltree_options options = {.root = NULL};
    bool *work;
    struct profile *p;

    builder_samples(b, t, 4, "a!main;a!work;a!leaf");
    builder_samples(b, t, 3, "a!run;a!main;a!work;a!x;a!work");
    builder_samples(b, t, 2, "a!main;a!leaf;a!y");
    builder_samples(b, t, 1, "a!main");
    p = builder_finish(b);
    options.root = work = functions_called(p, "work");
    check_tree(p, &options, "all:10/0(work:7/0(leaf:4/4 x:3/0(work:3/3)))");
    options.direction = CALLTREE_BOTTOM_UP;
    /* of the two in one stack the outer */
    check_tree(p, &options, "all:10/0(work:7/0(main:7/0(run:3/0)))");
    free(work);
    profile_free(p);
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
