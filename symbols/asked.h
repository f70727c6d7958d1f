/*
 * asked - a location that is to be named.
 *
 *     struct asked a = asked_of(p, location);
 *     name = look_up(file, asked_code(&a));
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
    uint32_t subject; /* of the source that is asked (name_source.h) */
};

/* Of no subject yet. */
struct asked asked_of(const struct profile *p, uint32_t location);

/* An address of the code that ran: a call that is the last of its function
 * returns to the next one, so the byte before is looked up. */
static inline uint64_t asked_code(const struct asked *a)
{
    return a->address - (a->returns && a->address);
}

#endif
