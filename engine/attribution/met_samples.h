/*
 * met_samples - the threads of samples, and the pairs of parts that their
 * stacks are made of, before anything is located.
 *
 *     struct whole_stacks pairs = {0};
 *     meet_samples(seen, &lives, &parts, &pairs);
 *     struct row_pair pair = pairs.list.data[seen->samples.outer[i]];
 *     vec_release(&pairs.list);
 *
 * Threads take the place of their keys, and pairs that of outer runs; inner
 * runs are freed. Threads that nobody described are made up, and so are their
 * processes: afterwards all of them are known. Flags of samples say which
 * parts they have.
 *
 * A pair has the ids of two parts (stack_parts.h). One part alone is the outer
 * one, and the inner one is NO_ID; if the outer one is NO_ID the sample has
 * neither stack nor address. Pairs and parts are numbered in the order in
 * which samples come.
 */
#ifndef TOPFN_MET_SAMPLES_H
#define TOPFN_MET_SAMPLES_H

#include "engine/attribution/lifetimes.h"
#include "engine/attribution/stack_parts.h"
#include "engine/attribution/whole_stacks.h"

void meet_samples(struct observations *seen, struct lifetimes *lives,
                  struct stack_parts *parts, struct whole_stacks *pairs);

#endif
