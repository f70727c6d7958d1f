/*
 * msf - the streams inside a PDB file, whichever container holds them.
 *
 *     struct msf msf;
 *     if (!msf_open(&msf, "app.pdb", data, size, &err)) {
 *         struct reader r = msf_reader(&msf, 3, 0, 64, &scratch);
 *         ...
 *     }
 *     msf_release(&msf);
 *
 * A stream is a list of extents, made when it is first read: stretches of the
 * file (MSF blocks in a row), or of a compressed chunk (MSFZ). Bytes within one
 * stretch of the file are returned without a copy; all others are copied. A
 * stream is never larger than the file (MSF), or than base/unpacking.h allows
 * for the file and MSF_STREAM_MAX (MSFZ), so a directory that names the same
 * blocks again and again costs nothing. Copies of one MSFZ file end there too.
 */
#ifndef TOPFN_MSF_H
#define TOPFN_MSF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/arena.h"
#include "engine/base/err.h"
#include "engine/base/reader.h"
#include "engine/base/unpacking.h"
#include "engine/base/vec.h"

/* A stream number that means no such stream. */
#define MSF_NONE 0xFFFF

enum {
    MSF_STREAM_MAX = 1 << 30,
    MSF_CHUNK_MAX = 64 << 20, /* decompressed */
    MSF_CHUNKS_KEPT = 4,
    MSF_UNPACKED_AGAIN = 8, /* times what may come out of the file */
};

/* `chunk` of an extent that lies in the file itself. */
#define MSF_IN_FILE UINT32_MAX

/* Ends where the next begins, the last one with the stream. */
struct msf_extent {
    uint32_t start; /* in the stream */
    uint32_t chunk;
    uint64_t at; /* in the file or the decompressed chunk */
};

struct msf_stream {
    uint32_t size;
    uint32_t first; /* its first word in the directory */
    bool ready;     /* `extents` are made */
    VEC(struct msf_extent) extents;
};

/* A decompressed chunk of an MSFZ file. */
struct msf_chunk {
    uint32_t number;
    uint8_t *data; /* NULL: the place is free */
    size_t size;
};

struct msf {
    const char *name;
    const uint8_t *data;
    size_t size;
    uint32_t block_size; /* 0: MSFZ */
    uint64_t block_count;
    uint8_t *directory; /* ours */
    size_t directory_size;
    struct msf_stream *streams;
    uint32_t stream_count;
    /* MSFZ only. */
    struct unpack_budget copied; /* out of chunks */
    const uint8_t *chunk_table;
    uint32_t chunk_count;
    struct msf_chunk kept[MSF_CHUNKS_KEPT];
    unsigned next_kept;        /* the place to use next */
    struct unpack_budget work; /* chunks, every time they are unpacked */
    bool refused;              /* something would have been beyond a budget */
};

/* Tells whether the bytes begin like one of the containers. */
bool msf_probe(const uint8_t *data, size_t size);

/* Release in any case. */
enum err_code msf_open(struct msf *msf, const char *name, const uint8_t *data,
                       size_t size, struct err *err);
void msf_release(struct msf *msf);

/* 0 for a stream that is absent. */
uint32_t msf_size(const struct msf *msf, uint32_t stream);

/* Copies [at, at + n) of a stream; false when it does not reach so far. */
bool msf_copy(struct msf *msf, uint32_t stream, uint64_t at, void *to,
              size_t n);

/* [at, at + n): into the file if it lies there in one piece, else a copy in
 * `copies`. NULL when the stream does not reach so far. */
const uint8_t *msf_view(struct msf *msf, uint32_t stream, uint64_t at, size_t n,
                        struct arena *copies);

/* The same as a reader, already failed when the bytes are not there. */
struct reader msf_reader(struct msf *msf, uint32_t stream, uint64_t at,
                         size_t n, struct arena *copies);

/* The other container. */

#endif
