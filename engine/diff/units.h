/*
 * diff_units - what a sample counts for, by its stack.
 *
 * A row of a diff is a function or a call path; both are numbered units. For
 * exclusive counts a stack has one unit, that of its innermost frame. For
 * inclusive counts it has those units that are met for the first time on the
 * way to it: a sample at or below the stack counts for each of them once,
 * however often they recur.
 *
 * Processes and threads are no property of a stack: there the unit is that of
 * a sample's thread, and what a sample is counted by is its thread.
 *
 *     struct diff_places places = {0};
 *     diff_places_of_functions(&places, &input, unit_of, true);
 *     ...
 *     diff_places_release(&places);
 */
#ifndef TOPFN_DIFF_UNITS_H
#define TOPFN_DIFF_UNITS_H

#include "engine/analysis/rank.h"
#include "engine/diff/pair.h"

struct diff_places {
    const struct profile *p;
    bool below; /* inclusive: samples below count too */
    uint32_t *of_thread;   /* by thread, where it is that; or NULL */
    uint32_t *start;       /* else by stack, one more than there are */
    VEC(uint32_t) units;   /* of stack s: start[s] .. start[s + 1] */
};

/* A sample counts by its stack, or by its thread. */
static inline uint32_t diff_places_key(const struct diff_places *places,
                                       size_t sample)
{
    return (places->of_thread ? places->p->samples.thread
                              : places->p->samples.stack)[sample];
}

/* From the first, as stack 0 is none, to behind the last. */
static inline size_t diff_places_first(const struct diff_places *places)
{
    return places->of_thread ? 0 : 1;
}

static inline size_t diff_places_keys(const struct diff_places *places)
{
    return places->of_thread ? places->p->threads.len : places->p->stacks.len;
}

/* The units of a stack, or of a thread; *n becomes how many. */
static inline const uint32_t *diff_places_at(const struct diff_places *places,
                                             size_t stack, size_t *n)
{
    *n = 1;
    if (places->of_thread)
        return &places->of_thread[stack];
    *n = places->start[stack + 1] - places->start[stack];
    return places->start[stack + 1] ? places->units.data + places->start[stack]
                                    : NULL;
}

/* A call path: a unit of functions below another path. Path 0 is the root.
 * Frames inlined or not are the same to it. */
struct diff_path {
    uint32_t parent, function; /* NO_ID for the root */
};

struct diff_paths {
    VEC(struct diff_path) list;
    struct map ids;
};

void diff_places_of_functions(struct diff_places *places,
                              const struct diff_input *input,
                              const uint32_t *unit_of, bool inclusive);

/* None at all: what is counted is all samples together. */
void diff_places_of_none(struct diff_places *places,
                         const struct diff_input *input);

/* Adds the input's paths to those there are. */
void diff_places_of_paths(struct diff_places *places,
                          const struct diff_input *input,
                          const uint32_t *unit_of, struct diff_paths *paths,
                          bool inclusive);
void diff_places_release(struct diff_places *places);
void diff_paths_release(struct diff_paths *paths);

/*
 * diff_groups - rows other than functions: modules, processes, threads, ...
 *
 *     struct diff_groups groups = {.by = RANK_MODULE};
 *     diff_places_of_groups(&places, &input, pairs, unit_of, &groups, false);
 *     puts(groups.list.data[unit].name);
 *     diff_groups_release(&groups);
 *
 * Groups of one name on both sides are one row. Processes and threads are known
 * by their names, as ids differ from start to start; a line by its number and
 * the function it is in, as this is paired across builds.
 */

struct diff_group {
    const char *name, *label, *module;
    bool is_function; /* of RANK_LINE: one without lines */
};

struct diff_groups {
    enum rank_by by;
    VEC(struct diff_group) list;
    struct map ids;
    struct strings *keys;
    struct arena arena;
};

/* Functions have units of their own (diff/pair.h), addresses differ from
 * build to build, and kinds of code are no places. */
bool diff_groups_can(enum rank_by by);

/* Adds the input's groups to those there are. */
void diff_places_of_groups(struct diff_places *places,
                           const struct diff_input *input,
                           const struct diff_pairs *pairs,
                           const uint32_t *unit_of, struct diff_groups *groups,
                           bool inclusive);
void diff_groups_release(struct diff_groups *groups);

#endif
