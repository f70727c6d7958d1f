#include "engine/store/counts.h"

#include <string.h>

#include "engine/analysis/calltree.h"
#include "engine/analysis/rank.h"
#include "engine/base/arena.h"
#include "engine/store/pack.h"
#include "engine/store/rows.h"

struct group {
    uint32_t thread, stack;
    uint64_t samples, period;
    uint8_t flags;
};

struct grouping {
    VEC(struct group) groups;
    uint32_t *first; /* by stack: the first group of it, + 1; 0: none yet */
    struct map ids;  /* of other groups of a stack */
};

static bool is_of(const struct group *g, const struct samples *s, size_t i)
{
    return g->thread == s->thread[i] && g->flags == s->flags[i];
}

/* The group of sample `i`. A stack is mostly met on one thread, so the first
 * of it is in no map, which is slow when it is large. */
static struct group *group_of(struct grouping *g, const struct samples *s,
                              size_t i)
{
    uint32_t thread = s->thread[i], stack = s->stack[i];
    uint32_t fresh = mem_next_id(g->groups.len), id = fresh;
    uint32_t *first = &g->first[stack];

    if (!*first)
        *first = fresh + 1;
    else if (is_of(&g->groups.data[*first - 1], s, i))
        id = *first - 1;
    else
        id = map_add(&g->ids, (uint64_t)thread << 32 | stack, s->flags[i],
                     fresh);
    if (id == fresh)
        *vec_add(&g->groups) = (struct group){
            .thread = thread, .stack = stack, .flags = s->flags[i]};
    return &g->groups.data[id];
}

/* Not sampled where `inclusive` is 0. */
struct function_count {
    uint64_t exclusive, inclusive;
};

struct store_counts {
    VEC(struct group) groups;
    struct selection *sel;
    struct function_count *functions; /* by function */
    size_t function_count;
    struct ranking *modules;
    struct calltree *tree;
};

/* Samples of equal thread, stack and flags, in order of their first. */
static void count_groups(struct store_counts *c, const struct profile *p)
{
    struct grouping g = {0};

    g.first = mem_new(p->stacks.len, sizeof(*g.first));
    for (size_t i = 0; i < p->samples.len; i++) {
        struct group *group = group_of(&g, &p->samples, i);

        group->samples += sample_weight(p, i);
        if (p->samples.period)
            group->period += p->samples.period[i];
    }
    free(g.first);
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

/* In order of functions, as they are stored: no name is looked at. */
static void count_functions(struct store_counts *c, const struct profile *p)
{
    struct aggregate groups = {0};

    aggregate_count(&groups, p, c->sel, RANK_FUNCTION);
    c->functions = mem_new(p->functions.len, sizeof(*c->functions));
    for (size_t i = 0; i < groups.first.len; i++) {
        uint32_t frame = groups.first.data[i].frame;

        c->functions[p->frames.data[frame].function] =
            (struct function_count){groups.exclusive[i], groups.inclusive[i]};
    }
    c->function_count = p->functions.len;
    aggregate_release(&groups);
}

static int write_functions(const struct store_fill *f,
                           const struct store_counts *c)
{
    struct rows rows;

    rows_open(&rows, f, "function_counts", 3, ROWS_GIVEN);
    for (size_t i = 0; i < c->function_count; i++) {
        const struct function_count *row = &c->functions[i];

        if (!row->inclusive)
            continue;
        rows_u64(&rows, i);
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

/* A node between the root and where the walk is. */
struct step {
    uint32_t number; /* in the database */
    uint32_t edge;
};

struct walk {
    const struct calltree *tree;
    struct rows rows;
    uint32_t *first;     /* by callee: an edge to it, + 1; 0: none yet */
    struct map edge_ids; /* of those to callees that have several */
    VEC(struct edge) edges;
    VEC(struct step) path; /* the root first */
    uint32_t numbered;     /* nodes that have a number */
};

/* The edge of the two, or `fresh`, which it becomes. */
static uint32_t edge_of(struct walk *w, uint32_t caller, uint32_t callee,
                        uint32_t fresh)
{
    uint32_t *first = &w->first[callee];

    if (!*first)
        *first = fresh + 1;
    else if (w->edges.data[*first - 1].caller != caller)
        return map_add(&w->edge_ids, caller, callee, fresh);
    return *first - 1;
}

static uint32_t edge_to(struct walk *w, uint32_t n)
{
    const struct calltree_node *node = &w->tree->nodes[n];
    uint32_t caller = w->tree->nodes[node->parent].function;
    uint32_t fresh = (uint32_t)w->edges.len;
    uint32_t id = edge_of(w, caller, node->function, fresh);

    if (id == fresh)
        *vec_add(&w->edges) = (struct edge){caller, node->function, 0, 0};
    if (w->edges.data[id].on_path++ == 0)
        w->edges.data[id].samples += node->inclusive;
    return id;
}

static void enter(struct walk *w, uint32_t n)
{
    const struct calltree_node *node = &w->tree->nodes[n];
    struct calltree_inlined inlined = calltree_inlined(w->tree, n);
    struct step at = {.number = w->numbered++};

    rows_i64(&w->rows, at.number);
    if (n)
        rows_i64(&w->rows, w->path.data[w->path.len - 1].number);
    else
        rows_null(&w->rows);
    rows_u64(&w->rows, w->path.len);
    if (n)
        rows_i64(&w->rows, node->function);
    else
        rows_null(&w->rows);
    rows_u64(&w->rows, calltree_exclusive(w->tree, n));
    rows_u64(&w->rows, node->inclusive);
    rows_u64(&w->rows, inlined.exclusive);
    rows_u64(&w->rows, inlined.inclusive);
    if (n)
        at.edge = edge_to(w, n);
    *vec_add(&w->path) = at;
}

/* The node after `n` in the order a tree is printed, or 0; nodes that are
 * done with leave the path. */
static uint32_t next_node(struct walk *w, uint32_t n)
{
    const struct calltree_node *nodes = w->tree->nodes;

    if (nodes[n].first_child)
        return nodes[n].first_child;
    for (; n; n = nodes[n].parent) {
        w->edges.data[w->path.data[--w->path.len].edge].on_path--;
        if (nodes[n].next_sibling)
            return nodes[n].next_sibling;
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

static int write_tree(const struct store_fill *f, const struct store_counts *c)
{
    struct walk w = {.tree = c->tree};
    uint32_t n = 0;
    int result;

    w.first = mem_new(c->function_count, sizeof(*w.first));
    rows_open(&w.rows, f, "call_tree_nodes", 8, ROWS_GIVEN);
    do
        enter(&w, n);
    while ((n = next_node(&w, n)));
    result = rows_close(&w.rows);
    map_release(&w.edge_ids);
    free(w.first);
    if (!result)
        result = write_edges(f, &w);
    vec_release(&w.path);
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
    free(c->functions);
    ranking_free(c->modules);
    calltree_free(c->tree);
    selection_free(c->sel);
    free(c);
}

const char *const store_counted[] = {
    "sample_groups", "packed_groups",   "coverage",   "function_counts",
    "module_counts", "call_tree_nodes", "call_edges", NULL,
};

int store_counts_write(struct store_counts *c, const struct store_fill *f)
{
    int result = write_groups(f, c);

    vec_release(&c->groups);
    if (!result)
        result = write_coverage(f, c->sel);
    if (!result)
        result = write_functions(f, c);
    free(c->functions);
    c->functions = NULL;
    if (!result)
        result = write_modules(f, c->modules);
    return result ? result : write_tree(f, c);
}
