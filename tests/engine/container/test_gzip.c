/* Packed files, and where unpacked bytes are kept. */
#include <zlib.h>

#include "engine/container/spool.h"
#include "tests/engine/container/opened.h"
#include "tests/support/suite.h"

enum { MEMORY = 8 << 20, LARGE = MEMORY + 3 };

static char path[TEMP_PATH];

static void add_member(struct blob *b, const void *data, size_t size)
{
    z_stream z = {0};
    size_t room = size + 1000, at = b->len;

    ck_assert_int_eq(
        deflateInit2(&z, 9, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY),
        Z_OK);
    blob_zero(b, room);
    z.next_in = (uint8_t *)data;
    z.avail_in = (uInt)size;
    z.next_out = b->data + at;
    z.avail_out = (uInt)room;
    ck_assert_int_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
    b->len = at + z.total_out;
    deflateEnd(&z);
}

static struct container *open_packed(const struct blob *b)
{
    struct container *c = opened_blob(path, b, NULL);

    ck_assert_ptr_nonnull(c);
    return c;
}

TEST(members_are_one_file)
{
    struct blob b = {0};
    struct container *c;

    add_member(&b, "first ", 6);
    add_member(&b, "", 0);
    add_member(&b, "second", 6);
    c = open_packed(&b);
    ck_assert_str_eq(c->kind->name, "gzip");
    ck_assert_uint_eq(c->entries[0].claimed, 6);
    ck_assert_int_eq(container_load(c, 0, NULL), ERR_NONE);
    ck_assert_uint_eq(c->entries[0].size, 12);
    ck_assert_mem_eq(c->entries[0].data, "first second", 12);
    ck_assert_ptr_null(c->entries[0].damage);
    ck_assert(!c->entries[0].of_file);
    container_close(c);
    free(b.data);
}

/* What came before the damage is kept; without it the file is refused. */
TEST(damaged_files)
{
    struct blob b = {0};
    struct err err = {0};
    struct container *c;

    add_member(&b, "first ", 6);
    add_member(&b, "second", 6);
    b.len -= 4;
    c = open_packed(&b);
    ck_assert_int_eq(container_load(c, 0, NULL), ERR_NONE);
    ck_assert_uint_eq(c->entries[0].size, 12);
    ck_assert_str_eq(c->entries[0].damage, "is truncated");
    container_close(c);
    b.len += 4;
    b.data[b.len - 5] ^= 1; /* of the checksum */
    c = open_packed(&b);
    ck_assert_int_eq(container_load(c, 0, NULL), ERR_NONE);
    ck_assert_str_eq(c->entries[0].damage, "its packed data is damaged");
    container_close(c);
    memset(b.data + 10, 0xFF, b.len - 10);
    c = open_packed(&b);
    ck_assert_int_eq(container_load(c, 0, &err), ERR_CORRUPT);
    ck_assert_ptr_nonnull(strstr(err.message, "its packed data is damaged"));
    container_close(c);
    free(b.data);
}

/* 8 MiB and 64 times what it is packed in. */
TEST(more_than_may_come_of_it)
{
    enum { SIZE = 16 << 20 };
    struct blob b = {0};
    uint8_t *zeros = calloc(SIZE, 1);
    struct container *c;
    size_t most;

    ck_assert_ptr_nonnull(zeros);
    add_member(&b, zeros, SIZE);
    free(zeros);
    most = MEMORY + 64 * b.len;
    c = open_packed(&b);
    ck_assert_int_eq(container_load(c, 0, NULL), ERR_NONE);
    ck_assert_uint_le(c->entries[0].size, most);
    ck_assert_uint_gt(c->entries[0].size, most - 65536);
    ck_assert_str_eq(c->entries[0].damage,
                     "unpacks to more than its size allows");
    container_close(c);
    free(b.data);
}

TEST(what_is_packed)
{
    static const uint8_t heads[][4] = {{0x1F, 0x8B, 8, 0},
                                       {0x1E, 0x8B, 8, 0},
                                       {0x1F, 0x8C, 8, 0},
                                       {0x1F, 0x8B, 7, 0}};
    uint8_t bytes[19] = {0};

    for (size_t i = 0; i < 5; i++) {
        struct blob b = {bytes, i < 4 ? 19 : 18, sizeof(bytes)};
        struct container *c;

        memcpy(bytes, heads[i % 4], 4);
        c = open_packed(&b);
        ck_assert_str_eq(c->kind->name, i ? "plain" : "gzip");
        container_close(c);
    }
}

/* ---- the spool ---- */

/* In the folder that TMPDIR names. */
TEST(no_temporary_folder)
{
    struct err err = {0};
    struct spool s;

    setenv("TMPDIR", "/nowhere/at/all", 1);
    spool_init(&s, 0);
    ck_assert_int_eq(spool_write(&s, "x", 1, &err), ERR_IO);
    ck_assert_ptr_nonnull(
        strstr(err.message, "/nowhere/at/all: cannot make a temporary file: "));
    spool_release(&s);
    setenv("TMPDIR", "", 1);
    spool_init(&s, 0);
    ck_assert_int_eq(spool_write(&s, "x", 1, &err), ERR_NONE);
    spool_release(&s);
}
