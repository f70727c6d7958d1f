#include "cli/symbol_places.h"

#include <stdlib.h>

void symbol_places(struct places *places, const struct options *o)
{
    const char *path = getenv("_NT_SYMBOL_PATH");

    for (size_t i = 0; i < o->symbols.len; i++)
        places_add(places, o->symbols.data[i]);
    if (path)
        places_add(places, path);
}
