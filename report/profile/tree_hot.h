/*
 * tree_hot - the hot path as a report of its own (engine/analysis/hot_path.h).
 */
#ifndef TOPFN_TREE_HOT_H
#define TOPFN_TREE_HOT_H

#include "report/report.h"

/* In any format; JSON: schema "topfn.tree/1" with rows of "depth",
 * "inclusive", "recursion" and what a function has. */
void tree_hot(const struct subject *subject, struct out *out);

#endif
