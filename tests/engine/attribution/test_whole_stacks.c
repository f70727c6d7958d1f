/* Pairs of parts made into stacks, by one thread and by several. */
#include "engine/attribution/whole_stacks.h"

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

/* Adds pairs, some again, and makes the stacks of each in turn. */
static void add_pairs(struct whole_stacks *whole, struct stack_table *table,
                      uint32_t *ids, uint32_t *stacks)
{
    for (size_t i = 0; i < PAIRS; i++) {
        uint32_t outer = next(ROWS), inner = next(3) ? next(INNER) : NO_ID;

        whole_stacks_soon(whole, outer, inner);
        ids[i] = whole_stacks_add(whole, outer, inner);
        stacks[i] = push(table, 0, outer);
        if (inner != NO_ID)
            stacks[i] = push(table, stacks[i], inner);
    }
}

static void check_threads(unsigned threads)
{
    struct threads *pool = threads_new(threads);
    struct whole_stacks whole = {0};
    struct stack_table expected, table;
    static uint32_t ids[PAIRS], stacks[PAIRS];
    uint32_t *made;
    unsigned wrong = 0;

    make_rows();
    stack_table_init(&expected);
    stack_table_init(&table);
    add_pairs(&whole, &expected, ids, stacks);
    made = whole_stacks_make(&whole, rows, ROWS, &table, pool);
    for (size_t i = 0; i < PAIRS; i++)
        wrong += made[ids[i]] != stacks[i];
    ck_assert_uint_eq(wrong, 0);
    ck_assert_uint_eq(table.len, expected.len);
    ck_assert_mem_eq(table.data, expected.data,
                     table.len * sizeof(*table.data));
    free(made);
    stack_table_release(&table);
    stack_table_release(&expected);
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
    struct whole_stacks whole = {0};
    struct stack_table table;

    stack_table_init(&table);
    free(whole_stacks_make(&whole, NULL, 0, &table, pool));
    ck_assert_uint_eq(table.len, 1);
    stack_table_release(&table);
    threads_free(pool);
}
END_TEST

int main(void)
{
    return suite_run("whole stacks", numbered_as_one_thread_would, nothing);
}
