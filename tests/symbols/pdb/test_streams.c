/* The streams of a PDB byte by byte: public symbols, names of files, OMAP. */
#include "tests/support/pdb_streams.h"

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
