/*
 * inlines - calls that the compiler replaced by the called function's code.
 *
 *     if (without_inlines)
 *         inlines_fold(p);
 *
 * A location in such code has a chain of frames, innermost first, and every
 * report shows each as a function of its own. Folded, a location is what the
 * processor ran: the function that all of them were inlined into, and its
 * line with the call.
 */
#ifndef TOPFN_INLINES_H
#define TOPFN_INLINES_H

#include "engine/model/profile.h"

/* Whether any frame was inlined. */
bool inlines_any(const struct profile *p);

/* Leaves every location of a finished profile its outermost frame only. */
void inlines_fold(struct profile *p);

#endif
