/*
 * Of the ranking's own files: rank.c counts and sorts, rank_rows.c names.
 */
#ifndef TOPFN_RANK_IMPL_H
#define TOPFN_RANK_IMPL_H

#include "engine/analysis/rank.h"

/* Fills all of the row but its counts; `first` is where the group was met
 * first. Texts are the ranking's or the profile's. */
void rank_describe(const struct profile *p, enum rank_by by,
                   const struct aggregate_first *first, struct ranking *r,
                   struct rank_row *row);

#endif
