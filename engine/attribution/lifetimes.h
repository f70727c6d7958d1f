/*
 * lifetimes - which process and thread an id meant at a time.
 *
 * Ids are reused; a life is one use of an id. Lives are worked out from all
 * facts of the trace, so a thread known only from its end is known before it.
 *
 * A process or thread that changes its name (exec, prctl) lives on: it gets a
 * row of the profile for each name that it was sampled under. The process's
 * rows have one memory, that of the row of its last name.
 */
#ifndef TOPFN_LIFETIMES_H
#define TOPFN_LIFETIMES_H

#include "engine/attribution/observations.h"

/* Lives sorted by (key, start): a look-up is a binary search. */
struct lifetime {
    uint64_t key;
    int64_t start;
    uint32_t thing; /* index in the profile; of a name, that of its fact */
};

struct lifetime_index {
    VEC(struct lifetime) lives;
};

struct lifetimes {
    struct observations *seen;
    struct lifetime_index processes;                   /* by pid */
    struct lifetime_index threads;                     /* by tid */
    struct lifetime_index threads_of_process;          /* by pid and tid */
    struct lifetime_index process_names, thread_names; /* by the life's row */
    /* Things that no fact describes: by pid; by tid (and pid) and process. */
    struct map made_up_processes, made_up_threads;
    /* Rows of other names: (row, name); (row, row of its process, name). */
    struct map renamed_processes, renamed_threads;
    struct map memory_of; /* row of another name -> row of the last */
};

/* Fills the profile's processes and threads from the facts. */
void lifetimes_build(struct lifetimes *lives, struct observations *seen);
void lifetimes_release(struct lifetimes *lives);

/* Call when no thread will be asked for any more: gives back what is needed
 * for threads alone. */
void lifetimes_forget_threads(struct lifetimes *lives);

/* The process that had `pid` at `time`, or the nearest in time, in the row of
 * its last name; one is made when the trace never describes it. */
uint32_t lifetimes_process(struct lifetimes *lives, uint32_t pid, int64_t time);

/* The thread that had `tid` at `time`, in the row of the names that it and its
 * process had then; with a `pid` it must be of that process, and is made if
 * there is none. The answer holds for later times before `*until`. */
uint32_t lifetimes_thread(struct lifetimes *lives, uint32_t tid, uint32_t pid,
                          int64_t time, int64_t *until);

/* The row of a process that has its memory. */
uint32_t lifetimes_memory(const struct lifetimes *lives, uint32_t process);

#endif
