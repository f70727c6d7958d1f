#include "symbols/names/names.h"

#include <stdbool.h>

#include "symbols/names/undecorate.h"

static bool is_mangled(const char *name)
{
    if (name[0] == '_' && name[1] == '_')
        name++; /* 32-bit PE */
    return name[0] == '_' &&
           (name[1] == 'Z' || name[1] == 'R' || name[1] == 'D');
}

const char *symbol_readable(const char *name, enum demangle_style style,
                            struct arena *arena)
{
    const char *text = NULL;

    if (style == DEMANGLE_NONE || !name)
        return name;
    if (*name == '?')
        text = undecorate(arena, name, style == DEMANGLE_FULL);
    else if (is_mangled(name))
        text = demangle(name, style, arena);
    return text ? text : name;
}
