/*
 * listing - what is in folders, each of which is read once.
 *
 *     struct listings *listings = listings_new();
 *     char *path = listings_find(listings, "/srv/symbols", "App.pdb");
 *     listings_free(listings);
 *
 * Names are found in any case. A symbol store may have a hundred thousand names,
 * and every module is looked for in it. Any thread may ask. A file that appears
 * in a folder after it was read is found only by its exact name.
 */
#ifndef TOPFN_LISTING_H
#define TOPFN_LISTING_H

#include <stddef.h>

struct listings;

struct listings *listings_new(void);
void listings_free(struct listings *listings);

/* As folder_find, which it is for NULL. */
char *listings_find(struct listings *listings, const char *folder,
                    const char *name);

#endif
