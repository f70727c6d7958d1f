/*
 * identities - files of folders by what they say they belong to.
 *
 *     const char *paths[IDENTITIES_MOST];
 *     size_t n = identities_find(ids, "/srv/symbols", &wanted, paths);
 *
 * For files that were renamed. A folder is read once, and of its files what
 * begins like an image or a debug file; of very many the first by name. Any
 * thread may ask. Paths live as long as the identities.
 */
#ifndef TOPFN_IDENTITIES_H
#define TOPFN_IDENTITIES_H

#include <stddef.h>

#include "engine/model/profile.h"

enum { IDENTITIES_MOST = 8 };

struct identities;

struct identities *identities_new(void);
void identities_free(struct identities *ids);

/* Fills the paths of files that share a GUID, a build-id, or time stamp and
 * size with `wanted`, by name. */
size_t identities_find(struct identities *ids, const char *folder,
                       const struct identity *wanted,
                       const char *paths[IDENTITIES_MOST]);

#endif
