/* The debug information stream byte by byte: its modules, which of them an
 * address is in, which are kept, and what one says of another. */
#include "symbols/pdb/pdb.h"
#include "tests/support/blob.h"
#include "tests/support/msf_writer.h"
#include "tests/support/suite.h"

/* Streams besides those with fixed numbers. */
enum { NAMES = 5, SECTIONS, BEFORE, OMAP, MODULE, OTHER, STREAMS };

enum { DEBUG_STREAMS = 11, V1997 = 19970605, V2014 = 20140516 };

struct made {
    struct pdb pdb;
    struct identity identity;
    struct err err;
    struct blob streams[STREAMS];
    struct blob modules, contributions, debug;
    uint32_t signature, version;
    uint8_t *file;
};

static void put_section(struct blob *b, uint32_t size, uint32_t rva,
                        uint32_t raw)
{
    blob_bytes(b, ".section", 8);
    blob_pack(b, "III20x", size, rva, raw);
}

static void begin(struct made *t)
{
    *t = (struct made){.signature = UINT32_MAX, .version = 19990903};
    t->pdb.strings = strings_new();
    t->pdb.work = t->pdb.names = budget_of(0, 0, 1 << 30);
    t->pdb.names_stream = NAMES;
    put_section(&t->streams[SECTIONS], 0x800, 0x1000, 0x1000);
    put_section(&t->streams[SECTIONS], 0x1000, 0x3000, 0x200);
    put_section(&t->streams[BEFORE], 0x1000, 0x7000, 0x200);
    for (int i = 0; i < DEBUG_STREAMS; i++)
        blob_u16(&t->debug, i == 5 ? SECTIONS : MSF_NONE);
}

static void put_module(struct made *t, uint16_t stream, uint32_t symbols,
                       uint32_t c11, uint32_t c13, const char *name)
{
    struct blob *b = &t->modules;

    blob_pack(b, "34xHIII16x", stream, symbols, c11, c13);
    blob_bytes(b, name, strlen(name) + 1);
    blob_bytes(b, "a.lib", 6);
    blob_align(b, 4);
}

static void put_contribution(struct made *t, size_t width, uint16_t section,
                             uint32_t offset, uint32_t size, uint16_t module)
{
    struct blob *b = &t->contributions;
    size_t at = b->len;

    blob_pack(b, "HHIIIH", section, 0x5555, offset, size, 0x60000020, module);
    blob_zero(b, at + width - b->len);
}

/* Other parts lie between those that are read. */
static void put_dbi(struct made *t)
{
    struct blob *b = &t->streams[PDB_DBI];
    const struct blob *parts[] = {&t->modules, &t->contributions, &t->debug};

    blob_pack(b, "II", t->signature, t->version);
    blob_u32(b, 7); /* age */
    blob_pack(b, "4xH2x", MSF_NONE);
    blob_u16(b, 12); /* symbol records */
    blob_pack(b, "2xII", (uint32_t)t->modules.len,
              (uint32_t)t->contributions.len);
    blob_u32(b, 8);  /* section map */
    blob_u32(b, 12); /* files */
    blob_u32(b, 16); /* type servers */
    blob_pack(b, "II", 0, (uint32_t)t->debug.len);
    blob_u32(b, 20); /* edit and continue */
    blob_pack(b, "HH4x", 0, 0x8664);
    for (size_t i = 0; i < 3; i++) {
        if (i == 2)
            blob_zero(b, 8 + 12 + 16 + 20);
        blob_bytes(b, parts[i]->data, parts[i]->len);
    }
}

static enum err_code read_dbi(struct made *t)
{
    struct msf_copy copy = {.count = 0};
    size_t size;

    put_dbi(t);
    for (uint32_t i = 0; i < STREAMS; i++)
        msf_copy_add(&copy, t->streams[i].data, t->streams[i].len);
    t->file = msf_write(&copy, 512, 1, &size);
    msf_copy_release(&copy);
    ck_assert(!msf_open(&t->pdb.msf, "made", t->file, size, &t->err));
    return pdb_read_dbi(&t->pdb, &t->identity, &t->err);
}

static void end(struct made *t)
{
    modules_release(&t->pdb);
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
    free(t->modules.data);
    free(t->contributions.data);
    free(t->debug.data);
    free(t->file);
}

/* ---- the stream ---- */

TEST(versions)
{
    static const struct {
        uint32_t signature, version;
        enum err_code code;
    } rows[] = {
        {UINT32_MAX, 19900101, ERR_NONE},
        {UINT32_MAX, 20991231, ERR_NONE},
        {UINT32_MAX, 19900100, ERR_CORRUPT},
        {UINT32_MAX, 20991232, ERR_CORRUPT},
        {0, 19990903, ERR_CORRUPT},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct made t;

        begin(&t);
        t.signature = rows[i].signature;
        t.version = rows[i].version;
        ck_assert_int_eq(read_dbi(&t), rows[i].code);
        if (!rows[i].code) {
            ck_assert_uint_eq(t.identity.age, 7);
            ck_assert_uint_eq(t.pdb.machine, 0x8664);
            ck_assert_uint_eq(t.pdb.records_stream, 12);
        }
        end(&t);
    }
}

TEST(modules)
{
    struct made t;

    begin(&t);
    put_module(&t, MODULE, 100, 20, 30, "a.obj");
    put_module(&t, MSF_NONE, 0, 0, 0, "bb.obj");
    put_module(&t, OTHER, 101, 21, 31, "ccc.obj");
    blob_zero(&t.modules, 65); /* not one more */
    ck_assert(!read_dbi(&t));
    ck_assert_uint_eq(t.pdb.module_count, 3);
    ck_assert_uint_eq(t.pdb.modules[0].stream, MODULE);
    ck_assert_uint_eq(t.pdb.modules[0].symbol_bytes, 100);
    ck_assert_uint_eq(t.pdb.modules[1].stream, MSF_NONE);
    ck_assert_uint_eq(t.pdb.modules[2].stream, OTHER);
    ck_assert_uint_eq(t.pdb.modules[2].symbol_bytes, 101);
    ck_assert_uint_eq(t.pdb.modules[2].c11_bytes, 21);
    ck_assert_uint_eq(t.pdb.modules[2].c13_bytes, 31);
    ck_assert_str_eq((const char *)t.streams[PDB_DBI].data +
                         t.pdb.modules[2].name_at,
                     "ccc.obj");
    ck_assert_ptr_null(module_get(&t.pdb, 1));
    ck_assert_ptr_null(module_get(&t.pdb, 3));
    end(&t);
}

static void check_contributions(uint32_t version, size_t width, bool known)
{
    static const struct {
        uint32_t rva, start, end;
        uint16_t module;
    } rows[] = {
        {0x103F, 0, 0, 0},           {0x1040, 0x1040, 0x1060, 3},
        {0x105F, 0x1040, 0x1060, 3}, {0x1060, 0, 0, 0},
        {0x1080, 0x1080, 0x10A0, 4}, {0x1FFF, 0, 0, 0},
        {0x2000, 0, 0, 0},           {0x3000, 0, 0, 0},
        {0x3010, 0x3010, 0x3020, 5}, {0x301F, 0x3010, 0x3020, 5},
        {0x3020, 0, 0, 0},
    };
    struct made t;

    begin(&t);
    blob_u32(&t.contributions, 0xEFFE0000u + version);
    put_contribution(&t, width, 1, 0x40, 0x20, 3);
    put_contribution(&t, width, 1, 0x80, 0x20, 4);
    put_contribution(&t, width, 2, 0x10, 0x10, 5);
    blob_zero(&t.contributions, width - 1);
    ck_assert(!read_dbi(&t));
    ck_assert_uint_eq(t.pdb.contribution_count, known ? 3 : 0);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct pdb_contribution c;
        bool good = pdb_contribution_of(&t.pdb, rows[i].rva, &c);

        ck_assert_msg(good == (known && rows[i].end), "0x%x", rows[i].rva);
        if (!good)
            continue;
        ck_assert_uint_eq(c.start, rows[i].start);
        ck_assert_uint_eq(c.end, rows[i].end);
        ck_assert_uint_eq(c.module, rows[i].module);
    }
    end(&t);
}

TEST(contributions)
{
    check_contributions(V1997, 28, true);
    check_contributions(V2014, 32, true);
    check_contributions(V2014 + 1, 32, false);
}

static void check_sections(struct made *t, uint16_t omap, uint32_t rva,
                           uint32_t size, size_t count)
{
    ck_assert(!read_dbi(t));
    ck_assert_uint_eq(t->pdb.omap_stream, omap);
    ck_assert_uint_eq(t->pdb.sections.len, count);
    ck_assert_uint_eq(t->pdb.sections.data[0].rva, rva);
    ck_assert_uint_eq(t->pdb.sections.data[0].size, size);
    end(t);
}

/* Those of the image as it is, or, where it was rearranged, as it was. A
 * section is as large as it claims or as the file has of it. */
TEST(sections)
{
    struct made t;

    begin(&t);
    blob_set(&t.debug, 20, BEFORE, 2);
    blob_zero(&t.streams[SECTIONS], 39); /* not one more */
    check_sections(&t, MSF_NONE, 0x1000, 0x1000, 2);
    begin(&t);
    blob_set(&t.debug, 6, OMAP, 2); /* which is empty */
    blob_set(&t.debug, 20, BEFORE, 2);
    check_sections(&t, MSF_NONE, 0x1000, 0x1000, 2);
    begin(&t);
    blob_u64(&t.streams[OMAP], 1);
    blob_set(&t.debug, 6, OMAP, 2);
    blob_set(&t.debug, 20, BEFORE, 2);
    check_sections(&t, OMAP, 0x7000, 0x1000, 1);
    begin(&t);
    blob_u64(&t.streams[OMAP], 1);
    blob_set(&t.debug, 6, OMAP, 2);
    check_sections(&t, OMAP, 0x1000, 0x1000, 2);
    begin(&t);
    t.debug.len = 12; /* the numbers end with that of the sections */
    check_sections(&t, MSF_NONE, 0x1000, 0x1000, 2);
    begin(&t);
    t.debug.len = 10;
    ck_assert(!read_dbi(&t));
    ck_assert_uint_eq(t.pdb.sections.len, 0);
    end(&t);
}

TEST(empty_sections)
{
    struct made t;

    begin(&t);
    t.streams[SECTIONS].len = 0;
    put_section(&t.streams[SECTIONS], 0, 0x1000, 0);
    put_section(&t.streams[SECTIONS], 0x1000, 0, 0);
    ck_assert_int_eq(read_dbi(&t), ERR_CORRUPT);
    end(&t);
}

/* ---- modules that are kept ---- */

/* How many are decoded; their bytes are counted. */
static size_t kept(const struct made *t)
{
    size_t n = 0, bytes = 0;

    for (uint32_t i = 0; i < t->pdb.module_count; i++) {
        const struct module_symbols *m = t->pdb.modules[i].decoded;

        n += m != NULL;
        bytes += m ? m->bytes : 0;
    }
    ck_assert_uint_eq(t->pdb.kept_bytes, bytes);
    return n;
}

/* No more than 64 MiB of them: then all but the latest go. */
TEST(bytes_that_are_kept)
{
    enum { PART = 4 << 20, FIT = MODULE_BYTES_KEPT / PART - 1 };
    struct made t;

    begin(&t);
    blob_zero(&t.streams[MODULE], PART);
    for (int i = 0; i < 20; i++)
        put_module(&t, MODULE, PART / 2, 0, PART / 2, "a.obj");
    put_module(&t, MODULE, UINT32_MAX, 0, 1, "huge.obj");
    put_module(&t, MODULE, PART - 8, 4, 16, "end.obj");
    ck_assert(!read_dbi(&t));
    for (uint32_t i = 0; i < 20; i++) {
        ck_assert_uint_eq(module_get(&t.pdb, i)->number, i);
        ck_assert_ptr_eq(module_get(&t.pdb, i), t.pdb.modules[i].decoded);
        ck_assert_uint_eq(kept(&t), i < FIT ? i + 1 : i + 1 - FIT);
    }
    /* What a module claims is cut to what its stream has. */
    ck_assert_uint_eq(module_get(&t.pdb, 20)->symbols.len, PART);
    ck_assert_uint_eq(module_get(&t.pdb, 20)->c13.len, 0);
    ck_assert_uint_eq(module_get(&t.pdb, 21)->c13.len, 4);
    end(&t);
}

/* ---- ids of other modules ---- */

enum { IMPORTS = 0xF7, EXPORTS = 0xF8 };

static void put_words(struct blob *b, uint32_t kind, const uint32_t *words,
                      uint32_t n)
{
    blob_pack(b, "II", kind, n * 4);
    for (uint32_t i = 0; i < n; i++)
        blob_u32(b, words[i]);
}

TEST(ids_of_other_modules)
{
    static const char names[] = "\0none.obj\0B.OBJ";
    static const uint32_t imports[] = {1, 1, 0x11, 10, 2, 0x21, 0x22};
    static const uint32_t exports[] = {0x21, 0x1021, 0x22, 0x1022, 0x11};
    static const struct {
        uint32_t id, common; /* 0: none */
    } rows[] = {
        {0x80100000, 0x1021}, {0x80100001, 0x1022}, {0x80100002, 0},
        {0x80000000, 0},      {0x80200000, 0},
    };
    struct made t;
    struct bytes c13;

    begin(&t);
    blob_zero(&t.streams[NAMES], 12);
    blob_bytes(&t.streams[NAMES], names, sizeof(names));
    blob_u32(&t.streams[MODULE], 0xF2);
    blob_u32(&t.streams[MODULE], 3); /* and a byte of padding */
    blob_zero(&t.streams[MODULE], 4);
    put_words(&t.streams[MODULE], IMPORTS, imports, 7);
    blob_zero(&t.streams[OTHER], 24);
    put_words(&t.streams[OTHER], EXPORTS, exports, 5);
    put_module(&t, MODULE, 0, 0, (uint32_t)t.streams[MODULE].len, "a.obj");
    put_module(&t, OTHER, 16, 8, (uint32_t)t.streams[OTHER].len - 24, "b.obj");
    ck_assert(!read_dbi(&t));
    c13 = (struct bytes){t.streams[MODULE].data, t.streams[MODULE].len};
    for (int again = 0; again < 2; again++)
        for (size_t i = 0; i < COUNT(rows); i++) {
            uint32_t id = 0;

            ck_assert_msg(pdb_common_id(&t.pdb, c13, rows[i].id, &id) ==
                              (rows[i].common > 0),
                          "%x", rows[i].id);
            if (rows[i].common)
                ck_assert_uint_eq(id, rows[i].common);
        }
    end(&t);
}

/* A module's name has up to 1,023 characters, and their case does not count. */
TEST(long_names_of_modules)
{
    for (size_t n = 1022; n <= 1024; n++) {
        uint32_t import[] = {1, 1, 0x21}, export[] = {0x21, 0x1021}, id = 0;
        char *name = mem_new(n + 1, 1);
        struct made t;
        struct bytes c13;

        memset(name, 'N', n);
        begin(&t);
        blob_pack(&t.streams[NAMES], "12xB", 0);
        blob_bytes(&t.streams[NAMES], name, n + 1);
        memset(name, 'n', n);
        put_words(&t.streams[MODULE], IMPORTS, import, 3);
        put_words(&t.streams[OTHER], EXPORTS, export, 2);
        put_module(&t, MODULE, 0, 0, (uint32_t)t.streams[MODULE].len, "a.obj");
        put_module(&t, OTHER, 0, 0, (uint32_t)t.streams[OTHER].len, name);
        ck_assert(!read_dbi(&t));
        c13 = (struct bytes){t.streams[MODULE].data, t.streams[MODULE].len};
        ck_assert(pdb_common_id(&t.pdb, c13, 0x80000000, &id) == (n < 1024));
        ck_assert_uint_eq(id, n < 1024 ? 0x1021 : 0);
        end(&t);
        free(name);
    }
}
