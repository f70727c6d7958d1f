/*
 * outer_parts - the outer parts of stacks, by process, as rows of places.
 *
 * A place is an address of a process in one role. Runs of a process have most
 * of their addresses in common, so each is looked up by hash once per run
 * here, in a table of the process alone that fits the cache; what is asked
 * for every frame after that is asked by number.
 *
 *     struct outer_parts parts;
 *     outer_parts_init(&parts, seen);
 *     uint32_t id = outer_parts_add(&parts, process, run);  // of each sample
 *     outer_parts_number(&parts, pool);                     // after the last
 *     const uint32_t *row = outer_parts_row(&parts, &parts.list.data[id]);
 *     struct place *outermost = outer_parts_place(&parts, process, row[0]);
 *     outer_parts_release(&parts);
 *
 * Processes are numbered side by side; nothing of it shows, as numbers of
 * places are their process's own.
 */
#ifndef TOPFN_OUTER_PARTS_H
#define TOPFN_OUTER_PARTS_H

#include "engine/base/threads.h"
#include "engine/observations/observations.h"

/* What an address is, for who keeps it here: nothing yet while from > to. */
struct place {
    uint64_t address;
    int64_t from, to; /* the location holds for from <= time <= to */
    uint32_t location;
    bool caller;
};

/* A run in a process, and the stack it makes on its own. */
struct outer_part {
    uint32_t process, run;
    uint32_t stack;
    int64_t from, to; /* the stack holds; from > to: there is none yet */
    size_t first;     /* of its row */
};

struct outer_parts {
    const struct observations *seen;
    VEC(struct outer_part) list; /* in the order of their addition */
    uint32_t *of_run;            /* by run: that of its first process */
    struct map others;           /* (process, run) -> the others */
    size_t frames;
    uint32_t *rows; /* numbers of places, outermost first */
    struct process_places *processes;
    size_t process_count;
};

struct process_places {
    VEC(struct place) list;
};

void outer_parts_init(struct outer_parts *parts,
                      const struct observations *seen);
void outer_parts_release(struct outer_parts *parts);

/* The id of this part, added if new. */
uint32_t outer_parts_add(struct outer_parts *parts, uint32_t process,
                         uint32_t run);

/* After the last addition. */
void outer_parts_number(struct outer_parts *parts, struct threads *pool);

/* As many as the run has frames. */
static inline const uint32_t *outer_parts_row(const struct outer_parts *parts,
                                              const struct outer_part *part)
{
    return parts->rows + part->first;
}

static inline struct place *outer_parts_place(const struct outer_parts *parts,
                                              uint32_t process, uint32_t number)
{
    return &parts->processes[process].list.data[number];
}

/*
 * Whether frame `i` of a part is one that a call returns to. The innermost of
 * a part is where the processor stopped: a leaf, or user code that gave way to
 * the kernel. So is user code below the kernel's within a part, and what the
 * recorder says.
 */
bool frame_is_caller(const struct observations *seen,
                     const struct callchain *run, uint32_t i);

#endif
