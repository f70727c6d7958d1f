#include "engine/model/pair_tree.h"

#include <assert.h>

/* Locations of a pair, outermost first. */
struct path {
    const uint32_t *outer, *inner;
    uint32_t outer_count, count;
};

static struct path path_of(const struct pair_tree *tree, uint32_t pair)
{
    struct row_pair p = tree->pairs[pair];
    struct path path = {.outer = tree->rows[p.outer].locations,
                        .outer_count = tree->rows[p.outer].count};

    path.count = path.outer_count;
    if (p.inner != NO_ID) {
        path.inner = tree->rows[p.inner].locations;
        path.count += tree->rows[p.inner].count;
    }
    return path;
}

static uint32_t path_at(const struct path *path, uint32_t i)
{
    return i < path->outer_count ? path->outer[i]
                                 : path->inner[i - path->outer_count];
}

/* How many frames two paths have in common that have `n`. */
static uint32_t common_frames(const struct path *a, const struct path *b,
                              uint32_t n)
{
    uint32_t most = a->count < b->count ? a->count : b->count;

    while (n < most && path_at(a, n) == path_at(b, n))
        n++;
    return n;
}

/* Along the path of a pair that is known, and where it leaves that, along the
 * one which left it there, until no pair went where this one goes. */
void pair_tree_add(struct pair_tree *tree, struct map *turns, uint32_t pair,
                   struct pair_frame at)
{
    const struct path path = path_of(tree, pair);

    for (;;) {
        uint32_t next;

        if (at.pair != NO_ID) {
            const struct path other = path_of(tree, at.pair);

            at.depth = common_frames(&path, &other, at.depth);
        }
        if (at.depth == path.count)
            break;
        next = map_add(turns, (uint64_t)at.pair << 32 | at.depth,
                       path_at(&path, at.depth), pair);
        if (next == pair)
            break;
        at = (struct pair_frame){next, at.depth + 1};
    }
    assert(path.count <= UINT16_MAX);
    tree->branches[pair] =
        (struct pair_branch){at.pair, (uint16_t)at.depth, (uint16_t)path.count};
}

/* Writes up to `n` locations of a row, the innermost, in front of `end`.
 * Returns how many of `n` are left. */
static uint32_t write_row(const struct location_row *row, uint32_t n,
                          struct stack *stacks, uint32_t end)
{
    const uint32_t *location = row->locations + row->count;

    for (; n && location > row->locations; n--) {
        end--;
        stacks[end] = (struct stack){end - 1, *--location};
    }
    return n;
}

void pair_tree_write(const struct pair_tree *tree, uint32_t pair,
                     uint32_t parent, struct stack *stacks, uint32_t first)
{
    const struct pair_branch *b = &tree->branches[pair];
    struct row_pair p = tree->pairs[pair];
    uint32_t left = b->depth - b->known;

    if (p.inner != NO_ID)
        left = write_row(&tree->rows[p.inner], left, stacks, first + left);
    if (left)
        write_row(&tree->rows[p.outer], left, stacks, first + left);
    stacks[first].parent = parent;
}
