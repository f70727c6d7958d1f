#include "engine/store_counts.h"

#include <string.h>

#include "engine/calltree.h"
#include "engine/rank.h"
#include "engine/store_sql.h"

struct group {
    uint32_t thread, stack;
    uint64_t samples;
    uint8_t flags;
};

/* Samples of equal thread, stack and flags, in order of their first. */
int store_write_groups(sqlite3 *db, const struct profile *p)
{
    const struct samples *s = &p->samples;
    VEC(struct group) groups = {0};
    struct map ids = {0};
    struct rows rows;

    for (size_t i = 0; i < s->len; i++) {
        uint64_t key = (uint64_t)s->thread[i] << 32 | s->stack[i];
        uint32_t fresh = (uint32_t)groups.len;
        uint32_t id = map_add(&ids, key, s->flags[i], fresh);

        if (id == fresh)
            *vec_add(&groups) =
                (struct group){s->thread[i], s->stack[i], 0, s->flags[i]};
        groups.data[id].samples += sample_weight(p, i);
    }
    map_release(&ids);
    rows_open(&rows, db, "sample_groups", 4, ROWS_NUMBERED);
    for (size_t i = 0; i < groups.len; i++) {
        rows_i64(&rows, groups.data[i].thread);
        rows_i64(&rows, groups.data[i].stack);
        rows_i64(&rows, groups.data[i].flags);
        rows_u64(&rows, groups.data[i].samples);
    }
    vec_release(&groups);
    return rows_close(&rows);
}

static void add_name(struct rows *rows, size_t id, const char *name)
{
    rows_u64(rows, id);
    rows_text(rows, name, strlen(name));
}

static int write_names(sqlite3 *db)
{
    struct rows rows;
    int result;

    rows_open(&rows, db, "code_kinds", 2, ROWS_GIVEN);
    for (unsigned i = 0; i < CODE_KINDS; i++)
        add_name(&rows, i, code_kind_name((enum code_kind)i));
    result = rows_close(&rows);
    if (result)
        return result;
    rows_open(&rows, db, "name_causes", 2, ROWS_GIVEN);
    for (unsigned i = 0; i < CAUSE_KINDS; i++)
        add_name(&rows, i, name_cause_name((enum name_cause)i));
    return rows_close(&rows);
}

static int write_coverage(sqlite3 *db, const struct selection *sel)
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
        {"unresolved_no_image", sel->by_cause[CAUSE_NO_IMAGE]},
        {"unresolved_no_symbols", sel->by_cause[CAUSE_NO_SYMBOLS]},
        {"unresolved_hypercall_page", sel->by_cause[CAUSE_HYPERCALL]},
    };
    struct rows rows;

    rows_open(&rows, db, "coverage", 3, ROWS_GIVEN);
    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        add_name(&rows, i, all[i].name);
        rows_u64(&rows, all[i].samples);
    }
    return rows_close(&rows);
}

static int write_functions(sqlite3 *db, const struct profile *p,
                           const struct selection *sel)
{
    struct ranking *r = ranking_new(p, sel, RANK_FUNCTION, SORT_EXCLUSIVE);
    struct rows rows;

    rows_open(&rows, db, "function_counts", 3, ROWS_GIVEN);
    for (size_t i = 0; i < r->len; i++) {
        rows_i64(&rows, r->rows[i].id);
        rows_u64(&rows, r->rows[i].exclusive);
        rows_u64(&rows, r->rows[i].inclusive);
    }
    ranking_free(r);
    return rows_close(&rows);
}

static int write_modules(sqlite3 *db, const struct profile *p,
                         const struct selection *sel)
{
    struct ranking *r = ranking_new(p, sel, RANK_MODULE, SORT_EXCLUSIVE);
    struct rows rows;
    int result;

    rows_open(&rows, db, "module_counts", 4, ROWS_GIVEN);
    for (size_t i = 0; i < r->len; i++) {
        add_name(&rows, i, r->rows[i].name);
        rows_u64(&rows, r->rows[i].exclusive);
        rows_u64(&rows, r->rows[i].inclusive);
    }
    result = rows_close(&rows);
    ranking_free(r);
    return result;
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

static int write_edges(sqlite3 *db, const struct walk *w)
{
    struct rows rows;

    rows_open(&rows, db, "call_edges", 4, ROWS_GIVEN);
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

static int write_tree(sqlite3 *db, const struct profile *p,
                      const struct selection *sel)
{
    struct calltree *tree = calltree_new(p, sel, CALLTREE_TOP_DOWN, 0);
    struct walk w = {.tree = tree};
    int result;

    w.order = mem_new(tree->len, sizeof(*w.order));
    w.edge_of = mem_new(tree->len, sizeof(*w.edge_of));
    rows_open(&w.rows, db, "call_tree_nodes", 8, ROWS_GIVEN);
    add_node(&w, 0);
    for (uint32_t n = 0; (n = next_node(&w, n));) {
        enter(&w, n);
        add_node(&w, n);
    }
    result = rows_close(&w.rows);
    if (!result)
        result = write_edges(db, &w);
    free(w.order);
    free(w.edge_of);
    map_release(&w.edge_ids);
    vec_release(&w.edges);
    calltree_free(tree);
    return result;
}

int store_write_counts(sqlite3 *db, const struct profile *p)
{
    struct selection *sel = selection_new(p, NULL);
    int result = write_names(db);

    if (!result)
        result = write_coverage(db, sel);
    if (!result)
        result = write_functions(db, p, sel);
    if (!result)
        result = write_modules(db, p, sel);
    if (!result)
        result = write_tree(db, p, sel);
    selection_free(sel);
    return result;
}
