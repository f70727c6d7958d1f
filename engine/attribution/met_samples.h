/*
 * met_samples - the threads of samples, and the pairs of parts that their
 * stacks are made of, before anything is located.
 *
 *     struct met_samples met;
 *     meet_samples(&met, seen, &lives, &parts, pool);
 *     stack_parts_number(&parts, pool);
 *     met_samples_finish(&met, pool);
 *     struct row_pair pair = met.pairs.list.data[seen->samples.outer[i]];
 *     vec_release(&met.pairs.list);
 *
 * Threads take the place of their keys, and pairs that of outer runs; inner
 * runs are freed. Threads that nobody described are made up, and so are their
 * processes: afterwards all of them are known. Flags of samples say which
 * parts they have.
 *
 * A pair has the ids of two parts (stack_parts.h). One part alone is the outer
 * one, and the inner one is NO_ID; if the outer one is NO_ID the sample has
 * neither stack nor address. Pairs and parts are numbered in the order in
 * which samples come: first the parts, by the caller, and behind him, beside
 * what he does next, the pairs of those samples whose parts are known.
 */
#ifndef TOPFN_MET_SAMPLES_H
#define TOPFN_MET_SAMPLES_H

#include "engine/attribution/lifetimes.h"
#include "engine/attribution/pair_ids.h"
#include "engine/attribution/stack_parts.h"

struct met_samples {
    struct observed_samples *samples;
    struct pair_ids pairs;
    struct threads_series series; /* pairs */
    uint32_t none; /* pair of the samples that have no part, if there are any */
    uint32_t parts_before_none; /* how many parts came before the first of
                                   these; NO_ID: there are none */
};

/* Parts are known when this returns, and pairs when it is finished; until then
 * `met` stays where it is, and outer and inner runs belong to it. */
void meet_samples(struct met_samples *met, struct observations *seen,
                  struct lifetimes *lives, struct stack_parts *parts,
                  struct threads *pool);

void met_samples_finish(struct met_samples *met, struct threads *pool);

/* Those of a profile whose stacks are the pairs. */
struct samples met_samples_columns(const struct met_samples *met);

#endif
