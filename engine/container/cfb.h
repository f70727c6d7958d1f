/*
 * cfb - OLE compound files: a small file system of sectors (MS-CFB).
 *
 *     struct cfb *cfb = cfb_open("a.diagsession", data, size, &err);
 *     for (size_t i = 0; i < cfb->count; i++)
 *         if (cfb->streams[i].size)
 *             cfb_read(cfb, &cfb->streams[i], 0, buffer, n);
 *     cfb_free(cfb);
 *
 * Every chain of sectors is followed once, when the file is opened, and no
 * sector is used twice: cycles and cross-links end a chain.
 */
#ifndef TOPFN_CFB_H
#define TOPFN_CFB_H

#include <stdbool.h>

#include "engine/base/arena.h"
#include "engine/base/reader.h"
#include "engine/base/strings.h"
#include "engine/base/vec.h"
#include "engine/container/package.h"

struct cfb_chain {
    uint32_t *sectors;
    size_t count;
};

struct cfb_stream {
    const char *path; /* "E1", or "folder/name" */
    uint64_t size;    /* as claimed, cut to what the chain can hold */
    bool cut;         /* it was */
    bool mini;        /* in the mini stream */
    struct cfb_chain chain;
};

struct cfb {
    struct reader file;
    unsigned shift;                 /* of the size of a sector */
    size_t sectors;                 /* that the file has, the last may be cut */
    struct cfb_chain fat, mini_fat; /* sectors of the tables */
    struct cfb_chain mini;          /* the stream that holds mini sectors */
    uint64_t mini_size;
    struct cfb_stream *streams; /* in order of the directory */
    size_t count;
    uint8_t *used; /* a bit per sector, and per mini sector */
    uint8_t *mini_used;
    struct strings *names;
    struct arena arena;
};

bool cfb_probe(const uint8_t *data, size_t size);

/* NULL when the header or the directory cannot be used. */
struct cfb *cfb_open(const char *name, const uint8_t *data, size_t size,
                     struct err *err);
void cfb_free(struct cfb *cfb);

/* Reads up to `n` bytes at `offset`; how many there were. */
size_t cfb_read(const struct cfb *cfb, const struct cfb_stream *stream,
                uint64_t offset, void *buffer, size_t n);

struct ole_name {
    uint32_t id;
    const char *name;   /* "E1" */
    const char *folder; /* NULL: not given */
};

struct ole_names {
    VEC(struct ole_name) list;
};

/* Adds what a property set says; strings are kept by `strings`. */
void ole_names_read(struct ole_names *names, const uint8_t *bytes, size_t size,
                    struct strings *strings);

void ole_names_release(struct ole_names *names);
/* The name that a packed stream would have in a zip: "GUID/sc.user_aux.etl".
 * NULL for a stream that is no resource. */
const char *ole_full_name(const struct ole_names *names,
                          const struct package *package, const char *path,
                          struct strings *strings);

#endif
