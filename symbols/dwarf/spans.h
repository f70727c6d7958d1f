/*
 * spans - which of many nested address ranges is the innermost.
 *
 *     struct spans spans = {0};
 *     spans_add(&spans, low, high, value);   // outer ones before inner ones
 *     spans_build(&spans);
 *     uint32_t value = spans_find(&spans, address);
 *
 * Built by one sweep into disjoint pieces: a look-up is one binary search.
 * If ranges overlap without nesting, the one that starts later wins, of
 * equal starts the one that is shorter, of equal ranges the one added later,
 * or with spans_build_first the one added first.
 */
#ifndef TOPFN_DWARF_SPANS_H
#define TOPFN_DWARF_SPANS_H

#include <stddef.h>
#include <stdint.h>

#include "engine/base/vec.h"

#define SPAN_NONE UINT32_MAX

struct span {
    uint64_t low, high;
    uint32_t value;
    uint32_t order;
};

struct span_piece {
    uint64_t start; /* up to the next piece */
    uint32_t value; /* SPAN_NONE: a gap */
};

struct spans {
    VEC(struct span) added; /* empty again after spans_build */
    VEC(struct span_piece) pieces;
};

void spans_add(struct spans *spans, uint64_t low, uint64_t high,
               uint32_t value);
void spans_build(struct spans *spans);
void spans_build_first(struct spans *spans);
uint32_t spans_find(const struct spans *spans, uint64_t address);
void spans_release(struct spans *spans);

#endif
