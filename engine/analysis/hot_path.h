/*
 * hot_path - where most of the samples went, call by call.
 *
 *     struct hot_path path = {0};
 *     hot_path_find(&path, p, sel);
 *     for (size_t i = 0; i < path.steps.len; i++)
 *         show(path.steps.data[i].function, path.steps.data[i].samples);
 *     hot_path_release(&path);
 *
 * Begins with the outermost function that most samples have in common and
 * goes on to the callee with the most samples as long as that keeps more than
 * half of those of its caller. A function that calls itself is one step.
 * Equal counts are told apart by name, then by module.
 */
#ifndef TOPFN_HOT_PATH_H
#define TOPFN_HOT_PATH_H

#include "engine/analysis/filter.h"

struct hot_step {
    uint32_t function;
    uint32_t depth; /* how often in a row; 1: no recursion */
    uint64_t samples;
};

struct hot_path {
    VEC(struct hot_step) steps;
};

/* Costs time and memory in proportion to the number of stacks. No steps: no
 * samples. */
void hot_path_find(struct hot_path *path, const struct profile *p,
                   const struct selection *sel);
void hot_path_release(struct hot_path *path);

#endif
