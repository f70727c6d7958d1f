/*
 * store_groups - samples of equal thread, stack and flags, counted.
 *
 *     struct store_groups groups = {.len = 0};
 *     store_groups_count(&groups, p);               // any thread
 *     result = store_groups_write(&groups, fill);   // gives them back
 *
 * What reports without times read back. Everything follows from the samples;
 * groups are in order of their first. The result is SQLite's.
 */
#ifndef TOPFN_STORE_GROUPS_H
#define TOPFN_STORE_GROUPS_H

#include "engine/store/fill.h"

struct store_group {
    uint32_t thread, stack;
    uint64_t samples, period;
    uint16_t flags;
};

struct store_groups {
    struct store_group *data;
    size_t len, cap;
};

void store_groups_count(struct store_groups *groups, const struct profile *p);

int store_groups_write(struct store_groups *groups,
                       const struct store_fill *fill);

#endif
