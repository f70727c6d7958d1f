#include "tests/support/hostile.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static const struct hostile_kind *const lists[] = {
    hostile_texts, hostile_pprof, hostile_recordings, hostile_images,
    hostile_dwarf};

enum { LISTS = sizeof(lists) / sizeof(*lists) };

void blob_format(struct blob *b, const char *format, ...)
{
    char text[256];
    va_list arguments;
    int n;

    va_start(arguments, format);
    n = vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    if (n < 0 || (size_t)n >= sizeof(text))
        abort();
    blob_bytes(b, text, (size_t)n);
}

bool hostile_make(const char *name, size_t size, struct blob *b)
{
    for (size_t l = 0; l < LISTS; l++)
        for (const struct hostile_kind *k = lists[l]; k->name; k++)
            if (!strcmp(k->name, name)) {
                k->make(b, size);
                return true;
            }
    return false;
}

static void write_one(const char *folder, const struct hostile_kind *k,
                      size_t size)
{
    char path[512];
    struct blob b = {0};
    FILE *f;

    snprintf(path, sizeof(path), "%s/%s", folder, k->name);
    k->make(&b, size);
    f = fopen(path, "wb");
    if (!f || fwrite(b.data, 1, b.len, f) != b.len || fclose(f))
        abort();
    free(b.data);
}

void hostile_write(const char *folder, size_t size)
{
    for (size_t l = 0; l < LISTS; l++)
        for (const struct hostile_kind *k = lists[l]; k->name; k++)
            write_one(folder, k, size);
}
