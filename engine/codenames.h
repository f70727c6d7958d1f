/*
 * codenames - methods and symbols that were sampled, converted to names.
 *
 * A trace describes a hundred thousand methods and samples a few hundred:
 * only those become methods of the profile, when they are met first.
 */
#ifndef TOPFN_CODENAMES_H
#define TOPFN_CODENAMES_H

#include "engine/spaces.h"

struct codenames {
    const struct spaces *spaces;
    struct facts *facts;
    struct profile *profile;
    uint32_t *method_ids; /* by method fact; NO_ID: not sampled yet */
    uint32_t *symbol_ids; /* the same by symbol fact */
};

void codenames_init(struct codenames *c, const struct spaces *spaces);
void codenames_release(struct codenames *c);

/* The profile's method for the method fact that was hit. */
uint32_t codenames_method(struct codenames *c, uint32_t process,
                          const struct range_hit *hit);

/* The profile's method for a symbol fact. `module`: the image that holds it,
 * or NO_ID. */
uint32_t codenames_symbol(struct codenames *c, uint32_t process,
                          uint32_t symbol, uint32_t module);

#endif
