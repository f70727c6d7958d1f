#include "symbols/find/identities.h"

#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/arena.h"
#include "engine/base/strings.h"
#include "engine/base/vec.h"
#include "engine/container/container.h"
#include "symbols/debug.h"
#include "symbols/find/folder.h"

enum {
    FILES_MOST = 4096, /* of a folder */
    MAGIC = 24,
};

struct known {
    const char *path;
    struct identity identity;
};

struct folder {
    VEC(struct known) files;
};

struct identities {
    pthread_mutex_t lock; /* guards what follows */
    struct strings *names;
    VEC(struct folder) folders; /* by id of the name */
    struct arena arena;         /* the paths */
};

struct identities *identities_new(void)
{
    struct identities *ids = mem_new(1, sizeof(*ids));

    pthread_mutex_init(&ids->lock, NULL);
    ids->names = strings_new();
    return ids;
}

void identities_free(struct identities *ids)
{
    if (!ids)
        return;
    for (size_t i = 0; i < ids->folders.len; i++)
        vec_release(&ids->folders.data[i].files);
    vec_release(&ids->folders);
    strings_free(ids->names);
    arena_release(&ids->arena);
    pthread_mutex_destroy(&ids->lock);
    free(ids);
}

/* ---- reading a folder ---- */

static bool looks_like_one(const char *path)
{
    static const char *const magics[] = {"Microsoft C/C++ MSF ", "\177ELF",
                                         "MZ", "BSJB"};
    char start[MAGIC] = "";
    FILE *file = path_is_file(path) ? fopen(path, "rb") : NULL;
    bool like = false;

    if (!file)
        return false;
    if (fread(start, 1, sizeof(start), file) == sizeof(start))
        for (size_t i = 0; i < sizeof(magics) / sizeof(*magics); i++)
            like |= !memcmp(start, magics[i], strlen(magics[i]));
    fclose(file);
    return like;
}

static bool read_identity(const char *path, struct identity *identity)
{
    struct container *c = container_open(path, NULL);
    struct debug_file *file = NULL;

    if (c && c->count)
        file = debug_open(path, c->entries[0].data, c->entries[0].size, NULL);
    if (file)
        *identity = file->identity;
    debug_close(file);
    container_close(c);
    return file != NULL;
}

static int compare(const void *a, const void *b)
{
    const char *const *x = a, *const *y = b;

    return strcmp(*x, *y);
}

static void read_files(struct identities *ids, struct folder *folder,
                       const char **paths, size_t count)
{
    for (size_t i = 0; i < count && folder->files.len < FILES_MOST; i++) {
        struct known known = {.path = paths[i]};

        if (!looks_like_one(paths[i]) ||
            !read_identity(paths[i], &known.identity))
            continue;
        known.path = arena_strndup(&ids->arena, paths[i], strlen(paths[i]));
        *vec_add(&folder->files) = known;
    }
}

static void read_folder(struct identities *ids, struct folder *folder,
                        const char *name)
{
    VEC(const char *) paths = {0};
    struct arena arena = {0};
    DIR *dir = opendir(name);
    struct dirent *entry;

    while (dir && (entry = readdir(dir)) != NULL) {
        char *path = path_join(name, entry->d_name);

        *vec_add(&paths) = arena_strndup(&arena, path, strlen(path));
        free(path);
    }
    if (dir)
        closedir(dir);
    if (paths.len)
        qsort(paths.data, paths.len, sizeof(*paths.data), compare);
    read_files(ids, folder, paths.data, paths.len);
    vec_release(&paths);
    arena_release(&arena);
}

/* NULL: its name is not one that the table can keep. */
static const struct folder *folder_of(struct identities *ids, const char *name)
{
    uint32_t id = strings_add(ids->names, name, strlen(name));
    struct folder *folder;

    if (strcmp(strings_get(ids->names, id), name) != 0)
        return NULL;
    if (id < ids->folders.len)
        return &ids->folders.data[id];
    while (id >= ids->folders.len)
        *vec_add(&ids->folders) = (struct folder){.files = {0}};
    folder = &ids->folders.data[id];
    read_folder(ids, folder, name);
    return folder;
}

/* ---- asking ---- */

static bool is_set(const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (bytes[i])
            return true;
    return false;
}

static bool is_alike(const struct identity *a, const struct identity *b)
{
    if (a->build_id_size)
        return a->build_id_size == b->build_id_size &&
               !memcmp(a->build_id, b->build_id, a->build_id_size);
    if (is_set(a->guid, sizeof(a->guid)) &&
        !memcmp(a->guid, b->guid, sizeof(a->guid)))
        return true;
    return a->image_size && a->timestamp == b->timestamp &&
           a->image_size == b->image_size;
}

size_t identities_find(struct identities *ids, const char *folder,
                       const struct identity *wanted,
                       const char *paths[IDENTITIES_MOST])
{
    const struct folder *f;
    size_t n = 0;

    if (!ids)
        return 0;
    pthread_mutex_lock(&ids->lock);
    f = folder_of(ids, folder);
    for (size_t i = 0; f && i < f->files.len && n < IDENTITIES_MOST; i++)
        if (is_alike(wanted, &f->files.data[i].identity))
            paths[n++] = f->files.data[i].path;
    pthread_mutex_unlock(&ids->lock);
    return n;
}
