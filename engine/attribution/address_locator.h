/*
 * address_locator - from an address in a process at a time, in a role, to a
 * location.
 *
 * Each address is worked out once per process, for the times between which
 * the answer holds, and again outside them: memory is reused. Methods of
 * locations are numbered here, and added by who adds `names` in the end.
 */
#ifndef TOPFN_ADDRESS_LOCATOR_H
#define TOPFN_ADDRESS_LOCATOR_H

#include "engine/attribution/trace_names.h"

struct located {
    uint32_t location;
    int64_t from, to; /* holds for from <= time <= to */
};

struct locator {
    struct observations *seen;
    struct profile *profile;
    const struct address_spaces *spaces;
    struct trace_names names;
    struct map address_ids; /* (address, process, role) -> located */
    VEC(struct located) located;
};

void locator_init(struct locator *w, const struct address_spaces *spaces);
void locator_release(struct locator *w);

/* An address where code ran, or one that a call returns to: the call of such a
 * `caller` is the byte before, and can be the last one of an image or a method.
 * Process NO_ID: of kernel space, whatever process runs. The answer is good
 * until the next call. */
const struct located *locator_find(struct locator *w, uint32_t process,
                                   uint64_t address, bool caller, int64_t time);

/* The same without keeping the answer: for addresses that seldom come again. */
struct located locator_look_up(struct locator *w, uint32_t process,
                               uint64_t address, bool caller, int64_t time);

#endif
