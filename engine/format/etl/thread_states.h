/*
 * thread_states - what correlate.c knows of each thread at the moment.
 *
 *     struct etl_thread *t = etl_threads_of(&threads, seen, tid, cpu);
 *
 * Thread 0 runs on every processor: it is one thread on each. A state stays
 * where it is until another thread is asked for.
 */
#ifndef TOPFN_ETL_THREAD_STATES_H
#define TOPFN_ETL_THREAD_STATES_H

#include "engine/attribution/observations.h"
#include "engine/format/etl/keys.h"

/* A sample that waits in the kernel for its user part. */
struct etl_waiting {
    uint32_t sample;
    uint64_t time;
};

struct etl_thread {
    bool open;
    uint32_t sample; /* index of the open sample */
    uint64_t time;   /* its raw time */
    uint64_t address;
    uint32_t key;          /* thread key without a process */
    uint32_t pid, pid_key; /* process of its last stack, thread key with it */
    struct etl_part kernel, user; /* its parts so far */
    bool borrowed;   /* `user` names another event of the stay */
    bool no_address; /* an event that has none */
    bool awaits_clr; /* no event of the runtime came since */
    VEC(struct etl_waiting) waiting;
};

/* The states of threads met lately. */
struct etl_recent_thread {
    uint32_t tid, on_cpu;
    uint32_t state; /* index, plus one */
};

enum { RECENT_THREADS = 1024 };

struct etl_threads {
    struct map ids; /* (tid, cpu + 1 for thread 0) */
    VEC(struct etl_thread) list;
    struct etl_recent_thread recent[RECENT_THREADS];
};

static inline uint32_t etl_recent_slot(uint32_t tid, uint32_t on_cpu)
{
    return (tid / 4 ^ on_cpu) % RECENT_THREADS;
}

/* Of a thread that is not among the recent ones, which it then is; `on_cpu` is
 * 0 or thread 0's processor, plus one. */
void etl_threads_enter(struct etl_threads *threads, struct observations *seen,
                       uint32_t tid, uint32_t on_cpu);

static inline struct etl_thread *etl_threads_of(struct etl_threads *threads,
                                                struct observations *seen,
                                                uint32_t tid, uint16_t cpu)
{
    uint32_t on_cpu = tid ? 0 : cpu + 1u;
    const struct etl_recent_thread *recent =
        &threads->recent[etl_recent_slot(tid, on_cpu)];

    if (!recent->state || recent->tid != tid || recent->on_cpu != on_cpu)
        etl_threads_enter(threads, seen, tid, on_cpu);
    return &threads->list.data[recent->state - 1];
}

void etl_threads_release(struct etl_threads *threads);

#endif
