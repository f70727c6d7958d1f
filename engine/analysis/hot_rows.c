/* Places of a hot path in stacks that are rows. */
#include "engine/analysis/hot_path_impl.h"

struct hot_ends {
    /* Of stacks of two rows: the last one that begins with a row, and by stack
     * the one before it that does so too; plus one, 0: none. */
    uint32_t *last, *before;
};

static void enter(struct hot_walk *w, uint32_t row, uint32_t at, bool inner,
                  uint64_t samples)
{
    hot_enter(
        w, w->p->rows.list.data[row].locations[at],
        (struct hot_place){.samples = samples, .of = row, .row = {at, inner}});
}

static void begin(struct hot_walk *w)
{
    const struct stack_rows *rows = &w->p->rows;
    const struct row_count *counts = w->sel->row_counts;
    struct hot_ends *ends = mem_new(1, sizeof(*ends));

    w->stacks = ends;
    vec_reserve(&w->ahead, rows->list.len);
    for (uint32_t i = 0; i < rows->list.len; i++)
        if (counts[i].outer)
            enter(w, i, 0, false, counts[i].outer);
}

static void list_stacks(struct hot_ends *ends, const struct hot_walk *w)
{
    const struct stack_rows *rows = &w->p->rows;

    ends->last = mem_new(rows->list.len, sizeof(*ends->last));
    ends->before = mem_new(rows->stacks.len, sizeof(*ends->before));
    for (uint32_t i = 0; i < rows->stacks.len; i++) {
        struct row_pair stack = rows->stacks.data[i];

        if (stack.inner == NO_ID || !w->sel->stack_counts[i])
            continue;
        ends->before[i] = ends->last[stack.outer];
        ends->last[stack.outer] = i + 1;
    }
}

/* At the end of the outer row. */
static void enter_inner(struct hot_walk *w, uint32_t outer)
{
    struct hot_ends *ends = w->stacks;

    if (!ends->last)
        list_stacks(ends, w);
    for (uint32_t i = ends->last[outer]; i; i = ends->before[i - 1])
        enter(w, w->p->rows.stacks.data[i - 1].inner, 0, true,
              w->sel->stack_counts[i - 1]);
}

static void below(struct hot_walk *w, const struct hot_place *place)
{
    const struct hot_place at = *place;

    if (at.row.at + 1 < w->p->rows.list.data[at.of].count)
        enter(w, at.of, at.row.at + 1, at.row.inner, at.samples);
    else if (!at.row.inner)
        enter_inner(w, at.of);
}

static void end(struct hot_walk *w)
{
    struct hot_ends *ends = w->stacks;

    free(ends->last);
    free(ends->before);
    free(ends);
}

const struct hot_stacks hot_rows = {begin, below, end};
