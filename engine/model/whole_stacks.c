#include "engine/model/whole_stacks.h"

#include <assert.h>

#include "engine/base/hash.h"
#include "engine/model/pair_tree.h"

/*
 * Pairs whose stacks begin with the same frames are of one share, so that a
 * share alone tells where its pairs part from each other farther in; its own
 * map of turns fits the cache. What is left for all pairs together, in their
 * order, is who of them came first nearer to the root, and to count. Then
 * every pair writes its own stacks, side by side.
 */
enum {
    ROOT_FRAMES = 6,
    MOST_SHARES = 256,
    PAIRS_A_SHARE = 4096,
    SHARE_OF_PAIR = UINT16_MAX, /* of an outer row of fewer frames */
};

struct making {
    struct pair_tree tree;
    size_t row_count, pair_count, share_count; /* shares: a power of two */
    uint16_t *share_of_row;
    uint32_t *order;                /* pairs, share by share */
    size_t shares[MOST_SHARES + 1]; /* where they begin in the order */
    uint32_t *first_with; /* by outer row: a pair that has it, plus one */
    struct map *turns;    /* by worker */
    struct stack *joint;
    uint32_t *stacks; /* by pair, the innermost */
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
    return (uint16_t)(hash >> 32 & (m->share_count - 1));
}

static uint16_t share_of_pair(const struct making *m, uint32_t id)
{
    const struct row_pair *pair = &m->tree.pairs[id];
    const struct location_row *outer = &m->tree.rows[pair->outer];
    uint64_t hash;

    if (m->share_of_row[pair->outer] != SHARE_OF_PAIR)
        return m->share_of_row[pair->outer];
    hash = hash_row(0, outer, ROOT_FRAMES);
    if (pair->inner != NO_ID)
        hash = hash_row(hash, &m->tree.rows[pair->inner],
                        ROOT_FRAMES - outer->count);
    return share_of_hash(m, hash);
}

static void share_out(struct making *m)
{
    uint16_t *share_of = mem_new(m->pair_count, sizeof(*share_of));
    size_t next[MOST_SHARES];

    for (size_t i = 0; i < m->row_count; i++) {
        const struct location_row *row = &m->tree.rows[i];

        m->share_of_row[i] =
            is_short(row) ? SHARE_OF_PAIR
                          : share_of_hash(m, hash_row(0, row, ROOT_FRAMES));
    }
    for (uint32_t i = 0; i < m->pair_count; i++) {
        share_of[i] = share_of_pair(m, i);
        m->shares[share_of[i] + 1]++;
    }
    for (size_t i = 0; i < m->share_count; i++) {
        next[i] = m->shares[i];
        m->shares[i + 1] += m->shares[i];
    }
    for (uint32_t i = 0; i < m->pair_count; i++)
        m->order[next[share_of[i]]++] = i;
    free(share_of);
}

static void fetch_row(const struct location_row *row)
{
    mem_fetch_lines(row->locations, row->count * sizeof(*row->locations));
}

enum { SOON = 8, LATER = 16, FAR = 24 }; /* pairs ahead */

/* Rows lie anywhere: the locations of a pair that comes soon are fetched, and
 * of one farther off what leads to them. */
static void fetch_soon(const struct making *m, size_t i, size_t end)
{
    const struct row_pair *pair;

    if (i + FAR >= end)
        return;
    mem_fetch(&m->tree.pairs[m->order[i + FAR]]);
    mem_fetch(&m->tree.branches[m->order[i + FAR]]);
    pair = &m->tree.pairs[m->order[i + LATER]];
    mem_fetch(&m->first_with[pair->outer]);
    mem_fetch(&m->tree.rows[pair->outer]);
    if (pair->inner != NO_ID)
        mem_fetch(&m->tree.rows[pair->inner]);
    pair = &m->tree.pairs[m->order[i + SOON]];
    if (!m->first_with[pair->outer])
        fetch_row(&m->tree.rows[pair->outer]);
    if (pair->inner != NO_ID)
        fetch_row(&m->tree.rows[pair->inner]);
}

/* The innermost frame of the outer row, if a pair of the share had it. */
static struct pair_frame known_before(const struct making *m, uint32_t row)
{
    uint32_t first = m->first_with[row];

    if (!first)
        return (struct pair_frame){NO_ID, 0};
    return pair_tree_owned(
        &m->tree, (struct pair_frame){first - 1, m->tree.rows[row].count});
}

static void add_share(void *context, size_t share, unsigned worker)
{
    struct making *m = context;
    size_t end = m->shares[share + 1];
    struct map turns = m->turns[worker]; /* those of others lie beside it */

    map_clear(&turns);
    for (size_t i = m->shares[share]; i < end; i++) {
        uint32_t pair = m->order[i], outer = m->tree.pairs[pair].outer;

        fetch_soon(m, i, end);
        pair_tree_add(&m->tree, &turns, pair, known_before(m, outer));
        if (!is_short(&m->tree.rows[outer]))
            m->first_with[outer] = pair + 1;
    }
    m->turns[worker] = turns;
}

static void add_shares(struct making *m, struct threads *pool)
{
    unsigned workers = threads_count(pool);

    m->turns = mem_new(workers, sizeof(*m->turns));
    threads_run(pool, m->share_count, add_share, m);
    for (unsigned i = 0; i < workers; i++)
        map_release(&m->turns[i]);
    free(m->turns);
}

/* The innermost frame that pairs before it have. */
static struct pair_frame known_frame(const struct pair_branch *branch)
{
    return (struct pair_frame){branch->from, branch->known};
}

static uint32_t stack_of(const struct making *m, struct pair_frame at)
{
    return at.pair == NO_ID ? 0
                            : m->stacks[at.pair] -
                                  (m->tree.branches[at.pair].depth - at.depth);
}

/* Pairs of several shares may have the frames of the root in common. Returns
 * how many stacks there are. */
static size_t number_stacks(struct making *m)
{
    struct map turns = {0};
    size_t len = 1;

    for (uint32_t i = 0; i < m->pair_count; i++) {
        struct pair_branch *b = &m->tree.branches[i];

        if (b->known < ROOT_FRAMES)
            pair_tree_add(&m->tree, &turns, i,
                          pair_tree_owned(&m->tree, known_frame(b)));
        len += b->depth - b->known;
        m->stacks[i] = b->depth > b->known ? mem_next_id(len) - 1
                                           : stack_of(m, known_frame(b));
    }
    map_release(&turns);
    return len;
}

enum { PAIRS_A_TASK = 1 << 13 };

/* What the stack is known by that a pair goes on from which comes soon. */
static void fetch_known(const struct making *m, size_t i, size_t end)
{
    uint32_t from = i + SOON < end ? m->tree.branches[i + SOON].from : NO_ID;

    if (from == NO_ID)
        return;
    mem_fetch(&m->tree.branches[from]);
    mem_fetch(&m->stacks[from]);
}

static void write_stacks(void *context, size_t task, unsigned worker)
{
    struct making *m = context;
    const struct pair_branch *branches = m->tree.branches;
    size_t from = task * PAIRS_A_TASK, to = from + PAIRS_A_TASK;

    (void)worker;
    if (to > m->pair_count)
        to = m->pair_count;
    for (size_t i = from; i < to; i++) {
        const struct pair_branch *b = &branches[i];
        uint32_t own = b->depth - b->known;

        fetch_known(m, i, to);
        if (own)
            pair_tree_write(&m->tree, (uint32_t)i, stack_of(m, known_frame(b)),
                            m->joint, m->stacks[i] + 1 - own);
    }
}

static void fill_table(struct making *m, struct stack_table *table,
                       struct threads *pool)
{
    size_t len = number_stacks(m);

    vec_reserve(table, len - 1);
    table->len = len;
    m->joint = table->data;
    threads_run(pool, m->pair_count / PAIRS_A_TASK + 1, write_stacks, m);
}

/* By pair, the stack it is. To be freed. */
static uint32_t *make_stacks(const struct stack_rows *rows,
                             struct stack_table *table, struct threads *pool)
{
    size_t n = rows->stacks.len, row_count = rows->list.len;
    struct making m = {
        .tree = {rows->list.data, rows->stacks.data,
                 mem_new(n, sizeof(*m.tree.branches))},
        .row_count = row_count,
        .pair_count = n,
        .share_count = 1,
        .share_of_row = mem_new(row_count, sizeof(*m.share_of_row)),
        .order = mem_new(n, sizeof(*m.order)),
        .first_with = mem_new(row_count, sizeof(*m.first_with)),
        .stacks = mem_new(n, sizeof(*m.stacks)),
    };

    while (m.share_count < MOST_SHARES && m.share_count * PAIRS_A_SHARE < n)
        m.share_count *= 2;
    share_out(&m);
    add_shares(&m, pool);
    free(m.share_of_row);
    free(m.order);
    free(m.first_with);
    fill_table(&m, table, pool);
    free(m.tree.branches);
    return m.stacks;
}

struct columns {
    uint32_t *pairs;        /* by sample; stacks when done */
    const uint32_t *stacks; /* by pair */
    size_t len;
};

enum { SAMPLES_A_TASK = 1 << 16 };

static void name_stacks(void *context, size_t task, unsigned worker)
{
    const struct columns *c = context;
    size_t from = task * SAMPLES_A_TASK, to = from + SAMPLES_A_TASK;

    (void)worker;
    for (size_t i = from; i < to && i < c->len; i++)
        c->pairs[i] = c->stacks[c->pairs[i]];
}

void whole_stacks_make(struct profile *p, struct threads *pool)
{
    struct columns c = {p->samples.stack, NULL, p->samples.len};
    uint32_t *stacks;

    if (!p->rows.stacks.len)
        return;
    assert(p->stacks.len == 1);
    c.stacks = stacks = make_stacks(&p->rows, &p->stacks, pool);
    stack_rows_release(&p->rows);
    threads_run(pool, c.len / SAMPLES_A_TASK + 1, name_stacks, &c);
    free(stacks);
}
