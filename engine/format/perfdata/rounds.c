/*
 * Samples are read in rounds of batches: while threads read those of one, the
 * batches of the one before are joined to the recording, in their order.
 * Nothing shows how many threads there are, as a batch ends where it is full.
 */
#include "engine/format/perfdata/batch.h"

#include <stdlib.h>

#include "engine/base/threads.h"

enum { BATCHES_A_THREAD = 2 };

struct pd_rounds {
    struct threads *pool;
    struct pd_tables *tables; /* by thread */
    struct pd_batch *batches, *joining; /* `count` each */
    size_t count;
    size_t filled, to_join; /* how many of them are not empty */
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
        mem_new(threads_count(rounds->pool), sizeof(*rounds->tables));
    rounds->batches = mem_new(rounds->count, sizeof(*rounds->batches));
    rounds->joining = mem_new(rounds->count, sizeof(*rounds->joining));
    return rounds;
}

/* The first task joins the round before, the others read a batch each. */
static void run_task(void *context, size_t task, unsigned worker)
{
    struct pd_reading *r = context;
    struct pd_rounds *rounds = r->rounds;

    if (task)
        pd_batch_read(&rounds->batches[task - 1], r, &rounds->tables[worker]);
    for (size_t i = 0; !task && i < rounds->to_join; i++)
        pd_batch_join(&rounds->joining[i], r);
}

static void run(struct pd_reading *r)
{
    struct pd_rounds *rounds = r->rounds;
    struct pd_batch *joined = rounds->joining;

    if (!r->chose)
        pd_choose_events(r);
    threads_run(rounds->pool, rounds->filled + 1, run_task, r);
    rounds->joining = rounds->batches;
    rounds->to_join = rounds->filled;
    rounds->batches = joined;
    rounds->filled = 0;
}

void pd_gather(struct pd_reading *r, struct bytes record, bool lasting)
{
    struct pd_rounds *rounds = rounds_of(r);
    struct pd_batch *batch;

    if (rounds->filled && rounds->batches[0].lasting != lasting)
        pd_gather_end(r);
    if (!rounds->filled)
        rounds->filled = 1;
    batch = &rounds->batches[rounds->filled - 1];
    pd_batch_add(batch, record, lasting);
    if (batch->size < PD_BATCH)
        return;
    if (rounds->filled == rounds->count)
        run(r);
    else
        rounds->filled++;
}

void pd_gather_end(struct pd_reading *r)
{
    struct pd_rounds *rounds = r->rounds;

    if (!rounds)
        return;
    run(r);
    run(r);
}

void pd_rounds_free(struct pd_reading *r)
{
    struct pd_rounds *rounds = r->rounds;

    if (!rounds)
        return;
    r->rounds = NULL;
    for (size_t i = 0; i < rounds->count; i++) {
        pd_batch_release(&rounds->batches[i]);
        pd_batch_release(&rounds->joining[i]);
    }
    for (unsigned i = 0; i < threads_count(rounds->pool); i++)
        pd_tables_release(&rounds->tables[i]);
    free(rounds->tables);
    free(rounds->batches);
    free(rounds->joining);
    threads_free(rounds->pool);
    free(rounds);
}
