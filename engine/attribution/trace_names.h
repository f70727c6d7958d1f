/*
 * trace_names - methods and symbols that were sampled, converted to names.
 *
 * A trace describes a hundred thousand methods and samples a few hundred:
 * only those become methods of the profile, when they are met first.
 */
#ifndef TOPFN_TRACE_NAMES_H
#define TOPFN_TRACE_NAMES_H

#include "engine/attribution/address_spaces.h"

struct trace_names {
    const struct address_spaces *spaces;
    struct observations *seen;
    struct profile *profile;
    uint32_t *method_ids; /* by method fact; NO_ID: not sampled yet */
    uint32_t *symbol_ids; /* the same by symbol fact */
};

void trace_names_init(struct trace_names *c,
                      const struct address_spaces *spaces);
void trace_names_release(struct trace_names *c);

/* The profile's method for a method fact, which was there `from` then on. */
uint32_t trace_names_method(struct trace_names *c, uint32_t process,
                            uint32_t method, int64_t from);

/* The profile's method for a symbol fact. `module`: the image that holds it,
 * or NO_ID. */
uint32_t trace_names_symbol(struct trace_names *c, uint32_t process,
                            uint32_t symbol, uint32_t module);

#endif
