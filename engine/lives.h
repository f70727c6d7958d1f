/*
 * lives - which process and thread an id meant at a time.
 *
 * Ids are reused; a life is one use of an id. Lives are worked out from all
 * facts of the trace, so a thread known only from its end is known before it.
 */
#ifndef TOPFN_LIVES_H
#define TOPFN_LIVES_H

#include "engine/facts.h"

/* Lives sorted by (key, start): a look-up is a binary search. */
struct life {
    uint64_t key;
    int64_t start;
    uint32_t thing; /* index in the profile */
};

struct life_index {
    VEC(struct life) lives;
    struct map made_up; /* key -> thing that no fact describes */
};

struct lives {
    struct facts *facts;
    struct life_index processes;          /* by pid */
    struct life_index threads;            /* by tid */
    struct life_index threads_of_process; /* by pid and tid */
};

/* Fills the profile's processes and threads from the facts. */
void lives_build(struct lives *lives, struct facts *facts);
void lives_release(struct lives *lives);

/* The process that had `pid` at `time`, or the nearest in time; one is made
 * when the trace never describes it. */
uint32_t lives_process(struct lives *lives, uint32_t pid, int64_t time);

/* The thread that had `tid` at `time`; with a `pid` it must be of that
 * process, and is made if there is none. The answer holds for later times
 * before `*until`. */
uint32_t lives_thread(struct lives *lives, uint32_t tid, uint32_t pid,
                      int64_t time, int64_t *until);

#endif
