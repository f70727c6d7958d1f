#include "symbols/find/assembly.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/text.h"
#include "symbols/find/folder.h"
#include "symbols/find/online/online.h"
#include "symbols/find/pdb.h"

static const char *module_path(const struct profile *p, uint32_t module)
{
    return strings_get(p->strings, p->modules.data[module].path);
}

/* Traces do not tell whether a PDB is portable; no other has what is wanted
 * here. */
static void ask_servers(struct found *found, const struct wanted *wanted)
{
    struct wanted portable = *wanted;

    memcpy(portable.key, portable.portable_key, sizeof(portable.key));
    online_find(found, &portable);
}

/* Beside the assembly, where the traced machine had it. */
static bool search_beside(struct found *found, const struct wanted *wanted,
                          const char *assembly)
{
    char *folder;
    bool done;

    if (!path_is_plain(assembly))
        return false;
    folder = path_folder(assembly);
    done = search_entry(found, wanted, folder, wanted->name);
    free(folder);
    return done;
}

struct found find_managed_pdb(const struct profile *p, uint32_t module,
                              const struct places *places)
{
    struct pe_codeview cv;
    struct wanted wanted;
    struct found found;

    if (!pdb_of_identity(p, &p->modules.data[module].identity, &cv))
        return found_nothing(NULL);
    found = find_pdb_here(&cv, NULL, places);
    if (found.file || !found.name)
        return found;
    wanted = wanted_pdb(&cv, found.name, places);
    if (!search_beside(&found, &wanted, module_path(p, module)))
        ask_servers(&found, &wanted);
    return found;
}

struct found find_assembly(const struct profile *p, uint32_t module,
                           const struct places *places, bool at_path)
{
    const char *path = module_path(p, module);
    struct bytes text = {(const uint8_t *)path, strlen(path)};
    struct wanted wanted = {
        .kind = WANTED_ASSEMBLY,
        .identity = p->modules.data[module].identity,
        .places = places,
    };
    struct pe_codeview cv;
    struct found found;
    char *name;

    if (!pdb_of_identity(p, &wanted.identity, &cv))
        return found_nothing(NULL);
    name = path_last_part(text);
    if (!name)
        return found_nothing(NULL);
    wanted.name = name;
    found = found_nothing(&wanted);
    if (!search_places(&found, &wanted) && at_path)
        search_beside(&found, &wanted, path);
    free(name);
    return found;
}

/* ---- by name ---- */

struct chosen {
    bool (*is_it)(void *state, const struct debug_file *file);
    void *state;
    const struct places *places;
    struct found found;
};

/* Takes `path` over. */
static bool try_file(struct chosen *c, char *path)
{
    struct found found;
    bool done = false;

    if (path_is_file(path)) {
        found = found_given(path, c->places, NULL);
        done = found.file && c->is_it(c->state, found.file);
        if (!done)
            found.cause = found.file ? FIND_MISMATCH : FIND_BROKEN;
        found_release(&c->found);
        c->found = found;
        if (!done)
            found_close(&c->found);
    }
    free(path);
    return done;
}

/* A place is a file of that name, or has one. */
static bool try_place(struct chosen *c, const char *place, const char *name)
{
    if (path_is_folder(place))
        return try_file(c, path_join(place, name));
    return !strcmp(path_base_name(place), name) &&
           try_file(c, text_copy(place, strlen(place)));
}

struct found find_assembly_named(
    const struct profile *p, uint32_t module, const struct places *places,
    bool (*is_it)(void *state, const struct debug_file *file), void *state)
{
    struct chosen c = {.is_it = is_it,
                       .state = state,
                       .places = places,
                       .found = found_nothing(NULL)};
    const char *path = module_path(p, module);
    struct bytes text = {(const uint8_t *)path, strlen(path)};
    char *name = path_last_part(text);
    bool done = false;

    for (size_t i = 0; name && i < places->paths.len && !done; i++)
        done = try_place(&c, places->paths.data[i], name);
    if (!done && path_is_plain(path))
        try_file(&c, text_copy(path, strlen(path)));
    free(name);
    return c.found;
}
