/*
 * demangle - decorated names as people write them.
 *
 *     name = symbol_readable(frame.function, DEMANGLE_SHORT, &arena);
 *
 * demangle() knows Itanium C++ (_Z), Rust v0 (_R) and legacy
 * (_ZN...17h<hash>E), also in front of "@plt"; any other name comes back as it
 * is. Names come from strangers: those of more than 4,096 characters, those
 * whose text or whose cost would grow beyond all measure and those that come to
 * nothing are left as they are.
 */
#ifndef TOPFN_DEMANGLE_H
#define TOPFN_DEMANGLE_H

#include <stdbool.h>

#include "engine/base/arena.h"
#include <stddef.h>

enum demangle_style {
    DEMANGLE_NONE,  /* as stored */
    DEMANGLE_SHORT, /* no parameters, template arguments or clone marks */
    DEMANGLE_FULL,  /* all that the name says */
};

/* A name of any compiler, Microsoft's too (undecorate()); other names come
 * back as they are, NULL too. */
const char *symbol_readable(const char *name, enum demangle_style style,
                            struct arena *arena);

/* Never NULL; `name` itself or text in the arena. */
const char *demangle(const char *name, enum demangle_style style,
                     struct arena *arena);

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
 * as it is then. The text is the arena's. */
char *undecorate(struct arena *arena, const char *name, bool arguments);

/* The x86 decorations of C: _f, _f@8, @f@8, f@@8. */
char *undecorate_c(struct arena *arena, const char *name);

/* The longest text that a name of `n` characters may come to. */
size_t demangle_bound_text(size_t n);

#endif
