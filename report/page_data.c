#include "report/page_data.h"

/* Parts of the time that samples are told apart by. */
enum { STEPS_MOST = 1 << 20, STEPS_LEAST = 1 << 10, NODES_LEAST = 500 };

static void pack_tree(struct page_data *d, size_t sides)
{
    const struct page_node *nodes = d->tree.nodes.data;
    size_t len = d->tree.nodes.len;
    struct page_bytes *b = &d->nodes;

    page_bytes_release(b);
    for (size_t i = 1; i < len; i++)
        page_bytes_number(b, nodes[i].depth);
    for (size_t i = 1; i < len; i++)
        page_bytes_number(b, nodes[i].function);
    for (size_t i = 1; i < len; i++)
        page_bytes_number(b, nodes[i].inlined);
    for (size_t side = 0; side < sides; side++)
        for (size_t i = 1; i < len; i++)
            page_bytes_number(b, nodes[i].count[side]);
    page_bytes_pack(b);
}

static size_t room(const struct page_data *d)
{
    return (size_t)PAGE_MOST - (d->wants_source ? (size_t)PAGE_SOURCE_MOST : 0);
}

/* A tree of so many nodes; half of the room at most, so that samples have
 * theirs. */
static bool fit_tree(struct page_data *d, const struct page_side *sides,
                     size_t count, size_t most)
{
    page_tree_release(&d->tree);
    page_tree_make(&d->tree, &d->stacks, most);
    page_names(d, count == 1 ? sides->p : NULL);
    pack_tree(d, count < 2 ? 1 : 2);
    return d->tree.nodes.len <= PAGE_NODES_MOST &&
           page_bytes_text_size(&d->names) + page_bytes_text_size(&d->nodes) <=
               room(d) / 2;
}

static bool fit_samples(struct page_data *d, const struct page_side *side)
{
    size_t left = room(d) - page_bytes_text_size(&d->names) -
                  page_bytes_text_size(&d->nodes);

    page_rows(d, side, STEPS_MOST, true);
    if (page_bytes_text_size(&d->samples) <= left)
        return true;
    for (int64_t steps = STEPS_MOST; steps >= STEPS_LEAST; steps /= 4) {
        page_rows(d, side, steps, false);
        if (page_bytes_text_size(&d->samples) <= left)
            return true;
        if (page_bytes_text_size(&d->samples) > 4 * left)
            return false; /* alike samples are too few */
    }
    return false;
}

void page_data_make(struct page_data *d, const struct page_side *sides,
                    size_t count)
{
    size_t most = PAGE_NODES_MOST;

    for (size_t i = 0; i < count; i++)
        page_stacks_add(&d->stacks, &sides[i]);
    if (count == 1)
        page_threads(d, sides);
    while (!(fit_tree(d, sides, count, most) &&
             (count > 1 || fit_samples(d, sides))) &&
           most > NODES_LEAST)
        most /= 2;
}

void page_data_release(struct page_data *d)
{
    page_bytes_release(&d->names);
    page_bytes_release(&d->nodes);
    page_bytes_release(&d->samples);
    page_bytes_release(&d->source);
    vec_release(&d->threads);
    vec_release(&d->processes);
    page_tree_release(&d->tree);
    page_stacks_release(&d->stacks);
}
