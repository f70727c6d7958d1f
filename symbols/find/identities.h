/*
 * identities - what the files of one folder say they belong to.
 *
 *     struct identities ids = {.files = {0}};
 *     identities_read(&ids, "/srv/symbols", names, count, &arena);
 *     n = identities_find(&ids, &wanted, paths);
 *     identities_release(&ids);
 *
 * For files that were renamed. Only what begins like an image or a debug file
 * is opened; of very many the first.
 */
#ifndef TOPFN_IDENTITIES_H
#define TOPFN_IDENTITIES_H

#include <stddef.h>

#include "engine/base/arena.h"
#include "engine/base/vec.h"
#include "engine/model/profile.h"

enum { IDENTITIES_MOST = 8 };

struct identified_file {
    const char *path;
    struct identity identity;
};

struct identities {
    VEC(struct identified_file) files; /* as their names came */
};

/* Paths are in the arena. */
void identities_read(struct identities *ids, const char *folder,
                     const char *const *names, size_t count,
                     struct arena *arena);
void identities_release(struct identities *ids);

/* Fills the paths of files that share a GUID, a build-id, or time stamp and
 * size with `wanted`, in their order. */
size_t identities_find(const struct identities *ids,
                       const struct identity *wanted,
                       const char *paths[IDENTITIES_MOST]);

#endif
