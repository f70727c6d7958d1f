/*
 * What other shares may have as well is looked up in the joint table, in the
 * order of all pairs; room is left there for the rest, which shares then fill
 * in side by side.
 */
#include "engine/attribution/whole_stacks_impl.h"

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

enum { AHEAD = 8 }; /* pairs */

static void fetch_soon(const struct making *m, const struct share *share,
                       size_t k)
{
    const struct row_pair *pair;

    if (k + AHEAD >= share->count)
        return;
    pair = &share->pairs[k + AHEAD];
    location_row_fetch(&m->rows[pair->outer]);
    if (pair->inner != NO_ID)
        location_row_fetch(&m->rows[pair->inner]);
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

void whole_stacks_join(struct making *m, size_t pairs, struct threads *pool)
{
    size_t total = 0;

    for (size_t i = 0; i < m->count; i++)
        total += m->shares[i].stacks;
    vec_reserve(m->joint, total);
    for (uint32_t i = 0; i < pairs; i++)
        join_next(m, &m->shares[m->share_of[i]], i);
    threads_run(pool, m->count, copy_share, m);
}
