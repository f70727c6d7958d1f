/*
 * wakers - puts the stack of the thread that ended a wait behind the stack of
 * the thread that waited.
 *
 * thread_time.c adds a row for each wakeup that ended blocked time; `period`
 * of the rows links them until here. If the waker had waited itself meanwhile,
 * the thread that woke it follows, and so on: a thread that waited for a chain
 * of five others shows all five. A frame "woken by NAME" stands before the
 * stack of each.
 */
#ifndef TOPFN_WAKERS_H
#define TOPFN_WAKERS_H

#include "engine/attribution/observations.h"

/* In `period` of a row: the wakeup that ended its blocked time, or that it is
 * itself. Wakeups are numbered from 1. */
static inline uint64_t wakeup_ended(uint32_t wakeup)
{
    return (uint64_t)wakeup << 1;
}

static inline uint64_t wakeup_itself(uint32_t wakeup)
{
    return (uint64_t)wakeup << 1 | 1;
}

/* The module of the locations of frames "woken by NAME". The function's own
 * module is the process of the thread. */
#define WAKERS_MODULE "[woken by]"

/* Called by attribute() when samples have threads and stacks, and before the
 * table of stacks is closed. The rows of wakeups go. */
void wakers_join(struct observations *seen);

#endif
