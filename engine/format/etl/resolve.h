/*
 * resolve - the keys of samples' parts become frames, once all are defined.
 *
 *     etl_resolve(&samples, &keys, &runs, kernel_from, threads);
 *
 * A part without a definition is dropped; its sampled address, if it was a
 * sample's own part, takes its place. Samples are gone through side by side.
 * Only such addresses may be new runs: they are added afterwards, in the order
 * of the samples, so that runs are numbered as one thread would.
 */
#ifndef TOPFN_ETL_RESOLVE_H
#define TOPFN_ETL_RESOLVE_H

#include "engine/format/etl/pending.h"
#include "engine/format/etl/runs.h"

/* Frames take the place of a sample's keys that are defined by now. */
static inline void etl_resolve_so_far(struct etl_pending *samples,
                                      const struct etl_keys *keys,
                                      uint32_t sample)
{
    etl_pending_set(samples, sample,
                    etl_keys_so_far(keys, etl_pending_outer(samples, sample)),
                    etl_keys_so_far(keys, etl_pending_inner(samples, sample)));
}

void etl_resolve(struct etl_pending *samples, const struct etl_keys *keys,
                 struct etl_runs *runs, uint64_t kernel_from, unsigned threads);

#endif
