#include "cli/symbol_places.h"

#include <stdbool.h>
#include <stdlib.h>

#include "symbols/folder.h"
#include "symbols/inside.h"

/* $VARIABLE/NAME */
static bool add_cache(struct places *places, const char *variable,
                      const char *name)
{
    const char *folder = getenv(variable);
    char *path;

    if (!folder || !*folder)
        return false;
    path = path_join(folder, name);
    places_add_cache(places, path);
    free(path);
    return true;
}

/* Where debuginfod's own client keeps files. */
static void add_caches(struct places *places)
{
    if (add_cache(places, "DEBUGINFOD_CACHE_PATH", ""))
        return;
    if (!add_cache(places, "XDG_CACHE_HOME", "debuginfod_client"))
        add_cache(places, "HOME", ".cache/debuginfod_client");
    add_cache(places, "HOME", ".debuginfod_client_cache");
}

void symbol_places(struct places *places, const struct options *o)
{
    const char *path = getenv("_NT_SYMBOL_PATH");

    for (size_t i = 0; i < o->symbols.len; i++)
        places_add(places, o->symbols.data[i]);
    if (path)
        places_add(places, path);
    add_caches(places);
}

void symbol_places_of_trace(struct places *places, const struct profile *p,
                            const struct options *o)
{
    size_t n = p->trace.files.len;
    const char **files = mem_new(n, sizeof(*files));

    for (size_t i = 0; i < n; i++) {
        files[i] = strings_get(p->strings, p->trace.files.data[i]);
        places_add_beside(places, files[i]);
    }
    if (p->trace.contents.len)
        places->inside = inside_open(files, n);
    symbol_places(places, o);
    free(files);
}
