/*
 * store_groups - samples of equal thread, stack and flags, counted.
 *
 *     result = store_groups_write(fill, p);
 *
 * What reports without times read back. Everything follows from the samples;
 * groups are in order of their first. The result is SQLite's.
 */
#ifndef TOPFN_STORE_GROUPS_H
#define TOPFN_STORE_GROUPS_H

#include "engine/store/fill.h"

int store_groups_write(const struct store_fill *fill, const struct profile *p);

#endif
