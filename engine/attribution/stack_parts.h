/*
 * stack_parts - runs of addresses in processes, as rows of places.
 *
 * A stack has one part or two: the outer one, and an inner one on top of it. A
 * part is a run of addresses in a process; what ran in the kernel is the same
 * in all of them. A place is an address there in one role. Runs of a process
 * have most of their addresses in common, so each is looked up by hash once
 * per run here, in a table of the process alone that fits the cache; what is
 * asked for every frame after that is asked by number.
 *
 *     struct stack_parts parts;
 *     stack_parts_init(&parts, seen);
 *     uint32_t id = stack_parts_add(&parts, process, run, time);
 *     stack_parts_number(&parts, pool); // after the last sample's
 *     const struct stack_part *part = &parts.list.data[id];
 *     struct place *outermost = stack_parts_place(&parts, part, part->row[0]);
 *     stack_parts_release(&parts);
 *
 * Processes are numbered side by side; nothing of it shows, as numbers of
 * places are their process's own.
 */
#ifndef TOPFN_STACK_PARTS_H
#define TOPFN_STACK_PARTS_H

#include "engine/base/threads.h"
#include "engine/observations/observations.h"

/* An address in a role. */
struct place {
    uint64_t address;
    int64_t since; /* when it was met first */
    bool caller;
};

/* A run in a process. */
struct stack_part {
    uint32_t process; /* NO_ID: in the kernel */
    uint32_t run;
    int64_t since; /* when it was met first */
    uint32_t first_place, new_places; /* those that no part before it has */
    uint32_t *row; /* as many as the run has frames, outermost first: numbers
                      of places */
};

/* The part that a run is in its first process. */
struct run_part {
    uint32_t part; /* NO_ID: none yet */
    uint32_t process;
};

struct stack_parts {
    const struct observations *seen;
    VEC(struct stack_part) list; /* in the order of their addition */
    int64_t last;                /* time of an addition */
    bool ordered;                /* additions came in order of time */
    struct run_part *of_run;     /* by run */
    struct map others;           /* (process, run) -> the others */
    uint32_t *rows;
    struct process_places *processes; /* and of the kernel, the last */
    size_t process_count;
};

struct process_places {
    VEC(struct place) list; /* in the order in which parts met them */
};

void stack_parts_init(struct stack_parts *parts,
                      const struct observations *seen);
void stack_parts_release(struct stack_parts *parts);

/* Frees all but the rows, which are what is needed in the end and the
 * caller's then. */
uint32_t *stack_parts_take_rows(struct stack_parts *parts);

/* A part that is new, or of a run that another process had before. */
uint32_t stack_parts_add_other(struct stack_parts *parts, uint32_t process,
                               uint32_t run, int64_t time);

/* The id of this part of a sample, added if new. Process NO_ID: in the
 * kernel. */
static inline uint32_t stack_parts_add(struct stack_parts *parts,
                                       uint32_t process, uint32_t run,
                                       int64_t time)
{
    struct run_part part = parts->of_run[run];

    parts->ordered &= time >= parts->last;
    parts->last = time > parts->last ? time : parts->last;
    return part.process == process && part.part != NO_ID
               ? part.part
               : stack_parts_add_other(parts, process, run, time);
}

/* Whether this run was met in the kernel already. */
static inline bool stack_parts_met_in_kernel(const struct stack_parts *parts,
                                             uint32_t run)
{
    struct run_part part = parts->of_run[run];

    return part.part != NO_ID && part.process == NO_ID;
}

/* This run is added soon: what is known of it is fetched. */
static inline void stack_parts_soon(const struct stack_parts *parts,
                                    uint32_t run)
{
    mem_fetch(&parts->of_run[run]);
}

/* After the last addition. */
void stack_parts_number(struct stack_parts *parts, struct threads *pool);

static inline struct place *stack_parts_place(const struct stack_parts *parts,
                                              const struct stack_part *part,
                                              uint32_t number)
{
    size_t process =
        part->process == NO_ID ? parts->process_count : part->process;

    return &parts->processes[process].list.data[number];
}

/*
 * Whether frame `i` of a part is one that a call returns to. The innermost of
 * a part is where the processor stopped: a leaf, or user code that gave way to
 * the kernel. So is user code below the kernel's within a part, and what the
 * recorder says.
 */
static inline bool frame_is_caller(const struct observations *seen,
                                   const struct callchain *run, uint32_t i)
{
    if (!i || (run->exact && run->exact[i]))
        return false;
    return callchain_frame(run, i) >= seen->kernel_from ||
           callchain_frame(run, i - 1) < seen->kernel_from;
}

#endif
