#include "engine/base/threads.h"

#include <stdatomic.h>
#include <stdint.h>

#include "tests/support/suite.h"

enum { TASKS = 5000 };

static const unsigned counts[] = {1, 2, 3, 8, 0};

#define each_count(i)                                                          \
    (size_t i = 0; i < COUNT(counts); i++)

struct job {
    unsigned done[TASKS]; /* plain: TSan would see two workers on one */
    unsigned by_worker[256];
    atomic_uint highest_worker;
};

static void mark(void *context, size_t task, unsigned worker)
{
    struct job *job = context;
    unsigned highest = atomic_load(&job->highest_worker);

    job->done[task]++;
    job->by_worker[worker]++;
    while (highest < worker &&
           !atomic_compare_exchange_weak(&job->highest_worker, &highest,
                                         worker))
        continue;
}

static unsigned sum(const unsigned *values, size_t n)
{
    unsigned total = 0;

    for (size_t i = 0; i < n; i++)
        total += values[i];
    return total;
}

/* Rounds follow each other at once: what one wrote, the caller and the next
 * round see. */
TEST(rounds_do_not_overlap)
{
    for each_count (i) {
        struct threads *pool = threads_new(counts[i]);
        struct job job = {0};
        unsigned expected = 0;

        for (size_t round = 0; round < 1000; round++) {
            threads_run(pool, round % 7, mark, &job);
            expected += (unsigned)(round % 7);
            ck_assert_uint_eq(sum(job.done, 7), expected);
        }
        threads_free(pool);
    }
}

TEST(no_tasks)
{
    struct threads *pool = threads_new(4);
    struct job job = {0};

    threads_run(pool, 0, mark, &job);
    ck_assert_uint_eq(sum(job.by_worker, 256), 0);
    threads_free(pool);
    threads_free(threads_new(3));
    threads_free(NULL);
}

TEST(counts_are_bounded)
{
    struct threads *pool = threads_new(1);

    ck_assert_uint_eq(threads_count(pool), 1);
    threads_free(pool);
    pool = threads_new(0);
    ck_assert_uint_ge(threads_count(pool), 1);
    threads_free(pool);
    pool = threads_new(UINT32_MAX);
    ck_assert_uint_le(threads_count(pool), 256);
    threads_free(pool);
}
