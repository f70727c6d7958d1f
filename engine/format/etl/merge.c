/*
 * All buffers' facts in order of time.
 *
 * Buffers are sorted by their first event, and are decoded by all threads
 * (ahead.h); one of them merges. It merges the facts of the buffers it has up
 * to the first event of the next buffer, as everything behind that is later. So
 * the order does not depend on the number of threads.
 */
#include "engine/base/heap.h"
#include "engine/base/threads.h"
#include "engine/format/etl/ahead.h"
#include "engine/format/etl/choice.h"

enum { BUFFERS_A_STEP = 32 };

struct merge {
    struct etl_recording *recording;
    const struct read_options *options;
    struct etl_correlator *correlator;
    struct etl_records *records;
    struct etl_ahead *ahead;
    struct heap active; /* of etl_decoded with facts left, by the next one */
};

/* Hands on facts while they are before `limit`. The first fact of the earliest
 * buffer goes even if others are as early, and those after it that are before
 * the first one of the next buffer. */
static void drain(struct merge *m, uint64_t limit)
{
    while (m->active.len && m->active.data[0].time < limit) {
        struct etl_decoded *d = m->active.data[0].what;
        const struct etl_fact *fact = &d->facts.data[d->next];
        const struct etl_fact *end = d->facts.data + d->facts.len;
        bool lasting = !d->buffer->packed;
        uint64_t until = limit;

        for (size_t i = 1; i < 3 && i < m->active.len; i++)
            if (m->active.data[i].time < until)
                until = m->active.data[i].time;
        do {
            const struct etl_fact *first = fact++;

            if (first->kind == ETL_RECORD) {
                etl_records_add(m->records, first, lasting);
                continue;
            }
            while (fact < end && fact->time < until && fact->kind != ETL_RECORD)
                fact++;
            etl_correlate(m->correlator, first, (size_t)(fact - first),
                          lasting);
        } while (fact < end && fact->time < until);
        d->next = (size_t)(fact - d->facts.data);
        if (fact == end)
            etl_ahead_give_back(m->ahead, heap_pop(&m->active));
        else
            heap_delay(&m->active, fact->time);
    }
}

static void note_damage(const struct etl_recording *r,
                        const struct etl_decoded *d)
{
    const struct etl_buffer *b = d->buffer;

    profile_skip(r->seen->profile, r->files[b->file].name,
                 b->packed ? b->offset
                           : b->offset + BUFFER_HEADER + d->damaged_at,
                 b->filled - BUFFER_HEADER - d->damaged_at, d->damage);
}

static void merge_all(struct merge *m, unsigned worker)
{
    size_t all = m->recording->buffers.len;
    struct etl_decoded *d;

    for (size_t done = 0; (d = etl_ahead_take(m->ahead, worker));) {
        if (d->last_time > m->recording->last_time)
            m->recording->last_time = d->last_time;
        if (d->damage)
            note_damage(m->recording, d);
        if (d->facts.len) {
            drain(m, d->buffer->first_time);
            heap_push(&m->active, d->facts.data[d->next].time,
                      (uint64_t)(d->buffer - m->recording->buffers.data), d);
        } else {
            etl_ahead_give_back(m->ahead, d);
        }
        if (++done % BUFFERS_A_STEP == 0)
            progress_report(m->options->progress, "reading", done, all);
    }
    drain(m, UINT64_MAX);
    progress_report(m->options->progress, "reading", all, all);
    /* A fact that claims the last time there is belongs to no event. */
    while (m->active.len)
        etl_ahead_give_back(m->ahead, heap_pop(&m->active));
    vec_release(&m->active);
}

static void run_task(void *context, size_t task, unsigned worker)
{
    struct merge *m = context;

    if (task)
        etl_ahead_help(m->ahead, worker);
    else
        merge_all(m, worker);
}

/* Lists the names that --event takes. */
static void list_kinds(struct etl_recording *r, struct etl_counts *const *all,
                       unsigned workers)
{
    struct profile *p = r->seen->profile;
    struct out *text = out_memory();
    const char *kinds;
    size_t n;

    etl_choice_list(all, workers, text);
    kinds = out_text(text, &n);
    r->kinds = strings_add(p->strings, kinds, n);
    out_close(text, NULL);
    text = out_memory();
    etl_choice_list_others(r->choice, all, workers, text);
    profile_also_recorded(p, text);
    out_close(text, NULL);
}

void etl_merge(struct etl_recording *recording,
               const struct read_options *options,
               struct etl_correlator *correlator, struct etl_records *records)
{
    struct threads *pool = threads_new(options->threads);
    unsigned workers = threads_count(pool);
    struct etl_counts *counts, **all;
    struct merge m = {
        .recording = recording,
        .options = options,
        .correlator = correlator,
        .records = records,
        .ahead = etl_ahead_new(recording, workers),
    };

    threads_run(pool, workers, run_task, &m);
    threads_free(pool);
    counts = etl_ahead_counts(m.ahead);
    all = mem_new(workers, sizeof(struct etl_counts *));
    for (unsigned i = 0; i < workers; i++)
        all[i] = &counts[i];
    etl_counts_report(all, workers, recording->seen);
    list_kinds(recording, all, workers);
    free(all);
    etl_ahead_free(m.ahead);
}
