/*
 * place - where precompiled images lie in memory, when a trace does not say.
 *
 *     struct r2r_bases bases = {0};
 *     r2r_place(&bases, images, n, addresses, count);
 *     const struct r2r_base *b = r2r_base_of(&bases, images, address);
 *     r2r_bases_release(&bases);
 *
 * The addresses are those that calls return to, from the stacks of one
 * process. Images lie at multiples of 64 KiB. At a wrong one, 3 in 100 of
 * the addresses within the image's code follow a call; at the right one all
 * do. A base needs 4 of them, none that contradicts, and twice as many as
 * any other without a contradiction, unless that is a second copy; bases do
 * not overlap. (format.md, section 9)
 */
#ifndef TOPFN_R2R_PLACE_H
#define TOPFN_R2R_PLACE_H

#include "engine/base/vec.h"
#include "symbols/managed/r2r/image.h"

struct r2r_base {
    size_t image; /* number in the list */
    uint64_t base;
    uint32_t calls; /* that return into it; 0: the trace has told */
};

struct r2r_bases {
    VEC(struct r2r_base) list; /* in order of their being found */
};

/* Adds to what is known. Images may be NULL. */
void r2r_place(struct r2r_bases *bases, struct r2r_image *const *images,
               size_t n, const uint64_t *addresses, size_t count);

/* A base that the trace tells; one that overlaps another is not taken. */
void r2r_bases_add(struct r2r_bases *bases, struct r2r_image *const *images,
                   const struct r2r_base *base);

/* The image whose code an address is in; NULL none. */
const struct r2r_base *r2r_base_of(const struct r2r_bases *bases,
                                   struct r2r_image *const *images,
                                   uint64_t address);
void r2r_bases_release(struct r2r_bases *bases);

#endif
