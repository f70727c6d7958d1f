/*
 * rank - flat rankings: what was sampled, grouped and sorted.
 *
 *     struct ranking *r = ranking_new(p, sel, RANK_FUNCTION, SORT_EXCLUSIVE);
 *     for (size_t i = 0; i < r->len; i++)
 *         puts(r->rows[i].name);
 *     ranking_free(r);
 *
 * The sum of `exclusive` over all rows is the number of selected samples,
 * for every grouping (of inputs, as far as they have them). `inclusive` counts
 * a row once per sample however often it recurs on the stack. Where samples
 * have periods rows are in the order of those. Processes, threads and inputs
 * have no callers: there the two are equal. Code without a name of its kind is
 * in a row "[unknown]".
 */
#ifndef TOPFN_RANK_H
#define TOPFN_RANK_H

#include "engine/analysis/aggregate.h"
#include "engine/base/arena.h"

enum rank_sort { SORT_EXCLUSIVE, SORT_INCLUSIVE };

struct rank_row {
    uint64_t exclusive, inclusive;
    /* The part of these in which the code was inlined. */
    uint64_t inlined_exclusive, inlined_inclusive;
    /* Sums of the samples' periods; 0 without periods. */
    uint64_t exclusive_period, inclusive_period;
    const char *name;   /* ready to print; the ranking's or the profile's */
    const char *label;  /* a function's, as people read it; else `name` */
    const char *module; /* "" where a row has none */
    /* For a line, the function with most samples there; for an address, that of
       its first location; NULL if unknown. */
    const char *function, *function_label;
    const char *file;   /* NULL unknown; functions: of their first location */
    uint32_t line;      /* 0 unknown; lines and addresses only */
    uint32_t id;        /* function, thread or process id; else the row's
                           first location */
    uint32_t group;     /* of code: that of aggregate.h; else the id */
    uint32_t pid, tid;  /* of processes and threads */
    uint64_t address;   /* RVA in an image, start of a method, or address */
    bool has_address;   /* functions and addresses only, and not all */
    uint32_t method;    /* of a function: that of its first location; or
                           NO_ID */
    uint8_t kind;       /* enum code_kind, of the first location */
    uint8_t cause;      /* enum name_cause; CAUSE_NONE when named */
};

struct ranking {
    struct rank_row *rows; /* sorted; equal ones by inclusive, then name */
    size_t len;
    size_t total; /* rows there are; more than `len` after ranking_top */
    struct arena arena;
};

/* The first `limit` rows (0: all), and some of those as large as the last of
 * them: naming and sorting a hundred thousand rows to show thirty takes longer
 * than counting them. */
struct ranking *ranking_top(const struct profile *p,
                            const struct selection *sel, enum rank_by by,
                            enum rank_sort sort, size_t limit);

/* Ranks the functions that are chosen: most exclusive samples first, then
 * most inclusive ones. The first `limit` (0: all), and perhaps more. */
struct ranking *ranking_of(const struct profile *p, const struct selection *sel,
                           const bool *functions, size_t limit);

/* All rows. */
struct ranking *ranking_new(const struct profile *p,
                            const struct selection *sel, enum rank_by by,
                            enum rank_sort sort);
void ranking_free(struct ranking *ranking);

#endif
