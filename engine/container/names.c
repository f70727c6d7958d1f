#include "engine/container/names.h"

#include <string.h>

#include "engine/base/text.h"
#include "engine/base/map.h"
#include "engine/base/strings.h"

/* Of "a.etl.zip" the inner name is "a.etl"; archives in archives are not
 * opened. */
static const char *const trace_endings[] = {
    ".etl", ".nettrace", ".netperf", ".vsp", ".data",
};

static const char *const symbol_endings[] = {".pdb", ".dbg", ".debug"};

char *entry_name_normal(struct arena *arena, const char *name)
{
    char *copy = arena_strndup(arena, name, strlen(name));

    for (char *c = copy; *c; c++)
        if (*c == '\\')
            *c = '/';
    return copy;
}

bool entry_name_same(const char *a, const char *b)
{
    return ascii_same(a, b);
}

void entry_set_name(struct container *c, struct entry *e, const char *name)
{
    size_t n = strlen(c->path);
    char *full;

    e->inner = entry_name_normal(&c->arena, name);
    full = arena_new(&c->arena, char, n + strlen(e->inner) + 2);
    memcpy(full, c->path, n);
    full[n] = '!';
    strcpy(full + n + 1, e->inner);
    e->name = full;
}

static bool ends_with_one_of(const char *name, const char *const *endings,
                             size_t n)
{
    size_t length = strlen(name);

    for (size_t i = 0; i < n; i++) {
        size_t m = strlen(endings[i]);

        if (length >= m && ascii_same(name + length - m, endings[i]))
            return true;
    }
    return false;
}

/* The last part of the path. */
static const char *base_of(const char *name)
{
    const char *slash = strrchr(name, '/');

    return slash ? slash + 1 : name;
}

static enum entry_kind kind_by_name(const char *name)
{
#define ONE_OF(list) list, sizeof(list) / sizeof(*(list))
    if (ends_with_one_of(name, ONE_OF(trace_endings)))
        return ENTRY_TRACE;
    if (ascii_same(base_of(name), "symbols.bin") ||
        ends_with_one_of(name, ONE_OF(symbol_endings)))
        return ENTRY_SYMBOLS;
    return ENTRY_OTHER;
#undef ONE_OF
}

void entries_classify(struct container *c)
{
    struct strings *names = strings_new();
    struct map seen = {0};

    for (uint32_t i = 0; i < c->count; i++) {
        struct entry *e = &c->entries[i];
        uint32_t id = strings_fold(
            names, strings_add(names, e->inner, strlen(e->inner)));

        e->kind = kind_by_name(e->inner);
        if (map_add(&seen, id, 0, i) == i)
            continue;
        e->kind = ENTRY_OTHER;
        e->note = "same name as an entry before";
    }
    map_release(&seen);
    strings_free(names);
}
