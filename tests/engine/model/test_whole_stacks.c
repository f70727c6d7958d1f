/* Pairs of parts made into stacks, by one thread and by several. */
#include "engine/model/whole_stacks.h"

#include <string.h>

#include "tests/support/suite.h"

/* So many that they are made in several tables. */
enum { ROWS = 1500, LONGEST = 16, PAIRS = 20000, INNER = 20 };

static uint32_t locations[ROWS][LONGEST];
static struct location_row rows[ROWS];
static uint32_t state;

static uint32_t next(uint32_t below)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
}

/* Rows with roots in common, as those of a program are; some are empty, and
 * many a stack is made of several pairs: where one has its outer part another
 * one goes on in its inner. */
static void make_rows(void)
{
    state = 1;
    for (uint32_t i = 0; i < ROWS; i++) {
        uint32_t count = next(LONGEST + 1);

        for (uint32_t k = 0; k < count; k++)
            locations[i][k] = k < 4 || i < INNER ? next(2) : next(3);
        rows[i] = (struct location_row){locations[i], count};
    }
}

static uint32_t push(struct stack_table *table, uint32_t stack, uint32_t row)
{
    for (uint32_t k = 0; k < rows[row].count; k++)
        stack = stack_table_add(table, stack, rows[row].locations[k]);
    return stack;
}

/* Rows of a profile, pairs of which its samples have, and the stack of each
 * pair made in turn. */
static void add_pairs(struct profile *p, struct stack_table *table,
                      uint32_t *stacks)
{
    for (size_t i = 0; i < ROWS; i++)
        *vec_add(&p->rows.list) = rows[i];
    for (uint32_t i = 0; i < PAIRS; i++) {
        uint32_t outer = next(ROWS), inner = next(3) ? next(INNER) : NO_ID;

        *vec_add(&p->rows.stacks) = (struct row_pair){outer, inner};
        profile_sample(p, &(struct sample){.stack = i, .weight = 1});
        stacks[i] = push(table, 0, outer);
        if (inner != NO_ID)
            stacks[i] = push(table, stacks[i], inner);
    }
}

static void check_threads(unsigned threads)
{
    struct threads *pool = threads_new(threads);
    struct profile *p = profile_new();
    struct stack_table expected;
    static uint32_t stacks[PAIRS];

    make_rows();
    stack_table_init(&expected);
    add_pairs(p, &expected, stacks);
    whole_stacks_make(p, pool);
    ck_assert_mem_eq(p->samples.stack, stacks, sizeof(stacks));
    ck_assert_uint_eq(p->stacks.len, expected.len);
    ck_assert_mem_eq(p->stacks.data, expected.data,
                     expected.len * sizeof(*expected.data));
    ck_assert_uint_eq(p->rows.stacks.len, 0);
    stack_table_release(&expected);
    profile_free(p);
    threads_free(pool);
}

START_TEST(numbered_as_one_thread_would)
{
    static const unsigned threads[] = {1, 2, 3, 8};

    for (size_t i = 0; i < 4; i++)
        check_threads(threads[i]);
}
END_TEST

START_TEST(nothing)
{
    struct threads *pool = threads_new(3);
    struct profile *p = profile_new();

    whole_stacks_make(p, pool);
    ck_assert_uint_eq(p->stacks.len, 1);
    profile_free(p);
    threads_free(pool);
}
END_TEST

int main(void)
{
    return suite_run("whole stacks", numbered_as_one_thread_would, nothing);
}
