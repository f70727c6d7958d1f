/* A map of source paths, and on the next line a path of a debug file. */
#include "engine/base/mem.h"
#include "symbols/sources.h"
#include "tests/fuzz/target.h"

FUZZ(sources)
{
    char *text = mem_new(size + 1, 1), *mapped;
    struct sources s = {.refused = NULL};
    char *path;

    memcpy(text, data, size);
    path = text + strcspn(text, "\n");
    if (*path)
        *path++ = '\0';
    if (sources_map(&s, text)) {
        const char *to = strchr(text, '=') + 1;

        mapped = sources_mapped(&s, path);
        if (mapped && strncmp(mapped, to, strlen(to)) != 0)
            abort();
        free(mapped);
    }
    sources_release(&s);
    free(text);
    return 0;
}
