#include "tests/support/msf_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "engine/base/vec.h"
#include "symbols/pdb/msf.h"

enum { FRAGMENT = 3000, SUPERBLOCK = 56, MSFZ_HEADER = 80 };

uint8_t *read_whole_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes;
    long end;

    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    end = ftell(file);
    rewind(file);
    bytes = mem_new((size_t)end, 1);
    *size = fread(bytes, 1, (size_t)end, file);
    fclose(file);
    return bytes;
}

uint32_t msf_copy_add(struct msf_copy *copy, const void *data, size_t size)
{
    struct msf_copy_stream *s = &copy->streams[copy->count];

    if (copy->count == MSF_COPY_STREAMS)
        abort();
    s->data = mem_new(size, 1);
    s->size = size;
    if (size)
        memcpy(s->data, data, size);
    return copy->count++;
}

bool msf_copy_read(struct msf_copy *copy, const char *path)
{
    struct arena arena = {0};
    uint8_t *bytes;
    struct msf msf;
    size_t size;

    *copy = (struct msf_copy){.count = 0};
    bytes = read_whole_file(path, &size);
    if (!bytes)
        return false;
    if (!msf_open(&msf, path, bytes, size, NULL))
        for (uint32_t i = 0; i < msf.stream_count; i++)
            msf_copy_add(copy,
                         msf_view(&msf, i, 0, msf_size(&msf, i), &arena),
                         msf_size(&msf, i));
    msf_release(&msf);
    arena_release(&arena);
    free(bytes);
    return copy->count > 0;
}

void msf_copy_release(struct msf_copy *copy)
{
    for (uint32_t i = 0; i < copy->count; i++)
        free(copy->streams[i].data);
    *copy = (struct msf_copy){.count = 0};
}

/* A file that grows by blocks, whose numbers are dealt out shuffled. */
struct blocks {
    uint8_t *data;
    uint32_t size, count, used;
    uint32_t *numbers;
};

static void deal(struct blocks *b, unsigned seed)
{
    b->numbers = mem_new(b->count, sizeof(*b->numbers));
    for (uint32_t i = 0; i < b->count; i++)
        b->numbers[i] = i;
    for (uint32_t i = b->count - 1; seed && i > 3; i--) {
        uint32_t k, swap = b->numbers[i];

        seed = seed * 1103515245 + 12345;
        k = 3 + seed / 65536 % (i - 2);
        b->numbers[i] = b->numbers[k];
        b->numbers[k] = swap;
    }
    b->used = 3; /* superblock and free block maps */
}

/* Writes the bytes and the numbers of their blocks. */
static uint8_t *put(struct blocks *b, const uint8_t *data, size_t size,
                    uint8_t *numbers)
{
    for (size_t at = 0; at < size; at += b->size, numbers += 4) {
        size_t n = size - at < b->size ? size - at : b->size;
        uint32_t number = b->numbers[b->used++];

        memcpy(b->data + (size_t)number * b->size, data + at, n);
        store_u32(numbers, number);
    }
    return numbers;
}

static uint32_t blocks_for(size_t bytes, uint32_t size)
{
    return (uint32_t)((bytes + size - 1) / size);
}

static size_t directory_size(const struct msf_copy *copy, uint32_t block)
{
    size_t words = 1 + copy->count;

    for (uint32_t i = 0; i < copy->count; i++)
        words += blocks_for(copy->streams[i].size, block);
    return words * 4;
}

static void write_superblock(struct blocks *b, size_t directory,
                             uint32_t list)
{
    memcpy(b->data, "Microsoft C/C++ MSF 7.00\r\n\x1a" "DS\0\0", 32);
    store_u32(b->data + 32, b->size);
    store_u32(b->data + 36, 1);
    store_u32(b->data + 40, b->count);
    store_u32(b->data + 44, (uint32_t)directory);
    store_u32(b->data + 52, list);
}

uint8_t *msf_write(const struct msf_copy *copy, uint32_t block_size,
                   unsigned seed, size_t *size)
{
    size_t bytes = directory_size(copy, block_size);
    uint8_t *directory = mem_new(bytes, 1), *at;
    struct blocks b = {.size = block_size, .count = 4};
    uint32_t list;

    b.count += blocks_for(bytes, block_size);
    for (uint32_t i = 0; i < copy->count; i++)
        b.count += blocks_for(copy->streams[i].size, block_size);
    b.data = mem_new(b.count, block_size);
    deal(&b, seed);
    store_u32(directory, copy->count);
    at = directory + 4 + 4 * (size_t)copy->count;
    for (uint32_t i = 0; i < copy->count; i++) {
        const struct msf_copy_stream *s = &copy->streams[i];

        store_u32(directory + 4 + 4 * (size_t)i, (uint32_t)s->size);
        at = put(&b, s->data, s->size, at);
    }
    list = b.numbers[b.used++];
    put(&b, directory, bytes, b.data + (size_t)list * block_size);
    write_superblock(&b, bytes, list);
    free(b.numbers);
    free(directory);
    *size = (size_t)b.count * block_size;
    return b.data;
}

struct growing {
    VEC(uint8_t) file, directory, packed, raw;
};

#define append(v, bytes, n)                                                    \
    (vec_reserve(v, n), memcpy((v)->data + (v)->len, bytes, n), (v)->len += (n))

static void append_word(struct growing *g, uint32_t word)
{
    uint8_t bytes[4];

    store_u32(bytes, word);
    append(&g->directory, bytes, 4);
}

/* Chunk 0 is compressed, chunk 1 is not. */
static void put_fragment(struct growing *g, const uint8_t *data, size_t n,
                         unsigned way)
{
    append_word(g, (uint32_t)n);
    if (way == 0) {
        append_word(g, (uint32_t)g->packed.len);
        append_word(g, 0x80000000u);
        append(&g->packed, data, n);
    } else if (way == 1) {
        append_word(g, (uint32_t)g->raw.len);
        append_word(g, 0x80000001u);
        append(&g->raw, data, n);
    } else {
        append_word(g, (uint32_t)g->file.len);
        append_word(g, 0);
        append(&g->file, data, n);
    }
}

static void put_streams(struct growing *g, const struct msf_copy *copy)
{
    unsigned way = 0;

    for (uint32_t i = 0; i < copy->count; i++) {
        const struct msf_copy_stream *s = &copy->streams[i];

        for (size_t at = 0; at < s->size; at += FRAGMENT)
            put_fragment(g, s->data + at,
                         s->size - at < FRAGMENT ? s->size - at : FRAGMENT,
                         way++ % 3);
        append_word(g, 0);
    }
}

static void put_chunk(struct growing *g, uint8_t *entry, const uint8_t *data,
                      size_t n, bool pack)
{
    size_t room = ZSTD_compressBound(n), stored = n;
    uint8_t *out = mem_new(room, 1);

    if (pack)
        stored = ZSTD_compress(out, room, data, n, 3);
    else
        memcpy(out, data, n);
    store_u64(entry, g->file.len);
    store_u32(entry + 8, pack);
    store_u32(entry + 12, (uint32_t)stored);
    store_u32(entry + 16, (uint32_t)n);
    append(&g->file, out, stored);
    free(out);
}

uint8_t *msfz_write(const struct msf_copy *copy, size_t *size)
{
    struct growing g = {.file = {NULL, 0, 0}};
    uint8_t header[MSFZ_HEADER] = {0}, chunks[40];

    append(&g.file, header, sizeof(header));
    put_streams(&g, copy);
    put_chunk(&g, chunks, g.packed.data, g.packed.len, true);
    put_chunk(&g, chunks + 20, g.raw.data, g.raw.len, false);
    memcpy(g.file.data, "Microsoft MSFZ Container\r\n\x1a" "ALD\0", 32);
    store_u64(g.file.data + 40, g.file.len);
    store_u32(g.file.data + 56, copy->count);
    store_u32(g.file.data + 64, (uint32_t)g.directory.len);
    store_u32(g.file.data + 68, (uint32_t)g.directory.len);
    append(&g.file, g.directory.data, g.directory.len);
    store_u64(g.file.data + 48, g.file.len);
    store_u32(g.file.data + 72, 2);
    store_u32(g.file.data + 76, sizeof(chunks));
    append(&g.file, chunks, sizeof(chunks));
    vec_release(&g.directory);
    vec_release(&g.packed);
    vec_release(&g.raw);
    *size = g.file.len;
    return g.file.data;
}
