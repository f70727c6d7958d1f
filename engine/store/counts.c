#include "engine/store/fill.h"

#include <string.h>

#include "engine/analysis/calltree.h"
#include "engine/analysis/filter.h"
#include "engine/analysis/rank.h"
#include "engine/analysis/trust.h"
#include "engine/base/arena.h"

/* A node, in the order of the tree. */
struct tree_place {
    uint32_t node, depth;
};

/* All nodes; to be freed. */
static struct tree_place *order_nodes(const struct calltree *tree)
{
    struct tree_place *places = mem_new(tree->len, sizeof(*places));
    const struct calltree_node *nodes = tree->nodes;
    uint32_t n = 0, depth = 0;

    for (size_t i = 0; i < tree->len; i++) {
        places[i] = (struct tree_place){n, depth};
        if (nodes[n].first_child) {
            n = nodes[n].first_child;
            depth++;
            continue;
        }
        for (; n && !nodes[n].next_sibling; depth--)
            n = nodes[n].parent;
        n = nodes[n].next_sibling;
    }
    return places;
}

static void put_unless_none(struct rows *rows, uint32_t id)
{
    if (id == NO_ID)
        rows_null(rows);
    else
        rows_i64(rows, id);
}

/* ---- nodes ---- */

static void put_node(struct rows *rows, const struct calltree *tree, uint32_t n)
{
    struct calltree_inlined inlined = calltree_inlined(tree, n);

    put_unless_none(rows, tree->nodes[n].function);
    rows_u64(rows, calltree_exclusive(tree, n));
    rows_u64(rows, tree->nodes[n].inclusive);
    rows_u64(rows, inlined.exclusive);
    rows_u64(rows, inlined.inclusive);
}

/* ---- calls ---- */

struct tree_call {
    uint32_t caller, callee;
    uint64_t samples;
};

struct tree_calls {
    VEC(struct tree_call) list;
    uint32_t *of_place; /* by place, the call to its node; not of the root */
};

static void find_calls(struct tree_calls *calls, const struct calltree *tree,
                       const struct tree_place *places)
{
    struct map ids = {0};

    calls->of_place = mem_new(tree->len, sizeof(*calls->of_place));
    for (size_t i = 1; i < tree->len; i++) {
        const struct calltree_node *node = &tree->nodes[places[i].node];
        uint32_t caller = tree->nodes[node->parent].function;
        uint32_t fresh = mem_next_id(calls->list.len);
        uint32_t id = map_add(&ids, caller, node->function, fresh);

        if (id == fresh)
            *vec_add(&calls->list) =
                (struct tree_call){caller, node->function, 0};
        calls->of_place[i] = id;
    }
    map_release(&ids);
}

static void count_calls(struct tree_calls *calls, const struct calltree *tree,
                        const struct tree_place *places)
{
    /* By call, how often it is between the current node and the root. */
    uint32_t *on_path = mem_new(calls->list.len, sizeof(*on_path));
    VEC(uint32_t) path = {0};

    for (size_t i = 1; i < tree->len; i++) {
        uint32_t call = calls->of_place[i];

        while (path.len >= places[i].depth)
            on_path[path.data[--path.len]]--;
        if (!on_path[call]++)
            calls->list.data[call].samples +=
                tree->nodes[places[i].node].inclusive;
        *vec_add(&path) = call;
    }
    vec_release(&path);
    free(on_path);
}

static int write_calls(const struct store_fill *f, const struct calltree *tree,
                       const struct tree_place *places)
{
    struct tree_calls calls = {.of_place = NULL};
    struct rows rows;

    find_calls(&calls, tree, places);
    count_calls(&calls, tree, places);
    rows_open(&rows, f, "call_edges", 4);
    for (size_t i = 0; i < calls.list.len; i++) {
        const struct tree_call *call = &calls.list.data[i];

        rows_id(&rows, i);
        put_unless_none(&rows, call->caller);
        rows_i64(&rows, call->callee);
        rows_u64(&rows, call->samples);
    }
    vec_release(&calls.list);
    free(calls.of_place);
    return rows_close(&rows);
}

static int store_tree_write(const struct store_fill *f,
                            const struct calltree *tree)
{
    struct tree_place *places = order_nodes(tree);
    int result;
    VEC(uint32_t) above = {0}; /* numbers of the nodes up to the root */
    struct rows rows;

    rows_open(&rows, f, "call_tree_nodes", 8);
    for (size_t i = 0; i < tree->len; i++) {
        uint32_t depth = places[i].depth;

        above.len = depth;
        rows_id(&rows, i);
        put_unless_none(&rows, depth ? above.data[depth - 1] : NO_ID);
        rows_u64(&rows, depth);
        put_node(&rows, tree, places[i].node);
        *vec_add(&above) = mem_next_id(i);
    }
    vec_release(&above);
    result = rows_close(&rows);
    if (!result)
        result = write_calls(f, tree, places);
    free(places);
    return result;
}

/* ---- sample_groups: samples of equal thread, stack and flags ---- */

struct group {
    uint32_t thread, stack;
    uint64_t samples, period;
    uint32_t flags;
};

typedef VEC(struct group) group_list;

static void count_groups(group_list *groups, const struct profile *p)
{
    const struct samples *s = &p->samples;
    struct map ids = {0};

    for (size_t i = 0; i < s->len; i++) {
        uint32_t fresh = mem_next_id(groups->len);
        uint32_t id = map_add(&ids, (uint64_t)s->thread[i] << 32 | s->stack[i],
                              s->flags[i], fresh);

        if (id == fresh)
            *vec_add(groups) = (struct group){.thread = s->thread[i],
                                              .stack = s->stack[i],
                                              .flags = s->flags[i]};
        groups->data[id].samples += sample_weight(p, i);
        if (s->period)
            groups->data[id].period += s->period[i];
    }
    map_release(&ids);
}

/* Reports without times read them in place of the samples: of 3 M samples in
 * 0.03 s, not 0.45 s. */
static int write_groups(const struct store_fill *f, const struct profile *p)
{
    group_list groups = {0};
    struct rows rows;

    count_groups(&groups, p);
    rows_open(&rows, f, "sample_groups", 6);
    for (size_t i = 0; i < groups.len; i++) {
        const struct group *g = &groups.data[i];

        rows_id(&rows, i + 1);
        rows_i64(&rows, g->thread);
        rows_i64(&rows, g->stack);
        rows_i64(&rows, g->flags);
        rows_u64(&rows, g->samples);
        rows_u64(&rows, g->period);
    }
    vec_release(&groups);
    return rows_close(&rows);
}

/* ---- what the views show ---- */

static void add_name(struct rows *rows, size_t id, const char *name)
{
    rows_id(rows, id);
    rows_text(rows, name, strlen(name));
}

/* Names live until the rows are closed. */
static void add_cause(struct rows *rows, size_t id, struct arena *names,
                      const char *prefix, const char *cause, uint64_t samples)
{
    size_t size = strlen(prefix) + strlen(cause) + 1;
    char *name = arena_new(names, char, size);

    strcat(strcpy(name, prefix), cause);
    add_name(rows, id, name);
    rows_u64(rows, samples);
}

/* Samples without names and truncated stacks, by cause; numbered from `id` on.
 */
static void add_causes(struct rows *rows, size_t id,
                       const struct selection *sel, struct arena *names)
{
    for (unsigned i = CAUSE_NONE + 1; i < CAUSE_KINDS; i++)
        add_cause(rows, id++, names, "unresolved_",
                  name_cause_name((enum name_cause)i), sel->by_cause[i]);
    for (unsigned i = STACK_END_ROOT + 1; i < STACK_ENDS; i++)
        add_cause(rows, id++, names, "truncated_",
                  stack_end_word((enum stack_end)i), sel->by_end[i]);
}

static int write_coverage(const struct store_fill *f,
                          const struct selection *sel)
{
    struct trust trust = {0};
    const struct {
        const char *name;
        const uint64_t *samples;
    } all[] = {
        {"samples", &sel->samples},
        {"idle_samples", &sel->idle},
        {"stacks_full", &sel->by_class[STACK_FULL]},
        {"stacks_user_only", &sel->by_class[STACK_USER]},
        {"stacks_kernel_only", &sel->by_class[STACK_KERNEL]},
        {"stacks_none", &sel->by_class[STACK_NONE]},
        {"stacks_complete", &trust.complete},
        {"stacks_truncated", &trust.truncated},
        {"stacks_unknown", &trust.unknown},
        {"unresolved", &sel->unresolved},
    };
    const size_t count = sizeof(all) / sizeof(*all);
    struct arena names = {0};
    struct rows rows;
    int result;

    trust_stacks(&trust, sel);
    rows_open(&rows, f, "coverage", 3);
    for (size_t i = 0; i < count; i++) {
        add_name(&rows, i, all[i].name);
        rows_u64(&rows, *all[i].samples);
    }
    add_causes(&rows, count, sel, &names);
    result = rows_close(&rows);
    arena_release(&names);
    return result;
}

/* In order of functions; those without samples have no row. */
static int write_functions(const struct store_fill *f, const struct profile *p,
                           const struct selection *sel)
{
    struct aggregate groups = {0};
    /* By function: its group's number, + 1; 0: it has none. */
    uint32_t *group_of = mem_new(p->functions.len, sizeof(*group_of));
    struct rows rows;

    aggregate_count(&groups, p, sel, RANK_FUNCTION);
    for (size_t i = 0; i < groups.first.len; i++)
        group_of[p->frames.data[groups.first.data[i].frame].function] =
            (uint32_t)i + 1;
    rows_open(&rows, f, "function_counts", 3);
    for (size_t i = 0; i < p->functions.len; i++) {
        uint32_t g = group_of[i] - 1;

        if (!group_of[i] || !groups.inclusive[g])
            continue;
        rows_id(&rows, i);
        rows_u64(&rows, groups.exclusive[g]);
        rows_u64(&rows, groups.inclusive[g]);
    }
    free(group_of);
    aggregate_release(&groups);
    return rows_close(&rows);
}

static int write_modules(const struct store_fill *f, const struct profile *p,
                         const struct selection *sel)
{
    struct ranking *r = ranking_new(p, sel, RANK_MODULE, SORT_EXCLUSIVE);
    struct rows rows;
    int result;

    rows_open(&rows, f, "module_counts", 4);
    for (size_t i = 0; i < r->len; i++) {
        add_name(&rows, i, r->rows[i].name);
        rows_u64(&rows, r->rows[i].exclusive);
        rows_u64(&rows, r->rows[i].inclusive);
    }
    result = rows_close(&rows);
    ranking_free(r);
    return result;
}

static int write_tree(const struct store_fill *f, const struct profile *p,
                      const struct selection *sel)
{
    struct calltree *tree = calltree_new(p, sel, CALLTREE_TOP_DOWN, 0);
    int result = store_tree_write(f, tree);

    calltree_free(tree);
    return result;
}

const char *const store_counted[] = {
    "sample_groups", "coverage",   "function_counts", "module_counts",
    "call_tree_nodes", "call_edges", NULL,
};

int store_counts_write(const struct store_fill *f, const struct profile *p)
{
    struct selection *sel = selection_new(p, NULL);
    int result = write_groups(f, p);

    if (!result)
        result = write_coverage(f, sel);
    if (!result)
        result = write_functions(f, p, sel);
    if (!result)
        result = write_modules(f, p, sel);
    if (!result)
        result = write_tree(f, p, sel);
    selection_free(sel);
    return result;
}
