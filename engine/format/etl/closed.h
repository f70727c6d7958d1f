/*
 * closed - the sample of a thread at a time, of those that were taken.
 *
 * Parts name events that are long past. Samples lie in order of time, so the
 * first of a time is found by bisection, from the end; of one time there are
 * few, one a processor. Where a file has more of them than that, they are
 * looked up by thread instead, each entered once: work stays in proportion to
 * the file.
 *
 *     struct etl_closed closed = {0};
 *     uint32_t sample =
 *         etl_closed_find(&closed, pending, seen, time, tid, cpu);
 *     etl_closed_release(&closed);
 */
#ifndef TOPFN_ETL_CLOSED_H
#define TOPFN_ETL_CLOSED_H

#include "engine/format/etl/pending.h"

struct etl_closed {
    struct map ids; /* first sample of a time -> index in `equals` */
    VEC(struct equal_samples) equals;
    uint64_t steps; /* over samples of one time, for tests */
};

/* The first sample of the thread at that time, or NO_ID; of thread 0, which
 * runs on every processor, that on `cpu`. */
uint32_t etl_closed_find(struct etl_closed *closed,
                         const struct etl_pending *samples,
                         const struct observations *seen, int64_t time,
                         uint32_t tid, uint16_t cpu);

void etl_closed_release(struct etl_closed *closed);

#endif
