#include "engine/attribution/whole_stacks.h"

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

void whole_stacks_soon(const struct whole_stacks *w, uint32_t outer,
                       uint32_t inner)
{
    if (inner != NO_ID)
        map_prefetch(&w->ids, key_of(outer, inner), 0);
    else if (outer < w->alone.len)
        __builtin_prefetch(&w->alone.data[outer], 1);
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
    MOST_SHARES = 256,
    SHARE_OF_PAIR = UINT16_MAX, /* of a short outer part */
};

/*
 * One pair in its share. Its stack goes on from one that was known; what is
 * new lies in sequence, here as in the joint table, and is the inner end of
 * its rows: so the table of a share is not kept.
 */
struct made {
    uint32_t pair;
    uint32_t known, known_by; /* and the pair in the share that made that */
    uint32_t first, len;      /* new ones, in the table of the share */
    uint32_t deep;            /* from here on no other share has them */
    uint32_t roots; /* the share's before this, of those that others may have */
    uint32_t end;   /* of the new ones, in the joint table */
};

struct share {
    struct row_pair *pairs; /* in the order they came in */
    size_t count;
    struct made *made;   /* by pair */
    size_t joined;       /* pairs */
    VEC(uint32_t) roots; /* what others may have, in the joint table */
    size_t stacks;       /* how many it has */
};

/* What a worker makes shares in, one after the other. */
struct workplace {
    struct stack_table table;
    VEC(uint32_t) made_by; /* by stack: pair in the share */
};

struct making {
    const struct location_row *rows;
    size_t row_count;
    uint16_t *share_of_row, *share_of; /* by row, by pair */
    struct row_pair *pairs;            /* all of them, share by share */
    uint32_t *outer_stacks; /* by row, in the table of its share; 0: not yet */
    struct stack_table *joint;
    uint32_t *stacks; /* in that, by pair */
    struct workplace *workplaces; /* by worker */
    struct share shares[MOST_SHARES];
    size_t count; /* of shares, a power of two */
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

enum { SOON = 8, LATER = 20, A_LINE = 16 }; /* pairs ahead; locations */

static void fetch_row(const struct location_row *row)
{
    for (uint32_t i = 0; i < row->count; i += A_LINE)
        __builtin_prefetch(&row->locations[i]);
}

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
        fetch_row(&m->rows[pair->outer]);
    if (pair->inner != NO_ID)
        fetch_row(&m->rows[pair->inner]);
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

/* Where the joint table has the stack that a pair goes on from. */
static uint32_t joint_known(const struct share *share, const struct made *made)
{
    const struct made *by;

    if (!made->known)
        return 0;
    by = &share->made[made->known_by];
    if (made->known < by->deep)
        return share->roots.data[by->roots + made->known - by->first];
    return by->end - (by->len - made->known);
}

/* The location of the `n`th frame of a pair, counted from the innermost. */
static uint32_t location_of(const struct making *m, const struct row_pair *pair,
                            uint32_t n)
{
    const struct location_row *row = &m->rows[pair->outer];

    if (pair->inner != NO_ID) {
        const struct location_row *inner = &m->rows[pair->inner];

        if (n < inner->count)
            return inner->locations[inner->count - 1 - n];
        n -= inner->count;
    }
    return row->locations[row->count - 1 - n];
}

/* Adds to the joint table what other shares may have as well, and leaves room
 * for the rest of what is new with the share's next pair. */
static void join_next(const struct making *m, struct share *share,
                      uint32_t pair)
{
    struct made *made = &share->made[share->joined];
    const struct row_pair *rows = &share->pairs[share->joined++];
    struct stack_table *joint = m->joint;
    uint32_t stack = 0;

    __builtin_prefetch(&made[2]);
    if (made->deep > made->first)
        stack = joint_known(share, made);
    for (uint32_t i = made->first; i < made->deep; i++) {
        stack = stack_table_add(joint, stack,
                                location_of(m, rows, made->len - 1 - i));
        *vec_add(&share->roots) = stack;
    }
    if (made->deep < made->len) /* not what a look-up takes for a stack */
        joint->data[joint->len] = (struct stack){NO_ID, NO_ID};
    joint->len += made->len - made->deep;
    made->end = mem_next_id(joint->len);
    made->pair = pair;
}

/* Puts up to `n` locations of a row, the innermost, in front of `end`, each
 * called by the one before. Returns how many of `n` are left. */
static uint32_t copy_row(const struct stack_table *to, uint32_t end,
                         const struct location_row *row, uint32_t n)
{
    const uint32_t *location = row->locations + row->count;

    for (; n && location > row->locations; n--) {
        end--;
        to->data[end] = (struct stack){end - 1, *--location};
    }
    return n;
}

/* Returns the innermost stack. */
static uint32_t copy_stack(const struct making *m, const struct share *share,
                           const struct made *made, const struct row_pair *pair)
{
    uint32_t n = made->len - made->deep, left = n, first = made->end - n;
    uint32_t parent =
        made->deep > made->first
            ? share->roots.data[made->roots + made->deep - made->first - 1]
            : joint_known(share, made);

    if (!n)
        return parent;
    if (pair->inner != NO_ID)
        left = copy_row(m->joint, made->end, &m->rows[pair->inner], n);
    copy_row(m->joint, first + left, &m->rows[pair->outer], left);
    m->joint->data[first].parent = parent;
    return made->end - 1;
}

static void copy_share(void *context, size_t task, unsigned worker)
{
    struct making *m = context;
    struct share *share = &m->shares[task];

    (void)worker;
    for (size_t k = 0; k < share->count; k++) {
        const struct made *made = &share->made[k];

        fetch_soon(m, share, k);
        m->stacks[made->pair] = copy_stack(m, share, made, &share->pairs[k]);
    }
    free(share->made);
    vec_release(&share->roots);
}

static void join_shares(struct making *m, size_t pairs, struct threads *pool)
{
    size_t total = 0;

    for (size_t i = 0; i < m->count; i++)
        total += m->shares[i].stacks;
    vec_reserve(m->joint, total);
    for (uint32_t i = 0; i < pairs; i++)
        join_next(m, &m->shares[m->share_of[i]], i);
    threads_run(pool, m->count, copy_share, m);
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
    join_shares(&m, n, pool);
    free(m.share_of_row);
    free(m.share_of);
    free(m.pairs);
    free(m.outer_stacks);
    return m.stacks;
}
