/*
 * path - names of files, and folders that may spell them in another case.
 *
 *     char *name = path_last_part(text, len);
 *     char *path = name ? folder_find("/srv/symbols", name) : NULL;
 *
 * Names come from traces and images; only what path_last_part gives may be
 * joined to a folder. Results are to be freed.
 */
#ifndef TOPFN_PATH_H
#define TOPFN_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/base/text.h"

/* The part after the last slash of either kind; NULL when it would not stay
 * in its folder. */
char *path_last_part(const char *path, size_t n);
/* "bin/" of "bin/app.exe", "." of "app.exe". */
char *path_folder(const char *path);
char *path_join(const char *folder, const char *name);

/* Tells whether a path that a trace names is of one place and does not wander.
 */
bool path_is_plain(const char *path);

/* Tells whether a path, links followed, is a folder or lies below it. */
bool path_is_below(const char *path, const char *folder);

enum path_kind { PATH_NONE, PATH_FILE, PATH_FOLDER, PATH_OTHER };

enum path_kind path_kind(const char *path);
bool path_is_file(const char *path); /* a regular one */
bool path_is_folder(const char *path);
bool path_is_empty(const char *path); /* has no bytes */

/* An entry of a folder, in its own case or, of those in another, the first
 * in the order of bytes. NULL: there is none. */
char *folder_find(const char *folder, const char *name);

/* Makes all folders above a file; false: errno says why not. */
bool path_make_folders(const char *file);

#endif
