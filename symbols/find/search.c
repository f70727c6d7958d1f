#include "symbols/find/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/mem.h"
#include "engine/base/text.h"
#include "symbols/find/folder.h"
#include "symbols/find/places.h"
#include "symbols/find/listing.h"

/*
 * file.ptr of a symbol store says where the file is instead.
 *
 * The stores are the user's, and what a pointer leads to is used only if its
 * identity is the one wanted.
 */

/* Longer than any path that can be opened. */
enum { LONGEST = 4096 };

/* Without blanks at its end. */
static char *first_line(const uint8_t *text, size_t size)
{
    size_t n = 0;

    size = size < LONGEST ? size : LONGEST;
    while (n < size && text[n] != '\n' && text[n] != '\r' && text[n])
        n++;
    while (n && text[n - 1] == ' ')
        n--;
    return text_copy(text, n);
}

static char *say_why(const char *what, const char *text)
{
    size_t room = strlen(what) + strlen(text) + 1;
    char *why = mem_new(room, 1);

    snprintf(why, room, "%s%s", what, text);
    return why;
}

char *pointer_read(const uint8_t *data, size_t size, char **why)
{
    char *line = first_line(data, size), *target = NULL;
    const char *text = line;

    *why = NULL;
    if (ascii_same_n(text, "MSG:", 4)) {
        *why = say_why("not there: ", text + 4 + strspn(text + 4, " "));
    } else {
        if (ascii_same_n(text, "PATH:", 5))
            text += 5;
        if (*text == '/')
            target = text_dup(text);
        else
            *why = say_why("points to what is no path of this system: ", text);
    }
    free(line);
    return target;
}

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

static bool follow_pointer(struct found *found, const struct wanted *wanted,
                           const char *pointer)
{
    struct container *c = container_open(pointer, NULL);
    char *path, *why;
    bool done = false;

    if (!c || !c->count) {
        container_close(c);
        return false;
    }
    path = pointer_read(c->entries[0].data, c->entries[0].size, &why);
    container_close(c);
    if (path)
        done = search_file(found, wanted, path);
    else
        found_note(found, FIND_ABSENT, pointer, why);
    free(path);
    free(why);
    return done;
}

/* The file is elsewhere, or file.ptr says why there is none. */
static bool search_pointer(struct found *found, const struct wanted *wanted,
                           const char *folder)
{
    char *pointer = find(wanted, folder, "file.ptr");
    bool done = pointer && follow_pointer(found, wanted, pointer);

    free(pointer);
    return done;
}

/* KEY/NAME below NAME */
static bool search_key(struct found *found, const struct wanted *wanted,
                       const char *names, const char *key)
{
    char *folder = *key ? find(wanted, names, key) : NULL;
    bool done = folder && (search_entry(found, wanted, folder, wanted->name) ||
                           search_pointer(found, wanted, folder));

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

/* ---- folders by kind of image ---- */

/* FOLDER/ENDING/NAME */
static bool search_ending(struct found *found, const struct wanted *wanted,
                          const char *folder, const char *ending)
{
    char *below = find(wanted, folder, ending);
    bool done = below && path_is_folder(below) &&
                search_entry(found, wanted, below, wanted->name);

    free(below);
    return done;
}

/* A PDB is filed by the ending of its image. */
static bool search_endings(struct found *found, const struct wanted *wanted,
                           const char *folder)
{
    static const char *const endings[] = {"exe", "dll", "sys"};
    bool done = false;

    for (size_t i = 0; i < 3 && !done; i++)
        done = search_ending(found, wanted, folder, endings[i]);
    return done;
}

/* As symbol packages of Windows are unpacked: dll/app.pdb below the folder or
 * its folder "symbols". */
static bool search_package(struct found *found, const struct wanted *wanted,
                           const char *folder)
{
    char *symbols;
    bool done;

    if (wanted->kind != WANTED_PDB)
        return false;
    symbols = find(wanted, folder, "symbols");
    done = search_endings(found, wanted, folder) ||
           (symbols && search_endings(found, wanted, symbols));
    free(symbols);
    return done;
}

/* ---- places ---- */

static bool has_name(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');

    return ascii_same(slash ? slash + 1 : path, name);
}

bool search_place(struct found *found, const struct wanted *wanted,
                  const char *place)
{
    enum path_kind kind = path_kind(place);

    if (kind == PATH_FILE) {
        bool is_meant = wanted->alone || has_name(place, wanted->name);

        if (wanted->by_name && !is_meant) {
            found_note(found, FIND_UNUSED, place, "of another name");
            return false;
        }
        return found_try(found, wanted, place, is_meant);
    }
    if (kind != PATH_FOLDER) {
        found_note(found, FIND_ABSENT, place, NULL);
        return false;
    }
    return search_entry(found, wanted, place, wanted->name) ||
           search_store(found, wanted, place) ||
           search_package(found, wanted, place);
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
