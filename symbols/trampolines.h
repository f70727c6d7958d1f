/*
 * trampolines - what was interrupted, told by the name of what lies above it.
 *
 *     struct trampolines t = trampolines_apart(p);
 *     ... // locations from t.first on are named
 *     trampolines_end(&t, p);
 *
 * An exception or an interrupt pushes the address where code stopped, not one
 * that a call returns to. Recorders walk over it as over any other, so which
 * it was is known once the code above it, to which the processor jumped, has
 * its name: then what lies below is a location of its own, in the role of code
 * that was interrupted.
 *
 * Entries of signal handlers are not among these names. If a recorder follows
 * frame pointers, as perf does, the function that a signal interrupted is
 * missing and its caller stands there; where we walk the stack ourselves, the
 * rules of the image tell (frame_rules.h).
 */
#ifndef TOPFN_TRAMPOLINES_H
#define TOPFN_TRAMPOLINES_H

#include "engine/model/profile.h"

/* A location that was taken for a caller, and what stands for it now. */
struct set_apart {
    uint32_t caller, exact;
};

struct trampolines {
    VEC(struct set_apart) apart;
    uint32_t first; /* locations from here on are new and have no names */
};

/* Before profile_finish, when other locations have their names. */
struct trampolines trampolines_apart(struct profile *p);

/* A location that got no name now keeps the name that it had as a caller. */
void trampolines_end(struct trampolines *t, struct profile *p);

#endif
