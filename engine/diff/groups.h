/*
 * diff_groups - rows other than functions: modules, processes, threads, ...
 *
 *     struct diff_groups groups = {.by = RANK_MODULE};
 *     diff_places_of_groups(&places, &input, pairs, unit_of, &groups, false);
 *     puts(groups.list.data[unit].name);
 *     diff_groups_release(&groups);
 *
 * What has one name on both sides is one row. Processes and threads are known
 * by their names, as ids differ from start to start; a line by its number and
 * the function it is in, as this is paired across builds.
 */
#ifndef TOPFN_DIFF_GROUPS_H
#define TOPFN_DIFF_GROUPS_H

#include "engine/analysis/rank.h"
#include "engine/diff/places.h"

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
