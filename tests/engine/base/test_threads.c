#include "engine/base/threads.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "tests/support/suite.h"

enum { TASKS = 5000 };

static const unsigned counts[] = {1, 2, 3, 8, 0};

#define each_count(i)                                                          \
    (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)

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

START_TEST(every_task_runs_once)
{
    for each_count (i) {
        struct threads *pool = threads_new(counts[i]);
        struct job job = {0};

        threads_run(pool, TASKS, mark, &job);
        for (size_t task = 0; task < TASKS; task++)
            ck_assert_uint_eq(job.done[task], 1);
        ck_assert_uint_eq(sum(job.by_worker, 256), TASKS);
        ck_assert_uint_lt(job.highest_worker, threads_count(pool));
        threads_free(pool);
    }
}
END_TEST

/* Rounds follow each other at once: what one wrote, the caller and the next
 * round see. */
START_TEST(rounds_do_not_overlap)
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
END_TEST

/* The numbers of tasks, as they were done. */
struct rows {
    size_t first[TASKS], second[TASKS]; /* plain, as above */
    size_t first_len, second_len;
};

static void add_first(void *context, size_t task, unsigned worker)
{
    struct rows *rows = context;

    (void)worker;
    rows->first[rows->first_len++] = task;
}

static void add_second(void *context, size_t task, unsigned worker)
{
    struct rows *rows = context;

    (void)worker;
    rows->second[rows->second_len++] = task;
}

/* Two of them, and rounds in between. */
START_TEST(a_series_keeps_its_order)
{
    static struct rows rows;

    for each_count (i) {
        struct threads *pool = threads_new(counts[i]);
        struct threads_series first = {.run = add_first, .context = &rows};
        struct threads_series second = {.run = add_second, .context = &rows};
        struct job job = {0};
        size_t allowed = 0;

        rows = (struct rows){.first_len = 0};
        for (size_t task = 0; task < TASKS; task += 4) {
            threads_beside(pool, &first, 4);
            threads_beside(pool, &second, task % 3);
            allowed += task % 3;
            threads_run(pool, 3, mark, &job);
        }
        threads_finish(pool, &first);
        ck_assert_uint_eq(rows.first_len, TASKS);
        for (size_t task = 0; task < TASKS; task++)
            ck_assert_uint_eq(rows.first[task], task);
        threads_finish(pool, &second);
        ck_assert_uint_eq(rows.second_len, allowed);
        for (size_t task = 0; task < rows.second_len; task++)
            ck_assert_uint_eq(rows.second[task], task);
        ck_assert_uint_eq(job.done[2], TASKS / 4);
        threads_free(pool);
    }
}
END_TEST

START_TEST(a_series_without_tasks)
{
    for each_count (i) {
        struct threads *pool = threads_new(counts[i]);
        static struct rows rows;
        struct threads_series series = {.run = add_first, .context = &rows};

        threads_finish(pool, &series);
        threads_beside(pool, &series, 0);
        threads_beside(pool, &series, 0);
        threads_beside(pool, &series, 1);
        threads_finish(pool, &series);
        threads_finish(pool, &series);
        ck_assert_uint_eq(rows.first_len, i + 1);
        threads_free(pool);
    }
}
END_TEST

START_TEST(no_tasks)
{
    struct threads *pool = threads_new(4);
    struct job job = {0};

    threads_run(pool, 0, mark, &job);
    ck_assert_uint_eq(sum(job.by_worker, 256), 0);
    threads_free(pool);
    threads_free(threads_new(3));
    threads_free(NULL);
}
END_TEST

START_TEST(counts_are_bounded)
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
END_TEST

START_TEST(no_more_workers_than_tasks)
{
    static const struct {
        size_t tasks;
        unsigned count, workers;
    } cases[] = {{3, 8, 3}, {8, 3, 3}, {1, 0, 1}, {0, 8, 1}, {SIZE_MAX, 2, 2}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct threads *pool =
            threads_new_for(cases[i].tasks, cases[i].count);

        ck_assert_uint_eq(threads_count(pool), cases[i].workers);
        threads_free(pool);
    }
}
END_TEST

int main(void)
{
    return suite_run("threads", every_task_runs_once, rounds_do_not_overlap,
                     a_series_keeps_its_order, a_series_without_tasks,
                     no_tasks, counts_are_bounded, no_more_workers_than_tasks);
}
