/*
 * stack_rows - stacks as rows of locations, which are not a tree yet.
 *
 *     const struct stack_rows *rows = &p->rows;
 *     for (size_t i = 0; i < rows->stacks.len; i++)
 *         use(rows->list.data[rows->stacks.data[i].outer]);
 *
 * A stack is a row, or two: what ran in the kernel is a row of its own, on top
 * of the row of what called it. Stacks have rows in common, so there are far
 * fewer of these. To count code, or to find the hot path, each is gone through
 * once (aggregate.h, hot_path.h); who goes from callers to callees has a tree
 * made of them (whole_stacks.h).
 */
#ifndef TOPFN_STACK_ROWS_H
#define TOPFN_STACK_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "engine/base/arena.h"
#include "engine/base/vec.h"

/* Outermost first. */
struct location_row {
    const uint32_t *locations;
    uint32_t count; /* at least 1 in a stack */
};

/* Rows of one stack: the inner one goes on top, NO_ID if there is none. */
struct row_pair {
    uint32_t outer, inner;
};

/* A vector (vec.h). */
struct row_pairs {
    struct row_pair *data;
    size_t len, cap;
};

struct stack_rows {
    VEC(struct location_row) list;
    struct row_pairs stacks;   /* by id of stack: what samples have */
    /* Where locations lie: of most rows, and of the rest. */
    uint32_t *locations;
    struct arena rest;
};

/* Leaves no rows and no stacks. */
void stack_rows_release(struct stack_rows *rows);

#endif
