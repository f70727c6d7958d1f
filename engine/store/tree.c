#include "engine/store/tree.h"

#include "engine/store/rows.h"

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

static int write_nodes(const struct store_fill *f, const struct calltree *tree,
                       const struct tree_place *places)
{
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
    return rows_close(&rows);
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

int store_tree_write(const struct store_fill *f, const struct calltree *tree)
{
    struct tree_place *places = order_nodes(tree);
    int result = write_nodes(f, tree, places);

    if (!result)
        result = write_calls(f, tree, places);
    free(places);
    return result;
}
