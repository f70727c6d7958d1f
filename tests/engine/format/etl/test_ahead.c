#include "engine/format/etl/ahead.h"

#include "engine/base/threads.h"
#include "engine/container/container.h"
#include "tests/support/etl_events.h"
#include "tests/support/etl_log.h"
#include "tests/support/observed.h"
#include "tests/support/suite.h"

enum {
    BUFFERS = 600, /* more than are kept apart */
    EVENTS = 20 * BUFFERS,
    SMALL_BUFFER = 1024,
    TID = 104,
    HARD_FAULT = 0x0220, /* hook */
};

struct opened {
    struct etl_log log;
    struct event_trace *trace;
    struct observed observed;
    struct etl_recording recording;
};

static void open_log(struct opened *o, unsigned events)
{
    struct etl_log *l = &o->log;
    struct err err = {0};

    etl_log_begin(
        l, &(struct etl_options){.cpus = 2, .buffer_size = SMALL_BUFFER});
    for (unsigned i = 0; i < events; i++)
        etl_hard_fault(
            l->w,
            (struct etl_at){.cpu = i % 2, .tick = etl_tick(l->w, 1000 * i)}, i,
            TID);
    o->trace = etl_log_end(l);
    observed_begin(&o->observed);
    ck_assert_int_eq(etl_open(&o->recording,
                              &(struct entry){.name = "ahead.etl",
                                              .data = (void *)l->bytes,
                                              .size = l->size},
                              1, o->observed.p, &err),
                     ERR_NONE);
}

static void close_log(struct opened *o)
{
    etl_close(&o->recording);
    observed_end(&o->observed);
    etl_log_close(&o->log, o->trace);
}

struct job {
    struct etl_ahead *ahead;
    const struct etl_recording *recording;
    size_t held; /* so many are given back later than they could be */
};

static void take_all(const struct job *job, unsigned worker)
{
    const etl_buffers *buffers = &job->recording->buffers;
    VEC(struct etl_decoded *) held = {0};
    struct etl_decoded *d;
    size_t n = 0, back = 0;

    while ((d = etl_ahead_take(job->ahead, worker))) {
        ck_assert_ptr_eq(d->buffer, &buffers->data[n++]);
        *vec_add(&held) = d;
        if (held.len - back > job->held)
            etl_ahead_give_back(job->ahead, held.data[back++]);
    }
    ck_assert_uint_eq(n, buffers->len);
    while (back < held.len)
        etl_ahead_give_back(job->ahead, held.data[back++]);
    vec_release(&held);
}

static void take_or_help(void *context, size_t task, unsigned worker)
{
    const struct job *job = context;

    if (task)
        etl_ahead_help(job->ahead, worker);
    else
        take_all(job, worker);
}

static uint64_t count_faults(struct etl_ahead *ahead, unsigned workers)
{
    const struct etl_counts *counts = etl_ahead_counts(ahead);
    uint64_t n = 0;

    for (unsigned i = 0; i < workers; i++)
        n += counts[i].hooks[HARD_FAULT];
    return n;
}

static void check_taken(struct opened *o, unsigned workers, size_t held)
{
    struct threads *pool = threads_new(workers);
    struct job job = {.ahead = etl_ahead_new(&o->recording, workers),
                      .recording = &o->recording,
                      .held = held};

    threads_run(pool, threads_count(pool), take_or_help, &job);
    threads_free(pool);
    ck_assert_uint_eq(count_faults(job.ahead, workers), EVENTS);
    etl_ahead_free(job.ahead);
}

TEST(taken_in_order_by_any_number)
{
    static const size_t most[] = {0, 1, 2, 7};
    struct opened o;

    open_log(&o, EVENTS);
    ck_assert_uint_gt(o.recording.buffers.len, BUFFERS);
    for (size_t i = 0; i < COUNT(most); i++)
        for (unsigned workers = 1; workers <= 4; workers++) {
            o.recording.ahead = most[i];
            check_taken(&o, workers, 0);
            check_taken(&o, workers, 10);
            check_taken(&o, workers, SIZE_MAX - 1);
        }
    close_log(&o);
}

TEST(no_buffers)
{
    struct opened o;
    struct etl_ahead *ahead;

    open_log(&o, 0);
    o.recording.buffers.len = 0;
    ahead = etl_ahead_new(&o.recording, 2);
    etl_ahead_help(ahead, 1);
    ck_assert_ptr_null(etl_ahead_take(ahead, 0));
    etl_ahead_free(ahead);
    close_log(&o);
}
