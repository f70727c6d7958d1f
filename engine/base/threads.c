#include "engine/base/threads.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "engine/base/mem.h"

enum { MOST_WORKERS = 256 };

struct worker {
    struct threads *pool;
    pthread_t thread;
    unsigned number;
};

struct threads {
    struct worker *workers; /* [1, count): the caller is number 0 */
    unsigned count;
    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t wake;  /* a round began, or stop */
    pthread_cond_t done;  /* a worker left the round */
    unsigned long round;
    bool open;     /* the round may be joined */
    unsigned busy; /* workers that joined it and are in it still */
    bool stop;
    /* The round's job; written before `round` changes. */
    threads_task *run;
    void *context;
    size_t tasks;
    atomic_size_t next;
};

static void run_tasks(struct threads *pool, unsigned number)
{
    size_t task;

    while ((task = atomic_fetch_add(&pool->next, 1)) < pool->tasks)
        pool->run(pool->context, task, number);
}

static void *work(void *argument)
{
    struct worker *self = argument;
    struct threads *pool = self->pool;
    unsigned long seen = 0;

    pthread_mutex_lock(&pool->lock);
    while (!pool->stop) {
        if (pool->open && pool->round != seen) {
            seen = pool->round;
            pool->busy++;
            pthread_mutex_unlock(&pool->lock);
            run_tasks(pool, self->number);
            pthread_mutex_lock(&pool->lock);
            pool->busy--;
            pthread_cond_signal(&pool->done);
        } else {
            pthread_cond_wait(&pool->wake, &pool->lock);
        }
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

unsigned threads_online(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);

    return n < 1 ? 1 : (unsigned)n;
}

struct threads *threads_new(unsigned count)
{
    struct threads *pool = mem_new(1, sizeof(*pool));

    if (!count)
        count = threads_online();
    if (count > MOST_WORKERS)
        count = MOST_WORKERS;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pthread_cond_init(&pool->done, NULL);
    pool->workers = mem_new(count, sizeof(*pool->workers));
    for (pool->count = 1; pool->count < count; pool->count++) {
        struct worker *worker = &pool->workers[pool->count];

        *worker = (struct worker){.pool = pool, .number = pool->count};
        if (pthread_create(&worker->thread, NULL, work, worker))
            break;
    }
    return pool;
}

struct threads *threads_new_for(size_t tasks, unsigned count)
{
    if (!count)
        count = threads_online();
    return threads_new(tasks < count ? (unsigned)tasks + !tasks : count);
}

void threads_free(struct threads *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->stop = true;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
    for (unsigned i = 1; i < pool->count; i++)
        pthread_join(pool->workers[i].thread, NULL);
    pthread_mutex_destroy(&pool->lock);
    pthread_cond_destroy(&pool->wake);
    pthread_cond_destroy(&pool->done);
    free(pool->workers);
    free(pool);
}

unsigned threads_count(const struct threads *pool)
{
    return pool->count;
}

void threads_run(struct threads *pool, size_t tasks, threads_task *run,
                 void *context)
{
    pool->run = run;
    pool->context = context;
    pool->tasks = tasks;
    atomic_store(&pool->next, 0);
    if (pool->count == 1 || tasks < 2) {
        run_tasks(pool, 0);
        return;
    }
    pthread_mutex_lock(&pool->lock);
    pool->round++;
    pool->open = true;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
    run_tasks(pool, 0);
    pthread_mutex_lock(&pool->lock);
    pool->open = false;
    while (pool->busy)
        pthread_cond_wait(&pool->done, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}
