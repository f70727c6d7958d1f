/* Objects of a BinaryFormatter stream, record by record, and how much there may
 * be in one. */
#include <string.h>

#include "engine/base/unpacking.h"
#include "symbols/saved/nrbf.h"
#include "tests/support/blob.h"
#include "tests/support/suite.h"

enum {
    CLASS_AGAIN = 1,
    SYSTEM_CLASS = 4,
    CLASS = 5,
    STRING = 6,
    ARRAY = 7,
    BOXED = 8,
    REFERENCE = 9,
    NOTHING = 10,
    END = 11,
    LIBRARY = 12,
    NOTHINGS_8 = 13,
    NOTHINGS_32 = 14,
    PRIMITIVES = 15,
    OBJECTS = 16,
    STRINGS = 17,
    INT32 = 8,
    UINT16 = 14,
};

/* The root is object 1. */
static void put_header(struct blob *b)
{
    b->len = 0;
    blob_pack(b, "BI12x", 0, 1);
}

static void put_text(struct blob *b, const char *text)
{
    blob_u8(b, (uint8_t)strlen(text));
    blob_bytes(b, text, strlen(text));
}

/* A record that has an object's id. */
static void put(struct blob *b, uint8_t record, uint32_t id)
{
    blob_pack(b, "BI", record, id);
}

static void put_string(struct blob *b, uint32_t id, const char *text)
{
    put(b, STRING, id);
    put_text(b, text);
}

/* With one member, of a type; what that needs comes next. */
static void put_class(struct blob *b, uint32_t id, const char *member,
                      uint8_t type)
{
    put(b, SYSTEM_CLASS, id);
    put_text(b, "C");
    blob_u32(b, 1);
    put_text(b, member);
    blob_u8(b, type);
}

static void put_objects(struct blob *b, uint32_t id, uint32_t n)
{
    put(b, OBJECTS, id);
    blob_u32(b, n);
}

/* What is wrong with the stream, once it ends. */
static struct nrbf *read_all(struct blob *b, enum err_code expected)
{
    struct err err = {0};
    struct nrbf *n;

    blob_u8(b, END);
    n = nrbf_read("made", b->data, b->len, &err);
    ck_assert_msg(err.code == expected, "%s", err.message);
    ck_assert((n != NULL) == !expected);
    return n;
}

static void check(struct blob *b, enum err_code expected)
{
    nrbf_free(read_all(b, expected));
}

static const struct nrbf_value *element(const struct nrbf *n, uint32_t i)
{
    return nrbf_element(n, nrbf_object(n, n->root), i);
}

static bool is(struct bytes text, const char *expected)
{
    return text.data && text.len == strlen(expected) &&
           !memcmp(text.data, expected, text.len);
}

/* Bytes of each type of primitive, of which all have a sign bit; 0: it is not
 * read. */
TEST(primitives)
{
    static const struct {
        unsigned width;
        uint64_t value;
    } rows[] = {{0, 0},
                {1, 0x81},
                {1, 0x81},
                {0, 0},
                {0, 0},
                {0, 0},
                {8, 0x8877665544332281},
                {2, 0xFFFFFFFFFFFF9281},
                {4, 0xFFFFFFFF94332281},
                {8, 0x8877665544332281},
                {1, 0x81},
                {4, 0x94332281},
                {8, 0x8877665544332281},
                {8, 0x8877665544332281},
                {2, 0x9281},
                {4, 0x94332281},
                {8, 0x8877665544332281},
                {0, 0},
                {0, 0}};
    struct blob b = {0};

    for (size_t type = 0; type < COUNT(rows); type++) {
        struct nrbf *n;

        put_header(&b);
        put_class(&b, 1, "a", 0);
        blob_u8(&b, (uint8_t)type);
        blob_number(&b, rows[type].value, rows[type].width);
        n = read_all(&b, rows[type].width ? ERR_NONE : ERR_CORRUPT);
        if (n)
            ck_assert_uint_eq(
                nrbf_number(nrbf_member(n, nrbf_object(n, 1), "a"), 7),
                rows[type].value);
        nrbf_free(n);
    }
    free(b.data);
}

TEST(values_of_arrays)
{
    struct blob b = {0};
    struct nrbf *n;

    put_header(&b);
    put_objects(&b, 1, 8);
    put_string(&b, 2, "text");
    blob_u8(&b, NOTHING);
    put(&b, REFERENCE, 2);
    blob_pack(&b, "BBI", BOXED, INT32, 5);
    put(&b, LIBRARY, 9); /* is none of them */
    put_text(&b, "mscorlib");
    blob_pack(&b, "BB", NOTHINGS_8, 2);
    put(&b, NOTHINGS_32, 1);
    put(&b, REFERENCE, 3);
    n = read_all(&b, ERR_NONE);
    ck_assert_uint_eq(nrbf_object(n, 1)->count, 8);
    ck_assert(is(nrbf_text(n, element(n, 0)), "text"));
    ck_assert_int_eq(element(n, 1)->kind, NRBF_NULL);
    ck_assert(is(nrbf_text(n, element(n, 2)), "text"));
    ck_assert_uint_eq(nrbf_number(element(n, 3), 7), 5);
    for (uint32_t i = 4; i < 7; i++)
        ck_assert_int_eq(element(n, i)->kind, NRBF_NULL);
    ck_assert_int_eq(element(n, 7)->kind, NRBF_REFERENCE);
    ck_assert_ptr_null(element(n, 8));
    /* What is not there, and what is of another kind. */
    ck_assert_ptr_null(nrbf_target(n, element(n, 7)));
    ck_assert_ptr_null(nrbf_target(n, element(n, 3)));
    ck_assert_ptr_null(nrbf_target(n, NULL));
    ck_assert_ptr_null(nrbf_text(n, element(n, 7)).data);
    ck_assert_ptr_null(nrbf_text(n, element(n, 3)).data);
    ck_assert_ptr_null(nrbf_text(n, NULL).data);
    ck_assert_ptr_null(nrbf_member(n, nrbf_object(n, 1), "a"));
    ck_assert_ptr_null(nrbf_member(n, NULL, "a"));
    ck_assert_ptr_null(nrbf_element(n, NULL, 0));
    ck_assert_uint_eq(nrbf_number(element(n, 0), 7), 7);
    ck_assert_uint_eq(nrbf_number(NULL, 7), 7);
    nrbf_free(n);
    free(b.data);
}

/* As many as there is room for, and at least one. */
TEST(runs_of_nulls)
{
    struct blob b = {0};

    for (uint32_t nulls = 0; nulls < 5; nulls++)
        for (int wide = 0; wide < 2; wide++) {
            put_header(&b);
            put_objects(&b, 1, 4);
            blob_pack(&b, "BB", NOTHING, wide ? NOTHINGS_32 : NOTHINGS_8);
            blob_number(&b, nulls, wide ? 4 : 1);
            for (uint32_t i = 1 + nulls; i < 4; i++)
                blob_u8(&b, NOTHING);
            check(&b, nulls >= 1 && nulls <= 3 ? ERR_NONE : ERR_CORRUPT);
        }
    free(b.data);
}

/* Of several lines of an array what it has is told in many ways. */
TEST(kinds_of_arrays)
{
    static const struct {
        uint8_t shape, rank, type;
        const char *extra; /* behind the type */
        size_t size;
        bool good;
    } rows[] = {{0, 1, 0, "\10\5\0\0\0", 5, true}, /* INT32, and 5 */
                {0, 1, 7, "\10\12", 2, true},      /* a null */
                {0, 1, 1, "\12", 1, true},
                {0, 1, 2, "\12", 1, true},
                {0, 1, 3, "\1X\12", 3, true},
                {0, 1, 5, "\12", 1, true},
                {0, 1, 4, "\1X\2\0\0\0\12", 7, true},
                {0, 1, 6, "\12", 1, true},
                {0, 1, 8, "\12", 1, false},
                {1, 1, 2, "\12", 1, false},
                {0, 2, 2, "\12", 1, false},
                {0, 0, 2, "\12", 1, false}};
    struct blob b = {0};

    for (size_t i = 0; i < COUNT(rows); i++) {
        put_header(&b);
        put(&b, ARRAY, 1);
        blob_pack(&b, "BIIB", rows[i].shape, rows[i].rank, 1, rows[i].type);
        blob_bytes(&b, rows[i].extra, rows[i].size);
        check(&b, rows[i].good ? ERR_NONE : ERR_CORRUPT);
    }
    free(b.data);
}

TEST(arrays_of_primitives)
{
    struct blob b = {0};
    struct nrbf *n;

    put_header(&b);
    put(&b, PRIMITIVES, 1);
    blob_pack(&b, "IBHH", 2, UINT16, 7, 0xFFFF);
    n = read_all(&b, ERR_NONE);
    ck_assert_uint_eq(nrbf_number(element(n, 0), 0), 7);
    ck_assert_uint_eq(nrbf_number(element(n, 1), 0), 0xFFFF);
    nrbf_free(n);
    put_header(&b);
    put(&b, PRIMITIVES, 1);
    blob_u32(&b, 1000000); /* of what there is not */
    blob_pack(&b, "BH", UINT16, 7);
    check(&b, ERR_CORRUPT);
    put_header(&b);
    put(&b, STRINGS, 1);
    blob_u32(&b, 1);
    put_string(&b, 2, "");
    n = read_all(&b, ERR_NONE);
    ck_assert(is(nrbf_text(n, element(n, 0)), ""));
    nrbf_free(n);
    free(b.data);
}

/* As compilers name what a property keeps. */
TEST(names_of_members)
{
    static const struct {
        const char *member, *name;
        bool is_it;
    } rows[] = {{"Name", "Name", true},
                {"Name", "Nam", false},
                {"Name", "Names", false},
                {"<Name>k__BackingField", "Name", true},
                {"<Name>k__BackingField", "Nam", false},
                {"<Name>k__BackingField", "k__BackingField", true},
                {"<backing_store>Name", "Name", true},
                {"<backing_store>Name", "backing_store", true},
                {"<Name", "Name", false},
                {"<Name", "<Name", true},
                {"Name>x", "x", false},
                {"Name>x", "Name>x", true},
                {"", "", true},
                {"", "x", false},
                {"<>", "", true}};
    struct blob b = {0};

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct nrbf *n;

        put_header(&b);
        put_class(&b, 1, rows[i].member, 2);
        blob_u8(&b, NOTHING);
        n = read_all(&b, ERR_NONE);
        ck_assert_msg((nrbf_member(n, nrbf_object(n, 1), rows[i].name) !=
                       NULL) == rows[i].is_it,
                      "%s", rows[i].member);
        nrbf_free(n);
    }
    free(b.data);
}

/* Again of a class is an object like one before. */
TEST(classes_again)
{
    struct blob b = {0};
    struct nrbf *n;

    for (uint32_t like = 1; like <= 4; like++) {
        put_header(&b);
        put(&b, CLASS, 1); /* with a library */
        put_text(&b, "C");
        blob_u32(&b, 2);
        put_text(&b, "a");
        put_text(&b, "b");
        blob_u8(&b, 0);
        blob_u8(&b, 4); /* of a class, which is named */
        blob_u8(&b, INT32);
        put_text(&b, "D");
        blob_pack(&b, "III", 9, 9, 3);
        put_string(&b, 3, "x");
        put(&b, CLASS_AGAIN, 2);
        blob_pack(&b, "II", like, 5);
        put(&b, REFERENCE, 3);
        n = read_all(&b, like == 1 ? ERR_NONE : ERR_CORRUPT);
        if (!n)
            continue;
        ck_assert_uint_eq(
            nrbf_number(nrbf_member(n, nrbf_object(n, 1), "a"), 0), 3);
        ck_assert_uint_eq(
            nrbf_number(nrbf_member(n, nrbf_object(n, 2), "a"), 0), 5);
        ck_assert(
            is(nrbf_text(n, nrbf_member(n, nrbf_object(n, 2), "b")), "x"));
        nrbf_free(n);
    }
    free(b.data);
}

/* A length has seven bits a byte, and five bytes. */
TEST(texts)
{
    static const struct {
        const char *length;
        size_t bytes, text;
        bool good;
    } rows[] = {{"\177", 1, 127, true},
                {"\200\1", 2, 128, true},
                {"\201\1", 2, 128, false},
                {"\377\1", 2, 255, true},
                {"\200\2", 2, 256, true},
                {"\200\200\1", 3, 16384, true},
                {"\200\200\200\1", 4, 1 << 21, true},
                {"\203\200\200\200\0", 5, 3, true},
                {"\203\200\200\200\20", 5, 3, false}, /* and 2^32 */
                {"\203\200\200\200\200\0", 6, 3, false}};
    struct blob b = {0};

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct nrbf *n;

        put_header(&b);
        put(&b, STRING, 1);
        blob_bytes(&b, rows[i].length, rows[i].bytes);
        blob_zero(&b, rows[i].text);
        if (!rows[i].good)
            b.len--; /* the end is one more */
        n = read_all(&b, rows[i].good ? ERR_NONE : ERR_CORRUPT);
        if (n)
            ck_assert_uint_eq(nrbf_element(n, nrbf_object(n, 1), 0)->length,
                              rows[i].text);
        nrbf_free(n);
    }
    free(b.data);
}

TEST(limits)
{
    struct blob b = {0};

    for (uint32_t n = 64; n <= 65; n++) { /* members of a class */
        put_header(&b);
        put(&b, SYSTEM_CLASS, 1);
        put_text(&b, "C");
        blob_u32(&b, n);
        for (uint32_t i = 0; i < n; i++)
            put_text(&b, "a");
        for (uint32_t i = 0; i < n; i++)
            blob_u8(&b, 2);
        for (uint32_t i = 0; i < n; i++)
            blob_u8(&b, NOTHING);
        check(&b, n == 64 ? ERR_NONE : ERR_CORRUPT);
    }
    for (uint32_t n = 32; n <= 33; n++) { /* one in the other */
        put_header(&b);
        for (uint32_t i = 1; i <= n; i++)
            put_class(&b, i, "a", 2);
        blob_u8(&b, NOTHING);
        check(&b, n == 32 ? ERR_NONE : ERR_CORRUPT);
    }
    for (uint32_t more = 0; more < 2; more++) { /* values, all null */
        size_t size = 17 + 9 + 5 + 1;
        uint32_t n =
            (uint32_t)((UNPACK_FREE + UNPACK_RATIO_COSTLY * (size / 4)) / 16 +
                       more);

        put_header(&b);
        put_objects(&b, 1, n);
        put(&b, NOTHINGS_32, n);
        check(&b, more ? ERR_LIMIT : ERR_NONE);
        ck_assert_uint_eq(b.len, size);
    }
    free(b.data);
}

TEST(no_streams)
{
    size_t most = 64 << 20;
    uint8_t *zeros = mem_new(most + 1, 1);
    struct err err = {0};
    struct blob b = {0};

    ck_assert_ptr_null(nrbf_read("made", zeros, most, &err));
    ck_assert_int_eq(err.code, ERR_CORRUPT);
    err = (struct err){0};
    ck_assert_ptr_null(nrbf_read("made", zeros, most + 1, &err));
    ck_assert_int_eq(err.code, ERR_LIMIT);
    free(zeros);
    put_header(&b);
    b.data[0] = NOTHING;
    check(&b, ERR_CORRUPT);
    put_header(&b);
    check(&b, ERR_NONE);
    put_header(&b); /* two of one id */
    put_string(&b, 1, "a");
    put_string(&b, 1, "b");
    check(&b, ERR_CORRUPT);
    put_header(&b);
    put_string(&b, 1, "a");
    put_string(&b, 2, "b");
    check(&b, ERR_NONE);
    for (uint8_t record = 0; record < 25; record++) { /* cut off */
        put_header(&b);
        blob_u8(&b, record);
        check(&b, record == NOTHING || record == END ? ERR_NONE
                  : record == 0 || record == 2 || record == 3 || record > 17
                      ? ERR_CORRUPT
                      : ERR_TRUNCATED);
    }
    free(b.data);
}
