/*
 * correlator - what correlate.c shares with merge.c.
 */
#ifndef TOPFN_ETL_CORRELATOR_H
#define TOPFN_ETL_CORRELATOR_H

#include "engine/format/etl/closed.h"
#include "engine/format/etl/etl.h"
#include "engine/format/etl/runs.h"
#include "engine/format/etl/thread_states.h"

/* The latest event of a processor that did not say its thread. */
struct etl_unowned {
    uint32_t sample;
    uint64_t time;
    bool waits;
};

struct etl_correlator {
    struct etl_recording *recording;
    struct observations *seen;
    uint64_t kernel_from;
    uint64_t now; /* time of the latest fact */
    struct etl_pending samples;
    struct etl_closed closed; /* where a closed one of these is found */
    struct etl_threads threads;
    struct etl_runs runs;
    struct etl_keys keys;
    VEC(struct etl_unowned) unowned; /* by processor */
};

/* Of a closed sample, how long ago it may be that a part names: forty times as
 * long as any was on the way, ns. */
static const int64_t ETL_LATEST = 10000000000;

/* No part names a closed sample before this time any more. */
static inline int64_t etl_final_before(const struct etl_correlator *c)
{
    int64_t now = etl_time(c->recording, c->now);

    return now < INT64_MIN + ETL_LATEST ? INT64_MIN : now - ETL_LATEST;
}

#endif
