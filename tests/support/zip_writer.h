/*
 * zip_writer - small zip archives, by libzip.
 *
 *     struct zip_member members[] = {{"a.etl", bytes, n, true}};
 *     struct blob zip = zip_make(members, 1);
 */
#ifndef TOPFN_TESTS_ZIP_WRITER_H
#define TOPFN_TESTS_ZIP_WRITER_H

#include <stdbool.h>

#include "tests/support/blob.h"

struct zip_member {
    const char *name;
    const void *data;
    size_t size;
    bool deflate;
};

struct blob zip_make(const struct zip_member *members, size_t n);

/* The offset of member `i`'s header in the central directory. */
size_t zip_central(const struct blob *zip, size_t i);

#endif
