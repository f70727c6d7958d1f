/*
 * rank - flat rankings: what was sampled, grouped and sorted.
 *
 *     struct ranking *r = ranking_new(p, sel, RANK_FUNCTION, SORT_EXCLUSIVE);
 *     for (size_t i = 0; i < r->len; i++)
 *         print(rank_label(...));
 *     ranking_free(r);
 *
 * The sum of `exclusive` over all rows is the number of selected samples,
 * for every grouping. `inclusive` counts a row once per sample however often
 * it recurs on the stack.
 */
#ifndef TOPFN_RANK_H
#define TOPFN_RANK_H

#include "engine/base/arena.h"
#include "engine/select.h"

enum rank_by {
    RANK_FUNCTION,
    RANK_MODULE,
    RANK_PROCESS,
    RANK_THREAD,
    RANK_FILE,
    RANK_LINE,
    RANK_ADDRESS,
    RANK_KIND,
};

enum rank_sort { SORT_EXCLUSIVE, SORT_INCLUSIVE };

struct rank_row {
    uint64_t exclusive, inclusive;
    const char *name; /* ready to print; owned by the ranking */
    const char *module; /* "" where a row has none */
    uint32_t id;      /* function, thread, process or location id; else the
                         first location of the row; NO_ID without */
    uint8_t kind;     /* enum code_kind */
    uint8_t cause;    /* enum name_cause; CAUSE_NONE when named */
};

struct ranking {
    struct rank_row *rows; /* sorted; equal counts by name, then module */
    size_t len;
    struct arena arena;
};

struct ranking *ranking_new(const struct profile *p,
                            const struct selection *sel, enum rank_by by,
                            enum rank_sort sort);
void ranking_free(struct ranking *ranking);

#endif
