#include "engine/format/etl/ahead.h"

#include <pthread.h>
#include <stdlib.h>

enum { MOST_AHEAD = 64 }; /* buffers */

struct etl_ahead {
    const struct etl_recording *recording;
    pthread_mutex_t numbers_lock; /* guards the next */
    struct map numbers;           /* fingerprint of a run -> its number */
    struct etl_counts *counts;    /* by worker */
    unsigned workers;
    size_t most;          /* ahead */
    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t room;  /* helpers may go on, or need not */
    pthread_cond_t ready; /* what the taker waits for */
    size_t begun, taken;  /* buffers */
    size_t waiting;       /* helpers without room */
    bool taker_waits;
    struct etl_decoded **decoded; /* by buffer, modulo `most`; NULL: not yet */
    struct etl_decoded *spare;    /* a stack of those given back */
};

struct etl_ahead *etl_ahead_new(const struct etl_recording *recording,
                                unsigned workers)
{
    struct etl_ahead *a = mem_new(1, sizeof(*a));

    a->recording = recording;
    a->workers = workers;
    a->counts = mem_new(workers, sizeof(*a->counts));
    for (unsigned i = 0; i < workers; i++)
        etl_counts_init(&a->counts[i]);
    a->most = recording->ahead ? recording->ahead : MOST_AHEAD;
    a->decoded = mem_new(a->most, sizeof(struct etl_decoded *));
    pthread_mutex_init(&a->numbers_lock, NULL);
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->room, NULL);
    pthread_cond_init(&a->ready, NULL);
    return a;
}

/* The one given back last, or NULL. */
static struct etl_decoded *take_spare(struct etl_ahead *a)
{
    struct etl_decoded *d = a->spare;

    if (d)
        a->spare = d->spare;
    return d;
}

void etl_ahead_free(struct etl_ahead *a)
{
    struct etl_decoded *d;

    while ((d = take_spare(a))) {
        vec_release(&d->facts);
        vec_release(&d->runs);
        free(d->unpacked);
        free(d);
    }
    for (unsigned i = 0; i < a->workers; i++)
        etl_counts_release(&a->counts[i]);
    free(a->counts);
    free(a->decoded);
    map_release(&a->numbers);
    pthread_mutex_destroy(&a->numbers_lock);
    pthread_mutex_destroy(&a->lock);
    pthread_cond_destroy(&a->room);
    pthread_cond_destroy(&a->ready);
    free(a);
}

struct etl_counts *etl_ahead_counts(struct etl_ahead *a)
{
    return a->counts;
}

static size_t total(const struct etl_ahead *a)
{
    return a->recording->buffers.len;
}

static bool has_room(const struct etl_ahead *a)
{
    return a->begun < total(a) && a->begun - a->taken < a->most;
}

/* Decodes a buffer and numbers its runs of frames: equal runs have one number,
 * so the merging thread finds what is known of a run without hashing. Which
 * number a run gets depends on which thread came first; it orders nothing. */
static void decode(struct etl_ahead *a, struct etl_decoded *d, size_t buffer,
                   unsigned worker)
{
    const struct etl_recording *r = a->recording;
    const struct etl_buffer *b = &r->buffers.data[buffer];

    etl_decode(d, &r->files[b->file], b, r->choice, r->without_idle,
               &a->counts[worker]);
    pthread_mutex_lock(&a->numbers_lock);
    for (size_t i = 0; i < d->runs.len; i++) {
        const struct etl_run *run = &d->runs.data[i];

        d->facts.data[run->fact].run =
            map_add(&a->numbers, run->print.hash, run->print.check,
                    mem_next_id(a->numbers.used));
    }
    pthread_mutex_unlock(&a->numbers_lock);
}

/* There is room for the next one. It is unlocked meanwhile. */
static void decode_next(struct etl_ahead *a, unsigned worker)
{
    struct etl_decoded *d = take_spare(a);
    size_t buffer = a->begun++;

    if (a->begun == total(a))
        pthread_cond_broadcast(&a->room);
    pthread_mutex_unlock(&a->lock);
    if (!d)
        d = mem_new(1, sizeof(*d));
    decode(a, d, buffer, worker);
    pthread_mutex_lock(&a->lock);
    a->decoded[buffer % a->most] = d;
    if (a->taker_waits && buffer == a->taken)
        pthread_cond_signal(&a->ready);
}

void etl_ahead_help(struct etl_ahead *a, unsigned worker)
{
    pthread_mutex_lock(&a->lock);
    while (a->begun < total(a)) {
        if (has_room(a)) {
            decode_next(a, worker);
            continue;
        }
        a->waiting++;
        pthread_cond_wait(&a->room, &a->lock);
        a->waiting--;
    }
    pthread_mutex_unlock(&a->lock);
}

/* Helpers are woken for half of the room at once, not for each buffer. */
struct etl_decoded *etl_ahead_take(struct etl_ahead *a, unsigned worker)
{
    struct etl_decoded *d = NULL;

    pthread_mutex_lock(&a->lock);
    if (a->taken < total(a)) {
        /* The next one is decoded here, or another worker is at it. */
        while (!a->decoded[a->taken % a->most]) {
            if (has_room(a)) {
                decode_next(a, worker);
                continue;
            }
            a->taker_waits = true;
            pthread_cond_wait(&a->ready, &a->lock);
            a->taker_waits = false;
        }
        d = a->decoded[a->taken % a->most];
        a->decoded[a->taken++ % a->most] = NULL;
        if (a->waiting && a->begun - a->taken <= a->most / 2)
            pthread_cond_broadcast(&a->room);
    }
    pthread_mutex_unlock(&a->lock);
    return d;
}

void etl_ahead_give_back(struct etl_ahead *a, struct etl_decoded *d)
{
    pthread_mutex_lock(&a->lock);
    d->spare = a->spare;
    a->spare = d;
    pthread_mutex_unlock(&a->lock);
}
