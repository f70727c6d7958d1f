/*
 * locate - from an address in a process at a time to a location.
 *
 * Each address is worked out once per process, for the times between which
 * the answer holds, and again outside them: memory is reused.
 */
#ifndef TOPFN_LOCATE_H
#define TOPFN_LOCATE_H

#include "engine/codenames.h"

struct located {
    uint32_t location;
    int64_t from, to; /* holds for from <= time <= to */
};

struct recent;

struct locator {
    struct facts *facts;
    struct profile *profile;
    const struct spaces *spaces;
    struct codenames names;
    struct map address_ids; /* (address, process) -> located */
    VEC(struct located) located;
    struct recent *recent; /* some of the answers, by a cheap hash */
};

void locator_init(struct locator *w, const struct spaces *spaces);
void locator_release(struct locator *w);

/* Process NO_ID: an address of kernel space, whatever process runs. The
 * answer is good until the next call. */
const struct located *locator_find(struct locator *w, uint32_t process,
                                   uint64_t address, int64_t time);

#endif
