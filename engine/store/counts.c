#include "engine/store/fill.h"

#include <string.h>

#include "engine/analysis/calltree.h"
#include "engine/analysis/filter.h"
#include "engine/analysis/rank.h"
#include "engine/analysis/trust.h"
#include "engine/base/arena.h"

/* ---- call_tree_nodes: in the order of printed trees ---- */

/* A node on the path from the root to the current one. */
struct open_node {
    uint32_t row, function;
};

struct tree_rows {
    const struct calltree *tree;
    VEC(struct open_node) path;
    struct rows rows;
};

static void put_unless_none(struct rows *rows, uint32_t id)
{
    if (id == NO_ID)
        rows_null(rows);
    else
        rows_i64(rows, id);
}

/* True if the path ends in a call that it has nearer to the root, too. */
static bool repeats_call(const struct tree_rows *t)
{
    const struct open_node *path = t->path.data;
    size_t last = t->path.len - 1;

    for (size_t i = 1; i < last; i++)
        if (path[i].function == path[last].function &&
            path[i - 1].function == path[last - 1].function)
            return true;
    return false;
}

static void write_node(struct tree_rows *t, uint32_t n, uint32_t row)
{
    const struct calltree_node *node = &t->tree->nodes[n];
    struct calltree_inlined inlined = calltree_inlined(t->tree, n);
    size_t depth = t->path.len;

    *vec_add(&t->path) = (struct open_node){row, node->function};
    rows_id(&t->rows, row);
    put_unless_none(&t->rows, depth ? t->path.data[depth - 1].row : NO_ID);
    rows_u64(&t->rows, depth);
    put_unless_none(&t->rows, node->function);
    rows_u64(&t->rows, calltree_exclusive(t->tree, n));
    rows_u64(&t->rows, node->inclusive);
    rows_u64(&t->rows, inlined.exclusive);
    rows_u64(&t->rows, inlined.inclusive);
    rows_u64(&t->rows, repeats_call(t));
}

/* The node that follows in the order of the tree; 0 after the last one. */
static uint32_t next_node(struct tree_rows *t, uint32_t n)
{
    const struct calltree_node *nodes = t->tree->nodes;

    if (nodes[n].first_child)
        return nodes[n].first_child;
    for (; n && !nodes[n].next_sibling; n = nodes[n].parent)
        t->path.len--;
    t->path.len--;
    return nodes[n].next_sibling;
}

static int write_tree(const struct store_fill *f, const struct profile *p,
                      const struct selection *sel)
{
    struct calltree *tree = calltree_new(p, sel, CALLTREE_TOP_DOWN, 0);
    struct tree_rows t = {.tree = tree};
    uint32_t n = 0;

    rows_open(&t.rows, f, "call_tree_nodes", 9);
    for (uint32_t row = 0; row < tree->len; row++) {
        write_node(&t, n, row);
        n = next_node(&t, n);
    }
    vec_release(&t.path);
    calltree_free(tree);
    return rows_close(&t.rows);
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
    add_name(rows, id, arena_fmt(names, "%s%s", prefix, cause));
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

const char *const store_counted[] = {
    "sample_groups", "coverage",        "function_counts",
    "module_counts", "call_tree_nodes", NULL,
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
