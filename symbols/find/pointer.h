/*
 * pointer - file.ptr of a symbol store: where a file is instead.
 *
 *     PATH:/mnt/builds/app.pdb      the file is there; PATH: may be missing
 *     MSG:removed, see the wiki     there is none, and this is why
 *
 * The stores are the user's, and what a pointer leads to is used only if its
 * identity is the one wanted.
 */
#ifndef TOPFN_POINTER_H
#define TOPFN_POINTER_H

#include <stddef.h>
#include <stdint.h>

/* An absolute path; else NULL, and in `why` what there is to say. Either is
 * for free(). Paths of Windows, of its network shares too, lead nowhere
 * here. */
char *pointer_read(const uint8_t *data, size_t size, char **why);

#endif
