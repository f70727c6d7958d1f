/*
 * vec - a typed growable array, on the stack or inside a struct.
 *
 *     VEC(struct sample) samples = {0};
 *     *vec_add(&samples) = (struct sample){.time = t};
 *     for (size_t i = 0; i < samples.len; i++)
 *         use(&samples.data[i]);
 *     vec_release(&samples);
 *
 * Elements move when it grows: keep indices, not pointers.
 */
#ifndef TOPFN_VEC_H
#define TOPFN_VEC_H

#include <stdlib.h>

#include "engine/base/mem.h"

#define VEC(type)                                                              \
    struct {                                                                   \
        type *data;                                                            \
        size_t len, cap;                                                       \
    }

/* Room for `n` more without another growth. */
#define vec_reserve(v, n)                                                      \
    ((v)->len + (n) <= (v)->cap                                                \
         ? (void)0                                                             \
         : (void)((v)->data = mem_grow((v)->data, &(v)->cap, (v)->len + (n),   \
                                       sizeof(*(v)->data))))

/* The address of a new last element, not initialised. */
#define vec_add(v) (vec_reserve(v, 1), &(v)->data[(v)->len++])

/* Gives back the room behind the last: for what will not grow again. */
#define vec_trim(v)                                                            \
    ((v)->cap == (v)->len                                                      \
         ? (void)0                                                             \
         : (void)((v)->data = mem_resize((v)->data, (v)->cap = (v)->len,       \
                                         sizeof(*(v)->data))))

/* Sorts the elements. */
#define vec_sort(v, compare)                                                   \
    ((v)->len ? qsort((v)->data, (v)->len, sizeof(*(v)->data), compare)        \
              : (void)0)

#define vec_release(v)                                                         \
    (free((v)->data), (v)->data = NULL, (v)->len = (v)->cap = 0)

#endif
