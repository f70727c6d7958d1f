/*
 * ahead - buffers decoded ahead of the one who takes them in order.
 *
 *     struct etl_ahead *ahead = etl_ahead_new(recording, workers);
 *     etl_ahead_help(ahead, worker); // any number of threads
 *     while ((decoded = etl_ahead_take(ahead, worker))) { // and one
 *         ...
 *         etl_ahead_give_back(ahead, decoded);
 *     }
 *     etl_ahead_free(ahead);
 *
 * The thread that takes also decodes, if nobody has begun the next buffer: so
 * it needs no helper, and nobody waits for a round to end. Memory holds as many
 * decoded buffers as may be ahead, and those not given back.
 */
#ifndef TOPFN_ETL_AHEAD_H
#define TOPFN_ETL_AHEAD_H

#include "engine/format/etl/etl.h"

/* For `workers` workers, numbered from 0. */
struct etl_ahead *etl_ahead_new(const struct etl_recording *recording,
                                unsigned workers);
void etl_ahead_free(struct etl_ahead *ahead);

/* Decodes buffers, until all are begun. */
void etl_ahead_help(struct etl_ahead *ahead, unsigned worker);

/* The next buffer of the recording's list; NULL: all were taken. */
struct etl_decoded *etl_ahead_take(struct etl_ahead *ahead, unsigned worker);

/* Its memory serves another one. */
void etl_ahead_give_back(struct etl_ahead *ahead, struct etl_decoded *decoded);

/* The counts of all buffers, by worker, once all were taken. */
struct etl_counts *etl_ahead_counts(struct etl_ahead *ahead);

#endif
