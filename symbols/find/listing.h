/*
 * listing - what is in folders, each of which is read once.
 *
 *     struct listings *listings = listings_new();
 *     char *path = listings_find(listings, "/srv/symbols", "App.pdb");
 *     listings_free(listings);
 *
 * Names are found in any case, and files that were renamed by their identity. A
 * symbol store may have a hundred thousand names, and every module is looked
 * for in it. Any thread may ask. A file that appears in a folder after it was
 * read is found only by its exact name.
 */
#ifndef TOPFN_LISTING_H
#define TOPFN_LISTING_H

#include <stddef.h>
#include "engine/base/arena.h"
#include "engine/base/vec.h"
#include "engine/model/profile.h"

enum { IDENTITIES_MOST = 8 };

struct listings;

struct listings *listings_new(void);
void listings_free(struct listings *listings);

/* Does what folder_find does, and is folder_find if `listings` is NULL. */
char *listings_find(struct listings *listings, const char *folder,
                    const char *name);

/* True if `b` has the build ID of `a`, or where that has none its GUID or its
 * time stamp and size. */
bool identity_is_alike(const struct identity *a, const struct identity *b);

/* The paths of files of a folder whose identity is alike, in order of their
 * names; none for NULL. They live as long as the listings. */
size_t listings_find_identity(struct listings *listings, const char *folder,
                              const struct identity *wanted,
                              const char *paths[IDENTITIES_MOST]);

/* The CRC-32 of a file's bytes, which many images may name: it is made once for
 * each path. */
uint32_t listings_crc(struct listings *listings, const char *path,
                      const uint8_t *data, size_t size);

#endif
