#include "symbols/find/pdb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/mem.h"
#include "engine/base/path.h"
#include "engine/base/text.h"
#include "symbols/find/online/online.h"

void pdb_key(const uint8_t g[16], uint32_t age, char key[PDB_KEY_SIZE])
{
    snprintf(key, PDB_KEY_SIZE,
             "%08X%04X%04X%02X%02X%02X%02X%02X%02X%02X%02X%X", load_u32(g),
             load_u16(g + 4), load_u16(g + 6), g[8], g[9], g[10], g[11], g[12],
             g[13], g[14], g[15], age);
}

/* "app.pdb" of "bin/app.exe": images and PDBs are renamed together. */
static char *image_pdb(const char *image)
{
    const char *name = path_base_name(image);
    const char *dot = strrchr(name, '.');
    size_t n = dot ? (size_t)(dot - name) : strlen(name);
    size_t room = n + sizeof(".pdb");
    char *pdb = mem_new(room, 1);

    snprintf(pdb, room, "%.*s.pdb", (int)n, name);
    return pdb;
}

static bool search_beside(struct found *found, const struct wanted *wanted,
                          const char *image)
{
    char *folder = path_folder(image);
    char *other = image_pdb(image);
    bool done = search_entry(found, wanted, folder, found->name) ||
                search_entry(found, wanted, folder, other);

    free(folder);
    free(other);
    return done;
}

bool pdb_of_identity(const struct profile *p, const struct identity *id,
                     struct pe_codeview *cv)
{
    const char *path = strings_get(p->strings, id->pdb_name);

    if (!*path || guid_is_zero(id->guid))
        return false;
    *cv = (struct pe_codeview){
        .age = id->age,
        .path = {(const uint8_t *)path, strlen(path)},
    };
    memcpy(cv->guid, id->guid, sizeof(cv->guid));
    return true;
}

/* The file that find_pdb looks for, under that name. */
static struct wanted wanted_pdb(const struct pe_codeview *cv, const char *name,
                                const struct places *places)
{
    struct wanted wanted = {.kind = WANTED_PDB, .name = name, .places = places};

    memcpy(wanted.identity.guid, cv->guid, sizeof(cv->guid));
    /* A portable PDB's identity ends with the stamp of the entry. */
    wanted.identity.age = cv->is_portable ? cv->stamp : cv->age;
    pdb_key(cv->guid, cv->is_portable ? UINT32_MAX : cv->age, wanted.key);
    if (!cv->is_portable)
        pdb_key(cv->guid, UINT32_MAX, wanted.portable_key);
    return wanted;
}

/* Without the servers. */
static struct found find_pdb_here(const struct pe_codeview *cv,
                                  const char *image,
                                  const struct places *places)
{
    char *name = cv ? path_last_part((const char *)cv->path.data, cv->path.len)
                    : NULL;
    struct wanted wanted;
    struct found found;

    if (!name)
        return found_nothing(NULL);
    wanted = wanted_pdb(cv, name, places);
    wanted.alone = image;
    found = found_nothing(&wanted);
    (void)((image && search_beside(&found, &wanted, image)) ||
           search_places(&found, &wanted) || search_identity(&found, &wanted));
    free(name);
    return found;
}

struct found find_pdb(const struct pe_codeview *cv, const char *image,
                      const struct places *places)
{
    struct found found = find_pdb_here(cv, image, places);
    struct wanted wanted;

    if (!cv || found.file || !found.name)
        return found;
    wanted = wanted_pdb(cv, found.name, places);
    online_find(&found, &wanted);
    return found;
}

/*
 * The files of a managed module: its PDB and the assembly.
 *
 * Both by the GUID of the PDB that the runtime named when it loaded the
 * module: in the places, as search.h has it, then where the trace has the
 * assembly; the PDB then from servers. To be released; FIND_NOT_NAMED when
 * the trace names no PDB.
 *
 * Recordings of perf name none: there the caller says whether a file of the
 * module's name is the one.
 */

static const char *module_path(const struct profile *p, uint32_t module)
{
    return strings_get(p->strings, p->modules.data[module].path);
}

/* Beside the assembly, where the traced machine had it. */
static bool assembly_search_beside(struct found *found,
                                   const struct wanted *wanted,
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
    if (!assembly_search_beside(&found, &wanted, module_path(p, module))) {
        /* Traces do not tell whether a PDB is portable; no other has what is
         * wanted here. */
        struct wanted portable = wanted;

        memcpy(portable.key, portable.portable_key, sizeof(portable.key));
        online_find(&found, &portable);
    }
    return found;
}

struct found find_assembly(const struct profile *p, uint32_t module,
                           const struct places *places)
{
    const char *path = module_path(p, module);
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
    name = path_last_part(path, strlen(path));
    if (!name)
        return found_nothing(NULL);
    wanted.name = name;
    found = found_nothing(&wanted);
    if (!search_places(&found, &wanted))
        assembly_search_beside(&found, &wanted, path);
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
    return !strcmp(path_base_name(place), name) && try_file(c, text_dup(place));
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
    char *name = path_last_part(path, strlen(path));
    bool done = false;

    for (size_t i = 0; name && i < places->paths.len && !done; i++)
        done = try_place(&c, places->paths.data[i], name);
    if (!done && path_is_plain(path))
        try_file(&c, text_dup(path));
    free(name);
    return c.found;
}
