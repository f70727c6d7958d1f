#include "engine/format/perfdata/mapping_tree.h"

#include "engine/base/hash.h"
#include "engine/base/mem.h"
#include "engine/model/profile.h"

static uint32_t add_node(struct pd_mapping_tree *t, uint32_t owner,
                         uint64_t from, uint64_t last, uint32_t mapping)
{
    uint32_t id = mem_next_id(t->nodes.len);

    *vec_add(&t->nodes) = (struct pd_mapping_node){
        .from = from,
        .last = last,
        .mapping = mapping,
        .left = NO_ID,
        .right = NO_ID,
        .owner = owner,
        .priority = (uint32_t)hash_pair(id, 0),
    };
    return id;
}

/* The node, or a copy of it that the owner may change. */
static uint32_t own_node(struct pd_mapping_tree *t, uint32_t id, uint32_t owner)
{
    struct pd_mapping_node node = t->nodes.data[id];

    if (node.owner == owner)
        return id;
    node.owner = owner;
    id = mem_next_id(t->nodes.len);
    *vec_add(&t->nodes) = node;
    return id;
}

/* All addresses of `a` are below those of `b`. */
static uint32_t join_trees(struct pd_mapping_tree *t, uint32_t owner,
                           uint32_t a, uint32_t b)
{
    uint32_t joined;

    if (a == NO_ID || b == NO_ID)
        return a == NO_ID ? b : a;
    if (t->nodes.data[a].priority > t->nodes.data[b].priority) {
        a = own_node(t, a, owner);
        joined = join_trees(t, owner, t->nodes.data[a].right, b);
        t->nodes.data[a].right = joined;
        return a;
    }
    b = own_node(t, b, owner);
    joined = join_trees(t, owner, a, t->nodes.data[b].left);
    t->nodes.data[b].left = joined;
    return b;
}

/* A node that holds `at` is cut in two. */
static void split_tree(struct pd_mapping_tree *t, uint32_t owner, uint32_t id,
                       uint64_t at, uint32_t *below, uint32_t *above)
{
    struct pd_mapping_node node;
    uint32_t half;

    *below = *above = NO_ID;
    if (id == NO_ID)
        return;
    id = own_node(t, id, owner);
    node = t->nodes.data[id];
    if (node.last < at) {
        split_tree(t, owner, node.right, at, &half, above);
        t->nodes.data[id].right = half;
        *below = id;
    } else if (node.from >= at) {
        split_tree(t, owner, node.left, at, below, &half);
        t->nodes.data[id].left = half;
        *above = id;
    } else {
        half = add_node(t, owner, at, node.last, node.mapping);
        *above = join_trees(t, owner, half, node.right);
        t->nodes.data[id].last = at - 1;
        t->nodes.data[id].right = NO_ID;
        *below = id;
    }
}

uint32_t pd_mapping_tree_set(struct pd_mapping_tree *t, uint32_t root,
                             uint32_t owner, uint64_t base, uint64_t size,
                             uint32_t mapping)
{
    uint64_t last = size - 1 < UINT64_MAX - base ? base + size - 1 : UINT64_MAX;
    uint32_t below, above = NO_ID, hidden;

    if (!size)
        return root;
    if (t->nodes.len >= t->most) {
        t->full = true;
        return root;
    }
    split_tree(t, owner, root, base, &below, &hidden);
    if (last < UINT64_MAX)
        split_tree(t, owner, hidden, last + 1, &hidden, &above);
    below =
        join_trees(t, owner, below, add_node(t, owner, base, last, mapping));
    return join_trees(t, owner, below, above);
}

uint32_t pd_mapping_tree_find(const struct pd_mapping_tree *t, uint32_t root,
                              uint64_t address)
{
    while (root != NO_ID) {
        const struct pd_mapping_node *node = &t->nodes.data[root];

        if (address < node->from)
            root = node->left;
        else if (address > node->last)
            root = node->right;
        else
            return node->mapping;
    }
    return NO_ID;
}

void pd_mapping_tree_release(struct pd_mapping_tree *t)
{
    vec_release(&t->nodes);
}
