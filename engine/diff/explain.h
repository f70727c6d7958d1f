/*
 * diff_explain - by way of which calls a function's change came about.
 *
 *     struct diff_explanation e = {0};
 *     diff_explain(&e, diff, row, DIFF_FROM_CALLERS);
 *     for (size_t i = 0; i < e.parts.len; i++)
 *         use(&e.parts.data[i]);
 *     diff_explanation_release(&e);
 *
 * Every sample of the function belongs to one part: the caller it came from,
 * or, for inclusive counts, the function's own code or the callee it was in.
 * The parts are the fewest that come within a tenth of the change, eight at
 * most; a last one holds the rest, so that all add up to it.
 */
#ifndef TOPFN_DIFF_EXPLAIN_H
#define TOPFN_DIFF_EXPLAIN_H

#include "engine/diff/diff.h"

enum diff_direction {
    DIFF_FROM_CALLERS, /* of the outermost call; of exclusive samples, of
                          the innermost */
    DIFF_INSIDE        /* own code and callees; inclusive counts only */
};

enum diff_part_kind {
    DIFF_PART_OWN,    /* the function's own code */
    DIFF_PART_CALLEE, /* what it called */
    DIFF_PART_CALLER, /* called from */
    DIFF_PART_TOP,    /* called by nothing: outermost on its stack */
    DIFF_PART_REST    /* all others */
};

struct diff_part {
    uint32_t function; /* unit of a callee or caller; else NO_ID */
    uint8_t kind;      /* enum diff_part_kind */
    double value[2], change;
    size_t edges; /* that a rest is made of; else 1 */
};

struct diff_explanation {
    VEC(struct diff_part) parts; /* largest first, the rest last */
    double change;               /* what they add up to */
};

/* For a row of functions, not of paths. */
void diff_explain(struct diff_explanation *explanation, const struct diff *d,
                  const struct diff_row *row, enum diff_direction direction);
void diff_explanation_release(struct diff_explanation *explanation);

const char *diff_part_name(enum diff_part_kind kind);

#endif
