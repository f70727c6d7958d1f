/*
 * annotate_rows - what annotate shows of code, before it is written.
 *
 *     struct annotate_view v = {.subject = subject};
 *     annotate_drawn_rows(&v, function, part);
 *     use(v.rows.data, v.rows.len);
 *     annotate_view_release(&v);
 *
 * Part of the report annotate (annotate.h).
 */
#ifndef TOPFN_ANNOTATE_ROWS_H
#define TOPFN_ANNOTATE_ROWS_H

#include "engine/base/arena.h"
#include "engine/base/vec.h"
#include "report/profile/annotate.h"

/* A line of the table: an instruction, or what stands above some. */
struct annotate_row {
    const struct annotated *function;
    const struct annotated_part *part;
    const struct annotated_instruction *instruction; /* NULL: source */
    const char *prefix; /* what is drawn before the text */
    const char *text;
    const char *bytes, *inlined_into; /* of data only */
};

struct annotate_view {
    const struct subject *subject;
    VEC(struct annotate_row) rows;
    struct arena arena;
};

/* For reading: source lines above instructions, marks and bars before them. */
void annotate_drawn_rows(struct annotate_view *view,
                         const struct annotated *function,
                         const struct annotated_part *part);
/* For programs: instructions alone, with all that is known of each. */
void annotate_data_rows(struct annotate_view *view,
                        const struct annotated *function,
                        const struct annotated_part *part);
void annotate_view_release(struct annotate_view *view);

#endif
