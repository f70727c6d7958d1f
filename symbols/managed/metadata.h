/*
 * metadata - the container that .NET images and portable PDBs keep their
 * tables in. (ECMA-335, II.24)
 *
 *     struct metadata m;
 *     if (!metadata_open(&m, "app.dll", bytes, size, &err))
 *         read m.tables, m.blobs, ...
 *
 * Nothing is allocated; the bytes stay the caller's. Streams that are absent
 * or reach beyond the end are empty.
 */
#ifndef TOPFN_METADATA_H
#define TOPFN_METADATA_H

#include "engine/base/reader.h"

struct metadata {
    const char *name;
    struct bytes id;     /* #Pdb: portable PDBs only */
    struct bytes tables; /* #~ */
    struct bytes strings, blobs, guids;
};

enum { METADATA_TABLES = 64 };

/* Heap indices of 4 bytes instead of 2, by the header of #~. */
enum { WIDE_STRINGS = 1, WIDE_GUIDS = 2, WIDE_BLOBS = 4, EXTRA_WORD = 0x40 };

struct metadata_rows {
    unsigned wide;
    uint64_t mask; /* which tables there are */
    uint32_t rows[METADATA_TABLES];
};

bool metadata_probe(const uint8_t *data, size_t size);
enum err_code metadata_open(struct metadata *m, const char *name,
                            const uint8_t *data, size_t size, struct err *err);

/* The header of #~. The reader stands at the first table then. */
struct reader metadata_read_rows(const struct metadata *m,
                                 struct metadata_rows *rows, struct err *err);

/* A blob; empty and failed when there is none. */
struct reader metadata_blob(const struct metadata *m, uint32_t index);

/* "" when there is none. Terminated. */
const char *metadata_string(const struct metadata *m, uint32_t index);

/* A compressed number; a failure at the end. */
uint32_t metadata_number(struct reader *r);

static inline uint32_t load_index(const uint8_t *at, unsigned size)
{
    return size == 4 ? load_u32(at) : load_u16(at);
}

#endif
