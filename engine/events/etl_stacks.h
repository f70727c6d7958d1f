/*
 * etl_stacks - the stacks of kernel events, which a log tells apart from them:
 * by the time of the event and its thread, in a part of the kernel and one of
 * user mode, behind it in the log and perhaps by a key that is defined much
 * later. So they are collected before the events are walked.
 *
 *     struct etl_stacks *stacks = etl_stacks_new(&recording);
 *     etl_stack_of(stacks, time, tid, cpu, &frames, &len, &cap);
 *     etl_stacks_free(stacks);
 *
 * Memory grows with the stacks of the log.
 */
#ifndef TOPFN_EVENTS_ETL_STACKS_H
#define TOPFN_EVENTS_ETL_STACKS_H

#include "engine/format/etl/etl.h"

struct etl_stacks;

struct etl_stacks *etl_stacks_new(const struct etl_recording *recording);
void etl_stacks_free(struct etl_stacks *stacks);

/* Fills the vector with the frames, the innermost first; none when the event
 * has no stack. */
void etl_stack_of(const struct etl_stacks *stacks, uint64_t time, uint32_t tid,
                  uint16_t cpu, uint64_t **frames, size_t *len, size_t *cap);

#endif
