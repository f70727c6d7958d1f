/*
 * paint - ranges of addresses, the later ones painted over the earlier.
 *
 *     struct paint paint = {.ranges = {0}};
 *     paint_add(&paint, 0x1000, 0x100);  // number 0
 *     paint_add(&paint, 0x1080, 0x10);   // number 1
 *     paint_build(&paint);
 *     paint_find(&paint, 0x1088);        // 1
 *     paint_find(&paint, 0x1090);        // 0
 *     paint_release(&paint);
 *
 * For lists of generated code, whose memory is used again.
 */
#ifndef TOPFN_PAINT_H
#define TOPFN_PAINT_H

#include <stdint.h>

#include "engine/base/vec.h"
#include "symbols/debug.h"

#define PAINT_NONE UINT32_MAX

struct painted {
    uint64_t start, end; /* end 0: up to the next beginning or end */
};

/* Disjoint: from `start` to the next piece. */
struct piece {
    uint64_t start;
    uint32_t range; /* PAINT_NONE: a gap */
};

struct paint {
    VEC(struct painted) ranges; /* as added */
    VEC(struct piece) pieces;   /* once built; sorted */
};

/* A range that would end beyond all addresses ends there. */
void paint_add(struct paint *paint, uint64_t start, uint64_t size);
void paint_build(struct paint *paint);
/* The number of the range seen there. */
uint32_t paint_find(const struct paint *paint, uint64_t address);
void paint_release(struct paint *paint);

/*
 * text lists of generated code: perf-PID.map, *.ni.r2rmap.
 *
 * Rows are those of perf_map_rows.h. Maps of precompiled .NET images have
 * RVAs, and first rows from FFFFFFFB to FFFFFFFF that describe the file;
 * FFFFFFFF gives its signature, which becomes the identity's guid. Lines that
 * are neither are skipped.
 */

#endif
