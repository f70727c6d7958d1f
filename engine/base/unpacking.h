/*
 * unpacking - how much may come out of packed bytes: the one rule.
 *
 *     struct unpack_budget b = {.packed = size_of_the_file};
 *     if (size > unpack_most(packed) || !unpack_take(&b, size))
 *         skip it and say so
 *
 * A few bytes may claim to be gigabytes. A file, and each part of it, may
 * unpack to at most UNPACK_FREE bytes and UNPACK_RATIO times its packed size.
 * Real recordings and debug files stay below 15 times, their emptiest parts and
 * texts of stacks below 50. A part beyond the limit is refused, the rest is
 * read.
 *
 * If unpacked bytes cost more memory than they take themselves (events, which
 * become samples; arrays of objects) the smaller UNPACK_RATIO_COSTLY holds. A
 * text that permutes a few names stays below these limits, but each of its
 * lines may be a new stack. So the size of the profile is limited, too: to
 * PROFILE_FREE bytes and PROFILE_RATIO times the packed size. Small real files
 * were measured at 26 times; a long recording repeats most of its stacks. Sizes
 * are in bytes.
 */
#ifndef TOPFN_UNPACKING_H
#define TOPFN_UNPACKING_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/budget.h"

enum {
    UNPACK_FREE = 8 << 20,
    UNPACK_RATIO = 64,
    UNPACK_RATIO_COSTLY = 16,
    PROFILE_FREE = 24 << 20,
    PROFILE_RATIO = 48,
    PROFILE_RATIO_PLAIN = 3,
};

/* One file that is being unpacked, part after part. */
struct unpack_budget {
    uint64_t packed; /* bytes of the file */
    uint64_t made;   /* bytes taken so far */
    bool costly;
};

static inline uint64_t unpack_limit(uint64_t packed, uint64_t ratio)
{
    return packed > (UINT64_MAX - UNPACK_FREE) / ratio
               ? UINT64_MAX
               : UNPACK_FREE + ratio * packed;
}

/* The most that `packed` bytes may unpack to. */
static inline uint64_t unpack_most(uint64_t packed)
{
    return unpack_limit(packed, UNPACK_RATIO);
}

/* The most memory that a profile of `packed` bytes may take (profile_cost). */
static inline uint64_t unpack_most_of_profile(uint64_t packed)
{
    return packed > (UINT64_MAX - PROFILE_FREE) / PROFILE_RATIO
               ? UINT64_MAX
               : PROFILE_FREE + PROFILE_RATIO * packed;
}

/* The same of a file that is not packed. Real files of 10 KB cost 9 times their
 * size, those of megabytes less than 3 times. */
static inline uint64_t plain_most_of_profile(uint64_t size)
{
    return budget_of(size, PROFILE_RATIO_PLAIN, PROFILE_FREE).left;
}

/* Counts `n` more bytes; false, and nothing counted, beyond the limit. */
static inline bool unpack_take(struct unpack_budget *b, uint64_t n)
{
    uint64_t most =
        unpack_limit(b->packed, b->costly ? UNPACK_RATIO_COSTLY : UNPACK_RATIO);

    if (n > most - b->made)
        return false;
    b->made += n;
    return true;
}

/* The same of a part of `packed` bytes, for a budget of 0 bytes: only what it
 * comes to beyond its own measure counts, so that a part like others is taken
 * whatever came before it. */
static inline bool unpack_take_part(struct unpack_budget *b, uint64_t packed,
                                    uint64_t n)
{
    uint64_t ratio = b->costly ? UNPACK_RATIO_COSTLY : UNPACK_RATIO;
    uint64_t usual = packed > UINT64_MAX / ratio ? UINT64_MAX : packed * ratio;

    return n <= usual || unpack_take(b, n - usual);
}

#endif
