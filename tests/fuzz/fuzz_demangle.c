/* Names come from files: every line of the input is one. */
#include "engine/base/mem.h"
#include "symbols/names/demangle.h"
#include "tests/fuzz/target.h"

static void try(const char *name)
{
    struct arena arena = {0};

    if (demangle(name, DEMANGLE_NONE, &arena, NULL) != name)
        abort();
    if (!*demangle(name, DEMANGLE_FULL, &arena, NULL) && *name)
        abort();
    if (!*demangle(name, DEMANGLE_SHORT, &arena, NULL) && *name)
        abort();
    arena_release(&arena);
}

FUZZ(demangle)
{
    char *text = mem_new(size + 1, 1), *line = text;

    if (size)
        memcpy(text, data, size);
    for (char *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = '\0';
        try(line);
    }
    try(line);
    free(text);
    return 0;
}
