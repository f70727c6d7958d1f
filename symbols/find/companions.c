#include "symbols/find/companions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/base/map.h"
#include "engine/base/path.h"
#include "engine/container/container.h"
#include "symbols/elf/elf.h"

struct companions {
    char *folder; /* of the file */
    char *name;   /* its last part */
    const struct places *places;
    VEC(struct container *) found;
    /* (inode, device) of files that lacked a unit of theirs: how they were
     * judged. Thousands of units may name one by many paths. */
    struct map lacking;
    struct probe near;    /* the best of those looked at for one wanted */
    struct probe package; /* the best in packages that are not used */
    VEC(struct probe) lost;
    size_t lost_count;
};

static void forget(struct probe *probe)
{
    free(probe->path);
    *probe = (struct probe){.cause = FIND_ABSENT};
}

struct companions *companions_new(const char *path, const struct places *places)
{
    struct companions *c = mem_new(1, sizeof(*c));

    c->folder = path_folder(path);
    c->name = text_dup(path_base_name(path));
    c->places = places;
    c->near.cause = c->package.cause = FIND_ABSENT;
    return c;
}

void companions_free(struct companions *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < c->found.len; i++)
        container_close(c->found.data[i]);
    vec_release(&c->found);
    map_release(&c->lacking);
    for (size_t i = 0; i < c->lost.len; i++)
        free(c->lost.data[i].path);
    vec_release(&c->lost);
    free(c->near.path);
    free(c->package.path);
    free(c->folder);
    free(c->name);
    free(c);
}

/* One of another build says less than a broken one, as in found_file.h. */
static void note(struct companions *c, enum elf_companion is, const char *path)
{
    enum find_cause cause =
        is == COMPANION_FOREIGN ? FIND_MISMATCH : FIND_BROKEN;

    if (c->near.path && c->near.cause >= cause)
        return;
    free(c->near.path);
    c->near = (struct probe){.cause = cause, .path = text_dup(path)};
}

/* Keeps the file if it is the wanted one. A file that lacks a unit is not asked
 * for another. */
static bool try_file(struct companions *c, const struct dwarf_companion *wanted,
                     const char *path, const struct stat *st)
{
    bool unit = wanted->kind == DWARF_SPLIT_UNIT;
    uint32_t device = (uint32_t)st->st_dev, known = MAP_NONE;
    enum elf_companion is = COMPANION_BROKEN;
    struct container *file;

    if (unit)
        known = map_get(&c->lacking, st->st_ino, device);
    if (known != MAP_NONE) {
        note(c, (enum elf_companion)known, path);
        return false;
    }
    file = container_open_file(path, NULL);
    if (file && file->count)
        is = elf_companion_of(wanted, file->entries[0].data,
                              file->entries[0].size);
    if (is == COMPANION_SAME) {
        *vec_add(&c->found) = file;
        return true;
    }
    note(c, is, path);
    if (unit)
        map_set(&c->lacking, st->st_ino, device, is);
    container_close(file);
    return false;
}

/* Takes `path` over, which may be NULL. */
static bool try_path(struct companions *c, const struct dwarf_companion *wanted,
                     char *path)
{
    struct stat st;
    bool done = path && !stat(path, &st) && S_ISREG(st.st_mode) &&
                try_file(c, wanted, path, &st);

    free(path);
    return done;
}

static bool try_in(struct companions *c, const struct dwarf_companion *wanted,
                   const char *folder, const char *name)
{
    return try_path(c, wanted, path_join(folder, name));
}

/* Beside the file and in the places. */
static bool try_around(struct companions *c,
                       const struct dwarf_companion *wanted, const char *name)
{
    if (try_in(c, wanted, c->folder, name))
        return true;
    for (size_t i = 0; i < c->places->paths.len; i++)
        if (try_in(c, wanted, c->places->paths.data[i], name))
            return true;
    return false;
}

/* app.dwp of app, of app.debug, and app.debug.dwp */
static bool find_package(struct companions *c,
                         const struct dwarf_companion *wanted)
{
    size_t room = strlen(c->name) + sizeof(".dwp");
    const char *dot = strrchr(c->name, '.');
    char *name = mem_new(room, 1);
    bool done;

    snprintf(name, room, "%s.dwp", c->name);
    done = try_around(c, wanted, name);
    if (!done && dot) {
        snprintf(name, room, "%.*s.dwp", (int)(dot - c->name), c->name);
        done = try_around(c, wanted, name);
    }
    free(name);
    return done;
}

/* Stays below the folder it is joined to. */
static bool is_inner_path(const char *path)
{
    return *path != '/' && strcmp(path, "..") && strncmp(path, "../", 3) &&
           !strstr(path, "/../");
}

/* Tries the path that the file stores, relative to `folder`. */
static bool try_stored(struct companions *c,
                       const struct dwarf_companion *wanted, const char *folder)
{
    if (*wanted->name == '/')
        return try_path(c, wanted, text_dup(wanted->name));
    return folder && try_in(c, wanted, folder, wanted->name);
}

static bool find_split_unit(struct companions *c,
                            const struct dwarf_companion *wanted, char *last)
{
    return (is_inner_path(wanted->name) &&
            try_around(c, wanted, wanted->name)) ||
           (last && try_around(c, wanted, last)) ||
           try_stored(c, wanted, wanted->folder);
}

static bool try_tree(struct companions *c, const struct dwarf_companion *wanted,
                     const char *root)
{
    return try_path(c, wanted,
                    build_id_path(root, wanted->build_id.data,
                                  wanted->build_id.len, ".debug"));
}

static bool try_trees(struct companions *c,
                      const struct dwarf_companion *wanted)
{
    for (size_t i = 0; i < c->places->paths.len; i++)
        if (try_tree(c, wanted, c->places->paths.data[i]))
            return true;
    return try_tree(c, wanted, places_debug_root(c->places));
}

static bool try_dwz_folders(struct companions *c,
                            const struct dwarf_companion *wanted,
                            const char *last)
{
    char *name = path_join(".dwz", last);
    bool done = try_around(c, wanted, name) ||
                try_in(c, wanted, places_debug_root(c->places), name);

    free(name);
    return done;
}

static bool find_alternate(struct companions *c,
                           const struct dwarf_companion *wanted, char *last)
{
    return try_trees(c, wanted) ||
           (last && (try_around(c, wanted, last) ||
                     try_dwz_folders(c, wanted, last))) ||
           try_stored(c, wanted, c->folder);
}

static bool find(struct companions *c, const struct dwarf_companion *wanted)
{
    char *last;
    bool done;

    if (wanted->kind == DWARF_PACKAGE)
        return find_package(c, wanted);
    last = path_last_part(wanted->name, strlen(wanted->name));
    done = wanted->kind == DWARF_SPLIT_UNIT ? find_split_unit(c, wanted, last)
                                            : find_alternate(c, wanted, last);
    free(last);
    return done;
}

/* ---- what is missing ---- */

/* A package need not be there: its units are looked for by themselves. */
static void lose(struct companions *c, const struct dwarf_companion *wanted)
{
    struct probe *of = c->near.path ? &c->near : &c->package;

    if (wanted->kind == DWARF_PACKAGE) {
        c->package = c->near;
        c->near = (struct probe){.cause = FIND_ABSENT};
        return;
    }
    if (c->lost_count++ < LOST_KEPT)
        *vec_add(&c->lost) = (struct probe){
            .cause = of->cause,
            .path = text_dup(of->path ? of->path : wanted->name)};
}

void companions_tell(const struct companions *c, struct found *found)
{
    for (size_t i = 0; i < c->lost.len; i++)
        *vec_add(&found->lost) =
            (struct probe){.cause = c->lost.data[i].cause,
                           .path = text_dup(c->lost.data[i].path)};
    found->lost_count += c->lost_count;
    for (size_t i = 0; i < c->found.len; i++)
        *vec_add(&found->referred) =
            text_dup(c->found.data[i]->entries[0].name);
}

bool companions_find(void *companions, const struct dwarf_companion *wanted,
                     const uint8_t **data, size_t *size)
{
    struct companions *c = companions;
    const struct entry *e;

    forget(&c->near);
    if (!find(c, wanted)) {
        lose(c, wanted);
        return false;
    }
    e = &c->found.data[c->found.len - 1]->entries[0];
    *data = e->data;
    *size = e->size;
    return true;
}
