/*
 * cells - tables of a test as text: a row is a line, its cells stand between
 * tabs.
 *
 *     [plans]
 *     event FROM events	0:
 *
 *     cells_each("tests/engine/sql/plans.cells", "plans", check_plan);
 *
 * Lines that begin with "# " are comments. \n, \r, \t, \\ and \xNN stand for
 * bytes; cells that a line does not have are empty.
 */
#ifndef TOPFN_TESTS_CELLS_H
#define TOPFN_TESTS_CELLS_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/support/suite.h"

enum { CELLS = 12 };

struct cells {
    const char *path;
    unsigned line;
    char *cell[CELLS];
    size_t len[CELLS]; /* of each, for those that have a byte 0 */
};

/* Calls `check` with each row of the table, of which there must be some. */
void cells_each(const char *path, const char *table,
                void (*check)(const struct cells *row));

/* A decimal or hexadecimal number; 0 of an empty cell. */
uint64_t cells_number(const struct cells *row, unsigned i);

/* The test fails unless the cell is this. */
void cells_expect(const struct cells *row, unsigned i, const char *text);
void cells_expect_number(const struct cells *row, unsigned i, uint64_t number);
void cells_expect_that(const struct cells *row, bool holds);

#endif
