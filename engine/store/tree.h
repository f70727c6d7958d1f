/*
 * store_tree - the call tree and its calls as tables.
 *
 *     result = store_tree_write(fill, tree);   // SQLite's
 *
 * Nodes are numbered in the order in which the tree is printed, calls in that
 * of their first node. A call is one caller and callee: a sample counts once
 * for it, however often the two are on its stack.
 */
#ifndef TOPFN_STORE_TREE_H
#define TOPFN_STORE_TREE_H

#include "engine/analysis/calltree.h"
#include "engine/store/fill.h"

int store_tree_write(const struct store_fill *fill,
                     const struct calltree *tree);

#endif
