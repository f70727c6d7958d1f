#include "symbols/dwarf/names.h"

#include <libdwarf/dwarf.h>
#include <string.h>

#include "symbols/dwarf/tree.h"

enum {
    MOST_HOPS = 16,   /* origin, specification, again through dwz */
    MOST_SCOPES = 32, /* of nested namespaces and classes that are shown */
    MOST_NAME = 4096, /* many functions may share a huge scope */
};

static bool read_entry(struct unit *u, uint64_t offset, struct die *die)
{
    struct cursor c = unit_cursor_at(u, offset);

    return cursor_read(&c, die);
}

static const char *scope_name(struct unit *u, uint64_t offset)
{
    struct die die;
    const char *name;

    if (!read_entry(u, offset, &die))
        return NULL;
    name = value_string(u, die.name);
    if (name)
        return name;
    return die.tag == DW_TAG_namespace ? "(anonymous namespace)"
                                       : "(anonymous class)";
}

/* The names of the scopes around an entry, innermost first. */
static size_t scopes_of(struct unit *u, uint64_t offset, const char **names)
{
    uint32_t scope;
    const struct tree *tree = tree_scope(u, offset, &scope);
    size_t n = 0;

    while (scope != TREE_NONE && n < MOST_SCOPES) {
        const struct scope *s = &tree->scopes.data[scope];

        names[n] = scope_name(u, s->start);
        n += names[n] != NULL;
        scope = s->parent;
    }
    return n;
}

static const char *qualified(struct unit *u, uint64_t offset, const char *name,
                             struct arena *arena)
{
    const char *scopes[MOST_SCOPES];
    size_t n = scopes_of(u, offset, scopes), length = strlen(name) + 1;
    char *text, *at;

    if (!n)
        return name;
    for (size_t i = 0; i < n; i++)
        length += strlen(scopes[i]) + 2;
    if (length > MOST_NAME)
        return name;
    at = text = arena_alloc(arena, length, 1, 1);
    while (n-- > 0) {
        at = stpcpy(at, scopes[n]);
        at = stpcpy(at, "::");
    }
    strcpy(at, name);
    return text;
}

/* Mostly the same, as references seldom leave a unit. */
static struct unit *unit_of(struct unit *u, struct dwarf_file *file,
                            uint64_t offset)
{
    if (u->file == file && offset >= u->first && offset < u->end)
        return u;
    return file ? dwarf_file_unit(file, offset) : NULL;
}

const char *name_of_entry(struct unit *u, uint64_t offset, struct arena *arena,
                          bool *plain)
{
    const char *name = NULL;
    struct unit *named = NULL;
    uint64_t named_at = 0;
    struct die die;

    *plain = false;
    for (unsigned hop = 0; hop < MOST_HOPS; hop++) {
        struct dwarf_file *file;
        const char *linkage;

        if (!u || !read_entry(u, offset, &die))
            break;
        linkage = value_string(u, die.linkage_name);
        if (linkage && *linkage)
            return linkage;
        if (!name && (name = value_string(u, die.name)) != NULL) {
            named = u;
            named_at = offset;
        }
        file = value_reference(u, die.origin, &offset);
        u = unit_of(u, file, offset);
    }
    *plain = true;
    return name && *name ? qualified(named, named_at, name, arena) : NULL;
}
