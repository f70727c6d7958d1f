/*
 * msf_writer - PDB containers made from streams.
 *
 *     struct msf_copy copy;
 *     msf_copy_read(&copy, "testdata/pdb/mixer.pdb");
 *     copy.streams[3].data[...] = ...;
 *     uint8_t *file = msf_write(&copy, 512, seed, &size);
 */
#ifndef TOPFN_TESTS_MSF_WRITER_H
#define TOPFN_TESTS_MSF_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MSF_COPY_STREAMS = 64 };

struct msf_copy_stream {
    uint8_t *data;
    size_t size;
};

struct msf_copy {
    struct msf_copy_stream streams[MSF_COPY_STREAMS];
    uint32_t count;
};

/* The streams of a file; false when it cannot be read. */
bool msf_copy_read(struct msf_copy *copy, const char *path);
void msf_copy_release(struct msf_copy *copy);

/* Adds a stream with a copy of the bytes; its number. */
uint32_t msf_copy_add(struct msf_copy *copy, const void *data, size_t size);

/* An MSF file; with a `seed` other than 0 its blocks are shuffled. For
 * free(). */
uint8_t *msf_write(const struct msf_copy *copy, uint32_t block_size,
                   unsigned seed, size_t *size);

/* An MSFZ file: streams cut into fragments, in turn compressed, in a chunk
 * that is not, and plain. For free(). */
uint8_t *msfz_write(const struct msf_copy *copy, size_t *size);

/* The whole file, for free(); NULL when it cannot be read. */
uint8_t *read_whole_file(const char *path, size_t *size);

#endif
