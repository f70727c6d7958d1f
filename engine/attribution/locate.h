/*
 * locate - from an address in a process at a time to a location.
 *
 * Each address is worked out once per process, for the times between which
 * the answer holds, and again outside them: memory is reused.
 */
#ifndef TOPFN_LOCATE_H
#define TOPFN_LOCATE_H

#include "engine/attribution/trace_names.h"

struct located {
    uint32_t location;
    int64_t from, to; /* holds for from <= time <= to */
};

struct recent;

struct locator {
    struct observations *seen;
    struct profile *profile;
    const struct address_spaces *spaces;
    struct trace_names names;
    struct map address_ids; /* (address, process) -> located */
    VEC(struct located) located;
    struct recent *recent; /* some of the answers, by a cheap hash */
};

void locator_init(struct locator *w, const struct address_spaces *spaces);
void locator_release(struct locator *w);

/* Process NO_ID: an address of kernel space, whatever process runs. The
 * answer is good until the next call. */
const struct located *locator_find(struct locator *w, uint32_t process,
                                   uint64_t address, int64_t time);

#endif
