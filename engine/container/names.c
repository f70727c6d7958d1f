#include "engine/container/names.h"

#include <string.h>

#include "engine/base/text.h"
#include "engine/base/map.h"
#include "engine/base/strings.h"
#include "engine/container/folder.h"

/* Of each format in input/formats.c: entries are unpacked only if they are
 * called so. */
static const char *const trace_endings[] = {
    ".nettrace",        ".netperf",   ".data",         ".perf",  ".vsp",
    ".speedscope.json", ".cpuprofile", ".profile.json", ".jslb",  ".etl",
    ".pb",              ".pprof",     ".folded",       ".collapsed",
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

bool entry_name_ends(const char *name, const char *ending)
{
    return text_ends(name, ending);
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

/* The last part of the path. */
static const char *base_of(const char *name)
{
    const char *slash = strrchr(name, '/');

    return slash ? slash + 1 : name;
}

bool is_trace_name(const char *name)
{
    for (size_t i = 0; i < sizeof(trace_endings) / sizeof(*trace_endings); i++)
        if (entry_name_ends(name, trace_endings[i]))
            return true;
    return false;
}

static bool is_symbols_name(const char *name)
{
    for (size_t i = 0; i < sizeof(symbol_endings) / sizeof(*symbol_endings);
         i++)
        if (entry_name_ends(name, symbol_endings[i]))
            return true;
    return ascii_same(base_of(name), "symbols.bin");
}

static enum entry_kind kind_by_name(const char *name)
{
    if (is_trace_name(name))
        return ENTRY_TRACE;
    return is_symbols_name(name) ? ENTRY_SYMBOLS : ENTRY_OTHER;
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
    folder_join_entries(c);
}
