/*
 * All buffers' facts in order of time.
 *
 * Buffers are sorted by their first event. They are decoded in batches, in
 * parallel; meanwhile one worker merges the batch before. A batch can be
 * merged up to the first event of the next one, as everything not decoded
 * yet is later; what is beyond stays for the next round. So the order does
 * not depend on the number of threads, and memory holds two batches.
 */
#include <pthread.h>
#include <string.h>

#include "engine/base/threads.h"
#include "engine/format/etl/choice.h"
#include "engine/format/etl/correlator.h"
#include "engine/format/etl/fold.h"
#include "engine/format/etl/run_numbers.h"

enum {
    LEAST_BATCH = 32, /* buffers */
    MOST_BATCH = 64,
    BUFFERS_A_THREAD = 4,
    AHEAD = 2, /* facts of a buffer; those of others come in between */
    FAR_AHEAD = 12,
};

/* A buffer and the time of its next fact. */
struct active {
    uint64_t time;
    struct etl_decoded *decoded;
};

struct merge {
    struct etl_recording *recording;
    const struct read_options *options;
    struct etl_correlator *correlator;
    struct etl_records *records;
    struct etl_counts *counts; /* by worker */
    struct run_numbers *numbers;
    /* Decoded buffers not in use, under a lock as workers take them. */
    pthread_mutex_t lock;
    VEC(struct etl_decoded *) spare;
    /* The batch being decoded and the one decoded before it. */
    struct etl_decoded *decoding[MOST_BATCH], *decoded[MOST_BATCH];
    size_t first, count;                 /* buffers of `decoding` */
    size_t decoded_count, decoded_first; /* of `decoded` */
    /* Buffers with facts left, a heap with the earliest on top. */
    VEC(struct active) active;
};

static struct etl_decoded *take_spare(struct merge *m)
{
    struct etl_decoded *d = NULL;

    pthread_mutex_lock(&m->lock);
    if (m->spare.len)
        d = m->spare.data[--m->spare.len];
    pthread_mutex_unlock(&m->lock);
    return d ? d : mem_new(1, sizeof(*d));
}

static void give_spare(struct merge *m, struct etl_decoded *d)
{
    pthread_mutex_lock(&m->lock);
    *vec_add(&m->spare) = d;
    pthread_mutex_unlock(&m->lock);
}

static void decode_one(struct merge *m, size_t slot, unsigned worker)
{
    const struct etl_recording *r = m->recording;
    const struct etl_buffer *b = &r->buffers.data[m->first + slot];

    struct etl_decoded *d = take_spare(m);

    etl_decode(d, &r->files[b->file], b, r->choice, r->without_idle,
               &m->counts[worker]);
    run_numbers_give(m->numbers, d->facts.data, d->runs.data, d->runs.len);
    m->decoding[slot] = d;
}

/* Order of two buffers' next facts; buffers lie in sorted order in memory,
 * so their addresses break ties by (cpu, sequence). */
static bool earlier(const struct active *a, const struct active *b)
{
    return a->time != b->time ? a->time < b->time
                              : a->decoded->buffer < b->decoded->buffer;
}

static void sift_down(struct merge *m, size_t at)
{
    struct active *heap = m->active.data, moved = heap[at];
    size_t child;

    while ((child = 2 * at + 1) < m->active.len) {
        if (child + 1 < m->active.len &&
            earlier(&heap[child + 1], &heap[child]))
            child++;
        if (!earlier(&heap[child], &moved))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = moved;
}

static void push(struct merge *m, struct etl_decoded *d)
{
    struct active added = {d->facts.data[d->next].time, d}, *heap;
    size_t at = m->active.len;

    *vec_add(&m->active) = added;
    heap = m->active.data;
    for (; at && earlier(&added, &heap[(at - 1) / 2]); at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = added;
}

static void pop(struct merge *m)
{
    give_spare(m, m->active.data[0].decoded);
    m->active.data[0] = m->active.data[--m->active.len];
    if (m->active.len)
        sift_down(m, 0);
}

/* The time up to which the top may go on: the next in the heap, or `limit`. */
static uint64_t next_time(const struct merge *m, uint64_t limit)
{
    for (size_t i = 1; i < 3 && i < m->active.len; i++)
        if (m->active.data[i].time < limit)
            limit = m->active.data[i].time;
    return limit;
}

/* The end of those facts that are handed on at once: the first one, and what
 * comes after it before `until` that is no record. */
static const struct etl_fact *end_of_run(const struct merge *m,
                                         const struct etl_fact *fact,
                                         const struct etl_fact *end,
                                         uint64_t until)
{
    do {
        mem_fetch(fact + FAR_AHEAD);
        if (fact + AHEAD < end)
            etl_correlate_soon(m->correlator, fact + AHEAD);
    } while (++fact < end && fact->time < until && fact->kind != ETL_RECORD);
    return fact;
}

/* Delivers the first fact of the top, which is earliest even if others are as
 * early, and those after it that are before `until`. */
static void deliver_run(struct merge *m, struct etl_decoded *d, uint64_t until)
{
    const struct etl_fact *fact = &d->facts.data[d->next];
    const struct etl_fact *end = d->facts.data + d->facts.len;
    bool lasting = !d->buffer->packed;

    do {
        const struct etl_fact *first = fact;

        if (first->kind == ETL_RECORD) {
            etl_records_add(m->records, fact++, lasting);
            continue;
        }
        fact = end_of_run(m, first, end, until);
        etl_correlate(m->correlator, first, (size_t)(fact - first), lasting);
    } while (fact < end && fact->time < until);
    d->next = (size_t)(fact - d->facts.data);
}

/* Delivers from the heap while facts are before `limit`. */
static void drain(struct merge *m, uint64_t limit)
{
    while (m->active.len && m->active.data[0].time < limit) {
        struct etl_decoded *d = m->active.data[0].decoded;

        deliver_run(m, d, next_time(m, limit));
        if (d->next == d->facts.len) {
            pop(m);
            continue;
        }
        m->active.data[0].time = d->facts.data[d->next].time;
        sift_down(m, 0);
    }
}

static void note_damage(struct merge *m, const struct etl_decoded *d)
{
    const struct etl_recording *r = m->recording;
    const struct etl_buffer *b = d->buffer;
    uint64_t lost = b->filled - BUFFER_HEADER - d->damaged_at;

    profile_skip(r->seen->profile, r->files[b->file].name,
                 b->packed ? b->offset
                           : b->offset + BUFFER_HEADER + d->damaged_at,
                 lost, d->damage);
}

static void merge_decoded(struct merge *m)
{
    const etl_buffers *buffers = &m->recording->buffers;
    size_t next = m->decoded_first + m->decoded_count;
    uint64_t limit = UINT64_MAX;

    for (size_t i = 0; i < m->decoded_count; i++) {
        struct etl_decoded *d = m->decoded[i];

        if (d->last_time > m->recording->last_time)
            m->recording->last_time = d->last_time;
        if (d->damage)
            note_damage(m, d);
        if (!d->facts.len) {
            give_spare(m, d);
            continue;
        }
        drain(m, d->buffer->first_time);
        push(m, d);
    }
    if (next < buffers->len)
        limit = buffers->data[next].first_time;
    drain(m, limit);
    etl_fold(m->correlator, m->records);
    etl_correlator_expect(m->correlator, next, buffers->len);
    progress_report(m->options->progress, "reading", next, buffers->len);
}

/* Task 0 merges the batch before; the others decode a buffer each. */
static void run_task(void *context, size_t task, unsigned worker)
{
    struct merge *m = context;

    if (task)
        decode_one(m, task - 1, worker);
    else
        merge_decoded(m);
}

static size_t batch_size(const struct merge *m, unsigned workers)
{
    size_t batch = m->recording->batch;

    if (!batch) {
        batch = (size_t)workers * BUFFERS_A_THREAD;
        if (batch < LEAST_BATCH)
            batch = LEAST_BATCH;
    }
    return batch < MOST_BATCH ? batch : MOST_BATCH;
}

static void run_batches(struct merge *m, struct threads *pool)
{
    size_t total = m->recording->buffers.len;
    size_t batch = batch_size(m, threads_count(pool));

    for (m->first = 0; m->first < total; m->first += m->count) {
        m->count = total - m->first < batch ? total - m->first : batch;
        threads_run(pool, m->count + 1, run_task, m);
        memcpy(m->decoded, m->decoding, m->count * sizeof(m->decoded[0]));
        m->decoded_first = m->first;
        m->decoded_count = m->count;
    }
    merge_decoded(m);
    /* What claims to be at the end of all time is nobody's event. */
    while (m->active.len)
        pop(m);
}

static void free_spares(struct merge *m)
{
    for (size_t i = 0; i < m->spare.len; i++) {
        vec_release(&m->spare.data[i]->facts);
        vec_release(&m->spare.data[i]->runs);
        free(m->spare.data[i]->unpacked);
        free(m->spare.data[i]);
    }
    vec_release(&m->spare);
    vec_release(&m->active);
}

/* What --event takes. */
static void list_kinds(struct etl_recording *r, struct etl_counts *const *all,
                       unsigned workers)
{
    struct profile *p = r->seen->profile;
    struct out *text = out_memory();
    const char *kinds;
    size_t n;

    etl_choice_list(all, workers, text);
    kinds = out_text(text, &n);
    if (n)
        profile_fact(p, "kinds of samples (--event)", "%s", kinds);
    r->kinds = strings_add(p->strings, kinds, n);
    out_close(text, NULL);
}

static void report_counts(struct merge *m, unsigned workers)
{
    struct etl_counts **all = mem_new(workers, sizeof(struct etl_counts *));

    for (unsigned i = 0; i < workers; i++)
        all[i] = &m->counts[i];
    etl_counts_report(all, workers, m->recording->seen->profile);
    list_kinds(m->recording, all, workers);
    for (unsigned i = 0; i < workers; i++)
        etl_counts_release(&m->counts[i]);
    free(all);
    free(m->counts);
}

void etl_merge(struct etl_recording *recording,
               const struct read_options *options,
               struct etl_correlator *correlator, struct etl_records *records)
{
    struct threads *pool = threads_new(options->threads);
    unsigned workers = threads_count(pool);
    struct merge m = {
        .recording = recording,
        .options = options,
        .correlator = correlator,
        .records = records,
        .counts = mem_new(workers, sizeof(*m.counts)),
        .numbers = run_numbers_new(workers),
    };

    pthread_mutex_init(&m.lock, NULL);
    for (unsigned i = 0; i < workers; i++)
        etl_counts_init(&m.counts[i]);
    run_batches(&m, pool);
    threads_free(pool);
    run_numbers_free(m.numbers);
    pthread_mutex_destroy(&m.lock);
    report_counts(&m, workers);
    free_spares(&m);
}
