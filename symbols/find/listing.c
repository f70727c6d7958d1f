#include "symbols/find/listing.h"

#include <dirent.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "engine/base/arena.h"
#include "engine/base/bisect.h"
#include "engine/base/mem.h"
#include "engine/base/strings.h"
#include "engine/base/vec.h"
#include "symbols/find/folder.h"

/* The names in one folder, sorted without regard to case, then by bytes. */
struct listing {
    VEC(const char *) names;
};

struct listings {
    pthread_mutex_t lock; /* guards what follows */
    struct strings *folders;
    VEC(struct listing) listings; /* by id of the folder */
    struct arena arena;           /* names and paths */
};

struct listings *listings_new(void)
{
    struct listings *l = mem_new(1, sizeof(*l));

    pthread_mutex_init(&l->lock, NULL);
    l->folders = strings_new();
    *vec_add(&l->listings) = (struct listing){.names = {0}}; /* of id 0 */
    return l;
}

void listings_free(struct listings *l)
{
    if (!l)
        return;
    for (size_t i = 0; i < l->listings.len; i++)
        vec_release(&l->listings.data[i].names);
    vec_release(&l->listings);
    strings_free(l->folders);
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
