/* Windows images byte by byte: headers, sections, and the PDBs they name. */
#include "symbols/debug.h"
#include "tests/support/pe_writer.h"
#include "tests/support/suite.h"

enum { TEXT = IMAGE_TEXT, DATA = IMAGE_DATA };

static struct pe open_pe(const struct blob *b)
{
    struct err err = {0};
    struct pe pe;

    ck_assert_msg(!pe_open(&pe, "made", b->data, b->len, &err), "%s",
                  err.message);
    return pe;
}

/* ---- headers and sections ---- */

/* Cut off anywhere before the sections, an image is none; among them, the
 * last are left out. */
TEST(cut_off)
{
    struct blob b = pe_image_of(PE_X64, true);
    size_t sections = pe_directory_at(true, PE_DIRECTORIES);
    struct pe pe;

    for (size_t n = 0; n < sections; n++) {
        struct err err = {0};

        ck_assert(pe_probe(b.data, n) == (n >= IMAGE_HEADER + 4));
        ck_assert_int_eq(pe_open(&pe, "made", b.data, n, &err),
                         n >= IMAGE_HEADER + 4 ? ERR_TRUNCATED
                                               : ERR_UNSUPPORTED);
    }
    for (size_t n = sections; n < sections + 80; n++) {
        ck_assert(!pe_open(&pe, "made", b.data, n, NULL));
        ck_assert_uint_eq(pe.section_count, (n - sections) / 40);
        ck_assert_str_eq(pe_flaw(&pe), "section table: truncated");
    }
    free(b.data);
}

TEST(machines)
{
    static const struct {
        uint16_t stored, machine;
        enum debug_machine debug;
    } rows[] = {
        {0x14C, PE_X86, DEBUG_X86},
        {0x1C4, PE_ARM, DEBUG_NO_MACHINE},
        {0x8664, PE_X64, DEBUG_X64},
        {0xAA64, PE_ARM64, DEBUG_ARM64},
        {0x8664 ^ 0x7B79, PE_X64, DEBUG_X64},     /* Linux */
        {0xAA64 ^ 0x4644, PE_ARM64, DEBUG_ARM64}, /* macOS */
        {0x14C ^ 0xADC4, PE_X86, DEBUG_X86},      /* FreeBSD */
        {0x200, 0x200, DEBUG_NO_MACHINE},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct blob b = pe_image_of(rows[i].stored, true);
        struct pe pe = open_pe(&b);

        ck_assert_uint_eq(pe.machine, rows[i].machine);
        ck_assert_int_eq(pe_debug_machine(&pe), rows[i].debug);
        free(b.data);
    }
}

TEST(sections)
{
    static const struct {
        uint32_t rva;
        uint32_t at, left, code; /* bytes from there: of all, of code */
    } rows[] = {
        {0, 0, 0x400, 0},
        {0x3FF, 0x3FF, 1, 0},
        {0x400, 0, 0, 0},
        {TEXT - 1, 0, 0, 0},
        {TEXT, IMAGE_TEXT_AT, IMAGE_TEXT_SIZE, IMAGE_TEXT_SIZE},
        {TEXT + IMAGE_TEXT_SIZE - 1, IMAGE_TEXT_AT + IMAGE_TEXT_SIZE - 1, 1, 1},
        {TEXT + IMAGE_TEXT_SIZE, 0, 0, 0},
        {DATA, IMAGE_DATA_AT, IMAGE_DATA_SIZE, 0},
        {DATA + IMAGE_DATA_SIZE - 1, IMAGE_DATA_AT + IMAGE_DATA_SIZE - 1, 1, 0},
        {DATA + IMAGE_DATA_SIZE, 0, 0, 0},
    };
    struct blob b = pe_image_of(PE_X64, true);
    struct pe pe = open_pe(&b);
    struct pe_range range;

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct bytes all = pe_at(&pe, rows[i].rva);

        ck_assert_uint_eq(all.len, rows[i].left);
        if (all.len)
            ck_assert_ptr_eq(all.data, b.data + rows[i].at);
        ck_assert_uint_eq(pe_code_at(&pe, rows[i].rva).len, rows[i].code);
    }
    ck_assert_uint_eq(pe_code_at(&pe, (uint64_t)TEXT + (1ull << 32)).len, 0);
    ck_assert(!pe_section_at(&pe, TEXT - 1, &range));
    ck_assert(!pe_section_at(&pe, TEXT + IMAGE_TEXT_SIZE, &range));
    ck_assert(pe_section_at(&pe, DATA + IMAGE_DATA_MEMORY - 1, &range));
    ck_assert_uint_eq(range.start, DATA);
    ck_assert_uint_eq(range.end, DATA + IMAGE_DATA_MEMORY);
    ck_assert(!pe_section_at(&pe, DATA + IMAGE_DATA_MEMORY, &range));
    /* The file ends within the section; one that goes round is cut. */
    pe.size = IMAGE_DATA_AT + 0x10;
    ck_assert_uint_eq(pe_at(&pe, DATA + 8).len, 8);
    ck_assert_uint_eq(pe_at(&pe, DATA + 0x10).len, 0);
    blob_set(&b, pe_directory_at(true, PE_DIRECTORIES) + 40 + 8, UINT32_MAX, 4);
    ck_assert(pe_section_at(&pe, DATA, &range));
    ck_assert_uint_eq(range.end, UINT32_MAX);
    free(b.data);
}

TEST(offsets)
{
    static const struct {
        uint64_t offset;
        uint32_t rva; /* 0: none */
    } rows[] = {{IMAGE_TEXT_AT - 1, 0},
                {IMAGE_TEXT_AT, TEXT},
                {IMAGE_DATA_AT - 1, TEXT + IMAGE_TEXT_SIZE - 1},
                {IMAGE_DATA_AT, DATA},
                {IMAGE_END - 1, DATA + IMAGE_DATA_SIZE - 1},
                {IMAGE_END, 0},
                {IMAGE_TEXT_AT + (1ull << 32), 0}};
    static const struct {
        uint64_t offset, size;
        uint16_t machine;
        bool whole;
    } maps[] = {
        {IMAGE_TEXT_AT, IMAGE_TEXT_SIZE, PE_X64, true},
        {0, IMAGE_DATA_AT, PE_X64, true},
        {IMAGE_TEXT_AT + 1, IMAGE_TEXT_SIZE, PE_X64, false},
        {IMAGE_TEXT_AT, IMAGE_TEXT_SIZE - 1, PE_X64, false},
        {0, IMAGE_DATA_AT + 4095, PE_X64, true},
        {0, IMAGE_DATA_AT + 4096, PE_X64, false},
        {0, IMAGE_DATA_AT + 4096, PE_ARM64, true},
        {0, IMAGE_DATA_AT + 65536, PE_ARM64, false},
        {IMAGE_DATA_AT, IMAGE_DATA_SIZE, PE_X64, false}, /* which is not code */
    };
    struct blob b = pe_image_of(PE_X64, true);
    struct pe pe = open_pe(&b);

    for (size_t i = 0; i < COUNT(rows); i++) {
        uint32_t rva = 0;

        ck_assert(pe_offset_to_rva(&pe, rows[i].offset, &rva) ==
                  (rows[i].rva > 0));
        ck_assert_uint_eq(rva, rows[i].rva);
    }
    for (size_t i = 0; i < COUNT(maps); i++) {
        pe.machine = maps[i].machine;
        ck_assert_msg(pe_maps_code(&pe, maps[i].offset, maps[i].size) ==
                          maps[i].whole,
                      "row %zu", i);
    }
    free(b.data);
}

/* A page and more before it. */
TEST(offset_of_a_page)
{
    struct blob b = pe_image_of(PE_X64, true);
    struct pe pe = open_pe(&b);

    blob_set(&b, pe_directory_at(true, PE_DIRECTORIES) + 20, 0x2000, 4);
    ck_assert(!pe_maps_code(&pe, 0x1000, 0x2000));
    ck_assert(pe_maps_code(&pe, 0x1001, 0x2000));
    free(b.data);
}

/* ---- the PDBs that it names ---- */

enum { ENTRIES_AT = DATA, RECORDS = DATA + 0x200 };

static void put_codeview(struct blob *b, uint32_t i, uint32_t type,
                         const char *magic, uint8_t guid, const char *path)
{
    uint32_t entry = ENTRIES_AT + 28 * i, at = RECORDS + 0x40 * i;
    size_t file = at - DATA + IMAGE_DATA_AT, n = 24 + strlen(path) + 1;

    pe_put_words(b, entry,
                 (uint32_t[]){0, 100 + i, (uint32_t)i << 16, type, (uint32_t)n,
                              at, (uint32_t)file},
                 7);
    memcpy(b->data + file, magic, 4);
    memset(b->data + file + 4, guid, 16);
    blob_set(b, file + 20, 7 + i, 4);
    memcpy(b->data + file + 24, path, strlen(path) + 1);
}

static void check_codeview(const struct blob *b, uint8_t guid, uint32_t age,
                           const char *path)
{
    struct pe pe = open_pe(b);
    struct pe_codeview cv;
    uint8_t whole[16];

    memset(whole, guid, 16);
    ck_assert(pe_codeview(&pe, &cv) == (path != NULL));
    if (!path)
        return;
    ck_assert_mem_eq(cv.guid, whole, 16);
    ck_assert_uint_eq(cv.age, age);
    ck_assert_uint_eq(cv.stamp, 100 + age - 7);
    ck_assert(!cv.is_portable);
    ck_assert_uint_eq(cv.path.len, strlen(path));
    ck_assert_mem_eq(cv.path.data, path, cv.path.len);
    ck_assert(pe_names_pdb(&pe, whole));
}

TEST(codeview)
{
    struct blob b = pe_image_of(PE_X64, true);
    struct pe_codeview cv;
    uint8_t guid[16];
    struct pe pe;

    put_codeview(&b, 0, 16, "RSDS", 1, "other type");
    put_codeview(&b, 1, PE_CODEVIEW, "NB10", 2, "other magic");
    put_codeview(&b, 2, PE_CODEVIEW, "RSDS", 3, "app.ni.pdb");
    put_codeview(&b, 3, PE_CODEVIEW, "RSDS", 4, "app.pdb");
    pe_set_directory(&b, true, PE_DEBUG, ENTRIES_AT, 28);
    check_codeview(&b, 0, 0, NULL);
    pe_set_directory(&b, true, PE_DEBUG, ENTRIES_AT, 3 * 28);
    check_codeview(&b, 3, 9, "app.ni.pdb");
    pe_set_directory(&b, true, PE_DEBUG, ENTRIES_AT, 4 * 28);
    check_codeview(&b, 3, 9, "app.ni.pdb"); /* that of native code */
    blob_set(&b, RECORDS + 0x80 - DATA + IMAGE_DATA_AT + 24 + 4, 'm', 1);
    check_codeview(&b, 4, 10, "app.pdb"); /* else the last */
    pe_set_directory(&b, true, PE_DEBUG, ENTRIES_AT, 4 * 28 - 1);
    check_codeview(&b, 3, 9, "app.mi.pdb");
    pe = open_pe(&b);
    memset(guid, 4, 16);
    ck_assert(!pe_names_pdb(&pe, guid));
    memset(guid, 1, 16);
    ck_assert(!pe_names_pdb(&pe, guid));
    blob_set(&b, ENTRIES_AT + 2 * 28 + 10 - DATA + IMAGE_DATA_AT, 0x504D, 2);
    ck_assert(pe_codeview(&pe, &cv) && cv.is_portable);
    free(b.data);
}
