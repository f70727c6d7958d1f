/* The streams of a PDB byte by byte: public symbols, names of files, OMAP, types
 * and ids, which are names of what is inlined. */
#include <stdlib.h>

#include "symbols/pdb/pdb.h"
#include "symbols/pdb/records.h"
#include "tests/support/blob.h"
#include "tests/support/msf_writer.h"
#include "tests/support/suite.h"

/* Streams besides those with fixed numbers. */
enum { NAMES = 5, PUBLICS, RECORDS, SECTIONS, MODULE, STREAMS };

struct made {
    struct pdb pdb;
    struct blob streams[STREAMS];
    uint8_t *file;
    size_t size;
    size_t record;
};

static void begin(struct made *t)
{
    *t = (struct made){.record = 0};
    t->pdb.strings = strings_new();
    t->pdb.names_stream = NAMES;
    t->pdb.publics_stream = PUBLICS;
    t->pdb.records_stream = RECORDS;
    t->pdb.omap_stream = MSF_NONE;
}

/* In blocks of 512 bytes, so that much lies across the end of one. */
static void finish(struct made *t)
{
    struct msf_copy copy = {.count = 0};
    struct err err = {0};

    for (uint32_t i = 0; i < STREAMS; i++)
        msf_copy_add(&copy, t->streams[i].data, t->streams[i].len);
    t->file = msf_write(&copy, 512, 1, &t->size);
    ck_assert(!msf_open(&t->pdb.msf, "made", t->file, t->size, &err));
    msf_copy_release(&copy);
}

static void end(struct made *t)
{
    module_cache_release(&t->pdb.cache);
    vec_release(&t->pdb.sections);
    map_release(&t->pdb.id_names);
    map_release(&t->pdb.exporters);
    map_release(&t->pdb.file_names);
    strings_free(t->pdb.strings);
    msf_release(&t->pdb.msf);
    arena_release(&t->pdb.scratch);
    arena_release(&t->pdb.arena);
    for (size_t i = 0; i < STREAMS; i++)
        free(t->streams[i].data);
    free(t->file);
}

static void text(struct blob *b, const char *string)
{
    blob_bytes(b, string, strlen(string) + 1);
}

enum { FUNCTION = 2 };

static void put_public(struct made *t, uint16_t section, uint32_t offset,
                       uint32_t flags, const char *name)
{
    struct blob *b = &t->streams[RECORDS];
    size_t at = b->len;

    blob_u32(&t->streams[PUBLICS], (uint32_t)at);
    blob_pack(b, "HHIIH", 0, S_PUB32, flags, offset, section);
    text(b, name);
    blob_align(b, 4);
    blob_set(b, at, b->len - at - 2, 2);
}

/* A hash part of 12 bytes before the map of addresses. */
static void begin_publics(struct made *t)
{
    begin(t);
    *vec_add(&t->pdb.sections) = (struct pdb_section){0x1000, 0x1000};
    *vec_add(&t->pdb.sections) = (struct pdb_section){0x3000, 0x1000};
    blob_u32(&t->streams[PUBLICS], 12);
    blob_zero(&t->streams[PUBLICS], 24 + 12);
}

static void read_publics(struct made *t, uint32_t map_bytes)
{
    blob_set(&t->streams[PUBLICS], 4, map_bytes, 4);
    finish(t);
    pdb_read_publics(&t->pdb, PUBLICS);
}

static void check_public(struct made *t, uint32_t rva, uint32_t start,
                         const char *name, uint32_t next)
{
    struct pdb_public found = {0};

    for (int i = 0; i < 2; i++) { /* the second from memory */
        bool good = pdb_find_public(&t->pdb, rva, &found);

        ck_assert_msg(good == (name != NULL), "0x%x", rva);
        if (!good)
            continue;
        ck_assert_uint_eq(found.rva, start);
        ck_assert_str_eq(strings_get(t->pdb.strings, found.name), name);
    }
    ck_assert_uint_eq(pdb_public_end(&t->pdb, rva, 0x3080), next);
}

TEST(nearest_public)
{
    struct made t;

    begin_publics(&t);
    put_public(&t, 1, 0x10, FUNCTION, "a");
    put_public(&t, 1, 0x20, 0, "data");
    put_public(&t, 1, 0x20, FUNCTION, "zz");
    put_public(&t, 1, 0x20, FUNCTION, "y");
    put_public(&t, 1, 0x20, FUNCTION, "yy");
    put_public(&t, 1, 0x20, 1, "b");
    put_public(&t, 2, 0x40, FUNCTION, "c");
    put_public(&t, 2, 0x90, FUNCTION, "d");
    blob_u16(&t.streams[PUBLICS], 0); /* half of one more */
    read_publics(&t, 9 * 4);
    ck_assert_uint_eq(t.pdb.address_map_count, 8);
    check_public(&t, 0xFFF, 0, NULL, 0x3080);
    check_public(&t, 0x100F, 0, NULL, 0x1010);
    check_public(&t, 0x1010, 0x1010, "a", 0x1020);
    check_public(&t, 0x101F, 0x1010, "a", 0x1020);
    check_public(&t, 0x1020, 0x1020, "y", 0x3040);
    check_public(&t, 0x1FFF, 0x1020, "y", 0x3040);
    check_public(&t, 0x2000, 0, NULL, 0x3080);
    check_public(&t, 0x303F, 0, NULL, 0x3040);
    check_public(&t, 0x3040, 0x3040, "c", 0x3080);
    check_public(&t, 0x1018, 0x1010, "a", 0x1020);
    check_public(&t, 0x3FFF, 0x3090, "d", 0x3080);
    end(&t);
}

/* The map is of the length that the header says, if there is as much. */
TEST(length_of_the_map)
{
    struct made t;

    begin_publics(&t);
    put_public(&t, 1, 0x10, FUNCTION, "a");
    put_public(&t, 1, 0x20, FUNCTION, "b");
    read_publics(&t, 7);
    ck_assert_uint_eq(t.pdb.address_map_count, 1);
    check_public(&t, 0x1030, 0x1010, "a", 0x3080);
    end(&t);
    begin_publics(&t);
    put_public(&t, 1, 0x10, FUNCTION, "a");
    blob_set(&t.streams[PUBLICS], 0, 17, 4);
    read_publics(&t, 8);
    ck_assert_uint_eq(t.pdb.address_map_count, 0);
    check_public(&t, 0x1030, 0, NULL, 0x3080);
    end(&t);
}

/* Of 257 at one address all are looked at, and no more. */
TEST(many_publics_at_one_address)
{
    struct made t;
    char name[16];

    begin_publics(&t);
    for (int i = 0; i < 300; i++) {
        snprintf(name, sizeof(name), "n%03d", i);
        put_public(&t, 1, 0x10, FUNCTION, name);
    }
    read_publics(&t, 300 * 4);
    check_public(&t, 0x1010, 0x1010, "n043", 0x3080);
    end(&t);
}

/* An entry that leads nowhere, and one to another kind of record. */
TEST(damaged_publics)
{
    struct made t;

    begin_publics(&t);
    put_public(&t, 1, 0x10, FUNCTION, "a");
    blob_set(&t.streams[RECORDS], 2, S_LPROC32, 2);
    read_publics(&t, 4);
    check_public(&t, 0x1030, 0, NULL, 0x3080);
    end(&t);
    begin_publics(&t);
    put_public(&t, 1, 0x10, FUNCTION, "a");
    blob_set(&t.streams[PUBLICS], 40, 0x1000, 4);
    read_publics(&t, 4);
    check_public(&t, 0x1030, 0, NULL, 0x3080);
    end(&t);
}

/* On 32-bit x86 names of C are decorated, elsewhere they are not. */
TEST(names_of_c)
{
    static const struct {
        uint16_t machine;
        const char *stored, *name;
    } rows[] = {
        {0x14C, "_work", "work"},       {0x14C, "_call@8", "call"},
        {0x14C, "@fast@8", "fast"},     {0x14C, "?f@@YAXXZ", "?f@@YAXXZ"},
        {0x14C, "bare", "bare"},        {0x8664, "_work", "_work"},
        {0x8664, "_call@8", "_call@8"},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct made t;

        begin_publics(&t);
        t.pdb.machine = rows[i].machine;
        put_public(&t, 1, 0x10, FUNCTION, rows[i].stored);
        read_publics(&t, 4);
        check_public(&t, 0x1010, 0x1010, rows[i].name, 0x3080);
        end(&t);
    }
}

/* ---- names of files, and OMAP ---- */

TEST(file_names)
{
    static const char names[] = "\0one\0two";
    char longer[5000];
    struct made t;

    memset(longer, 'l', sizeof(longer));
    begin(&t);
    blob_pack(&t.streams[NAMES], "IQ", 0xEFFEEFFE, 1);
    blob_bytes(&t.streams[NAMES], names, sizeof(names));
    blob_bytes(&t.streams[NAMES], longer, sizeof(longer));
    finish(&t);
    ck_assert_str_eq(strings_get(t.pdb.strings, pdb_file_name(&t.pdb, 1)),
                     "one");
    ck_assert_str_eq(strings_get(t.pdb.strings, pdb_file_name(&t.pdb, 6)),
                     "wo");
    ck_assert_uint_eq(pdb_file_name(&t.pdb, 0), 0);
    ck_assert_uint_eq(pdb_file_name(&t.pdb, 1), pdb_file_name(&t.pdb, 1));
    ck_assert_uint_eq(
        strlen(strings_get(t.pdb.strings, pdb_file_name(&t.pdb, 9))), 4096);
    ck_assert_str_eq(
        strings_get(t.pdb.strings, pdb_file_name(&t.pdb, 9 + 4999)), "l");
    ck_assert_uint_eq(pdb_file_name(&t.pdb, 9 + 5000), 0);
    ck_assert_uint_eq(pdb_file_name(&t.pdb, UINT32_MAX), 0);
    end(&t);
}

TEST(omap)
{
    static const struct {
        uint32_t rva, source; /* 0: none */
    } rows[] = {{0xFFF, 0},       {0x1000, 0x5000}, {0x1001, 0x5001},
                {0x101F, 0x501F}, {0x1020, 0},      {0x102F, 0},
                {0x1030, 0x4000}, {0x9000, 0xBFD0}};
    static const uint32_t pairs[] = {0x1000, 0x5000, 0x1020, 0,
                                     0x1030, 0x4000, 0x7777};
    struct made t;
    uint32_t source;

    begin(&t);
    for (size_t i = 0; i < 7; i++)
        blob_u32(&t.streams[MODULE], pairs[i]);
    finish(&t);
    ck_assert(pdb_source_rva(&t.pdb, 0x1234, &source));
    ck_assert_uint_eq(source, 0x1234);
    t.pdb.omap_stream = MODULE;
    for (size_t i = 0; i < COUNT(rows); i++) {
        ck_assert(pdb_source_rva(&t.pdb, rows[i].rva, &source) ==
                  (rows[i].source > 0));
        if (rows[i].source)
            ck_assert_uint_eq(source, rows[i].source);
    }
    end(&t);
}

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
