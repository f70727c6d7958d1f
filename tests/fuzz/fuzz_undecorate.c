/* A decorated name. */
#include "symbols/names/demangle.h"
#include "tests/fuzz/target.h"

FUZZ(undecorate)
{
    struct arena arena = {0};
    char *name = arena_strndup(&arena, (const char *)data, size);
    char *text = undecorate(&arena, name, true, NULL);

    if (text && (!*text || strlen(text) > 65536))
        abort();
    undecorate(&arena, name, false, NULL);
    undecorate_c(&arena, name);
    arena_release(&arena);
    return 0;
}
