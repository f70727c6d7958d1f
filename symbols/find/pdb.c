#include "symbols/find/pdb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/mem.h"
#include "symbols/find/folder.h"
#include "symbols/find/online/online.h"

void pdb_key(const uint8_t g[16], uint32_t age, char key[PDB_KEY_SIZE])
{
    snprintf(key, PDB_KEY_SIZE,
             "%08X%04X%04X%02X%02X%02X%02X%02X%02X%02X%02X%X", load_u32(g),
             load_u16(g + 4), load_u16(g + 6), g[8], g[9], g[10], g[11],
             g[12], g[13], g[14], g[15], age);
}

/* "app.pdb" of "bin/app.exe": images and PDBs are renamed together. */
static char *image_pdb(const char *image)
{
    const char *slash = strrchr(image, '/');
    const char *name = slash ? slash + 1 : image;
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

static bool is_known(const uint8_t *guid)
{
    for (size_t i = 0; i < 16; i++)
        if (guid[i])
            return true;
    return false;
}

bool pdb_of_identity(const struct profile *p, const struct identity *id,
                     struct pe_codeview *cv)
{
    const char *path = strings_get(p->strings, id->pdb_name);

    if (!*path || !is_known(id->guid))
        return false;
    *cv = (struct pe_codeview){
        .age = id->age,
        .path = {(const uint8_t *)path, strlen(path)},
    };
    memcpy(cv->guid, id->guid, sizeof(cv->guid));
    return true;
}

struct wanted wanted_pdb(const struct pe_codeview *cv, const char *name,
                         const struct places *places)
{
    struct wanted wanted = {
        .kind = WANTED_PDB, .name = name, .places = places};

    memcpy(wanted.identity.guid, cv->guid, sizeof(cv->guid));
    /* A portable PDB's identity ends with the stamp of the entry. */
    wanted.identity.age = cv->is_portable ? cv->stamp : cv->age;
    pdb_key(cv->guid, cv->is_portable ? UINT32_MAX : cv->age, wanted.key);
    if (!cv->is_portable)
        pdb_key(cv->guid, UINT32_MAX, wanted.portable_key);
    return wanted;
}

struct found find_pdb_here(const struct pe_codeview *cv, const char *image,
                           const struct places *places)
{
    char *name = cv ? path_last_part(cv->path) : NULL;
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
