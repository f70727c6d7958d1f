/* How much a zip archive may unpack to, and what its headers may claim. */
#include "engine/base/reader.h"
#include "engine/base/unpacking.h"
#include "engine/container/package.h"
#include "tests/engine/container/opened.h"
#include "tests/support/suite.h"
#include "tests/support/zip_writer.h"

/* Of a header in the central directory; of the one before the entry. */
enum {
    METHOD = 10,
    PACKED = 20,
    SIZE = 24,
    PLACE = 42,
    LOCAL_SIZE = 22,
};

static char path[TEMP_PATH];

static struct container *open_made(const struct blob *b)
{
    struct err err = {0};
    struct container *c = opened_blob(path, b, &err);

    ck_assert_msg(c, "%s", err.message);
    return c;
}

static void assert_refused(struct container *c, size_t i, enum err_code code,
                           const char *why)
{
    struct err err = {0};

    ck_assert_int_eq(container_load(c, i, &err), code);
    ck_assert_msg(strstr(err.message, why), "%s", err.message);
    ck_assert_ptr_null(c->entries[i].data);
}

/* Bytes that do not pack well. */
static uint8_t *noise(size_t n)
{
    uint8_t *bytes = malloc(n);
    uint32_t state = 1;

    ck_assert_ptr_nonnull(bytes);
    for (size_t i = 0; i < n; i++) {
        state = state * 1664525 + 1013904223;
        bytes[i] = (uint8_t)(state >> 24);
    }
    return bytes;
}

static uint64_t packed_size(const struct blob *b, size_t i)
{
    return load_u32(b->data + zip_central(b, i) + PACKED);
}

/* Both headers of an entry claim that it has so many bytes. */
static void claim(struct blob *b, size_t i, uint64_t size)
{
    size_t at = zip_central(b, i);

    blob_set(b, at + SIZE, size, 4);
    blob_set(b, load_u32(b->data + at + PLACE) + LOCAL_SIZE, size, 4);
}

/* ---- what headers claim ---- */

/* One field of the only entry's central header is changed. */
static const struct {
    size_t at;
    uint64_t value;
    unsigned width;
    enum err_code code;
    const char *message;
} lies[] = {
    {24, 0x7FFFFFFF, 4, ERR_CORRUPT, "more than its"},
    {8, 1, 2, ERR_UNSUPPORTED, "encrypted"},
    {10, 93, 2, ERR_UNSUPPORTED, "unknown compression method 93"},
};

TEST_LOOP(lying_headers, 3)
{
    struct zip_member member = {"a.etl", "0123456789012345", 16, true};
    struct blob b = zip_make(&member, 1);
    struct err err = {0};
    struct container *c;

    blob_set(&b, zip_central(&b, 0) + lies[_i].at, lies[_i].value,
             lies[_i].width);
    c = opened_blob(path, &b, &err);
    ck_assert_msg(c, "%s", err.message);
    ck_assert_int_eq(container_load(c, 0, &err), lies[_i].code);
    ck_assert_msg(strstr(err.message, lies[_i].message), "%s", err.message);
    container_close(c);
    free(b.data);
}

/* Deflate makes 1032 bytes out of one; what is stored, itself. */
TEST(no_more_than_it_can_hold)
{
    char bytes[] = "0123456789012345";
    struct zip_member members[] = {{"a.etl", bytes, 16, true},
                                   {"b.etl", bytes, 16, false}};
    struct blob b = zip_make(members, 2);
    uint64_t most[] = {packed_size(&b, 0) * 1032 + 1024, 16};
    struct container *c;

    for (size_t i = 0; i < 2; i++) {
        struct err err = {0};

        claim(&b, i, most[i]);
        c = open_made(&b);
        container_load(c, i, &err);
        ck_assert_ptr_null(strstr(err.message, "more than its"));
        container_close(c);
        claim(&b, i, most[i] + 1);
        c = open_made(&b);
        assert_refused(c, i, ERR_CORRUPT, "more than its 1");
        container_close(c);
    }
    free(b.data);
}

/* What does not match the claim is kept as far as both go. */
TEST(more_than_it_says)
{
    size_t n = 300000;
    uint8_t *bytes = noise(n);
    struct zip_member member = {"a.etl", bytes, n, true};
    struct blob b = zip_make(&member, 1);
    struct container *c;

    claim(&b, 0, n - 1);
    c = open_made(&b);
    ck_assert_int_eq(container_load(c, 0, NULL), ERR_NONE);
    ck_assert_str_eq(c->entries[0].damage,
                     "the archive's entry is larger than stated");
    ck_assert_uint_eq(c->entries[0].size, 256 * 1024);
    ck_assert_mem_eq(c->entries[0].data, bytes, 256 * 1024);
    container_close(c);
    claim(&b, 0, 256 * 1024 - 1);
    c = open_made(&b);
    assert_refused(c, 0, ERR_CORRUPT, "larger than stated");
    container_close(c);
    claim(&b, 0, n + 1);
    c = open_made(&b);
    ck_assert_int_eq(container_load(c, 0, NULL), ERR_NONE);
    ck_assert_ptr_nonnull(c->entries[0].damage);
    ck_assert_mem_eq(c->entries[0].data, bytes, c->entries[0].size);
    container_close(c);
    free(b.data);
    free(bytes);
}

/* ---- what may come out ---- */

/* 2 GiB of zeros would fit the packed size, by deflate's own bound. */
TEST(bomb)
{
    size_t n = 4 << 20;
    uint8_t *zeros = calloc(n, 1);
    struct zip_member member = {"a.etl", zeros, n, false};
    struct blob b = zip_make(&member, 1);
    struct err err = {0};
    struct container *c;
    size_t at = zip_central(&b, 0);

    blob_set(&b, at + 10, 8, 2);
    blob_set(&b, at + 24, 0x80000000u, 4);
    c = opened_blob(path, &b, &err);
    ck_assert_msg(c, "%s", err.message);
    ck_assert_int_eq(container_load(c, 0, &err), ERR_LIMIT);
    ck_assert_msg(strstr(err.message, "64 times"), "%s", err.message);
    container_close(c);
    free(b.data);
    free(zeros);
}

/* The most that may come out of one entry. */
TEST(as_much_as_one_may)
{
    size_t n = 20000;
    uint8_t *bytes = noise(n);
    struct zip_member member = {"a.etl", bytes, n, true};
    struct blob b = zip_make(&member, 1);
    uint64_t most = unpack_most(packed_size(&b, 0));
    struct container *c;

    claim(&b, 0, most);
    c = open_made(&b);
    ck_assert_int_eq(container_load(c, 0, NULL), ERR_NONE);
    ck_assert_mem_eq(c->entries[0].data, bytes, c->entries[0].size);
    container_close(c);
    claim(&b, 0, most + 1);
    c = open_made(&b);
    assert_refused(c, 0, ERR_LIMIT, "a.etl: unpacks to more than 64 times");
    container_close(c);
    free(b.data);
    free(bytes);
}

/* Entries that are packed far better than others share what is free; those
 * like others are read whatever came before. */
TEST(as_much_as_all_may)
{
    size_t n = 5 << 20, text = 200000;
    uint8_t *zeros = calloc(n, 1), *bytes = noise(text);
    struct zip_member members[] = {
        {"a.etl", zeros, n, true},     {"b.etl", zeros, n, true},
        {"c.etl", bytes, text, true},  {"d.etl", zeros, n / 2, true},
        {"e.etl", zeros, n / 2, true},
    };
    static const bool fits[] = {true, false, true, true, false};
    struct blob b = zip_make(members, 5);
    struct container *c = open_made(&b);

    for (size_t i = 0; i < 5; i++) {
        if (!fits[i]) {
            assert_refused(c, i, ERR_LIMIT, "the archive unpacks to more");
            continue;
        }
        ck_assert_int_eq(container_load(c, i, NULL), ERR_NONE);
        ck_assert_uint_eq(c->entries[i].size, members[i].size);
        ck_assert_mem_eq(c->entries[i].data, members[i].data, members[i].size);
    }
    container_close(c);
    free(b.data);
    free(zeros);
    free(bytes);
}

/* ---- the same bytes twice ---- */

/* Every entry is the same bytes of the archive. */
TEST(overlap)
{
    char bytes[1000], names[8][8];
    struct zip_member members[8];
    struct blob b;
    struct err err = {0};
    struct container *c;
    size_t loaded = 0;

    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (char)(i * i >> 3);
    for (size_t i = 0; i < 8; i++) {
        snprintf(names[i], sizeof(names[i]), "%zu.etl", i);
        members[i] = (struct zip_member){names[i], bytes, i ? 1 : 1000, false};
    }
    b = zip_make(members, 8);
    for (size_t i = 1; i < 8; i++) {
        size_t at = zip_central(&b, i);

        memcpy(b.data + at + 16, b.data + zip_central(&b, 0) + 16, 12);
        blob_set(&b, at + 42, 0, 4);
    }
    c = opened_blob(path, &b, &err);
    for (size_t i = 0; c && i < 8; i++)
        loaded += !container_load(c, i, &err);
    ck_assert_uint_le(loaded * 1000, b.len);
    ck_assert_msg(strstr(err.message, "overlap") || !c, "%s", err.message);
    container_close(c);
    free(b.data);
}

/* Nor has an entry more bytes than the archive. */
TEST(more_than_there_is)
{
    struct zip_member member = {"a.etl", "0123456789", 10, true};
    struct blob b = zip_make(&member, 1);
    struct err err = {0};
    struct container *c;

    blob_set(&b, zip_central(&b, 0) + PACKED, b.len, 4);
    c = open_made(&b);
    container_load(c, 0, &err);
    ck_assert_ptr_null(strstr(err.message, "overlap"));
    container_close(c);
    blob_set(&b, zip_central(&b, 0) + PACKED, b.len + 1, 4);
    c = open_made(&b);
    assert_refused(c, 0, ERR_CORRUPT, "overlap");
    container_close(c);
    free(b.data);
}

/* ---- the list of a diagnostics session ---- */

static const char metadata[] =
    "<Package><Content>"
    "<Resource Type=\"DiagnosticsHub.Resource.EtlFile\" Name=\"b.etl\""
    " ResourcePackageUriPrefix=\"X\"/></Content></Package>";

/* One that cannot be read leaves all to names, and so does one too large. */
TEST(a_list_that_is_no_use)
{
    const struct zip_member members[] = {
        {"X/a.etl", "a", 1, true},
        {"X/b.etl", "b", 1, true},
        {"metadata.xml", metadata, sizeof(metadata) - 1, true},
    };
    struct blob b = zip_make(members, 3);
    struct container *c = open_made(&b);

    ck_assert_int_eq(c->entries[0].kind, ENTRY_OTHER);
    ck_assert_int_eq(c->entries[1].kind, ENTRY_TRACE);
    ck_assert_ptr_null(c->warning);
    container_close(c);
    blob_set(&b, zip_central(&b, 2) + SIZE, LARGEST_METADATA + 1, 4);
    c = open_made(&b);
    ck_assert_int_eq(c->entries[0].kind, ENTRY_TRACE);
    container_close(c);
    blob_set(&b, zip_central(&b, 2) + METHOD, 93, 2);
    blob_set(&b, zip_central(&b, 2) + SIZE, sizeof(metadata) - 1, 4);
    c = open_made(&b);
    ck_assert_int_eq(c->entries[0].kind, ENTRY_TRACE);
    ck_assert_str_eq(c->warning, "metadata.xml cannot be unpacked");
    container_close(c);
    free(b.data);
}

TEST(an_empty_archive)
{
    static const uint8_t bytes[22] = {'P', 'K', 5, 6};
    struct blob b = {0};
    struct container *c;

    blob_bytes(&b, bytes, sizeof(bytes));
    c = open_made(&b);
    ck_assert_str_eq(c->kind->name, "zip");
    ck_assert_uint_eq(c->count, 0);
    container_close(c);
    free(b.data);
}
