#include "tests/support/hostile.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static const struct hostile_kind *const lists[] = {
    hostile_texts, hostile_pprof, hostile_recordings, hostile_images,
    hostile_dwarf, hostile_pdb,   hostile_events};

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

static const struct hostile_kind *kind_of(const char *name)
{
    for (size_t l = 0; l < LISTS; l++)
        for (const struct hostile_kind *k = lists[l]; k->name; k++)
            if (!strcmp(k->name, name))
                return k;
    return NULL;
}

bool hostile_make(const char *name, size_t size, struct blob *b)
{
    const struct hostile_kind *k = kind_of(name);

    if (k)
        k->make(b, size);
    return k != NULL;
}

static const struct remark {
    const char *name, *words;
    bool empty;
} remarks[] = {
    {"close-unknown.speedscope.json", "damaged records", false},
    {"deep.collapsed", "deeper than 16384 frames", false},
    {"forks.perf.data", "too many for a file of this size", false},
    {"inlined.collapsed", "deeper than 16384 frames", false},
    {"inlined.pprof", "deeper than 16384 frames", false},
    {"kinds.nettrace", "no CPU samples", true},
    {"nested.speedscope.json", "more than 2,048 levels", true},
    {"one-family.cpuprofile", "damaged record", false},
    {"one-name.pprof", "names longer than 4096 bytes", false},
    {"one-name.profile.json", "names longer than 4096 bytes", false},
    {"one-path.pprof", "names longer than 4096 bytes", false},
    {"one-thread-name.pprof", "names longer than 4096 bytes", false},
    {"roots.pprof", "damaged records", false},
    {"shared-root.nettrace", "replaced under too many stacks", false},
    {"small-values.speedscope.json", "no CPU samples", true},
    {"debug-entries.exe", "debug directory: entries after", false},
    {"sections.exe", "section table: sections after", false},
    {"many-attributes.so", "more than 256 attributes", false},
    {"shared-abbreviations.so", "tables that overlap", false},
    {"shared-lines.so", "tables that come to more", false},
    {"shared-ranges.so", "range lists that overlap", false},
};

static const struct remark *remark_on(const char *name)
{
    static const struct remark none = {"", "", false};

    for (size_t i = 0; i < sizeof(remarks) / sizeof(*remarks); i++)
        if (!strcmp(remarks[i].name, name))
            return &remarks[i];
    return &none;
}

const char *hostile_words(const char *name)
{
    return remark_on(name)->words;
}

bool hostile_is_full(const char *name)
{
    return kind_of(name) && !remark_on(name)->empty;
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
