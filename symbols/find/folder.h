/*
 * folder - names of files, and folders that may spell them in another case.
 *
 *     char *name = path_last_part((struct bytes){text, len});
 *     char *path = name ? folder_find("/srv/symbols", name) : NULL;
 *
 * Names come from traces and images; only what path_last_part gives may be
 * joined to a folder. Results are to be freed.
 */
#ifndef TOPFN_FOLDER_H
#define TOPFN_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/base/reader.h"
#include "engine/base/text.h"
#include <stdint.h>

/* The part after the last slash of either kind; NULL when it would not stay
 * in its folder. */
char *path_last_part(struct bytes path);
/* "bin/" of "bin/app.exe", "." of "app.exe". */
char *path_folder(const char *path);
char *path_join(const char *folder, const char *name);

/* Tells whether a path that a trace names is of one place and does not wander.
 */
bool path_is_plain(const char *path);

enum path_kind { PATH_NONE, PATH_FILE, PATH_FOLDER, PATH_OTHER };

enum path_kind path_kind(const char *path);
bool path_is_file(const char *path); /* a regular one */
bool path_is_folder(const char *path);
bool path_is_empty(const char *path); /* has no bytes */

/* An entry of a folder, in its own case or, of those in another, the first
 * in the order of bytes. NULL: there is none. */
char *folder_find(const char *folder, const char *name);

/*
 * where files are filed by build-id: ROOT/.build-id/xx/yyyy.debug
 */

enum { BUILD_ID_TEXT = 2 * 64 + 1 }; /* room for a long one */

/* Hexadecimal, terminated; of a longer id the beginning. */
void build_id_text(const uint8_t *id, size_t size, char text[BUILD_ID_TEXT]);

/* For free(). NULL: the id is too short to be one. The executable itself has
 * no ending. */
char *build_id_path(const char *root, const uint8_t *id, size_t size,
                    const char *ending);

#endif
