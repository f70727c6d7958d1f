/*
 * trust - what selected samples are worth: complete stacks, missing names, how
 * busy the processors were.
 *
 *     struct trust trust = {0};
 *     trust_find(&trust, p, sel);
 *     ...
 *     trust_release(&trust);
 */
#ifndef TOPFN_TRUST_H
#define TOPFN_TRUST_H

#include "engine/analysis/filter.h"

/* A module with code that nobody named. */
struct nameless {
    uint32_t module;  /* string; "" for memory that belongs to no module,
                         "[no stack]" for samples without an address */
    uint64_t samples; /* taken there */
};

struct trust {
    /* Samples whose stack reached its root; did not; is not known to have.
     * They add up to all that are selected. */
    uint64_t complete, truncated, unknown;
    enum stack_end cause; /* of most truncated ones */
    VEC(struct nameless) nameless; /* most samples first, then by name */
};

/* Tenths of a percent of the time of all processors that the samples stand
 * for; NO_ID where the trace does not tell, or a part of it is selected. */
uint32_t trust_busy(const struct profile *p, const struct selection *sel);

/* Nanoseconds of CPU time that the selected samples stand for; 0 where the
 * trace does not tell the interval. */
uint64_t trust_cpu_time(const struct profile *p, const struct selection *sel);

/* True if periods of samples are nanoseconds of CPU time. */
bool trust_periods_are_time(const struct profile *p);

/* The part of it that is about stacks. */
void trust_stacks(struct trust *trust, const struct selection *sel);

/* All of it. */
void trust_find(struct trust *trust, const struct profile *p,
                const struct selection *sel);
void trust_release(struct trust *trust);

#endif
