#include "tests/support/portable_writer.h"

#include <string.h>

enum { VERSION_SIZE = 12, STREAMS_AT = 76 };

/* Unsigned numbers of metadata, up to 14 bits. */
static void put_compressed(byte_vec *to, uint32_t value)
{
    if (value < 0x80) {
        put_number(to, value, 1);
        return;
    }
    blob_pack(to, "BB", 0x80 | value >> 8, value & 0xFF);
}

/* The value rotated left by one, in 7 or 14 bits. */
static void put_signed(byte_vec *to, int32_t value)
{
    bool small = value >= -64 && value < 64;
    uint32_t mask = small ? 0x3F : 0x1FFF;
    uint32_t raw = ((uint32_t)value & mask) << 1 | (value < 0);

    if (small) {
        put_number(to, raw, 1);
        return;
    }
    blob_pack(to, "BB", 0x80 | raw >> 8, raw & 0xFF);
}

/* Its index in the heap. */
static uint32_t put_blob(byte_vec *heap, const byte_vec *blob)
{
    uint32_t at = (uint32_t)heap->len;

    put_compressed(heap, (uint32_t)blob->len);
    put_bytes(heap, blob->data, blob->len);
    return at;
}

/* A name without separator has one part. */
static uint32_t put_name(byte_vec *heap, const char *path)
{
    byte_vec part = {0}, name = {0};
    uint32_t at;

    put_bytes(&part, path, strlen(path));
    put_number(&name, 0, 1);
    put_compressed(&name, put_blob(heap, &part));
    at = put_blob(heap, &name);
    vec_release(&part);
    vec_release(&name);
    return at;
}

/* Visible points are one column wide and in column 1. */
static uint32_t put_points(byte_vec *heap, const struct pdb_method *m)
{
    byte_vec blob = {0};
    uint32_t il = 0, line = 0, at;

    put_compressed(&blob, 0);
    for (size_t i = 0; i < m->count; i++) {
        const struct pdb_point *p = &m->points[i];

        put_compressed(&blob, p->il - il);
        put_compressed(&blob, 0);
        put_compressed(&blob, p->line ? 1 : 0);
        il = p->il;
        if (!p->line)
            continue;
        if (line)
            put_signed(&blob, (int32_t)p->line - (int32_t)line);
        else
            put_compressed(&blob, p->line);
        put_compressed(&blob, line ? 0 : 1);
        line = p->line;
    }
    at = put_blob(heap, &blob);
    vec_release(&blob);
    return at;
}

static size_t length(const char *const *list)
{
    size_t n = 0;

    while (list[n])
        n++;
    return n;
}

static void put_tables(byte_vec *to, byte_vec *heap,
                       const char *const *documents,
                       const struct pdb_method *methods, size_t count)
{
    blob_pack(to, "IBHBQQII", 0, 2, 0, 1, (uint64_t)3 << 0x30, 0,
              length(documents), count);
    for (; *documents; documents++) {
        blob_pack(to, "H6x", put_name(heap, *documents));
    }
    for (size_t i = 0; i < count; i++) {
        blob_pack(to, "HH", methods[i].document,
                  methods[i].document ? put_points(heap, &methods[i]) : 0);
    }
    while (to->len % 4)
        put_number(to, 0, 1);
}

/* With its name, a multiple of 4 with the NUL. */
static void put_stream(byte_vec *to, const byte_vec *stream, size_t *at,
                       const char *name)
{
    blob_pack(to, "II", *at, stream->len);
    put_bytes(to, name, strlen(name) + 1);
    while (to->len % 4)
        put_number(to, 0, 1);
    *at += stream->len;
}

void portable_write(byte_vec *to, const uint8_t guid[16], uint32_t stamp,
                    const char *const *documents,
                    const struct pdb_method *methods, size_t count)
{
    byte_vec id = {0}, tables = {0}, heap = {0};
    size_t at = STREAMS_AT;

    put_bytes(&id, guid, 16);
    blob_pack(&id, "I12x", stamp);
    put_number(&heap, 0, 1);
    put_tables(&tables, &heap, documents, methods, count);
    put_bytes(to, "BSJB\1\0\1\0\0\0\0\0", 12);
    put_number(to, VERSION_SIZE, 4);
    put_bytes(to, "PDB v1.0\0\0\0\0", VERSION_SIZE);
    blob_pack(to, "HH", 0, 3);
    put_stream(to, &id, &at, "#Pdb");
    put_stream(to, &tables, &at, "#~");
    put_stream(to, &heap, &at, "#Blob");
    put_bytes(to, id.data, id.len);
    put_bytes(to, tables.data, tables.len);
    put_bytes(to, heap.data, heap.len);
    vec_release(&id);
    vec_release(&tables);
    vec_release(&heap);
}
