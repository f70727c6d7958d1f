/*
 * ole_writer - OLE compound files as Visual Studio writes .diagsession.
 *
 *     struct blob e1 = ole_pack(trace, size, 65536);
 *     struct ole_stream streams[] = {{"E1", e1.data, e1.len}, ...};
 *     struct blob file = ole_make(streams, n);
 */
#ifndef TOPFN_TESTS_OLE_WRITER_H
#define TOPFN_TESTS_OLE_WRITER_H

#include "tests/support/blob.h"

struct ole_stream {
    const char *name;
    const void *data;
    size_t size;
};

enum { OLE_SECTOR = 4096, OLE_MOST_STREAMS = 16 };

/* At most OLE_MOST_STREAMS; the FAT is one sector, so 4 MiB at most. Sector
 * 0 is the FAT, 1 the directory, 2 the mini FAT. */
struct blob ole_make(const struct ole_stream *streams, size_t n);

/* Records of chunks; `chunk` is at most 65536. Even chunks are Huffman
 * coded, odd ones stored. */
struct blob ole_pack(const void *data, size_t size, size_t chunk);

/* A property set that says which folders E1, E2, ... are. */
struct blob ole_property_set(const char *const *folders, size_t n);

#endif
