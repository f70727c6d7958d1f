#include "engine/store/tree.h"

#include "engine/store/rows.h"

void store_tree_init(struct store_tree *t, const struct calltree *tree)
{
    const struct calltree_node *nodes = tree->nodes;
    uint32_t n = 0, depth = 0;

    *t = (struct store_tree){.tree = tree};
    t->places = mem_new(tree->len, sizeof(*t->places));
    for (size_t i = 0; i < tree->len; i++) {
        t->places[i] = (struct tree_place){n, depth};
        if (nodes[n].first_child) {
            n = nodes[n].first_child;
            depth++;
            continue;
        }
        for (; n && !nodes[n].next_sibling; depth--)
            n = nodes[n].parent;
        n = nodes[n].next_sibling;
    }
}

void store_tree_release(struct store_tree *t)
{
    free(t->places);
    vec_release(&t->calls);
}

/* ---- nodes ---- */

static void put_unless_none(struct rows *rows, uint32_t id)
{
    if (id == NO_ID)
        rows_null(rows);
    else
        rows_i64(rows, id);
}

static void put_node(struct rows *rows, const struct calltree *tree, uint32_t n)
{
    struct calltree_inlined inlined = calltree_inlined(tree, n);

    put_unless_none(rows, tree->nodes[n].function);
    rows_u64(rows, calltree_exclusive(tree, n));
    rows_u64(rows, tree->nodes[n].inclusive);
    rows_u64(rows, inlined.exclusive);
    rows_u64(rows, inlined.inclusive);
}

int store_tree_write(const struct store_tree *t, const struct store_fill *f)
{
    VEC(uint32_t) above = {0}; /* numbers of the nodes up to the root */
    struct rows rows;

    rows_open(&rows, f, "call_tree_nodes", 8, ROWS_GIVEN);
    for (size_t i = 0; i < t->tree->len; i++) {
        uint32_t depth = t->places[i].depth;

        above.len = depth;
        rows_u64(&rows, i);
        put_unless_none(&rows, depth ? above.data[depth - 1] : NO_ID);
        rows_u64(&rows, depth);
        put_node(&rows, t->tree, t->places[i].node);
        *vec_add(&above) = mem_next_id(i);
    }
    vec_release(&above);
    return rows_close(&rows);
}

/* ---- calls ---- */

static uint32_t caller_of(const struct calltree *tree, uint32_t node)
{
    return tree->nodes[tree->nodes[node].parent].function;
}

/* Most functions have one caller: the first call of each is in no map, which
 * would be large. */
struct call_ids {
    uint32_t *first; /* by callee: its first call, + 1; 0: none yet */
    struct map others;
};

/* Look-ups miss the cache, so each is announced a few before its turn. */
static void call_soon(const struct call_ids *ids, const struct calltree *tree,
                      uint32_t node)
{
    uint32_t callee = tree->nodes[node].function;

    mem_fetch(&ids->first[callee]);
    map_prefetch(&ids->others, caller_of(tree, node), callee);
}

static uint32_t call_of(struct store_tree *t, struct call_ids *ids,
                        uint32_t caller, uint32_t callee)
{
    uint32_t fresh = mem_next_id(t->calls.len), id = fresh;
    uint32_t *first = &ids->first[callee];

    if (!*first)
        *first = fresh + 1;
    else if (t->calls.data[*first - 1].caller == caller)
        id = *first - 1;
    else
        id = map_add(&ids->others, caller, callee, fresh);
    if (id == fresh)
        *vec_add(&t->calls) = (struct tree_call){caller, callee, 0};
    return id;
}

/* By place, the call to its node; 0 of the root stands for nothing. */
static uint32_t *find_calls(struct store_tree *t, size_t functions)
{
    enum { AHEAD = 8 };
    const struct calltree *tree = t->tree;
    uint32_t *calls = mem_new(tree->len, sizeof(*calls));
    struct call_ids ids = {.first = mem_new(functions, sizeof(*ids.first))};

    for (size_t i = 1; i < tree->len; i++) {
        uint32_t node = t->places[i].node;

        if (i + AHEAD < tree->len)
            call_soon(&ids, tree, t->places[i + AHEAD].node);
        calls[i] = call_of(t, &ids, caller_of(tree, node),
                           tree->nodes[node].function);
    }
    free(ids.first);
    map_release(&ids.others);
    return calls;
}

void store_tree_count_calls(struct store_tree *t, size_t functions)
{
    uint32_t *calls = find_calls(t, functions);
    /* By call, how often it is between the current node and the root. */
    uint32_t *on_path = mem_new(t->calls.len, sizeof(*on_path));
    VEC(uint32_t) path = {0};

    for (size_t i = 1; i < t->tree->len; i++) {
        const struct tree_place *at = &t->places[i];

        while (path.len >= at->depth)
            on_path[path.data[--path.len]]--;
        if (!on_path[calls[i]]++)
            t->calls.data[calls[i]].samples +=
                t->tree->nodes[at->node].inclusive;
        *vec_add(&path) = calls[i];
    }
    vec_release(&path);
    free(on_path);
    free(calls);
}

int store_tree_write_calls(const struct store_tree *t,
                           const struct store_fill *f)
{
    struct rows rows;

    rows_open(&rows, f, "call_edges", 4, ROWS_GIVEN);
    for (size_t i = 0; i < t->calls.len; i++) {
        const struct tree_call *call = &t->calls.data[i];

        rows_u64(&rows, i);
        put_unless_none(&rows, call->caller);
        rows_i64(&rows, call->callee);
        rows_u64(&rows, call->samples);
    }
    return rows_close(&rows);
}
