/*
 * nrbf_records - a BinaryFormatter stream under construction, record by record.
 *
 *     struct blob b = {0};
 *     put_header(&b);
 *     put_string(&b, 1, "text");
 *     nrbf_free(read_all(&b, ERR_NONE));
 *     free(b.data);
 *
 * Included by test programs only.
 */
#ifndef TOPFN_TESTS_NRBF_RECORDS_H
#define TOPFN_TESTS_NRBF_RECORDS_H

#include <string.h>

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
static inline void put_header(struct blob *b)
{
    b->len = 0;
    blob_pack(b, "BI12x", 0, 1);
}

static inline void put_text(struct blob *b, const char *text)
{
    blob_u8(b, (uint8_t)strlen(text));
    blob_bytes(b, text, strlen(text));
}

/* A record that has an object's id. */
static inline void put(struct blob *b, uint8_t record, uint32_t id)
{
    blob_pack(b, "BI", record, id);
}

static inline void put_string(struct blob *b, uint32_t id, const char *text)
{
    put(b, STRING, id);
    put_text(b, text);
}

/* With one member, of a type; what that needs comes next. */
static inline void put_class(struct blob *b, uint32_t id, const char *member,
                             uint8_t type)
{
    put(b, SYSTEM_CLASS, id);
    put_text(b, "C");
    blob_u32(b, 1);
    put_text(b, member);
    blob_u8(b, type);
}

static inline void put_objects(struct blob *b, uint32_t id, uint32_t n)
{
    put(b, OBJECTS, id);
    blob_u32(b, n);
}

/* What is wrong with the stream, once it ends. */
static inline struct nrbf *read_all(struct blob *b, enum err_code expected)
{
    struct err err = {0};
    struct nrbf *n;

    blob_u8(b, END);
    n = nrbf_read("made", b->data, b->len, &err);
    ck_assert_msg(err.code == expected, "%s", err.message);
    ck_assert((n != NULL) == !expected);
    return n;
}

static inline void check(struct blob *b, enum err_code expected)
{
    nrbf_free(read_all(b, expected));
}

#endif
