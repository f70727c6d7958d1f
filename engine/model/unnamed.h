/*
 * unnamed - code without names, one function a module.
 *
 *     if (!by_address)
 *         unnamed_fold(p);
 *
 * A finished profile has a function for every address that nobody named, so
 * a module with a quarter of the samples is spread over hundreds of rows of
 * one sample each, none of which says anything. Folded, all such code of a
 * module is one function, NAME_NO_SYMBOLS in that module, and memory that
 * belongs to no module is NAME_UNKNOWN. Locations stay what they are: a
 * ranking by address still tells them apart, and so do the causes that a
 * selection counts.
 */
#ifndef TOPFN_UNNAMED_H
#define TOPFN_UNNAMED_H

#include "engine/model/profile.h"

#define NAME_NO_SYMBOLS "[no symbols]"
#define NAME_UNKNOWN    "[unknown]"

/* Changes functions and frames, in place. Names of modules are compared
 * without regard to ASCII case. A second call changes nothing. With
 * folds_unnamed set before, profile_finish has done it. */
void unnamed_fold(struct profile *p);

/* For profile_finish: also where it left frames without a function, NO_ID. */
void unnamed_fold_all(struct profile *p);

#endif
