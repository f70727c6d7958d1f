/*
 * names - decorated names of any compiler, as people read them.
 *
 *     name = symbol_readable(frame.function, DEMANGLE_SHORT, &arena);
 */
#ifndef TOPFN_NAMES_H
#define TOPFN_NAMES_H

#include "symbols/names/demangle.h"

/* `name` itself, NULL too, or text in the arena. A name that is readable as it
 * is stored stays as it is. */
const char *symbol_readable(const char *name, enum demangle_style style,
                            struct arena *arena);

#endif
