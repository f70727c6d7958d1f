/*
 * row_counts - samples of stacks that are rows (stack_rows.h), by row.
 *
 *     struct row_count *counts = row_counts(p, sel->stack_counts);
 *     use(counts[row].outer + counts[row].inner);
 *     free(counts);
 */
#ifndef TOPFN_ROW_COUNTS_H
#define TOPFN_ROW_COUNTS_H

#include "engine/model/profile.h"

/* Samples of stacks that have a row. */
struct row_count {
    uint64_t outer; /* as the outer one */
    uint64_t alone; /* of these, as the only one */
    uint64_t inner; /* on top of another one */
};

/* Those that were taken in its innermost frame. */
static inline uint64_t row_count_ends(const struct row_count *count)
{
    return count->alone + count->inner;
}

/* By row; to be freed. `samples` are by stack. */
struct row_count *row_counts(const struct profile *p, const uint64_t *samples);

#endif
