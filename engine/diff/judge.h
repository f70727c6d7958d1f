/*
 * diff_judge - what rows show whose counts are known.
 *
 * The tests, intervals and verdicts that diff.h describes; diff.c says what
 * the rows are, diff/side.h how sure their counts are.
 */
#ifndef TOPFN_DIFF_JUDGE_H
#define TOPFN_DIFF_JUDGE_H

#include "engine/diff/diff.h"

/* Values, change and interval of a unit; names are the caller's. */
void diff_row_fill(const struct diff *d, struct diff_row *row, uint32_t unit);

/* Tests all rows and gives them verdicts. */
void diff_judge(struct diff *d);

/* All samples together, whose unit this is, as one row. */
void diff_judge_total(const struct diff *d, uint32_t unit,
                      struct diff_row *row);

#endif
