/* Types and ids of a PDB byte by byte: names of what is inlined. */
#include "tests/support/pdb_streams.h"

enum {
    LF_POINTER = 0x1002,
    LF_CLASS = 0x1504,
    LF_STRUCTURE = 0x1505,
    LF_UNION = 0x1506,
    LF_ENUM = 0x1507,
    LF_INTERFACE = 0x1519,
    LF_FUNC_ID = 0x1601,
    LF_MFUNC_ID = 0x1602,
    LF_SUBSTR_LIST = 0x1604,
    LF_STRING_ID = 0x1605,
};

static void types_begin(struct blob *b)
{
    blob_pack(b, "III8xH34x", 20040203, 56, 0x1000, MSF_NONE);
}

static struct blob *leaf(struct made *t, struct blob *b, uint16_t kind)
{
    t->record = b->len;
    blob_pack(b, "HH", 0, kind);
    return b;
}

static void leaf_end(struct made *t, struct blob *b)
{
    blob_set(b, t->record, b->len - t->record - 2, 2);
    blob_set(b, 12, load_u32(b->data + 12) + 1, 4);
    blob_set(b, 16, b->len - 56, 4);
}

static uint32_t types_end(const struct blob *b)
{
    return 0x1000 + load_u32(b->data + 12);
}

/* Until here the field counted. */
static void types_close(struct blob *b)
{
    blob_set(b, 12, types_end(b), 4);
}

/* A class, whose size is a number of some kind; its index. */
static uint32_t put_class(struct made *t, uint16_t kind, uint16_t number,
                          size_t bytes, const char *name)
{
    struct blob *b = &t->streams[PDB_TPI];
    uint32_t index = types_end(b);

    (void)leaf(t, b, kind);
    blob_zero(b, kind == LF_UNION ? 8 : kind == LF_ENUM ? 12 : 16);
    if (kind != LF_ENUM) {
        blob_u16(b, number);
        for (size_t i = 0; i < bytes; i++)
            blob_u8(b, 'z');
    }
    text(b, name);
    leaf_end(t, b);
    return index;
}

/* An id of two words and a text. */
static uint32_t put_id(struct made *t, uint16_t kind, uint32_t first,
                       const char *name)
{
    struct blob *b = &t->streams[PDB_IPI];
    uint32_t index = types_end(b);

    (void)leaf(t, b, kind);
    blob_u32(b, first);
    if (kind != LF_STRING_ID)
        blob_u32(b, 0x1003);
    text(b, name);
    leaf_end(t, b);
    return index;
}

static uint32_t put_list(struct made *t, uint32_t n, uint32_t part)
{
    struct blob *b = &t->streams[PDB_IPI];
    uint32_t index = types_end(b);

    (void)leaf(t, b, LF_SUBSTR_LIST);
    blob_u32(b, n);
    for (uint32_t i = 0; i < n; i++)
        blob_u32(b, part + i % 2);
    leaf_end(t, b);
    return index;
}

static void begin_types(struct made *t)
{
    begin(t);
    types_begin(&t->streams[PDB_TPI]);
    types_begin(&t->streams[PDB_IPI]);
}

static void read_types(struct made *t)
{
    types_close(&t->streams[PDB_TPI]);
    types_close(&t->streams[PDB_IPI]);
    finish(t);
    pdb_read_types(&t->pdb, &t->pdb.types, PDB_TPI);
    pdb_read_types(&t->pdb, &t->pdb.ids, PDB_IPI);
}

static const char *inlinee(struct made *t, uint32_t id)
{
    struct module_symbols m = {.number = 3};

    return strings_get(t->pdb.strings, pdb_inlinee_name(&t->pdb, &m, id));
}

TEST(methods_of_every_kind)
{
    static const struct {
        uint16_t kind, number;
        uint8_t bytes;
        const char *name, *want;
    } rows[] = {
        {LF_CLASS, 0, 0, "C", "C::m"},
        {LF_STRUCTURE, 0x7FFF, 0, "S", "S::m"},
        {LF_INTERFACE, 0x8000, 1, "I", "I::m"},
        {LF_CLASS, 0x8001, 2, "a::b", "a::b::m"},
        {LF_CLASS, 0x8002, 2, "C", "C::m"},
        {LF_CLASS, 0x8003, 4, "C", "C::m"},
        {LF_CLASS, 0x8004, 4, "C", "C::m"},
        {LF_CLASS, 0x8005, 4, "C", "C::m"},
        {LF_CLASS, 0x8006, 8, "C", "C::m"},
        {LF_CLASS, 0x8007, 10, "C", "C::m"},
        {LF_CLASS, 0x8008, 16, "C", "C::m"},
        {LF_CLASS, 0x8009, 8, "C", "C::m"},
        {LF_UNION, 0x800A, 8, "U", "U::m"},
        {LF_UNION, 0x800B, 0, "U", "m"},
        {LF_ENUM, 0, 0, "E", "E::m"},
        {LF_POINTER, 0, 0, "P", "m"},
    };
    enum { ROWS = COUNT(rows) };
    uint32_t ids[ROWS], last;
    struct made t;

    begin_types(&t);
    for (size_t i = 0; i < ROWS; i++) {
        uint32_t class = put_class(&t, rows[i].kind, rows[i].number,
                                   rows[i].bytes, rows[i].name);

        ids[i] = put_id(&t, LF_MFUNC_ID, class, "m");
    }
    last = put_id(&t, LF_MFUNC_ID, 0x1000 + ROWS, "beyond");
    read_types(&t);
    for (size_t i = ROWS; i-- > 0;)
        ck_assert_str_eq(inlinee(&t, ids[i]), rows[i].want);
    ck_assert_str_eq(inlinee(&t, last), "beyond");
    ck_assert_str_eq(inlinee(&t, last + 1), "<inlined>");
    ck_assert_str_eq(inlinee(&t, 0xFFF), "<inlined>");
    ck_assert_str_eq(inlinee(&t, 0), "<inlined>");
    end(&t);
}

TEST(scopes_of_functions)
{
    uint32_t plain, scoped, listed, of_list, odd, a;
    struct made t;

    begin_types(&t);
    plain = put_id(&t, LF_FUNC_ID, 0, "plain");
    a = put_id(&t, LF_STRING_ID, 0, "one");
    scoped = put_id(&t, LF_FUNC_ID, a, "f");
    (void)put_id(&t, LF_STRING_ID, 0, "x");
    a = put_id(&t, LF_STRING_ID, 0, "y") - 1;
    listed = put_list(&t, 3, a);
    listed = put_id(&t, LF_STRING_ID, listed, "z");
    of_list = put_id(&t, LF_FUNC_ID, listed, "f");
    a = put_list(&t, 65, a);
    a = put_id(&t, LF_STRING_ID, a, "");
    listed = put_id(&t, LF_FUNC_ID, a, "f");
    odd = put_id(&t, LF_FUNC_ID, plain, "f"); /* whose scope is no string */
    read_types(&t);
    ck_assert_str_eq(inlinee(&t, plain), "plain");
    ck_assert_str_eq(inlinee(&t, scoped), "one::f");
    ck_assert_str_eq(inlinee(&t, of_list), "xyxz::f");
    ck_assert_uint_eq(strlen(inlinee(&t, listed)), 64 + 3);
    ck_assert_str_eq(inlinee(&t, odd), "f");
    ck_assert_str_eq(inlinee(&t, a), "<inlined>"); /* no function */
    end(&t);
}

/* What would be longer than 8 KB is cut. */
TEST(long_scopes)
{
    char part[201];
    uint32_t a;
    struct made t;

    memset(part, 'p', 200);
    part[200] = '\0';
    begin_types(&t);
    a = put_id(&t, LF_STRING_ID, 0, part);
    (void)put_id(&t, LF_STRING_ID, 0, part);
    a = put_list(&t, 60, a);
    a = put_id(&t, LF_STRING_ID, a, "");
    a = put_id(&t, LF_FUNC_ID, a, "f");
    read_types(&t);
    ck_assert_uint_eq(strlen(inlinee(&t, a)), 8192);
    end(&t);
}

/* A record of no length ends the search; so does the end of the records. */
TEST(damaged_ids)
{
    uint32_t first, last;
    struct made t;

    begin_types(&t);
    first = put_id(&t, LF_FUNC_ID, 0, "first");
    blob_set(&t.streams[PDB_IPI], t.record + 2, 0x1234, 2);
    last = put_id(&t, LF_FUNC_ID, 0, "last");
    read_types(&t);
    ck_assert_str_eq(inlinee(&t, first), "<inlined>");
    ck_assert_str_eq(inlinee(&t, last), "last");
    end(&t);
    begin_types(&t);
    first = put_id(&t, LF_FUNC_ID, 0, "first");
    last = put_id(&t, LF_FUNC_ID, 0, "last");
    blob_set(&t.streams[PDB_IPI], 56, 1, 2);
    read_types(&t);
    ck_assert_str_eq(inlinee(&t, last), "<inlined>");
    end(&t);
    begin_types(&t);
    first = put_id(&t, LF_FUNC_ID, 0, "first");
    last = put_id(&t, LF_FUNC_ID, 0, "last");
    blob_set(&t.streams[PDB_IPI], 16, t.record - 56, 4);
    read_types(&t);
    ck_assert_str_eq(inlinee(&t, first), "first");
    ck_assert_str_eq(inlinee(&t, last), "<inlined>");
    end(&t);
}
