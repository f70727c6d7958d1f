/*
 * callers_tree - who called a function over several levels, and what it
 * called, as two small trees.
 *
 * Each begins at the function itself, where it was called first on a stack:
 * so every sample of it is on one path, recursion is one row, and the rows
 * below one add up.
 */
#ifndef TOPFN_CALLERS_TREE_H
#define TOPFN_CALLERS_TREE_H

#include "report/report.h"

/* Text or Markdown; `depth` of the options levels. */
void callers_tree(const struct subject *subject,
                  const struct rank_row *function, bool callers,
                  struct out *out);

#endif
