/*
 * lifetimes - which process and thread an id meant at a time.
 *
 * Ids are reused; a life is one use of an id. Lives are worked out from all
 * facts of the trace, so a thread known only from its end is known before it.
 */
#ifndef TOPFN_LIFETIMES_H
#define TOPFN_LIFETIMES_H

#include "engine/observations/observations.h"

/* Lives sorted by (key, start): a look-up is a binary search. */
struct lifetime {
    uint64_t key;
    int64_t start;
    uint32_t thing; /* index in the profile */
};

struct lifetime_index {
    VEC(struct lifetime) lives;
    struct map made_up; /* key -> thing that no fact describes */
};

struct lifetimes {
    struct observations *seen;
    struct lifetime_index processes;          /* by pid */
    struct lifetime_index threads;            /* by tid */
    struct lifetime_index threads_of_process; /* by pid and tid */
};

/* Fills the profile's processes and threads from the facts. */
void lifetimes_build(struct lifetimes *lives, struct observations *seen);
void lifetimes_release(struct lifetimes *lives);

/* The process that had `pid` at `time`, or the nearest in time; one is made
 * when the trace never describes it. */
uint32_t lifetimes_process(struct lifetimes *lives, uint32_t pid, int64_t time);

/* The thread that had `tid` at `time`; with a `pid` it must be of that
 * process, and is made if there is none. The answer holds for later times
 * before `*until`. */
uint32_t lifetimes_thread(struct lifetimes *lives, uint32_t tid, uint32_t pid,
                          int64_t time, int64_t *until);

#endif
