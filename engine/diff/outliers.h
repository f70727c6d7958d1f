/*
 * outliers - which of many shares are apart from the others.
 *
 *     struct share shares[] = {{.part = 12, .whole = 5000}, ...};
 *     double usual = outliers_find(shares, count);
 *     if (shares[0].stands_out) ...
 *
 * The usual share is the median; how far others are from it counts in the
 * larger of two spreads: that of all shares (from the median of the distances,
 * which a few cannot move) and that of drawing so many samples. One stands
 * out when fewer than one in twenty such rows of shares, all alike, has one
 * as far away; of fewer than five none does.
 */
#ifndef TOPFN_DIFF_OUTLIERS_H
#define TOPFN_DIFF_OUTLIERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct share {
    uint64_t part, whole; /* whole 0: none, and never apart */
    double apart;         /* spreads from the usual share; below it < 0 */
    bool stands_out;
};

/* The usual share, from 0 to 1. */
double outliers_find(struct share *shares, size_t count);

#endif
