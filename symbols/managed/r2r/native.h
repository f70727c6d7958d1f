/*
 * native - numbers, arrays and hash tables as precompiled .NET images have
 * them. Numbers are not those of metadata. (format.md, section 3)
 *
 *     struct native_array a = native_array_of(section);
 *     for (uint32_t i = 0; i < a.count; i++)
 *         if (native_array_at(&a, i, &r))
 *             use(native_unsigned(&r));
 *
 *     struct native_hash h = native_hash_of(all); // at the table
 *     while (native_hash_next(&h, &r))
 *         use(native_unsigned(&r));
 */
#ifndef TOPFN_R2R_NATIVE_H
#define TOPFN_R2R_NATIVE_H

#include "engine/base/reader.h"

uint32_t native_unsigned(struct reader *r);
int32_t native_signed(struct reader *r);

struct native_array {
    struct reader all;
    size_t base;    /* of the index of blocks */
    unsigned width; /* of its elements */
    uint32_t count; /* elements, of which many are missing */
};

/* Empty when it is malformed. */
struct native_array native_array_of(struct reader section);
/* Where the element's data are; false when it is missing. */
bool native_array_at(const struct native_array *array, uint32_t i,
                     struct reader *data);

struct native_hash {
    struct reader all;
    size_t base; /* of the offsets of buckets */
    unsigned width;
    uint32_t buckets, bucket;
    size_t at, end; /* entries of this bucket that are left */
    uint64_t left;  /* entries that the bytes can hold; ends every loop */
};

/* `all` stands at the table: entries refer to what lies before or behind. */
struct native_hash native_hash_of(struct reader all);
/* The next entry's data, whatever its key. */
bool native_hash_next(struct native_hash *hash, struct reader *data);

#endif
