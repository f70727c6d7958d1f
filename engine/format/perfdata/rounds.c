/*
 * Samples are read in rounds of batches: while threads read those of one, the
 * batches of the one before are joined to the recording, in their order, and
 * those of the one behind are filled. Nothing shows how many threads there
 * are, as a batch ends where it is full.
 */
#include "engine/format/perfdata/batch.h"

#include <stdlib.h>

#include "engine/base/threads.h"

enum { BATCHES_A_THREAD = 2 };

struct pd_rounds {
    struct threads *pool;
    struct pd_tables *tables; /* by thread */
    struct pd_batch *filling, *reading, *joining; /* `count` each */
    size_t count;
    size_t full, to_read, to_join;
    bool lasting;       /* what fills them */
    struct bytes ahead; /* what comes behind it */
    size_t taken;       /* of that */
};

static struct pd_rounds *rounds_of(struct pd_reading *r)
{
    struct pd_rounds *rounds = r->rounds;

    if (rounds)
        return rounds;
    rounds = r->rounds = mem_new(1, sizeof(*rounds));
    rounds->pool = threads_new(
        r->records_size / PD_BATCH < 2 ? 1 : r->options->threads);
    rounds->count = (size_t)BATCHES_A_THREAD * threads_count(rounds->pool);
    rounds->tables =
        mem_new_apart(threads_count(rounds->pool), sizeof(*rounds->tables));
    rounds->filling = mem_new(rounds->count, sizeof(*rounds->filling));
    rounds->reading = mem_new(rounds->count, sizeof(*rounds->reading));
    rounds->joining = mem_new(rounds->count, sizeof(*rounds->joining));
    return rounds;
}

/* ---- filling ---- */

/* How many bytes, of `most` and a record, samples follow each other. */
static size_t samples_at(const struct pd_reading *r, struct bytes b,
                         size_t most)
{
    enum { HEADER = 8, TYPE = 0, SIZE = 6, AHEAD = 1024, FETCHED = 128 };
    size_t at = 0;

    while (b.len - at >= HEADER && at < most) {
        uint32_t type = load_u32(b.data + at + TYPE);
        uint16_t size = load_u16(b.data + at + SIZE);

        /* From record to record the processor sees no way. */
        if (b.len - at > AHEAD + FETCHED)
            mem_fetch_lines(b.data + at + AHEAD, FETCHED);
        if (r->swapped) {
            type = __builtin_bswap32(type);
            size = __builtin_bswap16(size);
        }
        if (type != PD_RECORD_SAMPLE || size < HEADER || size > b.len - at)
            break;
        at += size;
    }
    return at;
}

/* How many bytes, samples all of them, found room. */
static size_t fill(const struct pd_reading *r, struct bytes b)
{
    struct pd_rounds *rounds = r->rounds;
    size_t at = 0;

    for (; rounds->full < rounds->count; rounds->full++) {
        struct pd_batch *batch = &rounds->filling[rounds->full];
        struct bytes rest = {b.data + at, b.len - at};

        rest.len = samples_at(r, rest, PD_BATCH - batch->size);
        if (rest.len)
            pd_batch_add(batch, rest, rounds->lasting);
        at += rest.len;
        if (batch->size < PD_BATCH)
            break;
    }
    return at;
}

/* ---- rounds ---- */

/* What cannot be shared goes first. */
static void run_task(void *context, size_t task, unsigned worker)
{
    enum { JOIN, FILL, READ };
    struct pd_reading *r = context;
    struct pd_rounds *rounds = r->rounds;

    if (task >= READ)
        pd_batch_read(&rounds->reading[task - READ], r,
                      &rounds->tables[worker]);
    else if (task == FILL && rounds->ahead.len)
        rounds->taken = fill(r, rounds->ahead);
    for (size_t i = 0; task == JOIN && i < rounds->to_join; i++)
        pd_batch_join(&rounds->joining[i], r);
}

/* How many bytes of what comes behind found room. */
static size_t run(struct pd_reading *r, struct bytes ahead)
{
    enum { OTHER_TASKS = 2 };
    struct pd_rounds *rounds = r->rounds;
    struct pd_batch *empty = rounds->joining;

    rounds->joining = rounds->reading;
    rounds->to_join = rounds->to_read;
    rounds->reading = rounds->filling;
    rounds->to_read = rounds->full;
    if (rounds->full < rounds->count && rounds->reading[rounds->full].size)
        rounds->to_read++;
    rounds->filling = empty;
    rounds->full = 0;
    rounds->ahead = ahead;
    rounds->taken = 0;
    if (!r->chose)
        pd_choose_events(r);
    threads_run(rounds->pool, rounds->to_read + OTHER_TASKS, run_task, r);
    return rounds->taken;
}

size_t pd_gather(struct pd_reading *r, struct bytes records, bool lasting)
{
    struct pd_rounds *rounds = rounds_of(r);
    size_t at;

    if (rounds->lasting != lasting)
        pd_gather_end(r);
    rounds->lasting = lasting;
    at = fill(r, records);
    while (rounds->full == rounds->count)
        at += run(r, (struct bytes){records.data + at, records.len - at});
    return at;
}

void pd_gather_end(struct pd_reading *r)
{
    if (!r->rounds)
        return;
    run(r, (struct bytes){0});
    run(r, (struct bytes){0});
}

void pd_rounds_free(struct pd_reading *r)
{
    struct pd_rounds *rounds = r->rounds;

    if (!rounds)
        return;
    r->rounds = NULL;
    for (size_t i = 0; i < rounds->count; i++) {
        pd_batch_release(&rounds->filling[i]);
        pd_batch_release(&rounds->reading[i]);
        pd_batch_release(&rounds->joining[i]);
    }
    for (unsigned i = 0; i < threads_count(rounds->pool); i++)
        pd_tables_release(&rounds->tables[i]);
    free(rounds->tables);
    free(rounds->filling);
    free(rounds->reading);
    free(rounds->joining);
    threads_free(rounds->pool);
    free(rounds);
}
