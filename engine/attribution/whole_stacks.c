#include "engine/attribution/whole_stacks_impl.h"

#include <assert.h>

#include "engine/base/hash.h"

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

/*
 * Pairs whose outer parts begin with the same frames are of one share, whose
 * stacks are made in a table of their own, which fits the cache. What lies
 * farther in than these frames no other share has. So when shares are joined,
 * in the order of all pairs, only what is nearer to the root is looked up; the
 * rest is numbered as it comes, and shares are copied side by side in the end.
 * An outer part of fewer frames counts those of the inner one; its stack is
 * not remembered, as its pairs are of several shares.
 */
enum {
    ROOT_FRAMES = 8,
    PAIRS_A_SHARE = 4096,
    SHARE_OF_PAIR = UINT16_MAX, /* of a short outer part */
};

/* What a worker makes shares in, one after the other. */
struct workplace {
    struct stack_table table;
    VEC(uint32_t) made_by; /* by stack: pair in the share */
};

static bool is_short(const struct location_row *row)
{
    return row->count < ROOT_FRAMES;
}

/* Takes the first `n` frames of a row into the hash of those before. */
static uint64_t hash_row(uint64_t hash, const struct location_row *row,
                         uint32_t n)
{
    for (uint32_t i = 0; i < n && i < row->count; i++)
        hash = hash_fold(hash ^ row->locations[i] ^ hash_key.word[0],
                         hash_key.word[1]);
    return hash;
}

static uint16_t share_of_hash(const struct making *m, uint64_t hash)
{
    return (uint16_t)(hash >> 32 & (m->count - 1));
}

static uint16_t share_of_pair(const struct making *m,
                              const struct row_pair *pair)
{
    const struct location_row *outer = &m->rows[pair->outer];
    uint64_t hash;

    if (m->share_of_row[pair->outer] != SHARE_OF_PAIR)
        return m->share_of_row[pair->outer];
    hash = hash_row(0, outer, ROOT_FRAMES);
    if (pair->inner != NO_ID)
        hash =
            hash_row(hash, &m->rows[pair->inner], ROOT_FRAMES - outer->count);
    return share_of_hash(m, hash);
}

static void share_out(struct making *m, const struct row_pair *list, size_t n)
{
    struct row_pair *at = m->pairs;

    for (size_t i = 0; i < m->row_count; i++)
        m->share_of_row[i] =
            is_short(&m->rows[i])
                ? SHARE_OF_PAIR
                : share_of_hash(m, hash_row(0, &m->rows[i], ROOT_FRAMES));
    for (size_t i = 0; i < n; i++) {
        m->share_of[i] = share_of_pair(m, &list[i]);
        m->shares[m->share_of[i]].count++;
    }
    for (size_t i = 0; i < m->count; i++) {
        m->shares[i].pairs = at;
        at += m->shares[i].count;
        m->shares[i].count = 0;
    }
    for (size_t i = 0; i < n; i++) {
        struct share *share = &m->shares[m->share_of[i]];

        share->pairs[share->count++] = list[i];
    }
}

static uint32_t push_row(struct stack_table *table, uint32_t stack,
                         const struct location_row *row)
{
    for (uint32_t i = 0; i < row->count; i++)
        stack = stack_table_add(table, stack, row->locations[i]);
    return stack;
}

static uint32_t outer_stack(const struct making *m, struct stack_table *table,
                            uint32_t row)
{
    if (is_short(&m->rows[row]))
        return push_row(table, 0, &m->rows[row]);
    if (!m->outer_stacks[row])
        m->outer_stacks[row] = push_row(table, 0, &m->rows[row]);
    return m->outer_stacks[row];
}

/* From its first new frame on all of a pair's are new, up to the innermost. */
static void make_stack(const struct making *m, struct workplace *w,
                       const struct row_pair *pair, struct made *made)
{
    struct stack_table *table = &w->table;
    uint32_t before = (uint32_t)table->len, frames = m->rows[pair->outer].count;

    made->known = outer_stack(m, table, pair->outer);
    if (pair->inner != NO_ID) {
        frames += m->rows[pair->inner].count;
        made->known = push_row(table, made->known, &m->rows[pair->inner]);
    }
    made->first = before;
    made->len = (uint32_t)table->len;
    if (made->len > before)
        made->known = table->data[before].parent;
    frames -= made->len - before;
    made->deep =
        frames < ROOT_FRAMES ? before + (ROOT_FRAMES - frames) : before;
    if (made->deep > made->len)
        made->deep = made->len;
}

enum { SOON = 8, LATER = 20 }; /* pairs ahead */

/* Rows lie anywhere: the locations of a pair that comes soon are fetched, and
 * of one farther off what leads to them. */
static void fetch_soon(const struct making *m, const struct share *share,
                       size_t i)
{
    const struct row_pair *pair = &share->pairs[i + LATER];

    if (i + LATER >= share->count)
        return;
    __builtin_prefetch(&m->outer_stacks[pair->outer], 1);
    __builtin_prefetch(&m->rows[pair->outer]);
    if (pair->inner != NO_ID)
        __builtin_prefetch(&m->rows[pair->inner]);
    pair = &share->pairs[i + SOON];
    if (!m->outer_stacks[pair->outer])
        location_row_fetch(&m->rows[pair->outer]);
    if (pair->inner != NO_ID)
        location_row_fetch(&m->rows[pair->inner]);
}

static void make_share(void *context, size_t task, unsigned worker)
{
    struct making *m = context;
    struct share *share = &m->shares[task];
    struct workplace *w = &m->workplaces[worker];
    uint32_t roots = 0;

    map_clear(&w->table.ids);
    w->table.len = 1;
    w->made_by.len = 0;
    *vec_add(&w->made_by) = NO_ID;
    share->made = mem_new(share->count, sizeof(*share->made));
    for (uint32_t i = 0; i < share->count; i++) {
        struct made *made = &share->made[i];

        fetch_soon(m, share, i);
        make_stack(m, w, &share->pairs[i], made);
        made->known_by = w->made_by.data[made->known];
        made->roots = roots;
        roots += made->deep - made->first;
        while (w->made_by.len < made->len)
            *vec_add(&w->made_by) = i;
    }
    share->stacks = w->table.len - 1;
}

static void make_shares(struct making *m, struct threads *pool)
{
    unsigned workers = threads_count(pool);

    m->workplaces = mem_new(workers, sizeof(*m->workplaces));
    for (unsigned i = 0; i < workers; i++)
        stack_table_init(&m->workplaces[i].table);
    threads_run(pool, m->count, make_share, m);
    for (unsigned i = 0; i < workers; i++) {
        stack_table_release(&m->workplaces[i].table);
        vec_release(&m->workplaces[i].made_by);
    }
    free(m->workplaces);
}

uint32_t *whole_stacks_make(struct whole_stacks *w,
                            const struct location_row *rows, size_t row_count,
                            struct stack_table *table, struct threads *pool)
{
    size_t n = w->list.len;
    struct making m = {
        .rows = rows,
        .row_count = row_count,
        .share_of_row = mem_new(row_count, sizeof(*m.share_of_row)),
        .share_of = mem_new(n, sizeof(*m.share_of)),
        .pairs = mem_new(n, sizeof(*m.pairs)),
        .outer_stacks = mem_new(row_count, sizeof(*m.outer_stacks)),
        .joint = table,
        .stacks = mem_new(n, sizeof(*m.stacks)),
        .count = 1,
    };

    assert(table->len == 1);
    map_release(&w->ids);
    while (m.count < MOST_SHARES && m.count * PAIRS_A_SHARE < n)
        m.count *= 2;
    share_out(&m, w->list.data, n);
    vec_release(&w->list);
    vec_release(&w->alone);
    make_shares(&m, pool);
    whole_stacks_join(&m, n, pool);
    free(m.share_of_row);
    free(m.share_of);
    free(m.pairs);
    free(m.outer_stacks);
    return m.stacks;
}
