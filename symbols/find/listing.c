#include "symbols/find/listing.h"

#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <zlib.h>

#include "engine/base/bisect.h"
#include "engine/base/path.h"
#include "engine/base/strings.h"
#include "engine/container/container.h"
#include "symbols/debug.h"

struct identified_file {
    const char *path;
    struct identity identity;
};

/* The names in one folder, sorted without regard to case, then by bytes. */
struct listing {
    VEC(const char *) names;
    VEC(struct identified_file) files; /* in order of their names */
    bool identified;                   /* these were read */
};

struct listings {
    pthread_mutex_t lock; /* guards what follows */
    struct strings *folders;
    VEC(struct listing) listings; /* by id of the folder */
    struct arena arena;           /* names and paths */
    struct strings *summed;       /* paths with sizes */
    VEC(uint32_t) sums;           /* by id of `summed`, less 1 */
};

/*
 * The identities that the files of one folder have.
 *
 * For files that were renamed. Only what begins like an image or a debug file
 * is opened; of very many the first.
 */

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
    struct container *c = container_open_file(path, NULL);
    struct debug_file *file = NULL;

    if (c && c->count)
        file = debug_open(path, c->entries[0].data, c->entries[0].size, NULL);
    if (file)
        *identity = file->identity;
    debug_close(file);
    container_close(c);
    return file != NULL;
}

static void read_identities(struct listings *l, struct listing *listing,
                            const char *folder)
{
    for (size_t i = 0; i < listing->names.len && listing->files.len < FILES_MOST;
         i++) {
        char *path = path_join(folder, listing->names.data[i]);
        struct identified_file file = {.path = path};

        if (looks_like_one(path) && read_identity(path, &file.identity)) {
            file.path = arena_strndup(&l->arena, path, strlen(path));
            *vec_add(&listing->files) = file;
        }
        free(path);
    }
}

bool identity_is_alike(const struct identity *a, const struct identity *b)
{
    if (a->build_id_size)
        return identity_same_build(a, b);
    if (!guid_is_zero(a->guid) &&
        !memcmp(a->guid, b->guid, sizeof(a->guid)))
        return true;
    return a->image_size && a->timestamp == b->timestamp &&
           a->image_size == b->image_size;
}

struct listings *listings_new(void)
{
    struct listings *l = mem_new(1, sizeof(*l));

    pthread_mutex_init(&l->lock, NULL);
    l->folders = strings_new();
    l->summed = strings_new();
    *vec_add(&l->listings) = (struct listing){.names = {0}}; /* of id 0 */
    return l;
}

void listings_free(struct listings *l)
{
    if (!l)
        return;
    for (size_t i = 0; i < l->listings.len; i++) {
        vec_release(&l->listings.data[i].names);
        vec_release(&l->listings.data[i].files);
    }
    vec_release(&l->listings);
    strings_free(l->folders);
    strings_free(l->summed);
    vec_release(&l->sums);
    arena_release(&l->arena);
    pthread_mutex_destroy(&l->lock);
    free(l);
}

static int compare(const void *a, const void *b)
{
    const char *const *x = a, *const *y = b;
    int order = strcasecmp(*x, *y);

    return order ? order : strcmp(*x, *y);
}

static void read_folder(struct listings *l, struct listing *listing,
                        const char *folder)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;

    if (!dir)
        return;
    while ((entry = readdir(dir)) != NULL)
        *vec_add(&listing->names) =
            arena_strndup(&l->arena, entry->d_name, strlen(entry->d_name));
    closedir(dir);
    if (listing->names.len)
        qsort(listing->names.data, listing->names.len, sizeof(const char *),
              compare);
}

/* NULL: the folder's name is not one that the table can keep. */
static struct listing *listing_of(struct listings *l, const char *folder)
{
    uint32_t id = strings_add(l->folders, folder, strlen(folder));
    struct listing *listing;

    if (strcmp(strings_get(l->folders, id), folder) != 0)
        return NULL;
    if (id < l->listings.len)
        return &l->listings.data[id];
    while (id > l->listings.len)
        *vec_add(&l->listings) = (struct listing){.names = {0}};
    listing = vec_add(&l->listings);
    *listing = (struct listing){.names = {0}};
    read_folder(l, listing, folder);
    return listing;
}

/* The first of those that differ in case only; NULL none. */
static const char *find_name(const struct listing *listing, const char *name)
{
    size_t i;

    BISECT(i, listing->names.len, strcasecmp(listing->names.data[i], name) < 0);
    if (i == listing->names.len ||
        strcasecmp(listing->names.data[i], name) != 0)
        return NULL;
    return listing->names.data[i];
}

char *listings_find(struct listings *l, const char *folder, const char *name)
{
    char *path;
    struct stat st;
    const struct listing *listing;
    const char *found;

    if (!l)
        return folder_find(folder, name);
    path = path_join(folder, name);
    if (!stat(path, &st))
        return path;
    free(path);
    pthread_mutex_lock(&l->lock);
    listing = listing_of(l, folder);
    found = listing ? find_name(listing, name) : NULL;
    path = listing ? (found ? path_join(folder, found) : NULL)
                   : folder_find(folder, name);
    pthread_mutex_unlock(&l->lock);
    return path;
}

size_t listings_find_identity(struct listings *l, const char *folder,
                              const struct identity *wanted,
                              const char *paths[IDENTITIES_MOST])
{
    struct listing *listing;
    size_t n = 0;

    if (!l)
        return 0;
    pthread_mutex_lock(&l->lock);
    listing = listing_of(l, folder);
    if (listing && !listing->identified) {
        read_identities(l, listing, folder);
        listing->identified = true;
    }
    for (size_t i = 0;
         listing && i < listing->files.len && n < IDENTITIES_MOST; i++)
        if (identity_is_alike(wanted, &listing->files.data[i].identity))
            paths[n++] = listing->files.data[i].path;
    pthread_mutex_unlock(&l->lock);
    return n;
}

uint32_t listings_crc(struct listings *l, const char *path, const uint8_t *data,
                      size_t size)
{
    uint32_t id, sum;

    if (!l)
        return (uint32_t)crc32_z(0, data, size);
    pthread_mutex_lock(&l->lock);
    id = strings_addf(l->summed, "%zu %s", size, path) - 1;
    if (id == l->sums.len)
        *vec_add(&l->sums) = (uint32_t)crc32_z(0, data, size);
    sum = l->sums.data[id];
    pthread_mutex_unlock(&l->lock);
    return sum;
}
