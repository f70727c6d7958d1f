/*
 * precompiled - names for code of precompiled .NET assemblies that a trace
 * neither describes nor places.
 *
 * An EventPipe recording that was cut off, or has no rundown, names neither
 * the methods nor the addresses of what was loaded: only which assemblies
 * those were, by the GUID of their PDB. Of those that are at hand, methods
 * that the trace does describe or the calls on the stacks tell where they lay
 * (r2r/place.h); then addresses become methods as if the trace had described
 * them. (A source of names: name_source.h.)
 */
#ifndef TOPFN_PRECOMPILED_H
#define TOPFN_PRECOMPILED_H

#include "engine/base/vec.h"

/* An assembly whose code was placed. */
struct code_place {
    uint32_t module;
    uint64_t base;
    uint32_t calls; /* that tell it; 0: a described method does */
    uint32_t named; /* addresses that got a name so */
};

struct code_log {
    VEC(struct code_place) places;
};

void code_log_release(struct code_log *log);

#endif
