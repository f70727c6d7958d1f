/*
 * demangle - decorated names as people write them.
 *
 *     name = symbol_readable(frame.function, DEMANGLE_SHORT, &arena);
 *
 * demangle() knows Itanium C++ (_Z), Rust v0 (_R) and legacy (_ZN...17h<hash>E) and D
 * (_D), also in front of "@plt"; any other name comes back as it is. Names
 * come from strangers: those of more than 4,096 characters, those whose text
 * or whose cost would grow beyond all measure (demangle_bound.h) and those
 * that come to nothing are left as they are.
 */
#ifndef TOPFN_DEMANGLE_H
#define TOPFN_DEMANGLE_H

#include <stdbool.h>

#include "engine/base/arena.h"

enum demangle_style {
    DEMANGLE_NONE,  /* as stored */
    DEMANGLE_SHORT, /* no parameters, template arguments or clone marks */
    DEMANGLE_FULL,  /* all that the name says */
};

/* A name of any compiler, Microsoft's too (undecorate.h); other names come
 * back as they are, NULL too. */
const char *symbol_readable(const char *name, enum demangle_style style,
                            struct arena *arena);

/* Never NULL; `name` itself or text in the arena. */
const char *demangle(const char *name, enum demangle_style style,
                     struct arena *arena);

/* Whether a name was left as it is for its length or cost since the last
 * call, by any thread. */
bool demangle_gave_up(void);

#endif
