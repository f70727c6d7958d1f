#include "symbols/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/ascii.h"
#include "engine/base/mem.h"
#include "symbols/elf/elf.h"
#include "symbols/folder.h"
#include "symbols/kinds.h"
#include "symbols/pe.h"

const char *find_cause_text(enum find_cause cause)
{
    switch (cause) {
    case FIND_OK:
        return "found";
    case FIND_NOT_NAMED:
        return "image names no debug file";
    case FIND_ABSENT:
        return "no debug file";
    case FIND_MISMATCH:
        return "identity mismatch";
    case FIND_BROKEN:
        return "broken debug file";
    }
    return "";
}

static char *copy(const char *text)
{
    return text_copy(text, strlen(text));
}

struct found found_nothing(const struct wanted *wanted)
{
    struct found found = {.cause = wanted ? FIND_ABSENT : FIND_NOT_NAMED};

    if (wanted)
        found.name = copy(wanted->name);
    return found;
}

void found_close(struct found *found)
{
    debug_close(found->file);
    if (found->container)
        container_close(found->container);
    found->file = NULL;
    found->container = NULL;
}

void found_release(struct found *found)
{
    found_close(found);
    for (size_t i = 0; i < found->probes.len; i++) {
        free(found->probes.data[i].path);
        free(found->probes.data[i].reason);
    }
    vec_release(&found->probes);
    free(found->name);
    free(found->path);
    *found = (struct found){.cause = FIND_NOT_NAMED};
}

static bool is_pdb(const struct debug_file *file)
{
    return file->kind == &pdb_kind || file->kind == &portable_kind;
}

static bool is_pe(const struct debug_file *file)
{
    return file->kind == &pe_kind || file->kind == &r2r_kind;
}

static bool same_pdb(const struct debug_file *file,
                     const struct wanted *wanted)
{
    const struct identity *a = &file->identity, *b = &wanted->identity;

    if (memcmp(a->guid, b->guid, sizeof(a->guid)) != 0)
        return false;
    return a->age == b->age ||
           (file->kind == &portable_kind && wanted->portable_key[0]);
}

static bool is_assembly(const struct debug_file *file, const uint8_t *guid)
{
    struct pe pe;

    return pe_probe(file->data, file->size) &&
           !pe_open(&pe, file->name, file->data, file->size, NULL) &&
           pe_names_pdb(&pe, guid);
}

static bool matches(const struct debug_file *file, const struct wanted *wanted)
{
    const struct identity *a = &file->identity, *b = &wanted->identity;

    switch (wanted->kind) {
    case WANTED_PDB:
        return is_pdb(file) && same_pdb(file, wanted);
    case WANTED_ASSEMBLY:
        return is_assembly(file, b->guid);
    case WANTED_PE:
        return is_pe(file) && a->timestamp == b->timestamp &&
               a->image_size == b->image_size;
    case WANTED_ELF:
        return file->kind == &elf_debug_kind && b->build_id_size &&
               a->build_id_size == b->build_id_size &&
               !memcmp(a->build_id, b->build_id, b->build_id_size);
    }
    return false;
}

static void add_probe(struct found *found, enum find_cause cause,
                      const char *path, const char *reason)
{
    *vec_add(&found->probes) = (struct probe){
        cause, copy(path), reason ? copy(reason) : NULL};
}

/* A later probe replaces what an earlier one found out only if it came
 * closer: broken and mismatching files are worth more than absent ones. */
static void note(struct found *found, enum find_cause cause, const char *path,
                 const char *reason)
{
    add_probe(found, cause, path, reason);
    if (found->cause >= cause && found->path)
        return;
    found->cause = cause;
    free(found->path);
    found->path = copy(path);
    if (reason)
        snprintf(found->reason, sizeof(found->reason), "%s", reason);
}

/* The container and its file keep `path` as their name. */
static bool accept(struct found *found, struct container *container,
                   struct debug_file *file, char *path)
{
    add_probe(found, FIND_OK, path, NULL);
    free(found->path);
    found->path = path;
    found->cause = FIND_OK;
    found->container = container;
    found->file = file;
    return true;
}

static bool try_file(struct found *found, const struct wanted *wanted,
                     const char *candidate, bool is_meant)
{
    struct debug_file *file = NULL;
    char *path = copy(candidate);
    struct container *container;
    struct err err = {0};

    container = container_open(path, &err);
    if (container && container->count)
        file = debug_open(path, container->entries[0].data,
                          container->entries[0].size, &err);
    if (file && matches(file, wanted))
        return accept(found, container, file, path);
    if (is_meant)
        note(found, file ? FIND_MISMATCH : FIND_BROKEN, path,
             file ? NULL : err.message);
    debug_close(file);
    if (container)
        container_close(container);
    free(path);
    return false;
}

bool search_file(struct found *found, const struct wanted *wanted,
                 const char *path)
{
    if (path_is_file(path))
        return try_file(found, wanted, path, true);
    add_probe(found, FIND_ABSENT, path, NULL);
    return false;
}

bool search_entry(struct found *found, const struct wanted *wanted,
                  const char *folder, const char *name)
{
    char *path = folder_find(folder, name);
    bool done;

    if (!path)
        path = path_join(folder, name);
    else if (path_is_folder(path)) { /* a symbol store's */
        free(path);
        return false;
    }
    done = search_file(found, wanted, path);
    free(path);
    return done;
}

/* The folder that has NAME: the store itself, or the one for the first two
 * letters. */
static char *store_tier(const char *folder, const char *name)
{
    char *mark = folder_find(folder, "index2.txt"), *tier = NULL;
    char letters[3] = "";

    if (mark && name[0] && name[1]) {
        memcpy(letters, name, 2);
        if (strcmp(letters, ".."))
            tier = folder_find(folder, letters);
    }
    free(mark);
    return tier ? tier : copy(folder);
}

/* KEY/NAME below NAME */
static bool search_key(struct found *found, const struct wanted *wanted,
                       const char *names, const char *key)
{
    char *folder = *key ? folder_find(names, key) : NULL;
    bool done = folder && search_entry(found, wanted, folder, wanted->name);

    free(folder);
    return done;
}

static bool search_store(struct found *found, const struct wanted *wanted,
                         const char *folder)
{
    char *tier = store_tier(folder, wanted->name);
    char *names = folder_find(tier, wanted->name);
    bool done = names && path_is_folder(names) &&
                (search_key(found, wanted, names, wanted->key) ||
                 search_key(found, wanted, names, wanted->portable_key));

    free(tier);
    free(names);
    return done;
}

static bool has_name(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');

    return ascii_same(slash ? slash + 1 : path, name);
}

bool search_place(struct found *found, const struct wanted *wanted,
                  const char *place)
{
    if (path_is_file(place))
        return try_file(found, wanted, place,
                        wanted->alone || has_name(place, wanted->name));
    if (!path_is_folder(place)) {
        add_probe(found, FIND_ABSENT, place, NULL);
        return false;
    }
    return search_entry(found, wanted, place, wanted->name) ||
           search_store(found, wanted, place);
}
