/*
 * trace_names - methods and symbols that were sampled, converted to names.
 *
 * A trace describes a hundred thousand methods and samples a few hundred:
 * only those become methods of the profile. They are numbered as they are met;
 * their names, which lie all over the trace, are read when all are met.
 *
 *     struct trace_names names;
 *     trace_names_init(&names, &spaces);
 *     uint32_t id = trace_names_method(&names, process, fact, from);
 *     trace_names_add(&names);
 *     use(methods_get(&profile->methods, id));
 *     trace_names_release(&names);
 */
#ifndef TOPFN_TRACE_NAMES_H
#define TOPFN_TRACE_NAMES_H

#include "engine/attribution/address_spaces.h"

/* A method or symbol that was met. */
struct met_name {
    uint32_t fact;
    uint32_t process, image; /* of its first place; as they are asked for */
    bool symbol;
    int64_t from; /* of a method: since when it was there, as far as met */
};

struct trace_names {
    const struct address_spaces *spaces;
    struct observations *seen;
    struct profile *profile;
    uint32_t *method_ids; /* by method fact; NO_ID: not sampled yet */
    uint32_t *symbol_ids; /* the same by symbol fact */
    VEC(struct met_name) met; /* by id, from `first` on */
    uint32_t first;
    VEC(char) text; /* of the name that is being made */
};

void trace_names_init(struct trace_names *c,
                      const struct address_spaces *spaces);
void trace_names_release(struct trace_names *c);

/* The id of the profile's method for a method fact, which was there `from` then
 * on. */
uint32_t trace_names_method(struct trace_names *c, uint32_t process,
                            uint32_t method, int64_t from);

/* The same for a symbol fact. `image`: the module that holds it, or NO_ID. */
uint32_t trace_names_symbol(struct trace_names *c, uint32_t process,
                            uint32_t symbol, uint32_t image);

/* Adds to the profile what was met since the last call. */
void trace_names_add(struct trace_names *c);

#endif
