/* The symbol records of one module, byte by byte: procedures and what is
 * inlined into them, and its lines. */
#include <stdlib.h>

#include "symbols/pdb/pdb.h"
#include "symbols/pdb/records.h"
#include "tests/support/blob.h"
#include "tests/support/suite.h"

/* Two sections, and a module under construction. */
struct made {
    struct pdb pdb;
    struct module_symbols m;
    struct blob symbols, c13;
    size_t record;
};

static void begin(struct made *t)
{
    *t = (struct made){.record = 0};
    t->pdb.strings = strings_new();
    *vec_add(&t->pdb.sections) = (struct pdb_section){0x1000, 0x1000};
    *vec_add(&t->pdb.sections) = (struct pdb_section){0x3000, 0x1000};
    blob_u32(&t->symbols, 4); /* the signature */
}

static void decode(struct made *t)
{
    t->m.symbols = (struct bytes){t->symbols.data, t->symbols.len};
    t->m.c13 = (struct bytes){t->c13.data, t->c13.len};
    module_read_procs(&t->pdb, &t->m);
    module_read_lines(&t->pdb, &t->m);
}

static void end(struct made *t)
{
    vec_release(&t->m.procs);
    vec_release(&t->m.lines);
    vec_release(&t->m.inlinees);
    vec_release(&t->m.sites.sites);
    vec_release(&t->m.sites.rows);
    vec_release(&t->pdb.sections);
    strings_free(t->pdb.strings);
    arena_release(&t->pdb.scratch);
    arena_release(&t->pdb.arena);
    free(t->symbols.data);
    free(t->c13.data);
}

static struct blob *record(struct made *t, uint16_t kind)
{
    t->record = t->symbols.len;
    blob_pack(&t->symbols, "HH", 0, kind);
    return &t->symbols;
}

static void record_end(struct made *t)
{
    blob_set(&t->symbols, t->record, t->symbols.len - t->record - 2, 2);
}

static void simple(struct made *t, uint16_t kind)
{
    (void)record(t, kind);
    record_end(t);
}

static void proc(struct made *t, uint16_t kind, uint16_t section,
                 uint32_t offset, uint32_t size, const char *name)
{
    struct blob *b = record(t, kind);

    for (uint32_t i = 0; i < 3; i++)
        blob_u32(b, 0x111 + i); /* parent, end, next */
    blob_u32(b, size);
    for (uint32_t i = 0; i < 3; i++)
        blob_u32(b, 0x222 + i); /* where debugging begins and ends; type */
    blob_pack(b, "IH", offset, section);
    blob_zero(b, kind == S_GMANPROC || kind == S_LMANPROC ? 3 : 1);
    blob_bytes(b, name, strlen(name) + 1);
    record_end(t);
}

static void thunk(struct made *t, uint32_t offset, uint16_t size,
                  const char *name)
{
    struct blob *b = record(t, S_THUNK32);

    blob_pack(b, "12xIHHB", offset, 1, size, 3);
    blob_bytes(b, name, strlen(name) + 1);
    record_end(t);
}

static void trampoline(struct made *t, uint32_t offset, uint32_t target,
                       uint16_t target_section)
{
    struct blob *b = record(t, S_TRAMPOLINE);

    blob_pack(b, "HHIIHH", 1, 5, offset, target, 1, target_section);
    record_end(t);
}

static void separated(struct made *t, uint32_t offset, uint32_t size,
                      uint32_t parent, uint16_t parent_section)
{
    struct blob *b = record(t, S_SEPCODE);

    blob_pack(b, "8xIIIIHH", size, 9, offset, parent, 2, parent_section);
    record_end(t);
}

static const char *name_of(struct made *t, struct proc *p)
{
    return strings_get(t->pdb.strings, module_proc_name(&t->pdb, &t->m, p));
}

static void check_proc(struct made *t, uint32_t start, uint32_t size,
                       uint8_t rank, const char *name)
{
    struct proc *p = module_find_start(&t->m, start);

    ck_assert_msg(p != NULL, "0x%x", start);
    ck_assert_uint_eq(p->start, start);
    ck_assert_uint_eq(p->size, size);
    ck_assert_uint_eq(p->rank, rank);
    ck_assert_str_eq(name_of(t, p), name);
    ck_assert_str_eq(name_of(t, p), name); /* the same again */
    ck_assert_ptr_eq(module_find(&t->m, start), p);
    ck_assert_ptr_eq(module_find(&t->m, start + size - 1), p);
    ck_assert_ptr_ne(module_find(&t->m, start + size), p);
    ck_assert_ptr_null(module_find_start(&t->m, start + 1));
}

TEST(kinds_of_procedures)
{
    static const uint16_t kinds[] = {
        S_GPROC32,     S_GPROC32_ID,     S_LPROC32,  S_LPROC32_ID,
        S_LPROC32_DPC, S_LPROC32_DPC_ID, S_GMANPROC, S_LMANPROC};
    static const bool global[] = {true,  true,  false, false,
                                  false, false, true,  false};
    struct made t;

    begin(&t);
    for (uint32_t i = 0; i < 8; i++) {
        char name[2] = {(char)('a' + i), '\0'};

        proc(&t, kinds[i], (uint16_t)(1 + i % 2), 0x10 * i, 4 + i, name);
        simple(&t, S_END);
    }
    thunk(&t, 0x100, 6, "thunk");
    trampoline(&t, 0x110, 0x10, 2);   /* to "b" */
    trampoline(&t, 0x120, 0x10, 3);   /* into no section */
    separated(&t, 0x200, 0x30, 0, 1); /* of "a" */
    separated(&t, 0x300, 0x30, 0, 0);
    decode(&t);
    ck_assert_uint_eq(t.m.procs.len, 11);
    for (uint32_t i = 0; i < 8; i++) {
        char name[2] = {(char)('a' + i), '\0'};

        check_proc(&t, (i % 2 ? 0x3000u : 0x1000u) + 0x10 * i, 4 + i,
                   global[i] ? PROC_GLOBAL : PROC_LOCAL, name);
    }
    check_proc(&t, 0x1100, 6, PROC_THUNK, "thunk");
    check_proc(&t, 0x1110, 5, PROC_TRAMPOLINE, "b");
    check_proc(&t, 0x3200, 0x30, PROC_SEPARATED, "a");
    end(&t);
}

/* The order of several procedures at one address: the one with most
 * information, then the longest, then the first. Procedures that the linker
 * folded into one count as its twins. */
TEST(one_address)
{
    struct made t;
    struct proc *p;

    begin(&t);
    thunk(&t, 0x10, 50, "thunk");
    proc(&t, S_LPROC32, 1, 0x10, 40, "local");
    proc(&t, S_GPROC32, 1, 0x10, 8, "short");
    proc(&t, S_GPROC32, 1, 0x10, 9, "long");
    proc(&t, S_GPROC32, 1, 0x10, 9, "later");
    proc(&t, S_GPROC32, 1, 0x40, 9, "alone");
    decode(&t);
    ck_assert_uint_eq(t.m.procs.len, 2);
    p = module_find(&t.m, 0x1012);
    ck_assert_str_eq(name_of(&t, p), "long");
    ck_assert_uint_eq(p->twin, 2);
    p = module_find(&t.m, 0x1048);
    ck_assert_str_eq(name_of(&t, p), "alone");
    ck_assert_uint_eq(p->twin, 0);
    end(&t);
}

/* Within a long procedure others may begin; of 64 and more the outer one is
 * not looked for. */
TEST(procedures_within)
{
    struct made t;

    begin(&t);
    proc(&t, S_GPROC32, 1, 0, 0x800, "outer");
    for (uint32_t i = 1; i <= 64; i++)
        proc(&t, S_LPROC32, 1, 0x10 * i, 8, "inner");
    decode(&t);
    ck_assert_str_eq(name_of(&t, module_find(&t.m, 0x1014)), "inner");
    ck_assert_str_eq(name_of(&t, module_find(&t.m, 0x1018)), "outer");
    ck_assert_str_eq(name_of(&t, module_find(&t.m, 0x1000 + 0x3F8)), "outer");
    ck_assert_ptr_null(module_find(&t.m, 0x1000 + 0x408));
    ck_assert_ptr_null(module_find(&t.m, 0x1800));
    ck_assert_ptr_null(module_find(&t.m, 0xFFF));
    ck_assert_uint_eq(t.m.procs.data[0].reach, 0x1800);
    ck_assert_uint_eq(t.m.procs.data[64].reach, 0x1800);
    end(&t);
}

/* Records that are cut off, or of code that cannot be, are left out; one
 * whose length cannot be is the last. */
TEST(damaged_procedures)
{
    struct made t;

    begin(&t);
    proc(&t, S_GPROC32, 1, 0x10, UINT32_MAX - 0x1010, "to the top");
    proc(&t, S_GPROC32, 1, 0x20, UINT32_MAX - 0x1020 + 1, "beyond");
    proc(&t, S_GPROC32, 3, 0x30, 8, "of no section");
    (void)record(&t, S_GPROC32);
    blob_zero(&t.symbols, 37); /* one byte less than it takes */
    record_end(&t);
    (void)record(&t, S_GPROC32);
    blob_pack(&t.symbols, "12xI12xIH", 8, 0x40, 1);
    blob_u8(&t.symbols, 0); /* no name, not even an empty one */
    record_end(&t);
    proc(&t, S_GPROC32, 1, 0x50, 8, "good");
    (void)record(&t, S_GPROC32); /* of length 0 */
    blob_zero(&t.symbols, 80);
    decode(&t);
    ck_assert_uint_eq(t.m.procs.len, 3);
    ck_assert_uint_eq(t.m.procs.data[0].start, 0x1010);
    ck_assert_uint_eq(t.m.procs.data[1].start, 0x1040);
    ck_assert_uint_eq(t.m.procs.data[2].start, 0x1050);
    ck_assert_str_eq(name_of(&t, &t.m.procs.data[1]), "");
    end(&t);
}

/* ---- inline sites ---- */

static void site(struct made *t, uint16_t kind, uint32_t id, uint8_t offset,
                 uint8_t length)
{
    struct blob *b = record(t, kind);

    blob_pack(b, "8xI", id);
    if (kind == S_INLINESITE2)
        blob_u32(b, 3);
    blob_bytes(b, (const uint8_t[]){3, offset, 4, length}, 4);
    record_end(t);
}

/* The ids of the sites at an offset, outermost first. */
static void check_sites(struct made *t, uint32_t offset, const char *want)
{
    const struct site *chain[8];
    struct proc *p = module_find_start(&t->m, 0x1000);
    size_t n = module_sites(&t->m, p, offset, chain, 8);
    char ids[9] = "";

    for (size_t i = 0; i < n; i++)
        ids[i] = (char)chain[i]->inlinee;
    ids[n] = '\0';
    ck_assert_msg(!strcmp(ids, want), "0x%x: %s, not %s", offset, ids, want);
}

TEST(nested_sites)
{
    const struct site *chain[8];
    struct made t;

    begin(&t);
    proc(&t, S_GPROC32_ID, 1, 0, 0x80, "outer");
    site(&t, S_INLINESITE, 'a', 0x10, 0x40);
    simple(&t, S_BLOCK32);
    site(&t, S_INLINESITE2, 'b', 0x18, 0x10);
    simple(&t, S_INLINESITE_END);
    simple(&t, S_END);
    site(&t, S_INLINESITE, 'c', 0x30, 0x10);
    simple(&t, S_WITH32);
    simple(&t, S_SEPCODE);
    simple(&t, S_THUNK32);
    site(&t, S_INLINESITE, 'd', 0x30, 8);
    simple(&t, S_INLINESITE_END);
    simple(&t, S_END);
    simple(&t, S_END);
    simple(&t, S_END);
    simple(&t, S_INLINESITE_END);
    simple(&t, S_INLINESITE_END);
    site(&t, S_INLINESITE, 'e', 0x60, 8);
    simple(&t, S_INLINESITE_END);
    simple(&t, S_PROC_ID_END);
    proc(&t, S_LPROC32, 1, 0x100, 0x80, "other");
    site(&t, S_INLINESITE, 'f', 0x60, 8);
    simple(&t, S_INLINESITE_END);
    simple(&t, S_END);
    thunk(&t, 0x200, 0x70, "thunk");
    decode(&t);
    check_sites(&t, 0xF, "");
    check_sites(&t, 0x10, "a");
    check_sites(&t, 0x18, "ab");
    check_sites(&t, 0x28, "a");
    check_sites(&t, 0x30, "acd");
    check_sites(&t, 0x38, "ac");
    check_sites(&t, 0x4F, "a");
    check_sites(&t, 0x50, "");
    check_sites(&t, 0x60, "e");
    ck_assert_uint_eq(t.m.sites.sites.len, 5);
    ck_assert_uint_eq(
        module_sites(&t.m, module_find(&t.m, 0x1030), 0x30, chain, 2), 2);
    ck_assert_uint_eq(
        module_sites(&t.m, module_find(&t.m, 0x1160), 0x60, chain, 8), 1);
    ck_assert_uint_eq(chain[0]->inlinee, 'f');
    ck_assert_uint_eq(
        module_sites(&t.m, module_find(&t.m, 0x1210), 0x10, chain, 8), 0);
    end(&t);
}

/* Where ends are missing, the next procedure or the last record is one. */
TEST(sites_without_end)
{
    static const uint16_t next[] = {S_GPROC32,     S_GPROC32_ID,
                                    S_LPROC32,     S_LPROC32_ID,
                                    S_LPROC32_DPC, S_LPROC32_DPC_ID};

    for (size_t i = 0; i < 6; i++) {
        struct made t;

        begin(&t);
        proc(&t, S_GPROC32, 1, 0, 0x80, "outer");
        site(&t, S_INLINESITE, 'a', 0x10, 0x40);
        site(&t, S_INLINESITE, 'b', 0x18, 0x10);
        proc(&t, next[i], 1, 0x100, 0x80, "other");
        site(&t, S_INLINESITE, 'c', 0x10, 0x40);
        decode(&t);
        check_sites(&t, 0x18, "ab");
        check_sites(&t, 0x30, "a");
        ck_assert_uint_eq(t.m.sites.sites.len, 2);
        end(&t);
    }
}

/* 512 sites within each other, and no more. */
TEST(deep_sites)
{
    struct made t;

    begin(&t);
    proc(&t, S_GPROC32, 1, 0, 0x80, "outer");
    for (unsigned i = 0; i < 600; i++)
        site(&t, S_INLINESITE, 'a', 0x10, 0x40);
    decode(&t);
    check_sites(&t, 0x18, "aaaaaaaa");
    ck_assert_uint_eq(t.m.sites.sites.len, 512);
    end(&t);
}

enum {
    LINES = 0xF2,
    FILECHKSMS = 0xF4,
    INLINEELINES = 0xF6,
    IGNORED = 0x80000000
};

static size_t subsection(struct made *t, uint32_t kind)
{
    blob_pack(&t->c13, "II", kind, 0);
    return t->c13.len;
}

static void subsection_end(struct made *t, size_t begun)
{
    blob_set(&t->c13, begun - 4, t->c13.len - begun, 4);
    blob_align(&t->c13, 4);
}

struct row {
    uint32_t offset, line;
};

static void put_rows(struct made *t, uint32_t file, bool columns,
                     const struct row *rows, uint32_t n)
{
    blob_pack(&t->c13, "III", file, n, 12 + n * (columns ? 12 : 8));
    for (uint32_t i = 0; i < n; i++) {
        blob_u32(&t->c13, rows[i].offset);
        blob_u32(&t->c13, rows[i].line | 0x81000000); /* statement; delta */
    }
    for (uint32_t i = 0; columns && i < n; i++)
        blob_u32(&t->c13, 0x00020001);
}

/* A block of code at an offset of section 1, of one file. */
static void put_lines(struct made *t, uint32_t offset, uint32_t size,
                      const struct row *rows, uint32_t n)
{
    size_t at = subsection(t, LINES);

    blob_pack(&t->c13, "IHHI", offset, 1, 0, size);
    put_rows(t, 8, false, rows, n);
    subsection_end(t, at);
}

/* The line at an RVA; 0 hidden, -1 none. */
static int line_at(struct made *t, uint32_t rva, uint32_t twin, uint32_t *file)
{
    uint32_t line = 99;

    *file = 99;
    return module_line(&t->m, rva, twin, file, &line) ? (int)line : -1;
}

TEST(rows_of_two_files)
{
    static const struct row first[] = {{4, 10}, {8, 0xFEEFEE}, {0x10, 12}};
    static const struct row second[] = {
        {0xC, 5}, {0x10, 6}, {0x18, 0xF00F00}, {0x20, 0}, {0x28, 9}};
    static const struct {
        uint32_t rva;
        int line;
        uint32_t file;
    } want[] = {
        {0x103F, -1, 99}, {0x1040, 10, 8},  {0x1044, 10, 8}, {0x1047, 10, 8},
        {0x1048, 0, 8},   {0x104C, 5, 24},  {0x1050, 12, 8}, {0x1051, 6, 24},
        {0x1057, 6, 24},  {0x1058, 0, 24},  {0x1060, 0, 24}, {0x1068, 9, 24},
        {0x107F, 9, 24},  {0x1080, -1, 99},
    };

    for (int columns = 0; columns < 2; columns++) {
        struct made t;
        size_t at;

        begin(&t);
        at = subsection(&t, IGNORED | LINES);
        blob_zero(&t.c13, 3);
        subsection_end(&t, at);
        at = subsection(&t, LINES);
        blob_pack(&t.c13, "IHHI", 0x40, 1, (uint16_t)(columns | 6), 0x40);
        put_rows(&t, 8, columns, first, 3);
        put_rows(&t, 24, columns, second, 5);
        subsection_end(&t, at);
        decode(&t);
        for (size_t i = 0; i < COUNT(want); i++) {
            uint32_t file;

            ck_assert_msg(line_at(&t, want[i].rva, 0, &file) == want[i].line,
                          "0x%x", want[i].rva);
            ck_assert_uint_eq(file, want[i].file);
        }
        end(&t);
    }
}

/* Blocks in any order; those within others, those of twins, and those that
 * cannot be. */
TEST(blocks)
{
    static const struct row rows[] = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}};
    struct made t;
    uint32_t file;

    begin(&t);
    put_lines(&t, 0x100, 0x20, &rows[0], 1);
    put_lines(&t, 0x40, 0x80, &rows[1], 1);
    put_lines(&t, 0x50, 0x10, &rows[2], 1); /* within that of line 2 */
    put_lines(&t, 0x100, 0x20, &rows[3], 1);
    put_lines(&t, 0x100, 0x20, &rows[4], 1);
    put_lines(&t, 0x200, UINT32_MAX - 0x1200, &rows[0], 1);
    put_lines(&t, 0x300, UINT32_MAX - 0x1300 + 1, &rows[0], 1);
    decode(&t);
    ck_assert_uint_eq(t.m.lines.len, 6);
    ck_assert_int_eq(line_at(&t, 0x1040, 0, &file), 2);
    ck_assert_int_eq(line_at(&t, 0x1050, 0, &file), 3);
    ck_assert_int_eq(line_at(&t, 0x105F, 0, &file), 3);
    ck_assert_int_eq(line_at(&t, 0x1060, 0, &file), 2);
    ck_assert_int_eq(line_at(&t, 0x10BF, 0, &file), 2);
    ck_assert_int_eq(line_at(&t, 0x10C0, 0, &file), -1);
    ck_assert_int_eq(line_at(&t, 0x1100, 0, &file), 1);
    ck_assert_int_eq(line_at(&t, 0x1100, 1, &file), 4);
    ck_assert_int_eq(line_at(&t, 0x1100, 2, &file), 5);
    ck_assert_int_eq(line_at(&t, 0x1100, 3, &file), 5);
    ck_assert_int_eq(line_at(&t, 0x1120, 0, &file), -1);
    end(&t);
}

/* 64 blocks back the one that holds an address is not looked for. */
TEST(many_blocks)
{
    static const struct row row = {0, 7}, inner = {0, 8};
    struct made t;
    uint32_t file;

    begin(&t);
    put_lines(&t, 0, 0x800, &row, 1);
    for (uint32_t i = 1; i <= 64; i++)
        put_lines(&t, 0x10 * i, 8, &inner, 1);
    decode(&t);
    ck_assert_int_eq(line_at(&t, 0x13F8, 0, &file), 7);
    ck_assert_int_eq(line_at(&t, 0x1400, 0, &file), 8);
    ck_assert_int_eq(line_at(&t, 0x1408, 0, &file), -1);
    end(&t);
}

/* Inlinees of both shapes; an id that is described twice is what the first
 * says. */
TEST(inlinees)
{
    struct made t;
    size_t at;

    begin(&t);
    at = subsection(&t, INLINEELINES);
    blob_u32(&t.c13, 0);
    for (uint32_t i = 0; i < 3; i++) {
        blob_u32(&t.c13, 0x1009 - 4 * (i % 2)); /* 1009, 1005, 1009 */
        blob_pack(&t.c13, "II", 8 * i, 100 + i);
    }
    blob_zero(&t.c13, 11); /* not one more */
    subsection_end(&t, at);
    at = subsection(&t, INLINEELINES);
    blob_u32(&t.c13, 1);
    for (uint32_t i = 0; i < 2; i++) {
        blob_pack(&t.c13, "IIIIQ", 0x2000 + i, 16, 200 + i, 2, 0x77);
    }
    subsection_end(&t, at);
    decode(&t);
    ck_assert_uint_eq(t.m.inlinees.len, 5);
    ck_assert_uint_eq(module_inlinee(&t.m, 0x1005)->line, 101);
    ck_assert_uint_eq(module_inlinee(&t.m, 0x1005)->file, 8);
    ck_assert_uint_eq(module_inlinee(&t.m, 0x1009)->line, 100);
    ck_assert_uint_eq(module_inlinee(&t.m, 0x2000)->line, 200);
    ck_assert_uint_eq(module_inlinee(&t.m, 0x2001)->line, 201);
    ck_assert_uint_eq(module_inlinee(&t.m, 0x2001)->file, 16);
    ck_assert_ptr_null(module_inlinee(&t.m, 0x1004));
    ck_assert_ptr_null(module_inlinee(&t.m, 0x1006));
    ck_assert_ptr_null(module_inlinee(&t.m, 0x2002));
    end(&t);
}

/* A subsection that claims more than there is, is what there is. */
TEST(cut_off)
{
    static const struct row rows[] = {{0, 1}, {4, 2}};
    struct made t;
    uint32_t file;

    begin(&t);
    put_lines(&t, 0x40, 0x10, rows, 2);
    blob_set(&t.c13, 4, 1000, 4);
    decode(&t);
    ck_assert_int_eq(line_at(&t, 0x1044, 0, &file), 2);
    end(&t);
    begin(&t);
    put_lines(&t, 0x40, 0x10, rows, 2);
    t.c13.len -= 8;
    blob_set(&t.c13, 4, t.c13.len - 8, 4);
    decode(&t); /* two rows, of which one is there */
    ck_assert_int_eq(line_at(&t, 0x1044, 0, &file), -1);
    end(&t);
}
