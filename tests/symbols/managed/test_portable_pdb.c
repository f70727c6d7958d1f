/* Portable PDBs: points by hand, a whole file by hand, and real ones. */
#include "engine/base/mem.h"
#include "symbols/managed/portable_pdb.h"
#include "tests/support/msf_writer.h"
#include "tests/support/suite.h"

/* A file: "BSJB", version "PDB v1.0", three streams. One document "src/a.cs",
 * method 1 with source, method 2 without. */
static const uint8_t sample[] = {
    'B', 'S', 'J', 'B', 1, 0, 1, 0, 0, 0, 0, 0, 12, 0, 0, 0,
    'P', 'D', 'B', ' ', 'v', '1', '.', '0', 0, 0, 0, 0, 0, 0, 3, 0,
    /* 32: streams */
    76, 0, 0, 0, 32, 0, 0, 0, '#', 'P', 'd', 'b', 0, 0, 0, 0,
    108, 0, 0, 0, 48, 0, 0, 0, '#', '~', 0, 0,
    156, 0, 0, 0, 36, 0, 0, 0, '#', 'B', 'l', 'o', 'b', 0, 0, 0,
};

enum { PDB_AT = 76, TABLES_AT = 108, BLOBS_AT = 156, SAMPLE_SIZE = 192 };

static const uint8_t pdb_stream[32] = {
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
};

static const uint8_t tables_stream[48] = {
    0, 0, 0, 0, 2, 0, 0, 1,
    0, 0, 0, 0, 0, 0, 3, 0,     /* 0x30 and 0x31 */
    0, 0, 0, 0, 0, 0, 0, 0,     /* sorted */
    1, 0, 0, 0, 2, 0, 0, 0,     /* rows */
    10, 0, 0, 0, 0, 0, 0, 0,    /* document: name 10 */
    1, 0, 14, 0, 0, 0, 0, 0,    /* methods: points 14; none */
};

static const uint8_t blobs_stream[36] = {
    0,
    3, 's', 'r', 'c',               /* 1 */
    4, 'a', '.', 'c', 's',          /* 5 */
    3, '/', 1, 5,                   /* 10: the document's name */
    14, 0, 0, 1, 5, 10, 3, 4, 0, 0, /* 14: two lines from 10, hidden, */
    2, 0, 3, 6, 2,                  /* line 13 */
};

static void make_sample(uint8_t out[SAMPLE_SIZE])
{
    memset(out, 0, SAMPLE_SIZE);
    memcpy(out, sample, sizeof(sample));
    memcpy(out + PDB_AT, pdb_stream, sizeof(pdb_stream));
    memcpy(out + TABLES_AT, tables_stream, sizeof(tables_stream));
    memcpy(out + BLOBS_AT, blobs_stream, sizeof(blobs_stream));
}

TEST(a_whole_file)
{
    uint8_t bytes[SAMPLE_SIZE];
    struct portable_pdb *pdb;
    struct il_points points;
    struct err err = {0};

    make_sample(bytes);
    pdb = portable_pdb_open("sample.pdb", bytes, sizeof(bytes), &err);
    ck_assert_msg(pdb != NULL, "%s", err.message);
    ck_assert_mem_eq(portable_pdb_id(pdb), pdb_stream, 20);
    ck_assert(portable_pdb_points(pdb, 0x06000001, &points));
    ck_assert_uint_eq(points.count, 3);
    ck_assert_uint_eq(points.data[0].line, 10);
    ck_assert_uint_eq(points.data[1].line, 0);
    ck_assert_uint_eq(points.data[2].line, 13);
    ck_assert_str_eq(portable_pdb_document(pdb, points.data[0].document),
                     "src/a.cs");
    ck_assert(!portable_pdb_points(pdb, 0x06000002, &points));
    ck_assert(!portable_pdb_points(pdb, 0x06000003, &points));
    ck_assert(!portable_pdb_points(pdb, 0x0A000001, &points));
    ck_assert_ptr_null(portable_pdb_document(pdb, 2));
    ck_assert_ptr_null(portable_pdb_document(pdb, 0));
    portable_pdb_close(pdb);
}

TEST(cut_anywhere)
{
    uint8_t bytes[SAMPLE_SIZE], *cut;
    struct il_points points;

    make_sample(bytes);
    for (size_t n = 0; n < sizeof(bytes); n++) {
        struct err err = {0};
        struct portable_pdb *pdb;

        cut = mem_new(n, 1);
        memcpy(cut, bytes, n);
        pdb = portable_pdb_open("cut.pdb", cut, n, &err);
        ck_assert_int_eq(pdb == NULL, err.code != ERR_NONE);
        for (uint32_t i = 0; pdb && i < 4; i++) {
            portable_pdb_points(pdb, 0x06000000 + i, &points);
            portable_pdb_document(pdb, i);
        }
        portable_pdb_close(pdb);
        free(cut);
    }
}

static struct il_points decode(const uint8_t *bytes, size_t n,
                               uint32_t document, struct arena *arena)
{
    return il_points_decode(reader_of("blob", bytes, n, 0, NULL), document,
                            arena);
}

TEST(signed_differences_and_documents)
{
    static const uint8_t blob[] = {
        0, 7,                /* signature, first document */
        0, 0, 4, 0x80, 100, 9, /* IL 0, line 100 in 14 bits */
        0, 8,                /* document 8 */
        3, 1, 0x7D, 0x7B, 0, /* IL 3: 1 line, columns -2; 3 lines back */
        5, 0, 0,             /* IL 8, hidden */
    };
    struct arena arena = {0};
    struct il_points p = decode(blob, sizeof(blob), 0, &arena);

    ck_assert_uint_eq(p.count, 3);
    ck_assert_uint_eq(p.data[0].line, 100);
    ck_assert_uint_eq(p.data[0].document, 7);
    ck_assert_uint_eq(p.data[1].il, 3);
    ck_assert_uint_eq(p.data[1].line, 97);
    ck_assert_uint_eq(p.data[1].document, 8);
    ck_assert_uint_eq(p.data[2].il, 8);
    ck_assert_ptr_eq(il_points_at(&p, 2), &p.data[0]);
    ck_assert_ptr_eq(il_points_at(&p, 3), &p.data[1]);
    ck_assert_ptr_eq(il_points_at(&p, 1000), &p.data[1]);
    ck_assert_ptr_null(il_points_only_line(&p));
    p.count = 1;
    ck_assert_ptr_eq(il_points_only_line(&p), &p.data[0]);
    arena_release(&arena);
}

TEST(only_hidden_points_have_no_line)
{
    static const uint8_t blob[] = {0, 0, 0, 0, 4, 0, 0};
    struct arena arena = {0};
    struct il_points p = decode(blob, sizeof(blob), 1, &arena);

    ck_assert_uint_eq(p.count, 2);
    ck_assert_ptr_null(il_points_at(&p, 10));
    ck_assert_ptr_null(il_points_only_line(&p));
    arena_release(&arena);
}

/* Methods with source, and the lines they begin at, of a real program. */
TEST(real_program)
{
    char path[1000];
    struct portable_pdb *pdb;
    struct il_points points;
    unsigned methods = 0;
    uint8_t *bytes;
    size_t size;

    snprintf(path, sizeof(path), "%s/symbols/dotnet/Orders.pdb",
             traces_folder());
    bytes = read_whole_file(path, &size);
    if (!bytes) {
        suite_skip(1, "dotnet/Orders.pdb");
        return;
    }
    pdb = portable_pdb_open(path, bytes, size, NULL);
    ck_assert_ptr_nonnull(pdb);
    for (uint32_t token = 0x06000001; token < 0x06000100; token++) {
        if (!portable_pdb_points(pdb, token, &points))
            continue;
        methods++;
        for (size_t i = 0; i < points.count; i++) {
            const char *file =
                portable_pdb_document(pdb, points.data[i].document);

            ck_assert(file && *file);
            ck_assert_uint_lt(points.data[i].line, 400);
        }
    }
    ck_assert_uint_gt(methods, 20);
    portable_pdb_close(pdb);
    free(bytes);
}
