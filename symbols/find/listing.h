/*
 * listing - what is in folders, each of which is read once.
 *
 *     struct listings *listings = listings_new();
 *     char *path = listings_find(listings, "/srv/symbols", "App.pdb");
 *     listings_free(listings);
 *
 * Names are found in any case, and files that were renamed by their identity.
 * A symbol store may have a hundred thousand names, and every module is
 * looked for in it. Any thread may ask. What appears later in a folder that
 * was read is found in its own case only.
 */
#ifndef TOPFN_LISTING_H
#define TOPFN_LISTING_H

#include "symbols/find/identities.h"

struct listings;

struct listings *listings_new(void);
void listings_free(struct listings *listings);

/* As folder_find, which it is for NULL. */
char *listings_find(struct listings *listings, const char *folder,
                    const char *name);

/* The paths of files of a folder that have the identity (identities.h); none
 * for NULL. They live as long as the listings. */
size_t listings_find_identity(struct listings *listings, const char *folder,
                              const struct identity *wanted,
                              const char *paths[IDENTITIES_MOST]);

#endif
