/*
 * zip_source - a mapped archive, as libzip reads it.
 *
 *     struct zip_source_state source = {libzip_load(), data, size};
 *     zip_t *zip = lib->open_from_source(zip_source_of(&source, &error), ...);
 *     ...
 *     lib->fread(file, &byte, 1);
 *     // data + source.last_read is where that entry's bytes lie
 *
 * libzip does not say where a stored entry lies in the archive; copying a
 * trace of gigabytes that can be used where it is would be a pity. So it is
 * not given the bytes but asks for them, and where it asked last is noted.
 */
#ifndef TOPFN_ZIP_SOURCE_H
#define TOPFN_ZIP_SOURCE_H

#include <stdint.h>
#include "engine/container/libzip.h"

/* Must outlive the archive that is opened from it. */
struct zip_source_state {
    const struct libzip *lib;
    const uint8_t *data;
    uint64_t size;
    uint64_t at;        /* where the next read begins */
    uint64_t last_read; /* where the latest one began */
    zip_error_t error;
};

/* NULL when memory runs out. */
zip_source_t *zip_source_of(struct zip_source_state *state, zip_error_t *error);

#endif
