/*
 * address_ranges - ranges of addresses; a later one covers the earlier ones.
 *
 *     struct address_ranges ranges = {.ranges = {0}};
 *     address_ranges_add(&ranges, 0x1000, 0x100);  // number 0
 *     address_ranges_add(&ranges, 0x1080, 0x10);   // number 1
 *     address_ranges_build(&ranges);
 *     address_ranges_find(&ranges, 0x1088);        // 1
 *     address_ranges_find(&ranges, 0x1090);        // 0
 *     address_ranges_release(&ranges);
 *
 * For lists of generated code, whose memory is used again.
 */
#ifndef TOPFN_ADDRESS_RANGES_H
#define TOPFN_ADDRESS_RANGES_H

#include <stdint.h>

#include "engine/base/vec.h"
#include "symbols/debug.h"

#define ADDRESS_RANGE_NONE UINT32_MAX

struct address_range {
    uint64_t start, end; /* end 0: up to the next beginning or end */
};

/* Disjoint: from `start` to the next piece. */
struct piece {
    uint64_t start;
    uint32_t range; /* ADDRESS_RANGE_NONE: a gap */
};

struct address_ranges {
    VEC(struct address_range) ranges; /* as added */
    VEC(struct piece) pieces;         /* once built; sorted */
};

/* A range that would end beyond all addresses ends there. */
void address_ranges_add(struct address_ranges *p, uint64_t start,
                        uint64_t size);
void address_ranges_build(struct address_ranges *p);
/* The number of the range seen there. */
uint32_t address_ranges_find(const struct address_ranges *p, uint64_t address);
void address_ranges_release(struct address_ranges *p);

/*
 * text lists of generated code: perf-PID.map, *.ni.r2rmap.
 *
 * Rows are those of perf_map_rows.h. Maps of precompiled .NET images have
 * RVAs, and first rows from FFFFFFFB to FFFFFFFF that describe the file;
 * FFFFFFFF gives its signature, which becomes the identity's guid. Lines that
 * are neither are skipped.
 */

#endif
