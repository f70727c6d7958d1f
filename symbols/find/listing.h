/*
 * listing - names in folders, in any case, each folder read once.
 *
 *     struct listings *listings = listings_new();
 *     char *path = listings_find(listings, "/srv/symbols", "App.pdb");
 *     listings_free(listings);
 *
 * A symbol store may have a hundred thousand names, and every module is
 * looked for in it. Any thread may ask. What appears later in a folder that
 * was read is found in its own case only.
 */
#ifndef TOPFN_LISTING_H
#define TOPFN_LISTING_H

struct listings;

struct listings *listings_new(void);
void listings_free(struct listings *listings);

/* As folder_find, which it is for NULL. */
char *listings_find(struct listings *listings, const char *folder,
                    const char *name);

#endif
