#include "tests/support/debug_input.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/mem.h"

static void path_of(char *path, size_t room, const char *folder,
                    const char *name)
{
    const char *traces = getenv("TOPFN_TRACES");

    if (folder)
        snprintf(path, room, "%s/symbols/%s/%s",
                 traces && *traces ? traces : "../shared/traces", folder, name);
    else
        snprintf(path, room, "%s", name);
}

FILE *debug_input_text(const char *folder, const char *name)
{
    char path[1000];

    path_of(path, sizeof(path), folder, name);
    return fopen(path, "r");
}

static bool read_all(struct debug_input *in)
{
    FILE *file = fopen(in->path, "rb");
    size_t cap = 0, n;

    if (!file)
        return false;
    do {
        in->data = mem_grow(in->data, &cap, in->size + 65536, 1);
        n = fread(in->data + in->size, 1, 65536, file);
        in->size += n;
    } while (n);
    fclose(file);
    return true;
}

struct debug_input *debug_input_open(const char *folder, const char *name)
{
    struct debug_input *in = mem_new(1, sizeof(*in));
    struct err err = {0};

    path_of(in->path, sizeof(in->path), folder, name);
    if (!read_all(in)) {
        free(in);
        return NULL;
    }
    in->file = debug_open(in->path, in->data, in->size, &err);
    if (!in->file) {
        fprintf(stderr, "%s\n", err.message);
        abort();
    }
    return in;
}

void debug_input_close(struct debug_input *in)
{
    debug_close(in->file);
    free(in->data);
    free(in);
}
