#include "symbols/find/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/mem.h"
#include "engine/base/path.h"
#include "engine/base/text.h"
#include "symbols/find/places.h"
#include "symbols/find/listing.h"

static char *find(const struct wanted *wanted, const char *folder,
                  const char *name)
{
    return listings_find(wanted->places->listings, folder, name);
}

static bool try_path(struct found *found, const struct wanted *wanted,
                     const char *path, enum path_kind kind)
{
    if (kind == PATH_FILE)
        return found_try(found, wanted, path, true);
    found_note(found, FIND_ABSENT, path, NULL);
    return false;
}

bool search_file(struct found *found, const struct wanted *wanted,
                 const char *path)
{
    return try_path(found, wanted, path, path_kind(path));
}

/* "app.pd_" */
static char *packed_name(const char *name)
{
    size_t n = strlen(name);
    char *packed = text_copy(name, n);

    packed[n - 1] = '_';
    return packed;
}

/* Only files of Windows are kept so. */
static bool search_packed(struct found *found, const struct wanted *wanted,
                          const char *folder, const char *name)
{
    char *packed, *path;
    bool done;

    if (wanted->kind != WANTED_PDB && wanted->kind != WANTED_PE)
        return false;
    packed = packed_name(name);
    path = find(wanted, folder, packed);
    done = path && path_is_file(path) && found_try(found, wanted, path, true);
    free(packed);
    free(path);
    return done;
}

bool search_entry(struct found *found, const struct wanted *wanted,
                  const char *folder, const char *name)
{
    char *path = find(wanted, folder, name);
    enum path_kind kind = path ? path_kind(path) : PATH_NONE;
    bool done;

    if (!path)
        path = path_join(folder, name);
    if (kind == PATH_FOLDER) /* a symbol store's */
        done = false;
    else
        done = try_path(found, wanted, path, kind) ||
               search_packed(found, wanted, folder, name);
    free(path);
    return done;
}

/* ---- symbol stores ---- */

/* The folder that has NAME: the store itself, or the one for the first two
 * letters. */
static char *store_tier(const struct wanted *wanted, const char *folder)
{
    char *mark = find(wanted, folder, "index2.txt"), *tier = NULL;
    const char *name = wanted->name;
    char letters[3] = "";

    if (mark && name[0] && name[1]) {
        memcpy(letters, name, 2);
        if (strcmp(letters, ".."))
            tier = find(wanted, folder, letters);
    }
    free(mark);
    return tier ? tier : text_dup(folder);
}

/* KEY/NAME below NAME */
static bool search_key(struct found *found, const struct wanted *wanted,
                       const char *names, const char *key)
{
    char *folder = *key ? find(wanted, names, key) : NULL;
    bool done = folder && search_entry(found, wanted, folder, wanted->name);

    free(folder);
    return done;
}

bool search_store(struct found *found, const struct wanted *wanted,
                  const char *folder)
{
    char *tier = store_tier(wanted, folder);
    char *names = find(wanted, tier, wanted->name);
    bool done = names && path_is_folder(names) &&
                (search_key(found, wanted, names, wanted->key) ||
                 search_key(found, wanted, names, wanted->portable_key));

    free(tier);
    free(names);
    return done;
}

/* ---- places ---- */

bool search_place(struct found *found, const struct wanted *wanted,
                  const char *place)
{
    enum path_kind kind = path_kind(place);

    if (kind == PATH_FILE) {
        bool is_meant = wanted->alone || ascii_same(path_base_name(place), wanted->name);

        if (wanted->by_name && !is_meant) {
            found_note(found, FIND_UNUSED, place, "another name");
            return false;
        }
        return found_try(found, wanted, place, is_meant);
    }
    if (kind != PATH_FOLDER) {
        found_note(found, FIND_ABSENT, place, NULL);
        return false;
    }
    return search_entry(found, wanted, place, wanted->name) ||
           search_store(found, wanted, place);
}

/* Tells whether an entry's path ends with the name, whole parts of it. */
static bool ends_with(const char *path, const char *name)
{
    size_t n = strlen(path), m = strlen(name);

    return n >= m && ascii_same(path + n - m, name) &&
           (n == m || path[n - m - 1] == '/');
}

static bool try_inside(struct found *found, const struct wanted *wanted,
                       size_t i)
{
    struct inside *inside = wanted->places->inside;
    const struct entry *e = inside_entry(inside, i);
    struct err err = {0};

    if (!inside_load(inside, i, &err))
        return found_try_entry(found, wanted, e);
    found_note(found, FIND_BROKEN, e->name, err.message);
    return false;
}

bool search_inside(struct found *found, const struct wanted *wanted,
                   const char *name)
{
    const struct inside *inside = wanted->places->inside;
    size_t n = inside_count(inside);
    char *packed = n ? packed_name(name) : NULL;
    bool done = false;

    for (size_t i = 0; i < n && !done; i++) {
        const char *inner = inside_entry(inside, i)->inner;

        if (ends_with(inner, name) || ends_with(inner, packed))
            done = try_inside(found, wanted, i);
    }
    free(packed);
    return done;
}

bool search_places(struct found *found, const struct wanted *wanted)
{
    const struct places *places = wanted->places;

    if (search_inside(found, wanted, wanted->name))
        return true;
    for (size_t i = 0; i < places->paths.len; i++)
        if (search_place(found, wanted, places->paths.data[i]))
            return true;
    return false;
}

bool search_identity(struct found *found, const struct wanted *wanted)
{
    const struct places *places = wanted->places;
    const char *paths[IDENTITIES_MOST];

    for (size_t i = 0; i < places->paths.len; i++) {
        const char *folder = places->paths.data[i];
        size_t n = listings_find_identity(places->listings, folder,
                                          &wanted->identity, paths);

        for (size_t k = 0; k < n; k++)
            if (found_try_renamed(found, wanted, paths[k]))
                return true;
    }
    return false;
}
