#include "engine/store/counts.h"

#include <string.h>

#include "engine/analysis/calltree.h"
#include "engine/analysis/rank.h"
#include "engine/base/arena.h"
#include "engine/store/pack.h"
#include "engine/store/sql.h"

struct group {
    uint32_t thread, stack;
    uint64_t samples, period;
    uint8_t flags;
};

struct grouping {
    VEC(struct group) groups;
    struct map ids;
    uint32_t *last; /* by stack: the group last met; groups have it or not */
};

/* The group of sample `i`. A stack is mostly met on one thread, so the one
 * met last is tried before the map, which is slow when it is large. */
static struct group *group_of(struct grouping *g, const struct samples *s,
                              size_t i)
{
    uint32_t thread = s->thread[i], stack = s->stack[i];
    uint32_t id = g->last[stack], fresh = (uint32_t)g->groups.len;
    const struct group *old = id < fresh ? &g->groups.data[id] : NULL;

    if (old && old->stack == stack && old->thread == thread &&
        old->flags == s->flags[i])
        return &g->groups.data[id];
    id = map_add(&g->ids, (uint64_t)thread << 32 | stack, s->flags[i], fresh);
    if (id == fresh)
        *vec_add(&g->groups) = (struct group){
            .thread = thread, .stack = stack, .flags = s->flags[i]};
    g->last[stack] = id;
    return &g->groups.data[id];
}

struct function_count {
    uint32_t function;
    uint64_t exclusive, inclusive;
};

struct store_counts {
    VEC(struct group) groups;
    struct selection *sel;
    VEC(struct function_count) functions; /* in order of exclusive samples */
    struct ranking *modules;
    struct calltree *tree;
};

/* Samples of equal thread, stack and flags, in order of their first. */
static void count_groups(struct store_counts *c, const struct profile *p)
{
    struct grouping g = {0};

    g.last = mem_new(p->stacks.len, sizeof(*g.last));
    for (size_t i = 0; i < p->samples.len; i++) {
        struct group *group = group_of(&g, &p->samples, i);

        group->samples += sample_weight(p, i);
        if (p->samples.period)
            group->period += p->samples.period[i];
    }
    free(g.last);
    map_release(&g.ids);
    c->groups.data = g.groups.data;
    c->groups.len = g.groups.len;
}

/* In rows that fit the weight of a sample, which they are read into: an hour
 * and a quarter in microseconds does not. */
static void write_group(struct rows *rows, struct pack *pack,
                        const struct group *g)
{
    uint64_t left = g->samples, period = g->period;

    while (left) {
        uint32_t part = left < UINT32_MAX ? (uint32_t)left : UINT32_MAX;

        rows_i64(rows, g->thread);
        rows_i64(rows, g->stack);
        rows_i64(rows, g->flags);
        rows_i64(rows, part);
        rows_u64(rows, period);
        pack_group(pack, &(struct sample){.thread = g->thread,
                                          .stack = g->stack,
                                          .flags = g->flags,
                                          .weight = part,
                                          .period = period});
        left -= part;
        period = 0;
    }
}

static int write_groups(const struct store_fill *f,
                        const struct store_counts *c)
{
    struct rows rows;
    struct pack pack;
    int result, packed;

    pack_open(&pack, f, "packed_groups");
    rows_open(&rows, f, "sample_groups", 5, ROWS_NUMBERED);
    for (size_t i = 0; i < c->groups.len; i++)
        write_group(&rows, &pack, &c->groups.data[i]);
    result = rows_close(&rows);
    packed = pack_close(&pack);
    return result ? result : packed;
}

static void add_name(struct rows *rows, size_t id, const char *name)
{
    rows_u64(rows, id);
    rows_text(rows, name, strlen(name));
}

/* What is not named, by cause: numbered from `id` on. */
static void add_causes(struct rows *rows, size_t id,
                       const struct selection *sel, struct arena *names)
{
    static const char prefix[] = "unresolved_";

    for (unsigned i = CAUSE_NONE + 1; i < CAUSE_KINDS; i++) {
        const char *cause = name_cause_name((enum name_cause)i);
        char *name = arena_new(names, char, sizeof(prefix) + strlen(cause));

        strcat(strcpy(name, prefix), cause);
        add_name(rows, id++, name);
        rows_u64(rows, sel->by_cause[i]);
    }
}

static int write_coverage(const struct store_fill *f,
                          const struct selection *sel)
{
    const struct {
        const char *name;
        uint64_t samples;
    } all[] = {
        {"samples", sel->samples},
        {"idle_samples", sel->idle},
        {"stacks_full", sel->by_class[STACK_FULL]},
        {"stacks_user_only", sel->by_class[STACK_USER]},
        {"stacks_kernel_only", sel->by_class[STACK_KERNEL]},
        {"stacks_none", sel->by_class[STACK_NONE]},
        {"unresolved", sel->unresolved},
    };
    const size_t count = sizeof(all) / sizeof(*all);
    struct arena names = {0};
    struct rows rows;
    int result;

    rows_open(&rows, f, "coverage", 3, ROWS_GIVEN);
    for (size_t i = 0; i < count; i++) {
        add_name(&rows, i, all[i].name);
        rows_u64(&rows, all[i].samples);
    }
    add_causes(&rows, count, sel, &names);
    result = rows_close(&rows);
    arena_release(&names);
    return result;
}

/* Of a row of a ranking that is all that is stored. */
static void count_functions(struct store_counts *c, const struct profile *p)
{
    struct ranking *r = ranking_new(p, c->sel, RANK_FUNCTION, SORT_EXCLUSIVE);

    for (size_t i = 0; i < r->len; i++)
        *vec_add(&c->functions) = (struct function_count){
            r->rows[i].id, r->rows[i].exclusive, r->rows[i].inclusive};
    ranking_free(r);
}

static int write_functions(const struct store_fill *f,
                           const struct store_counts *c)
{
    struct rows rows;

    rows_open(&rows, f, "function_counts", 3, ROWS_GIVEN);
    for (size_t i = 0; i < c->functions.len; i++) {
        const struct function_count *row = &c->functions.data[i];

        rows_i64(&rows, row->function);
        rows_u64(&rows, row->exclusive);
        rows_u64(&rows, row->inclusive);
    }
    return rows_close(&rows);
}

static int write_modules(const struct store_fill *f, const struct ranking *r)
{
    struct rows rows;

    rows_open(&rows, f, "module_counts", 4, ROWS_GIVEN);
    for (size_t i = 0; i < r->len; i++) {
        add_name(&rows, i, r->rows[i].name);
        rows_u64(&rows, r->rows[i].exclusive);
        rows_u64(&rows, r->rows[i].inclusive);
    }
    return rows_close(&rows);
}

/* One caller and callee: a sample counts once however often the pair is on
 * its stack. */
struct edge {
    uint32_t caller, callee;
    uint32_t on_path; /* pairs between the current node and the root */
    uint64_t samples;
};

struct walk {
    const struct calltree *tree;
    struct rows rows;
    uint32_t *order;   /* by node: its number in the database */
    uint32_t *edge_of; /* by node */
    struct map edge_ids;
    VEC(struct edge) edges;
    uint32_t numbered; /* nodes that have an order */
    int64_t depth;     /* of the current node */
};

static void enter(struct walk *w, uint32_t n)
{
    const struct calltree_node *node = &w->tree->nodes[n];
    uint32_t caller = w->tree->nodes[node->parent].function;
    uint32_t fresh = (uint32_t)w->edges.len;
    uint32_t id = map_add(&w->edge_ids, caller, node->function, fresh);

    if (id == fresh)
        *vec_add(&w->edges) = (struct edge){caller, node->function, 0, 0};
    if (w->edges.data[id].on_path++ == 0)
        w->edges.data[id].samples += node->inclusive;
    w->edge_of[n] = id;
}

static void add_node(struct walk *w, uint32_t n)
{
    const struct calltree_node *node = &w->tree->nodes[n];

    w->order[n] = w->numbered++;
    rows_i64(&w->rows, w->order[n]);
    if (n)
        rows_i64(&w->rows, w->order[node->parent]);
    else
        rows_null(&w->rows);
    rows_i64(&w->rows, w->depth);
    if (n)
        rows_i64(&w->rows, node->function);
    else
        rows_null(&w->rows);
    rows_u64(&w->rows, node->exclusive);
    rows_u64(&w->rows, node->inclusive);
    rows_u64(&w->rows, node->inlined_exclusive);
    rows_u64(&w->rows, node->inlined_inclusive);
}

/* The node after `n` in the order a tree is printed, or 0; nodes that are
 * done with leave the path. */
static uint32_t next_node(struct walk *w, uint32_t n)
{
    const struct calltree_node *nodes = w->tree->nodes;

    if (nodes[n].first_child) {
        w->depth++;
        return nodes[n].first_child;
    }
    for (; n; n = nodes[n].parent) {
        w->edges.data[w->edge_of[n]].on_path--;
        if (nodes[n].next_sibling)
            return nodes[n].next_sibling;
        w->depth--;
    }
    return 0;
}

static int write_edges(const struct store_fill *f, const struct walk *w)
{
    struct rows rows;

    rows_open(&rows, f, "call_edges", 4, ROWS_GIVEN);
    for (size_t i = 0; i < w->edges.len; i++) {
        const struct edge *e = &w->edges.data[i];

        rows_u64(&rows, i);
        if (e->caller == NO_ID)
            rows_null(&rows);
        else
            rows_i64(&rows, e->caller);
        rows_i64(&rows, e->callee);
        rows_u64(&rows, e->samples);
    }
    return rows_close(&rows);
}

static int write_tree(const struct store_fill *f, const struct calltree *tree)
{
    struct walk w = {.tree = tree};
    int result;

    w.order = mem_new(tree->len, sizeof(*w.order));
    w.edge_of = mem_new(tree->len, sizeof(*w.edge_of));
    rows_open(&w.rows, f, "call_tree_nodes", 8, ROWS_GIVEN);
    add_node(&w, 0);
    for (uint32_t n = 0; (n = next_node(&w, n));) {
        enter(&w, n);
        add_node(&w, n);
    }
    result = rows_close(&w.rows);
    if (!result)
        result = write_edges(f, &w);
    free(w.order);
    free(w.edge_of);
    map_release(&w.edge_ids);
    vec_release(&w.edges);
    return result;
}

struct store_counts *store_counts_new(const struct profile *p)
{
    struct store_counts *c = mem_new(1, sizeof(*c));

    c->sel = selection_new(p, NULL);
    count_functions(c, p);
    c->modules = ranking_new(p, c->sel, RANK_MODULE, SORT_EXCLUSIVE);
    c->tree = calltree_new(p, c->sel, CALLTREE_TOP_DOWN, 0);
    count_groups(c, p);
    return c;
}

void store_counts_free(struct store_counts *c)
{
    vec_release(&c->groups);
    vec_release(&c->functions);
    ranking_free(c->modules);
    calltree_free(c->tree);
    selection_free(c->sel);
    free(c);
}

const char *const store_counted[] = {
    "sample_groups", "packed_groups",   "coverage",   "function_counts",
    "module_counts", "call_tree_nodes", "call_edges", NULL,
};

int store_counts_write(const struct store_counts *c, const struct store_fill *f)
{
    int result = write_groups(f, c);

    if (!result)
        result = write_coverage(f, c->sel);
    if (!result)
        result = write_functions(f, c);
    if (!result)
        result = write_modules(f, c->modules);
    return result ? result : write_tree(f, c->tree);
}
