/*
 * page_data - what a page holds, packed to a size that can be mailed.
 *
 *     struct page_data data = {0};
 *     page_data_make(&data, sides, 1);
 *     page_data_release(&data);
 *
 * Blocks, each packed (page_bytes.h); one of sources may be added:
 *
 *     names     JSON: functions, modules, threads, processes
 *     tree      columns of the nodes (page_tree.h): depth, function, inlined
 *               (0 or 1), samples before, samples after. The page has the
 *               second count of two sides only.
 *     samples   of one side. By thread the number of its rows; then columns of
 *               all rows, by thread and time: change of the step in time, of
 *               the node, the number of samples less 1, the code of the
 *               innermost frame (algebra.h: bits of enum leaf_kind, above them
 *               the tier), and the processor, where there is room. The first
 *               row of a thread counts from 0.
 *
 * Samples of a thread that are alike within a step are one row. Processors
 * go first, then steps become longer, then nodes fewer, until everything has
 * its place in PAGE_MOST bytes.
 */
#ifndef TOPFN_PAGE_DATA_H
#define TOPFN_PAGE_DATA_H

#include "report/page/page_bytes.h"
#include "report/page/page_tree.h"

enum {
    PAGE_MOST = 2800000,       /* bytes of all blocks as text */
    PAGE_SOURCE_MOST = 600000, /* of these, where sources are wanted */
    PAGE_NODES_MOST = 250000,  /* in the tree */
};

struct page_data {
    struct page_stacks stacks;
    struct page_tree tree;
    VEC(uint32_t) threads;   /* of the profile: those with samples */
    VEC(uint32_t) processes; /* of these */
    struct page_bytes names, nodes, samples;
    struct page_bytes source; /* page_source.h */
    size_t sources;           /* functions that have it */
    bool wants_source, sources_cut;
    bool sources_of_first; /* of a side's runs */
    size_t rows;
    bool has_cpus;
    int64_t step, end; /* nanoseconds: of a step, of the last sample */
};

void page_data_make(struct page_data *data, const struct page_side *sides,
                    size_t count);
void page_data_release(struct page_data *data);

/* In page_names.c and page_rows.c, for page_data.c. */
void page_names(struct page_data *data, const struct profile *p);
void page_threads(struct page_data *data, const struct page_side *side);
/* These are not packed yet. */
void page_rows(struct page_data *data, const struct page_side *side,
               int64_t steps, bool has_cpus);

#endif
