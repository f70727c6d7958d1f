/*
 * diff_block_counts - samples by unit, in each of the blocks of a trace.
 *
 *     struct block_counts counts = {0};
 *     block_counts_take(&counts, &of, rows, blocks);
 *     use(counts.entries.data, counts.ends, counts.total);
 *     block_counts_release(&counts);
 *
 * Blocks are of equal time, or of equal numbers of samples where shares are
 * counted (diff/blocks.h). Units without a sample in a block have no entry.
 */
#ifndef TOPFN_DIFF_BLOCK_COUNTS_H
#define TOPFN_DIFF_BLOCK_COUNTS_H

#include "engine/diff/blocks.h"

struct block_entry {
    uint64_t count;
    uint32_t unit;
};

struct block_counts {
    double total[BLOCKS_MOST];       /* by block: of all samples */
    size_t ends[BLOCKS_MOST];        /* by block: behind its last entry */
    VEC(struct block_entry) entries; /* in order of blocks */
};

/* Samples that are selected, whatever they weigh. */
uint64_t block_counts_rows(const struct diff_input *input);

/* Of so many rows, in so many blocks; at most BLOCKS_MOST. */
void block_counts_take(struct block_counts *counts,
                       const struct diff_blocks_of *of, uint64_t rows,
                       unsigned blocks);
void block_counts_release(struct block_counts *counts);

#endif
