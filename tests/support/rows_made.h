/*
 * rows_made - stacks of a tree as rows, the other way than whole_stacks.h.
 */
#ifndef TOPFN_ROWS_MADE_H
#define TOPFN_ROWS_MADE_H

#include "engine/model/profile.h"

/* Each stack that samples have becomes one row or two, cut anywhere; equal
 * rows are one, whether they are outer or inner ones. */
void rows_made(struct profile *p, uint32_t seed);

#endif
