/*
 * undecorate - names as Microsoft's compilers decorate them, made readable.
 *
 *     char *text = undecorate(&arena, "?mix@app@@YAHHPEBD@Z", true);
 *     // "app::mix(int, char const *)"
 *
 * Without arguments: the qualified name alone, "app::mix". Return types,
 * access and calling conventions are never shown. Parts of functions that the
 * compiler set apart become `app::mix'::`1'::catch$0, things without a name
 * `string', `vftable' and the like.
 *
 * Depth and size of the result are bounded: a short name can stand for a
 * very long text.
 */
#ifndef TOPFN_UNDECORATE_H
#define TOPFN_UNDECORATE_H

#include <stdbool.h>

#include "engine/base/arena.h"

/* NULL when it is not such a name, or one that is not understood: show it
 * as it is then. The text is the arena's. */
char *undecorate(struct arena *arena, const char *name, bool arguments);

/* The x86 decorations of C: _f, _f@8, @f@8, f@@8. */
char *undecorate_c(struct arena *arena, const char *name);

#endif
