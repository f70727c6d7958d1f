/* Packed bytes, whole and not, and how much may come of them. */
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include "engine/base/mem.h"
#include "engine/base/unpacking.h"
#include "symbols/elf/inflate.h"
#include "tests/support/blob.h"
#include "tests/support/suite.h"

static struct blob plain_of(size_t size)
{
    struct blob b = {0};

    vec_reserve(&b, size);
    for (; b.len < size; b.len++)
        b.data[b.len] = (uint8_t)(b.len * b.len / 251);
    return b;
}

static struct blob zlib_of(const struct blob *plain)
{
    struct blob b = {0};
    uLongf n = compressBound(plain->len);

    vec_reserve(&b, n);
    ck_assert_int_eq(compress2(b.data, &n, plain->data, plain->len, 1), Z_OK);
    b.len = n;
    return b;
}

static struct blob zstd_of(const struct blob *plain)
{
    struct blob b = {0};
    size_t n = ZSTD_compressBound(plain->len);

    vec_reserve(&b, n);
    b.len = ZSTD_compress(b.data, n, plain->data, plain->len, 1);
    return b;
}

static struct blob xz_of(const struct blob *plain)
{
    struct blob b = {0};
    size_t n = lzma_stream_buffer_bound(plain->len);

    vec_reserve(&b, n);
    ck_assert_int_eq(lzma_easy_buffer_encode(0, LZMA_CHECK_CRC32, NULL,
                                             plain->data, plain->len, b.data,
                                             &b.len, n),
                     LZMA_OK);
    return b;
}

/* What is wrong if `n` of the packed bytes claim to be `size`. */
typedef struct bytes unpack(const uint8_t *packed, size_t n, uint64_t size,
                            struct err *err);

static enum err_code wrong(unpack *how, const struct blob *packed, size_t n,
                           const struct blob *plain, uint64_t size)
{
    struct err err = {0};
    struct bytes got = how(packed->data, n, size, &err);

    ck_assert_uint_eq(got.len, err.code ? 0 : plain->len);
    if (got.len)
        ck_assert_mem_eq(got.data, plain->data, got.len);
    inflate_free(got);
    return err.code;
}

static void check_size(unpack *how, struct blob packed,
                       const struct blob *plain)
{
    size_t n = packed.len, size = plain->len;

    ck_assert_int_eq(wrong(how, &packed, n, plain, size), ERR_NONE);
    ck_assert_int_eq(wrong(how, &packed, n, plain, size + 1), ERR_CORRUPT);
    ck_assert_int_eq(wrong(how, &packed, n, plain, size - 1), ERR_CORRUPT);
    ck_assert_int_eq(wrong(how, &packed, n - 1, plain, size), ERR_CORRUPT);
    ck_assert_int_eq(wrong(how, &packed, 0, plain, size), ERR_CORRUPT);
    ck_assert_int_eq(wrong(how, &packed, n, plain, unpack_most(n) + 1),
                     ERR_LIMIT);
    free(packed.data);
}

/* 4 MiB and more are of large pages. */
TEST(sizes)
{
    static const size_t sizes[] = {1, 5000, (4 << 20) - 1, 4 << 20, 5 << 20};

    for (size_t i = 0; i < COUNT(sizes); i++) {
        struct blob plain = plain_of(sizes[i]);

        check_size(inflate_zlib, zlib_of(&plain), &plain);
        check_size(inflate_zstd, zstd_of(&plain), &plain);
        free(plain.data);
    }
}

TEST(limits)
{
    static const uint64_t gib = (uint64_t)1 << 30;
    struct err err = {0};

    ck_assert(inflate_allows(0, UNPACK_FREE, &err));
    ck_assert(!inflate_allows(0, UNPACK_FREE + 1, &err));
    ck_assert_str_eq(err.message,
                     "0 packed bytes claim to unpack to 8388609: not unpacked");
    ck_assert(inflate_allows(10, UNPACK_FREE + 640, &err));
    ck_assert(!inflate_allows(10, UNPACK_FREE + 641, &err));
    ck_assert(inflate_allows(gib, gib, &err));
    ck_assert(!inflate_allows(gib, gib + 1, &err));
}

static enum err_code xz_wrong(const struct blob *packed, size_t n,
                              const struct blob *plain)
{
    struct err err = {0};
    struct bytes got = inflate_xz(packed->data, n, &err);

    if (!err.code) {
        ck_assert_uint_eq(got.len, plain->len);
        ck_assert_mem_eq(got.data, plain->data, got.len);
    }
    inflate_free(got);
    return err.code;
}

/* Room grows from 64 KiB on, up to the limit. */
TEST(streams_of_xz)
{
    static const size_t sizes[] = {1,         64 << 10,  (64 << 10) + 1,
                                   128 << 10, 300 << 10, UNPACK_FREE + 1000};

    for (size_t i = 0; i < COUNT(sizes); i++) {
        struct blob plain = plain_of(sizes[i]), packed = xz_of(&plain);

        ck_assert_int_eq(xz_wrong(&packed, packed.len, &plain), ERR_NONE);
        ck_assert_int_eq(xz_wrong(&packed, packed.len - 1, &plain),
                         ERR_CORRUPT);
        ck_assert_int_eq(xz_wrong(&packed, 3, &plain), ERR_CORRUPT);
        free(packed.data);
        free(plain.data);
    }
}

/* All zeros, which become a thousandth: up to the limit, and beyond. */
TEST(empty_streams_of_xz)
{
    struct blob plain = {.len = UNPACK_FREE}, packed;
    struct err err = {0};
    char text[100];

    plain.data = mem_new(64 << 20, 1);
    packed = xz_of(&plain);
    ck_assert_int_eq(xz_wrong(&packed, packed.len, &plain), ERR_NONE);
    free(packed.data);
    plain.len = 16 << 20;
    packed = xz_of(&plain);
    inflate_free(inflate_xz(packed.data, packed.len, &err));
    snprintf(text, sizeof(text), "%zu packed bytes unpack to more than %zu",
             packed.len, UNPACK_FREE + 64 * packed.len);
    ck_assert_int_eq(err.code, ERR_LIMIT);
    ck_assert_str_eq(err.message, text);
    free(packed.data);
    free(plain.data);
}
