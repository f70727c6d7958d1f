/*
 * compare_two - a diff of profiles at hand, in two lines.
 *
 *     struct comparison *c = compare_two(before, after, NULL);
 *     ck_assert_int_eq(comparison_row(c, "work")->verdict, DIFF_SLOWER);
 *     comparison_free(c);
 */
#ifndef TOPFN_TESTS_COMPARE_TWO_H
#define TOPFN_TESTS_COMPARE_TWO_H

#include "engine/diff/diff.h"

enum { COMPARED_MOST = 16 };

struct comparison {
    struct diff_input inputs[COMPARED_MOST];
    size_t count;
    struct diff *diff;
};

/* A profile of stacks of 200 samples each, `|` between. */
struct profile *compared_stacks(const char *text);

/* The profiles stay the caller's; NULL options are the defaults. */
struct comparison *compare_two(const struct profile *before,
                               const struct profile *after,
                               const struct diff_options *options);
struct comparison *compare_runs(const struct profile *const *before,
                                size_t befores,
                                const struct profile *const *after,
                                size_t afters,
                                const struct diff_options *options);
void comparison_free(struct comparison *c);

/* The row of this name, or NULL. */
const struct diff_row *comparison_row(const struct comparison *c,
                                      const char *name);

#endif
