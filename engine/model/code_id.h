/*
 * code_id - what debuggers and symbol servers know an image by, as text.
 *
 * Of ELF it is the build id in lower case; of PE the time stamp in eight
 * digits, then the size: "5F3A1B2C30000".
 */
#ifndef TOPFN_CODE_ID_H
#define TOPFN_CODE_ID_H

#include "engine/base/hex.h"
#include "engine/base/reader.h"
#include "engine/model/profile.h"

enum { CODE_ID_SIZE = HEX_SIZE(sizeof(((struct identity *)NULL)->build_id)) };

/* "" where neither is known. */
void code_id_text(const struct identity *id, char text[CODE_ID_SIZE]);

/* That of a PE image, even if it has a build id. */
void code_id_of_pe(const struct identity *id, char text[CODE_ID_SIZE]);

/* The build id of Go's own linker is a text of four hashes,
 * "HASH/HASH/HASH/HASH". Its beginning becomes the identity. False: it is none
 * of these, as the "redacted" of a build system, which every program has. */
bool code_id_take_go(struct identity *id, struct bytes text);

/* What a text of `n` digits says; nothing if it is none. Of 9 to 15 digits it
 * is that of PE: no build id has five to seven bytes. Go's text is taken as it
 * is, and from its digits. */
void code_id_read(struct identity *id, const char *text, size_t n);

#endif
