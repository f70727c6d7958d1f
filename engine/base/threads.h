/*
 * threads - a fixed pool that runs numbered tasks.
 *
 *     struct threads *pool = threads_new(0);        // one per core
 *     threads_run(pool, count, decode_buffer, &job);
 *     threads_free(pool);
 *
 * threads_run hands out task numbers in order, runs them on all workers (the
 * caller is worker 0) and returns when every task is done. Tasks share only
 * what the context gives them; results go to slots by task number, so the
 * outcome does not depend on how many workers there are.
 */
#ifndef TOPFN_THREADS_H
#define TOPFN_THREADS_H

#include <stdbool.h>
#include <stddef.h>

struct threads;

typedef void threads_task(void *context, size_t task, unsigned worker);

/* `count` workers including the caller; 0 means one per online core. When
 * the system gives fewer threads, the pool is smaller. */
struct threads *threads_new(unsigned count);

/* The same; not more of them than tasks they will have at a time. */
struct threads *threads_new_for(size_t tasks, unsigned count);

void threads_free(struct threads *pool);

/* Cores that are online. */
unsigned threads_online(void);

unsigned threads_count(const struct threads *pool);

void threads_run(struct threads *pool, size_t tasks, threads_task *run,
                 void *context);

#endif
