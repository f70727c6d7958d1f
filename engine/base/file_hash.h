/*
 * file_hash - SHA-256 of a file's bytes, as text.
 */
#ifndef TOPFN_FILE_HASH_H
#define TOPFN_FILE_HASH_H

#include "engine/base/err.h"

enum { FILE_HASH_SIZE = 65 }; /* hexadecimal digits, terminated */

/* Reads all of it; fails with ERR_NOT_FOUND or ERR_IO. */
enum err_code file_hash(const char *path, char hash[FILE_HASH_SIZE],
                        struct err *err);

#endif
