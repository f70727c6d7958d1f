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
 *
 * What has to be done in order, by one at a time, is a series. It goes on
 * beside what the caller does, on workers that no round has tasks for:
 *
 *     struct threads_series series = {.run = number_block, .context = &job};
 *     threads_beside(pool, &series, 2);     // tasks 0 and 1 may be done
 *     threads_run(pool, count, ...);
 *     threads_beside(pool, &series, 1);     // task 2 as well
 *     threads_finish(pool, &series);        // all three are done
 *
 * A task of a series sees what those before it wrote, and all that was written
 * before it was allowed. It starts no round.
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

struct threads_series {
    threads_task *run;
    void *context;
    /* The pool's own: */
    size_t allowed, done; /* tasks */
    bool busy;            /* with the next one */
    struct threads_series *next;
};

/* So many more tasks of a series may be done. One that has any stays where it
 * is until it is finished; short tasks let rounds have all workers soon. */
void threads_beside(struct threads *pool, struct threads_series *series,
                    size_t tasks);

/* Returns when all of them are done, to which the caller helps. */
void threads_finish(struct threads *pool, struct threads_series *series);

#endif
