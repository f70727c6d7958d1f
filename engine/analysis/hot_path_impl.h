/*
 * Of hot_path's own files: hot_tree.c and hot_rows.c go from callers to callees
 * in stacks of either kind, by what hot_path.c has for both.
 */
#ifndef TOPFN_HOT_PATH_IMPL_H
#define TOPFN_HOT_PATH_IMPL_H

#include "engine/analysis/hot_path.h"

/* What a function that is called next has in samples. */
struct hot_callee {
    uint32_t function;
    uint64_t samples;
};

/* The callees of one step. */
struct hot_callees {
    VEC(struct hot_callee) list;
    uint32_t *index; /* by function, plus one; 0: not called */
};

struct hot_callees hot_callees_of(const struct profile *p);
void hot_callees_release(struct hot_callees *callees);

static inline void hot_callees_add(struct hot_callees *callees,
                                   uint32_t function, uint64_t samples)
{
    uint32_t *index = &callees->index[function];

    if (!*index) {
        *vec_add(&callees->list) = (struct hot_callee){function, 0};
        *index = (uint32_t)callees->list.len;
    }
    callees->list.data[*index - 1].samples += samples;
}

/* Leaves none behind. */
void hot_callees_move(struct hot_callees *from, struct hot_callees *to);

/* The one with most samples, and NO_ID if there is none; forgets all. */
struct hot_callee hot_callees_take(struct hot_callees *callees,
                                   const struct profile *p);

void hot_path_add(struct hot_path *path, const struct hot_callee *step);

void hot_path_of_tree(struct hot_path *path, const struct profile *p,
                      const struct selection *sel);
void hot_path_of_rows(struct hot_path *path, const struct profile *p,
                      const struct selection *sel);

#endif
