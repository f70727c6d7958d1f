#include "tests/support/rows_made.h"

#include <string.h>

struct making {
    struct profile *p;
    uint32_t state;
    uint32_t *locations; /* of the stack at hand, outermost first */
};

static uint32_t next(struct making *m, uint32_t below)
{
    m->state = m->state * 1664525u + 1013904223u;
    return (m->state >> 8) % below;
}

static uint32_t depth_of(const struct profile *p, uint32_t stack)
{
    uint32_t depth = 0;

    for (; stack; stack = p->stacks.data[stack].parent)
        depth++;
    return depth;
}

static uint32_t add_row(struct making *m, const uint32_t *from, uint32_t count)
{
    struct stack_rows *rows = &m->p->rows;
    size_t bytes = count * sizeof(*from);

    for (uint32_t i = 0; i < rows->list.len; i++)
        if (rows->list.data[i].count == count &&
            !memcmp(rows->list.data[i].locations, from, bytes))
            return i;
    *vec_add(&rows->list) =
        (struct location_row){arena_copy(&rows->rest, from, bytes), count};
    return (uint32_t)rows->list.len - 1;
}

static void add_stack(struct making *m, uint32_t stack)
{
    uint32_t depth = depth_of(m->p, stack), at = depth;
    uint32_t cut = 1 + next(m, depth);
    struct row_pair pair = {.inner = NO_ID};

    for (; stack; stack = m->p->stacks.data[stack].parent)
        m->locations[--at] = m->p->stacks.data[stack].location;
    pair.outer = add_row(m, m->locations, cut);
    if (cut < depth)
        pair.inner = add_row(m, m->locations + cut, depth - cut);
    *vec_add(&m->p->rows.stacks) = pair;
}

void rows_made(struct profile *p, uint32_t seed)
{
    struct making m = {.p = p,
                       .state = seed,
                       .locations = mem_new(p->stacks.len, sizeof(uint32_t))};
    uint32_t *ids = mem_new(p->stacks.len, sizeof(*ids));

    for (size_t i = 0; i < p->samples.len; i++) {
        uint32_t *stack = &p->samples.stack[i];

        if (!ids[*stack]) {
            add_stack(&m, *stack);
            ids[*stack] = (uint32_t)p->rows.stacks.len;
        }
        *stack = ids[*stack] - 1;
    }
    free(ids);
    free(m.locations);
    stack_table_release(&p->stacks);
    stack_table_init(&p->stacks);
    preorder_forget(p->order);
}
