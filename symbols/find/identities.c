#include "symbols/find/identities.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/container/container.h"
#include "symbols/debug.h"
#include "symbols/find/folder.h"

enum {
    FILES_MOST = 4096, /* of a folder */
    MAGIC = 24,
};

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

void identities_read(struct identities *ids, const char *folder,
                     const char *const *names, size_t count,
                     struct arena *arena)
{
    for (size_t i = 0; i < count && ids->files.len < FILES_MOST; i++) {
        char *path = path_join(folder, names[i]);
        struct identified_file file = {.path = path};

        if (looks_like_one(path) && read_identity(path, &file.identity)) {
            file.path = arena_strndup(arena, path, strlen(path));
            *vec_add(&ids->files) = file;
        }
        free(path);
    }
}

void identities_release(struct identities *ids)
{
    vec_release(&ids->files);
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

size_t identities_find(const struct identities *ids,
                       const struct identity *wanted,
                       const char *paths[IDENTITIES_MOST])
{
    size_t n = 0;

    for (size_t i = 0; i < ids->files.len && n < IDENTITIES_MOST; i++)
        if (is_alike(wanted, &ids->files.data[i].identity))
            paths[n++] = ids->files.data[i].path;
    return n;
}
