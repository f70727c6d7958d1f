#include "report/page/page_data.h"

/* How coarse a page may become: by each level of time its steps are four times
 * as long, by each one of the tree its nodes half as many. */
enum {
    STEPS_MOST = 1 << 20, /* parts of the time that samples are told apart by */
    TIME_LEVELS = 6,
    TREE_LEVELS = 10,
};

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

/* What is being fitted: data of these sides. */
struct fitting {
    struct page_data *data;
    const struct page_side *sides;
    size_t count;
};

/* By a level of the tree: half of the room at most, so that samples have
 * theirs. */
static bool fit_tree(const struct fitting *f, size_t level)
{
    struct page_data *d = f->data;

    page_tree_release(&d->tree);
    page_tree_make(&d->tree, &d->stacks, PAGE_NODES_MOST >> level);
    page_names(d, f->count == 1 ? f->sides->p : NULL);
    pack_tree(d, f->count < 2 ? 1 : 2);
    return d->tree.nodes.len <= PAGE_NODES_MOST &&
           page_bytes_text_size(&d->names) + page_bytes_text_size(&d->nodes) <=
               room(d) / 2;
}

/* Only the samples of one side are there to be fitted. They are packed if they
 * fit: most of the time goes there. */
static bool fit_rows(const struct fitting *f, int64_t steps, bool has_cpus)
{
    struct page_data *d = f->data;
    size_t others =
        page_bytes_text_size(&d->names) + page_bytes_text_size(&d->nodes);

    if (f->count > 1)
        return true;
    page_rows(d, f->sides, steps, has_cpus);
    return others <= room(d) &&
           page_bytes_pack_within(&d->samples, room(d) - others);
}

/* By a level of time. */
static bool fit_time(const struct fitting *f, size_t level)
{
    return fit_rows(f, STEPS_MOST >> 2 * level, false);
}

/* Steps as short as they are at best; processors, too, if there is room. */
static bool fit_shortest(const struct fitting *f)
{
    return fit_rows(f, STEPS_MOST, true) || fit_time(f, 0);
}

static bool fit_longest(const struct fitting *f)
{
    return fit_time(f, TIME_LEVELS - 1);
}

static bool fit_coarsest(const struct fitting *f, size_t level)
{
    return fit_tree(f, level) && fit_longest(f);
}

/* Makes it by the finest level but 0 that fits, or the coarsest, and then false
 * if that does not either: in leaps that grow, then in the middle of what is
 * left, as a look at a million samples takes a quarter of a second. */
static bool fit_finest(const struct fitting *f, size_t levels,
                       bool fits(const struct fitting *f, size_t level))
{
    size_t from = 1, to = levels - 1, last = 0, leap = 0;
    bool leaps = true, is_made = false;

    while (from < to) {
        last = leaps && from + leap < to ? from + leap : (from + to) / 2;
        leap = leap * 2 + 1;
        is_made = fits(f, last);
        if (is_made) {
            to = last;
            leaps = false;
        } else {
            from = last + 1;
        }
    }
    return is_made || fits(f, to);
}

void page_data_make(struct page_data *d, const struct page_side *sides,
                    size_t count)
{
    const struct fitting f = {d, sides, count};
    bool whole;

    for (size_t i = 0; i < count; i++)
        page_stacks_add(&d->stacks, &sides[i]);
    if (count == 1)
        page_threads(d, sides);
    whole = fit_tree(&f, 0);
    if (whole && fit_shortest(&f))
        return;
    if (!whole || !fit_longest(&f)) {
        fit_finest(&f, TREE_LEVELS, fit_coarsest);
        if (fit_shortest(&f))
            return;
    }
    if (!fit_finest(&f, TIME_LEVELS, fit_time))
        page_bytes_pack(&d->samples);
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
