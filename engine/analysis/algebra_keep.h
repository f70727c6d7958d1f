/*
 * algebra_keep - the third step: which stacks stay.
 */
#ifndef TOPFN_ALGEBRA_KEEP_H
#define TOPFN_ALGEBRA_KEEP_H

#include "engine/analysis/algebra.h"

/* By stack, whether its samples stay; NULL: all do. To be freed. */
bool *stacks_kept(const struct profile *p, const struct filter *filter,
                  struct algebra_notes *notes);

#endif
