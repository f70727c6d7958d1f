#include "symbols/find/elf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "engine/base/path.h"
#include "symbols/elf/elf.h"
#include "symbols/find/online/online.h"

/* "elf-buildid-HEX": symbol stores have at least 20 bytes, the last of them
 * zeros if need be. */
static void set_key(struct wanted *wanted, const char *before)
{
    enum { LEAST = 20 };
    const struct identity *id = &wanted->identity;
    size_t n = id->build_id_size < LEAST ? LEAST : id->build_id_size;
    char hex[BUILD_ID_TEXT];

    build_id_text(id->build_id, n, hex);
    if (id->build_id_size)
        snprintf(wanted->key, sizeof(wanted->key), "%s%.64s", before, hex);
}

static struct wanted wanted_elf(const struct elf_sought *s,
                                enum wanted_kind kind)
{
    struct wanted wanted = {.kind = kind,
                            .name = s->name,
                            .identity = *s->identity,
                            .by_name = !s->identity->build_id_size,
                            .places = s->places};

    set_key(&wanted, "elf-buildid-");
    return wanted;
}

/* ---- what is sought ---- */

/* A build-id, or neither any identity nor what would tell the file; then
 * addresses are offsets in it, or it is a driver of the kernel, which has two
 * names. */
static bool is_elf(const struct profile *p, const struct module *m)
{
    const struct identity *id = &m->identity;

    if (id->build_id_size)
        return true;
    return !id->timestamp && !id->pdb_name &&
           (m->by_file_offset ||
            (*strings_get(p->strings, m->name) == '[' &&
             path_is_plain(strings_get(p->strings, m->path))));
}

/* When the last of what was recorded happened; else the first of the files was
 * not written before. */
static int64_t recorded_until(const struct profile *p)
{
    const struct trace_info *t = &p->trace;
    int64_t until = 0;
    struct stat st;

    if (t->start_unix_ns)
        return t->start_unix_ns + t->duration_ns;
    for (size_t i = 0; i < t->files.len; i++) {
        int64_t written;

        if (stat(strings_get(p->strings, t->files.data[i]), &st))
            return 0;
        written = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
        until = !i || written < until ? written : until;
    }
    return until;
}

static bool recorded_elsewhere(const struct profile *p)
{
    const char *machine = strings_get(p->strings, p->trace.machine);
    char here[256] = "";

    return *machine &&
           (gethostname(here, sizeof(here) - 1) || strcmp(here, machine) != 0);
}

/* "driver.ko" of "/lib/modules/6.1.0/kernel/drivers/driver.ko.xz", which traces
 * call "[driver]". */
static void cut_packing(char *name)
{
    char *end = name ? strstr(name, ".ko") : NULL;

    if (end)
        end[sizeof(".ko") - 1] = '\0';
}

bool elf_sought_of(const struct profile *p, uint32_t module,
                   const struct places *places, struct elf_sought *sought,
                   char **name)
{
    const struct module *m = &p->modules.data[module];
    bool has_id = m->identity.build_id_size;
    const char *text = strings_get(p->strings, m->name);
    bool is_driver =
        *text == '[' && path_is_plain(strings_get(p->strings, m->path));

    if (!is_elf(p, m))
        return false;
    if (!has_id || is_driver)
        text = strings_get(p->strings, m->path);
    *name = path_last_part(text, strlen(text));
    if (is_driver)
        cut_packing(*name);
    *sought = (struct elf_sought){
        .identity = &m->identity,
        .name = *name,
        .path = strings_get(p->strings, m->path),
        .places = places,
        .stamp = m->stamp,
        .elsewhere = !has_id && recorded_elsewhere(p),
        .recorded_ns = has_id ? 0 : recorded_until(p),
    };
    return *name;
}

/* ---- by build-id ---- */

/* Takes `path` over, which may be NULL. Nothing is told of what is absent:
 * few of these trees exist. */
static bool search_quietly(struct found *found, const struct wanted *wanted,
                           char *path)
{
    bool done = path && path_is_file(path) && search_file(found, wanted, path);

    free(path);
    return done;
}

static bool search_tree(struct found *found, const struct wanted *wanted,
                        const char *root, const char *ending)
{
    return search_quietly(found, wanted,
                          build_id_path(root, wanted->identity.build_id,
                                        wanted->identity.build_id_size,
                                        ending));
}

static bool search_trees(struct found *found, const struct wanted *wanted,
                         const char *ending)
{
    const struct places *places = wanted->places;

    for (size_t i = 0; i < places->paths.len; i++)
        if (search_tree(found, wanted, places->paths.data[i], ending))
            return true;
    return search_tree(found, wanted, places_debug_root(places), ending);
}

/* perf keeps a folder for each build-id: .build-id/xx/yyyy/elf. */
static bool search_perf_tree(struct found *found, const struct wanted *wanted,
                             const char *root)
{
    return search_tree(found, wanted, root, "/elf") ||
           search_tree(found, wanted, root, "/vdso");
}

static bool search_perf_trees(struct found *found, const struct wanted *wanted)
{
    const struct places *places = wanted->places;

    for (size_t i = 0; i < places->paths.len; i++)
        if (search_perf_tree(found, wanted, places->paths.data[i]))
            return true;
    return places->perf_cache &&
           search_perf_tree(found, wanted, places->perf_cache);
}

/* CACHE/HEX/debuginfo. An empty file says that a server had none. */
static bool search_cache(struct found *found, const struct wanted *wanted,
                         const char *cache, const char *what)
{
    char hex[BUILD_ID_TEXT], tail[BUILD_ID_TEXT + 16], *path;

    build_id_text(wanted->identity.build_id, wanted->identity.build_id_size,
                  hex);
    snprintf(tail, sizeof(tail), "%s/%s", hex, what);
    path = path_join(cache, tail);
    if (path_is_file(path) && !path_is_empty(path))
        return search_quietly(found, wanted, path);
    free(path);
    return false;
}

static bool search_caches(struct found *found, const struct wanted *wanted,
                          const char *what)
{
    const struct places *places = wanted->places;

    for (size_t i = 0; i < places->caches.len; i++)
        if (search_cache(found, wanted, places->caches.data[i], what))
            return true;
    return false;
}

/* ---- the image ---- */

/* NAME, or the image's path: a copy of the machine's files. */
static bool search_named(struct found *found, const struct wanted *wanted,
                         const struct elf_sought *s)
{
    const struct places *places = wanted->places;

    for (size_t i = 0; i < places->paths.len; i++) {
        const char *place = places->paths.data[i];

        if (!places->named.data[i])
            continue;
        if (search_place(found, wanted, place) ||
            (path_is_plain(s->path) && path_is_folder(place) &&
             search_quietly(found, wanted, path_join(place, s->path + 1))))
            return true;
    }
    return false;
}

/* Why a file of the name that nobody gave is not used; NULL: it may be. */
static const char *reason_against(const struct elf_sought *s,
                                  const struct stat *st, bool at_path)
{
    const struct file_stamp *stamp = &s->stamp;

    if (at_path && s->elsewhere)
        return "recorded on another machine";
    if (at_path && stamp->inode &&
        (st->st_ino != stamp->inode || major(st->st_dev) != stamp->major ||
         minor(st->st_dev) != stamp->minor))
        return "not the file that was mapped";
    if (!s->recorded_ns)
        return "not known whether it was modified after the recording";
    if ((int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec >
        s->recorded_ns)
        return "modified after the recording";
    return NULL;
}

static bool search_unchanged(struct found *found, const struct wanted *wanted,
                             const struct elf_sought *s, const char *path)
{
    const char *reason;
    struct stat st;

    if (stat(path, &st) || !S_ISREG(st.st_mode)) {
        found_note(found, FIND_ABSENT, path, NULL);
        return false;
    }
    reason = reason_against(s, &st, path == s->path);
    if (reason)
        found_note(found, FIND_UNUSED, path, reason);
    return !reason && found_try(found, wanted, path, true);
}

/* In the places that nobody named. */
static bool search_others(struct found *found, const struct wanted *wanted,
                          const struct elf_sought *s)
{
    const struct places *places = wanted->places;
    bool done = false;

    for (size_t i = 0; i < places->paths.len && !done; i++) {
        char *path = path_join(places->paths.data[i], wanted->name);

        done = !places->named.data[i] && path_is_file(path) &&
               search_unchanged(found, wanted, s, path);
        free(path);
    }
    return done;
}

static struct found find_by_name(const struct elf_sought *s,
                                 const struct wanted *wanted)
{
    struct found found = found_nothing(wanted);

    (void)(search_inside(&found, wanted, wanted->name) ||
           search_named(&found, wanted, s) ||
           (path_is_plain(s->path) &&
            search_unchanged(&found, wanted, s, s->path)) ||
           search_others(&found, wanted, s));
    return found;
}

struct found find_elf_image(const struct elf_sought *s)
{
    struct wanted wanted = wanted_elf(s, WANTED_ELF);
    struct found found;

    if (wanted.by_name)
        return find_by_name(s, &wanted);
    found = found_nothing(&wanted);
    (void)(search_places(&found, &wanted) ||
           (path_is_plain(s->path) && search_file(&found, &wanted, s->path)) ||
           search_trees(&found, &wanted, "") ||
           search_perf_trees(&found, &wanted) ||
           search_caches(&found, &wanted, "executable") ||
           search_identity(&found, &wanted));
    return found;
}

void ask_elf_image(struct found *found, const struct elf_sought *s)
{
    struct wanted wanted = wanted_elf(s, WANTED_ELF);

    if (!wanted.by_name)
        online_find(found, &wanted);
}

/* ---- its debug file ---- */

static bool search_folders(struct found *found, const struct wanted *wanted,
                           const char *name)
{
    const struct places *places = wanted->places;

    for (size_t i = 0; i < places->paths.len; i++)
        if (path_is_folder(places->paths.data[i]) &&
            search_entry(found, wanted, places->paths.data[i], name))
            return true;
    return false;
}

/* "libc.so.6.debug" */
static bool search_ending(struct found *found, const struct wanted *wanted,
                          const char *ending)
{
    size_t room = strlen(wanted->name) + strlen(ending) + 1;
    char *name = mem_new(room, 1);
    bool done;

    snprintf(name, room, "%s%s", wanted->name, ending);
    done = search_inside(found, wanted, name) ||
           search_folders(found, wanted, name);
    free(name);
    return done;
}

/* Debug files have one name for all in symbol stores. */
static bool search_stores(struct found *found, const struct wanted *wanted)
{
    struct wanted stored = *wanted;
    bool done = false;

    stored.name = "_.debug";
    set_key(&stored, "elf-buildid-sym-");
    for (size_t i = 0; i < stored.places->paths.len && !done; i++)
        done = search_store(found, &stored, stored.places->paths.data[i]);
    return done;
}

/* ROOT/.build-id/xx/yyyy.debug in a container */
static bool search_inside_tree(struct found *found, const struct wanted *wanted)
{
    const struct identity *id = &wanted->identity;
    char *path = build_id_path("", id->build_id, id->build_id_size, ".debug");
    bool done = path && search_inside(found, wanted, path + 1);

    free(path);
    return done;
}

/* FOLDER/NAME and FOLDER/.debug/NAME */
static bool search_beside(struct found *found, const struct wanted *wanted,
                          const char *folder, const char *name)
{
    char *below = path_join(folder, ".debug");
    bool done = search_quietly(found, wanted, path_join(folder, name)) ||
                search_quietly(found, wanted, path_join(below, name));

    free(below);
    return done;
}

/* /usr/lib/debug/usr/bin/NAME, also without the second /usr: systems that
 * merged them have files under either path. */
static bool search_root(struct found *found, const struct wanted *wanted,
                        const char *folder, const char *name)
{
    const char *root = places_debug_root(wanted->places);
    char *full = realpath(folder, NULL);
    char *path = full ? path_join(root, full + 1) : NULL;
    bool done = path && search_quietly(found, wanted, path_join(path, name));

    free(path);
    if (!done && full && !strncmp(full, "/usr/", 5)) {
        path = path_join(root, full + 5);
        done = search_quietly(found, wanted, path_join(path, name));
        free(path);
    }
    free(full);
    return done;
}

static bool search_link(struct found *found, const struct elf_sought *s,
                        struct wanted *wanted)
{
    const char *name = elf_debug_link(s->image, &wanted->crc);
    char *folder;
    bool done;

    if (!name)
        return false;
    wanted->has_crc = true;
    folder = path_folder(s->image->name);
    done = search_beside(found, wanted, folder, name) ||
           search_folders(found, wanted, name) ||
           search_root(found, wanted, folder, name);
    free(folder);
    return done;
}

static bool search_by_id(struct found *found, const struct elf_sought *s,
                         const struct wanted *wanted)
{
    return search_inside_tree(found, wanted) ||
           search_trees(found, wanted, ".debug") ||
           search_caches(found, wanted, "debuginfo") ||
           search_stores(found, wanted) ||
           search_ending(found, wanted, ".debug") ||
           search_ending(found, wanted, ".dbg") ||
           /* Without an image, the search for one has been there already. */
           (s->image && search_places(found, wanted));
}

struct found find_elf_debug(const struct elf_sought *s)
{
    struct wanted wanted =
        wanted_elf(s, s->image && elf_has_symbols(s->image) ? WANTED_ELF_DWARF
                                                            : WANTED_ELF_NAMES);
    struct found found = found_nothing(&wanted);
    bool done;

    wanted.by_name = false;
    done = wanted.identity.build_id_size && search_by_id(&found, s, &wanted);

    if (!done && s->image)
        done = search_link(&found, s, &wanted);
    if (!done && wanted.identity.build_id_size)
        done = search_identity(&found, &wanted);
    if (!done && wanted.identity.build_id_size)
        online_find(&found, &wanted);
    return found;
}
