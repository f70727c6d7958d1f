/*
 * locate - from an address in a process at a time, in a role, to a location.
 *
 * Each address is worked out once per process, for the times between which
 * the answer holds, and again outside them: memory is reused. Methods of
 * locations are numbered here, and added by who adds `names` in the end.
 */
#ifndef TOPFN_LOCATE_H
#define TOPFN_LOCATE_H

#include "engine/attribution/trace_names.h"

struct located {
    uint32_t location;
    int64_t from, to; /* holds for from <= time <= to */
};

/* What is at an address, before it is a location of the profile. */
struct found {
    struct location location; /* without its method */
    int64_t from, to;         /* as of `located` */
    uint32_t process;
    enum { FOUND_NO_NAME, FOUND_METHOD, FOUND_SYMBOL } name;
    uint32_t fact;       /* index of the method or symbol */
    uint32_t image;      /* module that holds the symbol, or NO_ID */
    int64_t method_from; /* since when the method was there */
};

struct recent;

struct locator {
    struct observations *seen;
    struct profile *profile;
    const struct address_spaces *spaces;
    struct trace_names names;
    struct map address_ids; /* (address, process, role) -> located */
    VEC(struct located) located;
    struct recent *recent; /* some of the answers, by a cheap hash */
};

void locator_init(struct locator *w, const struct address_spaces *spaces);
void locator_release(struct locator *w);

/* An address where code ran. Process NO_ID: of kernel space, whatever process
 * runs. The answer is good until the next call. */
const struct located *locator_find(struct locator *w, uint32_t process,
                                   uint64_t address, int64_t time);

/* The same of an address that a call returns to: the call is the byte before,
 * and can be the last one of an image or a method. */
const struct located *locator_find_caller(struct locator *w, uint32_t process,
                                          uint64_t address, int64_t time);

/*
 * What either finds, worked out anew, in two steps: for who keeps the answers
 * himself. The first step may be done by any thread; the second adds to the
 * profile what is not there yet.
 */
struct found locator_look_up(const struct locator *w, uint32_t process,
                             uint64_t address, bool caller, int64_t time);
struct located locator_settle(struct locator *w, const struct found *found);

/* This is settled soon: what the second step looks up is fetched. */
void locator_soon(const struct locator *w, const struct found *found);

#endif
