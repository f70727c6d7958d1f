/*
 * search - a debug file or image, looked for place by place.
 *
 *     struct found found = found_nothing(&wanted);
 *     if (search_places(&found, &wanted))
 *         debug_frames(found.file, rva, ...);
 *     found_release(&found);
 *
 * Files that came in a container with the trace are looked at first. A place is
 * a file, taken as it is; or a folder, looked into for NAME and, as symbol
 * stores have it, NAME/KEY/NAME, below the first two letters of NAME in
 * stores of two tiers (index2.txt). There a file may be packed (app.pd_).
 * Folders that do not have a name in its own case are searched without regard
 * to case.
 */
#ifndef TOPFN_SEARCH_H
#define TOPFN_SEARCH_H

#include "symbols/find/found_file.h"
#include <stddef.h>
#include <stdint.h>

/* True: this is it, and `found` has it open. */
bool search_file(struct found *found, const struct wanted *wanted,
                 const char *path);
bool search_entry(struct found *found, const struct wanted *wanted,
                  const char *folder, const char *name);
bool search_place(struct found *found, const struct wanted *wanted,
                  const char *place);
/* Only as symbol stores have it. */
bool search_store(struct found *found, const struct wanted *wanted,
                  const char *folder);
/* All of wanted->places. */
bool search_places(struct found *found, const struct wanted *wanted);

/* Files in the folders of wanted->places that have the identity, whatever
 * their names. The last resort: it opens all of them, once. */
bool search_identity(struct found *found, const struct wanted *wanted);

/* Searches what came with the trace for `name`, or a path that ends with it. */
bool search_inside(struct found *found, const struct wanted *wanted,
                   const char *name);

#endif
