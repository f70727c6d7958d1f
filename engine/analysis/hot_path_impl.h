/*
 * Of hot_path's own files: hot_path.c goes from callers to callees, hot_tree.c
 * and hot_rows.c know where these are in stacks of either kind.
 */
#ifndef TOPFN_HOT_PATH_IMPL_H
#define TOPFN_HOT_PATH_IMPL_H

#include "engine/analysis/hot_path.h"

/* A frame of one call path. */
struct hot_place {
    uint64_t samples; /* there and farther in */
    uint32_t frame;   /* id; and that of the innermost of its location */
    uint32_t innermost;
    uint32_t of; /* its stack, or its row */
    union {
        struct {
            uint32_t chain; /* the stack's */
            uint32_t joint; /* the first one that is not farther out */
        } tree;
        struct {
            uint32_t at; /* location of the row, from the outermost one on */
            bool inner;  /* the row is on top of another one */
        } row;
    };
};

struct hot_places {
    struct hot_place *data;
    size_t len, cap;
};

struct hot_walk {
    const struct profile *p;
    const struct selection *sel;
    struct hot_places here, ahead; /* where it is, and where it may go on */
    void *stacks;                  /* what hot_stacks needs */
};

struct hot_stacks {
    /* Has the outermost frames ahead. */
    void (*begin)(struct hot_walk *w);
    /* Adds those that a frame calls, which is the innermost one of its
     * location. */
    void (*below)(struct hot_walk *w, const struct hot_place *place);
    void (*end)(struct hot_walk *w);
};

extern const struct hot_stacks hot_tree, hot_rows;

/* Has a place ahead, but that its frame is the outermost one of a location. */
static inline void hot_enter(struct hot_walk *w, uint32_t location,
                             struct hot_place place)
{
    place.frame = w->p->frame_start.data[location + 1] - 1;
    place.innermost = w->p->frame_start.data[location];
    *vec_add(&w->ahead) = place;
}

#endif
