/*
 * build_id - where files are filed by build-id: ROOT/.build-id/xx/yyyy.debug
 *
 *     char *path = build_id_path("/usr/lib/debug", id, size, ".debug");
 */
#ifndef TOPFN_BUILD_ID_H
#define TOPFN_BUILD_ID_H

#include <stddef.h>
#include <stdint.h>

enum { BUILD_ID_TEXT = 2 * 64 + 1 }; /* room for a long one */

/* Hexadecimal, terminated; of a longer id the beginning. */
void build_id_text(const uint8_t *id, size_t size, char text[BUILD_ID_TEXT]);

/* For free(). NULL: the id is too short to be one. The executable itself has
 * no ending. */
char *build_id_path(const char *root, const uint8_t *id, size_t size,
                    const char *ending);

#endif
