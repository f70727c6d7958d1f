/*
 * asked - the locations that are to be named.
 *
 *     struct asked_list list = asked_list_new(p, 0);
 *     ... // sources name some of list.all
 *     asked_list_update(&list, p);
 *     asked_list_release(&list);
 */
#ifndef TOPFN_ASKED_H
#define TOPFN_ASKED_H

#include "engine/base/vec.h"
#include "engine/model/profile.h"

/* One location without frames, as the profile has it. */
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

struct asked_list {
    VEC(struct asked) all; /* by location */
};

/* Of the locations from `first` on. */
struct asked_list asked_list_new(const struct profile *p, uint32_t first);

/* Leaves out what has frames now; takes what else the profile says. */
void asked_list_update(struct asked_list *list, const struct profile *p);
void asked_list_release(struct asked_list *list);

/* An address of the code that ran: a call that is the last of its function
 * returns to the next one, so the byte before is looked up. */
static inline uint64_t asked_code(const struct asked *a)
{
    return a->address - (a->returns && a->address);
}

static inline bool asked_is_native(const struct asked *a)
{
    return a->kind == CODE_NATIVE || a->kind == CODE_KERNEL;
}

#endif
