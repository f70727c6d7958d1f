#include "symbols/find_assembly.h"

#include <stdlib.h>
#include <string.h>

#include "symbols/find_pdb.h"
#include "symbols/folder.h"

static const char *module_path(const struct profile *p, uint32_t module)
{
    return strings_get(p->strings, p->modules.data[module].path);
}

/* Beside the assembly, where the traced machine had it. */
static void search_beside(struct found *found, const struct wanted *wanted,
                          const char *assembly)
{
    char *folder;

    if (!path_is_plain(assembly))
        return;
    folder = path_folder(assembly);
    search_entry(found, wanted, folder, wanted->name);
    free(folder);
}

struct found find_managed_pdb(const struct profile *p, uint32_t module,
                              const struct places *places)
{
    struct pe_codeview cv;
    struct wanted wanted;
    struct found found;

    if (!pdb_of_identity(p, &p->modules.data[module].identity, &cv))
        return found_nothing(NULL);
    found = find_pdb(&cv, NULL, places);
    if (!found.file && found.name) {
        wanted = wanted_pdb(&cv, found.name);
        search_beside(&found, &wanted, module_path(p, module));
    }
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
    for (size_t i = 0; i < places->paths.len && !found.file; i++)
        search_place(&found, &wanted, places->paths.data[i]);
    if (!found.file && at_path)
        search_beside(&found, &wanted, path);
    free(name);
    return found;
}
