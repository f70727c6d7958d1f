/*
 * demangle - decorated names as people write them.
 *
 *     struct budget cost = demangle_budget(size of the file, 1);
 *     name = symbol_readable(frame.function, DEMANGLE_SHORT, &arena, &cost);
 *
 * demangle() knows Itanium C++ (_Z), Rust v0 (_R) and legacy
 * (_ZN...17h<hash>E), also in front of "@plt"; any other name comes back as it
 * is. Names come from strangers: those of more than 4,096 characters, those
 * whose text or whose cost would grow beyond all measure and those that come to
 * nothing are left as they are. Many such names share a budget.
 */
#ifndef TOPFN_DEMANGLE_H
#define TOPFN_DEMANGLE_H

#include <stdbool.h>

#include <stddef.h>

#include "engine/base/arena.h"
#include "engine/base/budget.h"

enum demangle_style {
    DEMANGLE_NONE,  /* as stored */
    DEMANGLE_SHORT, /* no parameters, template arguments or clone marks */
    DEMANGLE_FULL,  /* all that the name says */
};

/* The characters that all names of a file of `size` bytes may be demangled to;
 * `files` share a fixed part of it. */
static inline struct budget demangle_budget(uint64_t size, size_t files)
{
    return budget_of(size, 2, (16 << 20) / files);
}

/* A name of any compiler, Microsoft's too (undecorate()); other names come
 * back as they are, NULL too. */
const char *symbol_readable(const char *name, enum demangle_style style,
                            struct arena *arena, struct budget *cost);

/* Never NULL; `name` itself or text in the arena. `cost` may be NULL. */
const char *demangle(const char *name, enum demangle_style style,
                     struct arena *arena, struct budget *cost);

/* Tells whether a name was left as it is for its length or cost since the last
 * call, by any thread. */
bool demangle_gave_up(void);

/*
 * names as Microsoft's compilers decorate them, made readable.
 *
 * Without arguments: the qualified name alone, "app::mix". Return types,
 * access and calling conventions are never shown. Parts of functions that the
 * compiler set apart become `app::mix'::`1'::catch$0, things without a name
 * `string', `vftable' and the like.
 *
 * Depth and size of the result are bounded: a short name can stand for a
 * very long text.
 */

/* NULL when it is not such a name, or one that is not understood: show it
 * as it is then. The text is the arena's. `cost` may be NULL. */
char *undecorate(struct arena *arena, const char *name, bool arguments,
                 struct budget *cost);

/* The x86 decorations of C: _f, _f@8, @f@8, f@@8. */
char *undecorate_c(struct arena *arena, const char *name);

/* The longest text that a name of `n` characters may come to. */
size_t demangle_bound_text(size_t n);

#endif
