#include "engine/attribution/whole_stacks.h"

#include <assert.h>

static uint64_t key_of(uint32_t outer, uint32_t inner)
{
    return (uint64_t)outer << 32 | inner;
}

static uint32_t append(struct whole_stacks *w, uint32_t outer, uint32_t inner)
{
    *vec_add(&w->list) = (struct row_pair){outer, inner};
    return (uint32_t)w->list.len - 1;
}

static uint32_t add_alone(struct whole_stacks *w, uint32_t row)
{
    while (w->alone.len <= row)
        *vec_add(&w->alone) = 0;
    if (!w->alone.data[row])
        w->alone.data[row] = append(w, row, NO_ID) + 1;
    return w->alone.data[row] - 1;
}

uint32_t whole_stacks_add(struct whole_stacks *w, uint32_t outer,
                          uint32_t inner)
{
    uint32_t fresh, id;

    if (inner == NO_ID)
        return add_alone(w, outer);
    fresh = mem_next_id(w->list.len);
    id = map_add(&w->ids, key_of(outer, inner), 0, fresh);
    return id == fresh ? append(w, outer, inner) : id;
}

void whole_stacks_soon(const struct whole_stacks *w, uint32_t outer,
                       uint32_t inner)
{
    if (inner != NO_ID)
        map_prefetch(&w->ids, key_of(outer, inner), 0);
}

/* What one thread makes: of each of its pairs in turn the stack, and how many
 * stacks there were then. */
struct made {
    uint32_t stack, len;
};

struct share {
    struct stack_table table;
    VEC(struct made) made;
    /* While shares are joined: */
    size_t next, joined; /* pair, stack */
    uint32_t *ids;       /* by stack: that of the joint table */
};

struct making {
    const struct whole_stacks *whole;
    const struct location_row *rows;
    uint32_t *outer_stacks; /* by row, of the table that its pairs are in */
    struct share *shares;
    size_t count; /* of shares */
};

static uint32_t push_row(struct stack_table *table, uint32_t stack,
                         const struct location_row *row)
{
    for (uint32_t i = 0; i < row->count; i++)
        stack = stack_table_add(table, stack, row->locations[i]);
    return stack;
}

static uint32_t make_stack(const struct making *m, struct stack_table *table,
                           const struct row_pair *pair)
{
    uint32_t *stack = &m->outer_stacks[pair->outer];

    if (!*stack)
        *stack = push_row(table, 0, &m->rows[pair->outer]);
    return pair->inner == NO_ID
               ? *stack
               : push_row(table, *stack, &m->rows[pair->inner]);
}

/* Whose a pair is. All pairs of an outer part are of one share; those of parts
 * that lie side by side as well, or threads would write to the same lines of
 * the cache. */
static size_t share_of(const struct making *m, const struct row_pair *pair)
{
    return pair->outer / 64 % m->count;
}

enum { SOON = 8, LATER = 16, FAR = 24 }; /* pairs ahead */

/* The pair of a share that comes that much later, or NULL. */
static const struct row_pair *pair_soon(const struct making *m, size_t share,
                                        size_t i)
{
    const struct row_pair *pair = &m->whole->list.data[i];

    return i < m->whole->list.len && share_of(m, pair) == share ? pair : NULL;
}

/* Rows lie anywhere, and so does what follows the stack of an outer one:
 * fetches that of a pair that comes soon, and of pairs farther off what leads
 * to it. */
static void fetch_soon(const struct making *m, const struct stack_table *table,
                       size_t share, size_t i)
{
    const struct row_pair *pair = pair_soon(m, share, i + FAR);

    if (pair) {
        __builtin_prefetch(&m->outer_stacks[pair->outer], 1);
        __builtin_prefetch(&m->rows[pair->outer]);
        if (pair->inner != NO_ID)
            __builtin_prefetch(&m->rows[pair->inner]);
    }
    pair = pair_soon(m, share, i + LATER);
    if (pair && !m->outer_stacks[pair->outer])
        __builtin_prefetch(m->rows[pair->outer].locations);
    if (pair && pair->inner != NO_ID)
        __builtin_prefetch(m->rows[pair->inner].locations);
    pair = pair_soon(m, share, i + SOON);
    if (pair && pair->inner != NO_ID && m->outer_stacks[pair->outer] &&
        m->rows[pair->inner].count)
        stack_table_soon(table, m->outer_stacks[pair->outer],
                         m->rows[pair->inner].locations[0]);
}

static void make_share(void *context, size_t task, unsigned worker)
{
    const struct making *m = context;
    struct share *share = &m->shares[task];

    (void)worker;
    stack_table_init(&share->table);
    for (size_t i = 0; i < m->whole->list.len; i++) {
        const struct row_pair *pair = &m->whole->list.data[i];
        uint32_t stack;

        if (share_of(m, pair) != task)
            continue;
        fetch_soon(m, &share->table, task, i);
        stack = make_stack(m, &share->table, pair);
        *vec_add(&share->made) =
            (struct made){stack, (uint32_t)share->table.len};
    }
    map_release(&share->table.ids);
}

/* The stack of the share's next pair, in the joint table; it and its callers
 * are added there if they are new. */
static uint32_t join_next(struct share *share, struct stack_table *table)
{
    const struct made *made = &share->made.data[share->next++];

    for (; share->joined < made->len; share->joined++) {
        const struct stack *s = &share->table.data[share->joined];

        share->ids[share->joined] =
            stack_table_add(table, share->ids[s->parent], s->location);
    }
    return share->ids[made->stack];
}

static void join_shares(struct making *m, struct stack_table *table,
                        uint32_t *stacks)
{
    assert(m->count > 1);
    for (size_t i = 0; i < m->count; i++) {
        struct share *share = &m->shares[i];

        share->ids = mem_new(share->table.len, sizeof(*share->ids));
        share->joined = 1;
    }
    for (size_t i = 0; i < m->whole->list.len; i++)
        stacks[i] =
            join_next(&m->shares[share_of(m, &m->whole->list.data[i])], table);
}

static void make_apart(struct making *m, struct stack_table *table,
                       struct threads *pool, uint32_t *stacks)
{
    m->shares = mem_new(m->count, sizeof(*m->shares));
    threads_run(pool, m->count, make_share, m);
    join_shares(m, table, stacks);
    for (size_t i = 0; i < m->count; i++) {
        stack_table_release(&m->shares[i].table);
        vec_release(&m->shares[i].made);
        free(m->shares[i].ids);
    }
    free(m->shares);
}

uint32_t *whole_stacks_make(struct whole_stacks *w,
                            const struct location_row *rows, size_t row_count,
                            struct stack_table *table, struct threads *pool)
{
    uint32_t *stacks = mem_new(w->list.len, sizeof(*stacks));
    struct making m = {
        .whole = w,
        .rows = rows,
        .outer_stacks = mem_new(row_count, sizeof(*m.outer_stacks)),
        .count = threads_count(pool),
    };

    map_release(&w->ids);
    map_reserve(&table->ids, w->list.len);
    if (m.count > 1)
        make_apart(&m, table, pool, stacks);
    else
        for (size_t i = 0; i < w->list.len; i++) {
            fetch_soon(&m, table, 0, i);
            stacks[i] = make_stack(&m, table, &w->list.data[i]);
        }
    free(m.outer_stacks);
    vec_release(&w->list);
    vec_release(&w->alone);
    return stacks;
}
