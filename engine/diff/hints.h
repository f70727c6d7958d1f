/*
 * diff_hints - why a function may look new, gone or changed.
 *
 *     diff_hints_find(d);                  // diff_new does
 *     diff_hint_print(d, &d->rows[i], out); // "was rnd", or nothing
 *
 * A row says what its function was paired with, if the name or the module is
 * another one. A function that is gone, or new, says what it may have become:
 * one that was inlined without debug information makes its callers grow by
 * about as much as it had, and they say so, too. Chains of frame pointers leave
 * out the caller of a leaf function: there the only function of its module that
 * grew by as much may be the caller.
 */
#ifndef TOPFN_DIFF_HINTS_H
#define TOPFN_DIFF_HINTS_H

#include "engine/base/out.h"
#include "engine/diff/diff.h"

enum diff_hint {
    DIFF_HINT_NONE,
    DIFF_HINT_WAS,          /* paired with a function of another name */
    DIFF_HINT_MOVED,        /* paired with one of another module */
    DIFF_HINT_PERHAPS_WAS,  /* new: it may be one that is gone */
    DIFF_HINT_PERHAPS_IS,   /* gone: it may be one that is new */
    DIFF_HINT_INTO_CALLER,  /* gone: its callers have its samples */
    DIFF_HINT_OUT_OF_CALLER, /* new: its callers lack its samples */
    DIFF_HINT_INTO,         /* gone: this function has its samples */
    DIFF_HINT_OUT_OF,       /* new: this function lacks its samples */
    DIFF_HINT_HAS_TAKEN,    /* the caller of a function that is gone */
    DIFF_HINT_HAS_GIVEN     /* the caller of a new function */
};

/* Rows of functions only; judged already. */
void diff_hints_find(struct diff *d);

void diff_hint_print(const struct diff *d, const struct diff_row *row,
                     struct out *out);

#endif
