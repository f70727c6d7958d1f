/* Equal runs of addresses have one number, whoever asks. */
#include "engine/format/etl/run_numbers.h"

#include "engine/base/threads.h"
#include "tests/support/suite.h"

enum { RUNS = 3000, TASKS = 10, FACTS = 9000 };

struct job {
    struct run_numbers *numbers;
    uint32_t given[TASKS][FACTS];
};

/* Run `i`, one address, of a fact. */
static struct etl_run run_number(uint32_t i, uint32_t fact)
{
    uint8_t frames[8] = {(uint8_t)i, (uint8_t)(i >> 8)};
    struct callchain run = {frames, 1, 8, NULL};

    return (struct etl_run){callchain_fingerprint(&run), fact};
}

/* The run that a task's fact has. */
static uint32_t run_of(size_t task, size_t i)
{
    return (uint32_t)((i * 7 + task * 31) % RUNS);
}

static void number_facts(void *context, size_t task, unsigned worker)
{
    struct job *job = context;
    struct etl_fact *facts = mem_new(FACTS, sizeof(*facts));
    struct etl_run *runs = mem_new(FACTS, sizeof(*runs));

    (void)worker;
    for (uint32_t i = 0; i < FACTS; i++)
        runs[i] = run_number(run_of(task, i), i);
    run_numbers_give(job->numbers, facts, runs, FACTS);
    for (size_t i = 0; i < FACTS; i++)
        job->given[task][i] = facts[i].run;
    free(facts);
    free(runs);
}

static void check_numbers(unsigned threads)
{
    static uint32_t numbers[RUNS];
    bool *used = mem_new(2 * 64 * RUNS, sizeof(*used));
    struct job *job = mem_new(1, sizeof(*job));
    struct threads *pool = threads_new(threads);

    job->numbers = run_numbers_new(threads);
    threads_run(pool, TASKS, number_facts, job);
    for (uint32_t i = 0; i < RUNS; i++) {
        struct etl_run run = run_number(i, 0);
        struct etl_fact fact;

        run_numbers_give(job->numbers, &fact, &run, 1);
        numbers[i] = fact.run;
        ck_assert_uint_lt(fact.run, 2 * 64 * RUNS);
        ck_assert(!used[fact.run]);
        used[fact.run] = true;
    }
    for (size_t t = 0; t < TASKS; t++)
        for (size_t i = 0; i < FACTS; i++)
            ck_assert_uint_eq(job->given[t][i], numbers[run_of(t, i)]);
    run_numbers_free(job->numbers);
    threads_free(pool);
    free(job);
    free(used);
}

/* Whatever they are shared out by. */
START_TEST(one_number_a_run)
{
    check_numbers(1);
    check_numbers(2);
    check_numbers(4);
    check_numbers(12);
}
END_TEST

/* Facts without frames between those that have some are left as they are. */
START_TEST(others_stay)
{
    struct run_numbers *numbers = run_numbers_new(1);
    struct etl_fact facts[3] = {
        {.kind = ETL_PART, .count = 1},
        {.kind = ETL_KEYED_PART, .key = 0x123456789},
        {.kind = ETL_DEFINITION, .count = 1},
    };
    struct etl_run runs[2] = {run_number(7, 0), run_number(7, 2)};

    facts[0].run = facts[2].run = 99;
    run_numbers_give(numbers, facts, runs, 2);
    ck_assert_uint_eq(facts[0].run, 0);
    ck_assert_uint_eq(facts[1].key, 0x123456789);
    ck_assert_uint_eq(facts[2].run, 0);
    ck_assert_uint_eq(facts[2].count, 1);
    run_numbers_free(numbers);
}
END_TEST

SUITE
{
    return suite_run("run numbers", one_number_a_run, others_stay);
}
