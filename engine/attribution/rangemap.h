/*
 * rangemap - which of many address ranges held an address at a time.
 *
 *     struct rangemap map = {0};
 *     rangemap_add(&map, &(struct range){.start = base, .end = base + size,
 *                                        .from = t, .to = TIME_MAX,
 *                                        .value = module});
 *     rangemap_build(&map);
 *     struct range_hit hit = rangemap_find(&map, address, time);
 *
 * Addresses are reused: modules come and go, dynamic methods take turns in
 * the same memory. The rule (engine/attribution/clr-events.md, section 4):
 *   - among ranges with a known beginning that hold the address, the latest
 *     that began at or before the time, if it had not ended by then;
 *   - else, among ranges whose beginning nobody recorded, the one that ended
 *     first at or after the time;
 *   - else none.
 *
 * A look-up costs the square of the logarithm of the number of ranges,
 * whatever they overlap; memory is n log n at worst.
 */
#ifndef TOPFN_RANGEMAP_H
#define TOPFN_RANGEMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/vec.h"

struct range {
    uint64_t start, end; /* [start, end), not empty */
    int64_t from, to;    /* held the memory from <= time <= to */
    bool began;          /* `from` was recorded, not assumed */
    uint32_t value;
};

struct range_hit {
    uint32_t value;   /* UINT32_MAX: none */
    uint64_t start;   /* of the range; 0 without */
    int64_t from, to; /* the answer is this for from <= time <= to */
    bool ended;       /* of no answer: a range held the address,
                         and had ended */
};

/* Most maps of a trace with many short processes have one range or none, which
 * need no tree. */
struct rangemap {
    VEC(struct range) ranges;
    struct range_tree *tree;
};

void rangemap_add(struct rangemap *map, const struct range *range);

/* After the last add, before the first find. */
void rangemap_build(struct rangemap *map);

struct range_hit rangemap_find(const struct rangemap *map, uint64_t address,
                               int64_t time);

void rangemap_release(struct rangemap *map);

#endif
