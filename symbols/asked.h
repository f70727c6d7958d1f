/*
 * asked - locations that are to be named.
 *
 *     for (size_t i = 0; i < about->count; i++) {
 *         struct asked a = asked_of(p, about->locations[i]);
 *
 *         name = look_up(file, asked_code(&a));
 *     }
 */
#ifndef TOPFN_ASKED_H
#define TOPFN_ASKED_H

#include "engine/model/profile.h"

/* A location without frames, as the profile has it. */
struct asked {
    uint32_t location;
    uint32_t module;  /* image that it lies in, or NO_ID */
    uint32_t method;  /* NO_ID; else it has the method's name already */
    uint64_t address; /* RVA in `module`; else offset in `method`; else the
                         virtual address */
    uint8_t kind;     /* enum code_kind */
    uint8_t cause;    /* enum name_cause */
    bool caller;      /* its role in stacks: it called another one */
    bool returns;     /* the address is one that a call returns to */
};

/* All that a source is asked about with one subject (name_source.h). */
struct asked_about {
    uint32_t subject;
    const uint32_t *locations; /* in order of their ids */
    size_t count;
};

/*
 * Whether an address is one that a call returns to. A caller's is; what was
 * interrupted stands where the processor stopped, but for the code of a
 * runtime that stops its threads at calls (profile_leaves_return).
 *
 * This is the one place that decides it, by the role of the location.
 */
static inline bool asked_is_return(const struct profile *p,
                                   const struct location *l)
{
    return l->caller || (!code_is_native(l->kind) && profile_leaves_return(p));
}

static inline struct asked asked_of(const struct profile *p, uint32_t location)
{
    const struct location *l = &p->locations.data[location];

    return (struct asked){
        .location = location,
        .module = l->module,
        .method = l->method,
        .address = l->address,
        .kind = l->kind,
        .cause = l->cause,
        .caller = l->caller,
        .returns = asked_is_return(p, l),
    };
}

/* An address of the code that ran: a call that is the last of its function
 * returns to the next one, so the byte before is looked up. */
static inline uint64_t asked_code(const struct asked *a)
{
    return a->address - (a->returns && a->address);
}

#endif
