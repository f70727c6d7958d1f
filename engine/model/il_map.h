/*
 * il_map - which IL an address in compiled code came from.
 *
 *     il_maps_set(&p->il_maps, method, entries, n);
 *     struct il_map map = il_maps_get(&p->il_maps, method);
 *     uint32_t il;
 *     if (il_map_find(&map, address - start, is_return, &il))
 *         look for the line of `il` ...
 *
 * The runtime describes where the pieces of a method's code begin, in order
 * of IL and not of code. A wrong line is worse than none: where it says that
 * a piece belongs to no IL, or to a prolog or epilog on the way back from a
 * call, there is no answer. (symbols/managed/format.md, section 7)
 */
#ifndef TOPFN_IL_MAP_H
#define TOPFN_IL_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/map.h"
#include "engine/base/vec.h"

/* From this offset of a method's code on, it was made from this IL offset,
 * or is one of enum il_mark. */
struct il_entry {
    uint32_t native;
    int32_t il;
};

enum il_mark { IL_NO_MAPPING = -1, IL_PROLOG = -2, IL_EPILOG = -3 };

/* In order of `native`; of equal ones, as the runtime had them. */
struct il_map {
    const struct il_entry *data;
    size_t count; /* 0: not known */
};

struct il_maps {
    VEC(struct il_entry) entries;
    VEC(struct il_span) spans;
    struct map ids; /* method -> index of its span */
};

/* entries[start .. start + count) */
struct il_span {
    uint32_t start, count;
};

/* Once a method; entries in any order. */
void il_maps_set(struct il_maps *maps, uint32_t method,
                 const struct il_entry *entries, size_t n);
/* Valid until the next is set. */
struct il_map il_maps_get(const struct il_maps *maps, uint32_t method);
void il_maps_release(struct il_maps *maps);

/* The IL offset of an address, which is `offset` from the beginning of the
 * code: one that was executed, or one that a call returns to (`is_return`).
 * False: none can be told. */
bool il_map_find(const struct il_map *map, uint64_t offset, bool is_return,
                 uint32_t *il);

#endif
