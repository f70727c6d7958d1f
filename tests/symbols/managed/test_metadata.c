/* The container of .NET's tables byte by byte, and the PDBs that images carry
 * within them. */
#include "symbols/managed/metadata.h"

#include <zlib.h>

#include "symbols/managed/portable_pdb.h"
#include "tests/support/pe_writer.h"
#include "tests/support/suite.h"

struct stream {
    const char *name;
    uint32_t offset, size;
};

/* A root of 0x100 bytes, then 0x100 bytes that say where they are. */
static struct blob root_of(const struct stream *streams, uint16_t n,
                           uint32_t version)
{
    struct blob b = {0};

    blob_bytes(&b, "BSJB\1\0\1\0\0\0\0\0", 12);
    blob_u32(&b, version);
    blob_zero(&b, version + 2);
    blob_u16(&b, n);
    for (uint16_t i = 0; i < n; i++) {
        blob_pack(&b, "II", streams[i].offset, streams[i].size);
        blob_bytes(&b, streams[i].name, strlen(streams[i].name) + 1);
        blob_align(&b, 4);
    }
    blob_zero(&b, 0x100 - b.len);
    for (unsigned i = 0; i < 0x100; i++)
        blob_u8(&b, (uint8_t)i);
    return b;
}

static const struct stream usual[] = {
    {"#~", 0x110, 0x20},   {"#Strings", 0x130, 0x10}, {"#Blob", 0x140, 0x10},
    {"#Pdb", 0x150, 0x14}, {"#GUID", 0x160, 0x10},    {"#Pdbx", 0x170, 4},
};

static void check_stream(struct bytes stream, uint8_t first, size_t size)
{
    ck_assert_uint_eq(stream.len, size);
    if (size)
        ck_assert_uint_eq(*stream.data, first);
}

TEST(streams)
{
    for (uint32_t version = 0; version <= 12; version += 4) {
        struct blob b = root_of(usual, 6, version);
        struct metadata m;

        ck_assert(!metadata_open(&m, "made", b.data, b.len, NULL));
        check_stream(m.tables, 0x10, 0x20);
        check_stream(m.strings, 0x30, 0x10);
        check_stream(m.blobs, 0x40, 0x10);
        check_stream(m.id, 0x50, 0x14);
        free(b.data);
    }
}

/* A stream that reaches beyond the end is none; others are as they were. */
TEST(streams_beyond_the_end)
{
    static const struct stream beyond[] = {
        {"#Strings", 0x1F0, 0x11}, {"#Blob", 0x201, 0}, {"#~", 0x1F0, 0x10}};
    struct blob b = root_of(beyond, 3, 12);
    struct err err = {0};
    struct metadata m;

    ck_assert(!metadata_open(&m, "made", b.data, b.len, &err));
    check_stream(m.tables, 0xF0, 0x10);
    check_stream(m.strings, 0, 0);
    check_stream(m.blobs, 0, 0);
    blob_set(&b, 14 + 16, 2, 2); /* the first two only */
    ck_assert_int_eq(metadata_open(&m, "made", b.data, b.len, &err),
                     ERR_TRUNCATED);
    free(b.data);
}

TEST(other_bytes)
{
    struct blob b = root_of(usual, 6, 12);

    ck_assert(metadata_probe(b.data, 4));
    ck_assert(!metadata_probe(b.data, 3));
    for (size_t n = 0; n < 60; n++) {
        struct err err = {0};
        struct metadata m;

        ck_assert_int_eq(metadata_open(&m, "made", b.data, n, &err),
                         n < 4 ? ERR_UNSUPPORTED : ERR_TRUNCATED);
    }
    b.data[3] = 'C';
    ck_assert(!metadata_probe(b.data, b.len));
    free(b.data);
}

TEST(rows_of_tables)
{
    for (int extra = 0; extra < 2; extra++) {
        struct metadata m = {.name = "made"};
        struct metadata_rows rows;
        struct blob b = {0};
        struct reader r;

        blob_bytes(&b, "\0\0\0\0\2\0", 6);
        blob_pack(&b, "BBQ", (uint8_t)(WIDE_BLOBS | (extra ? EXTRA_WORD : 0)),
                  1, 1ull << 63 | 1ull << 6 | 1);
        blob_pack(&b, "QIII", 0xFFFF, 10, 20, 30);
        blob_zero(&b, extra ? 4 : 0);
        blob_u8(&b, 0x77);
        m.tables = (struct bytes){b.data, b.len};
        r = metadata_read_rows(&m, &rows, NULL);
        ck_assert(!r.failed);
        ck_assert_uint_eq(rows.rows[0], 10);
        ck_assert_uint_eq(rows.rows[1], 0);
        ck_assert_uint_eq(rows.rows[6], 20);
        ck_assert_uint_eq(rows.rows[63], 30);
        ck_assert_uint_eq(rows.wide & 7, WIDE_BLOBS);
        ck_assert_uint_eq(reader_u8(&r), 0x77);
        free(b.data);
    }
}

/* ---- PDBs in images ---- */

enum { PLAIN = 5000, EMBEDDED = 17 };

/* An image whose debug directory has a packed part of these claims. */
static struct blob image_with(const char *magic, uint32_t size, uint32_t type,
                              size_t cut)
{
    struct blob b = pe_image_of(PE_X64, true);
    uint8_t plain[PLAIN], *packed;
    uLong room = compressBound(PLAIN) + 100;
    z_stream z = {.avail_in = PLAIN, .next_in = plain};
    size_t at = b.len, n;

    for (size_t i = 0; i < PLAIN; i++)
        plain[i] = (uint8_t)(i * 31 >> 3);
    packed = malloc(room);
    ck_assert_ptr_nonnull(packed);
    z.next_out = packed;
    z.avail_out = (uInt)room;
    ck_assert_int_eq(
        deflateInit2(&z, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY), Z_OK);
    ck_assert_int_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
    n = z.total_out - cut;
    deflateEnd(&z);
    pe_put_words(
        &b, IMAGE_DATA,
        (uint32_t[]){0, 0, 0x100, type, (uint32_t)n + 8, 0, (uint32_t)at}, 7);
    pe_set_directory(&b, true, PE_DEBUG, IMAGE_DATA, 28);
    blob_bytes(&b, magic, 4);
    blob_u32(&b, size);
    blob_bytes(&b, packed, n);
    free(packed);
    return b;
}

static void check_embedded(struct blob b, bool good, enum err_code code)
{
    struct err err = {0};
    uint8_t *data;
    size_t size = 0;
    struct pe pe;

    ck_assert(!pe_open(&pe, "made", b.data, b.len, NULL));
    ck_assert(portable_pdb_embedded(&pe, &data, &size, &err) == good);
    ck_assert_int_eq(err.code, code);
    if (good) {
        ck_assert_uint_eq(size, PLAIN);
        ck_assert_uint_eq(data[PLAIN - 1], (PLAIN - 1) * 31 >> 3 & 0xFF);
    } else {
        ck_assert_ptr_null(data);
    }
    free(data);
    free(b.data);
}

TEST(embedded)
{
    check_embedded(image_with("MPDB", PLAIN, EMBEDDED, 0), true, ERR_NONE);
    check_embedded(image_with("MPDB", PLAIN, 2, 0), false, ERR_NONE);
    check_embedded(image_with("MPDC", PLAIN, EMBEDDED, 0), false, ERR_CORRUPT);
    check_embedded(image_with("MPDB", PLAIN + 1, EMBEDDED, 0), false,
                   ERR_CORRUPT);
    check_embedded(image_with("MPDB", PLAIN - 1, EMBEDDED, 0), false,
                   ERR_CORRUPT);
    check_embedded(image_with("MPDB", PLAIN, EMBEDDED, 1), false, ERR_CORRUPT);
    check_embedded(image_with("MPDB", UINT32_MAX, EMBEDDED, 0), false,
                   ERR_CORRUPT);
}
