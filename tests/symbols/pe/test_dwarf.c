/* An image of Windows with DWARF inside, byte by byte. */
#include "symbols/debug.h"

#include "tests/support/nettrace_writer.h"
#include "tests/support/suite.h"

enum {
    BASE = 0x140000000,
    TEXT = 0x1000, /* RVA of a section, and what it has of it */
    TEXT_SIZE = 0x180,
    MORE = 0x3000,
    MORE_SIZE = 0x40,
    STAMP = 0x5F000001,
    IMAGE_SIZE = 0x9000,
};

/* A compile unit with one function: "work", of [TEXT, TEXT + 0x20). */
static void put_debug_info(byte_vec *to)
{
    put_number(to, 42, 4); /* bytes that follow */
    put_number(to, 4, 2);  /* version */
    put_number(to, 0, 4);  /* abbreviations */
    put_number(to, 8, 1);  /* bytes of an address */
    put_number(to, 1, 1);
    put_bytes(to, "a.c", 4);
    blob_pack(to, "QIB", (uint64_t)BASE + TEXT, 0x20, 2);
    put_bytes(to, "work", 5);
    blob_pack(to, "QHBB", (uint64_t)BASE + TEXT, 0x20, 0, 0);
}

static void put_debug_abbrev(byte_vec *to)
{
    static const uint8_t bytes[] = {
        /* compile unit: name, low_pc, high_pc; has children */
        1, 0x11, 1, 0x03, 0x08, 0x11, 0x01, 0x12, 0x06, 0, 0,
        /* function: the same with a narrower high_pc */
        2, 0x2E, 0, 0x03, 0x08, 0x11, 0x01, 0x12, 0x05, 0, 0, 0};

    put_bytes(to, bytes, sizeof(bytes));
}

enum { INFO_SIZE = 46, ABBREV_SIZE = 23, STRINGS = 4 + 12 + 14 + 16 };

/* Where in the file things are. */
enum {
    HEADER = 0x40,
    OPTIONAL_SIZE = 112 + 4 * 8, /* room for four directories */
    TEXT_AT = 0x400,
    MORE_AT = 0x600,
    INFO_AT = 0x700,
    ABBREV_AT = 0x800,
    SYMBOLS_AT = 0x900,
    SYMBOLS = 8,
};

static void pad(byte_vec *to, size_t size)
{
    ck_assert_uint_le(to->len, size);
    while (to->len < size)
        put_number(to, 0, 1);
}

static void put_section(byte_vec *to, const char name[8], uint32_t size,
                        uint32_t rva, uint32_t raw_size, uint32_t at,
                        uint32_t flags)
{
    put_bytes(to, name, strnlen(name, 8));
    pad(to, (to->len + 7) / 8 * 8);
    blob_pack(to, "IIIIQII", size, rva, raw_size, at, 0, 0, flags);
}

static void put_headers(byte_vec *to, bool wide, uint32_t info)
{
    size_t optional;

    put_bytes(to, "MZ", 2);
    pad(to, 0x3C);
    put_number(to, HEADER, 4);
    put_bytes(to, "PE\0\0", 4);
    blob_pack(to, "HHIIIHH", 0x8664, 4, STAMP, SYMBOLS_AT, SYMBOLS,
              OPTIONAL_SIZE, 0);
    optional = to->len;
    put_number(to, wide ? 0x20B : 0x10B, 2);
    pad(to, optional + (wide ? 24 : 28));
    put_number(to, wide ? BASE : 0x400000, wide ? 8 : 4);
    pad(to, optional + 56);
    blob_pack(to, "II", IMAGE_SIZE, 0x400);
    pad(to, optional + OPTIONAL_SIZE);
    put_section(to, ".text\0\0", TEXT_SIZE, TEXT, 0x200, TEXT_AT, 0x60000020);
    put_section(to, "eight_ch", MORE_SIZE, MORE, 0x100, MORE_AT, 0x60000020);
    /* The file pads sections. */
    put_section(to, "/4\0\0\0\0\0", info, 0x5000, 0x100, INFO_AT, 0x42000000);
    put_section(to, "/16\0\0\0\0", ABBREV_SIZE, 0x6000, 0x100, ABBREV_AT,
                0x42000000);
}

static void put_symbol(byte_vec *to, const char *name, uint32_t offset,
                       uint32_t value, unsigned section, unsigned type,
                       unsigned more)
{
    size_t start = to->len;

    if (name)
        put_bytes(to, name, strnlen(name, 8));
    else
        put_number(to, (uint64_t)offset << 32, 8);
    pad(to, start + 8);
    blob_pack(to, "IHHBB", value, section, type, 2, more);
}

static void put_symbols(byte_vec *to)
{
    put_symbol(to, "later", 0, 0x40, 1, 0x20, 0);
    put_symbol(to, "work", 0, 0, 1, 0x20, 1);
    put_symbol(to, "of_work", 0, 0x30, 1, 0x20, 0); /* belongs to it */
    put_symbol(to, NULL, 30, 0x80, 1, 0x20, 0);
    put_symbol(to, "data", 0, 0x90, 1, 0, 0);       /* no function */
    put_symbol(to, "nowhere", 0, 0xA0, 0, 0x20, 0); /* of no section */
    put_symbol(to, "beyond", 0, 0xA0, 5, 0x20, 0);
    put_symbol(to, "eight_ch", 0, 8, 2, 0x20, 0);
    put_number(to, STRINGS, 4);
    put_bytes(to, ".debug_info", 12);
    put_bytes(to, ".debug_abbrev", 14);
    put_bytes(to, "a_longer_symbol", 16);
}

static byte_vec build(bool wide, uint32_t info)
{
    byte_vec v = {0};

    put_headers(&v, wide, info);
    pad(&v, TEXT_AT);
    put_number(&v, 0xC3, 1);
    pad(&v, MORE_AT);
    put_number(&v, 0x90, 1);
    pad(&v, INFO_AT);
    put_debug_info(&v);
    ck_assert_uint_eq(v.len, INFO_AT + INFO_SIZE);
    pad(&v, ABBREV_AT);
    put_debug_abbrev(&v);
    ck_assert_uint_eq(v.len, ABBREV_AT + ABBREV_SIZE);
    pad(&v, SYMBOLS_AT);
    put_symbols(&v);
    return v;
}

static void set_u32(byte_vec *v, size_t at, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        v->data[at + i] = (uint8_t)(value >> 8 * i);
}

/* The same with unwind information: "later" ends at 0x50, and whatever lies
 * behind it up to the next symbol is not known. */
static byte_vec build_with_pdata(void)
{
    byte_vec v = build(true, INFO_SIZE);
    size_t optional = HEADER + 24;

    set_u32(&v, optional + 108, 4);
    set_u32(&v, optional + 112 + 3 * 8, MORE + 0x20);
    set_u32(&v, optional + 112 + 3 * 8 + 4, 12);
    set_u32(&v, MORE_AT + 0x20, TEXT + 0x40);
    set_u32(&v, MORE_AT + 0x24, TEXT + 0x50);
    set_u32(&v, MORE_AT + 0x28, MORE + 0x30);
    set_u32(&v, MORE_AT + 0x30, 1);
    return v;
}

/* "" for an address that has no name. */
static const char *name_at(struct debug_file *file, uint64_t rva)
{
    struct debug_frame frames[4];
    size_t n = debug_frames(file, rva, frames, 4);

    return n ? frames[n - 1].function : "";
}

static void check_range(struct debug_file *file, uint64_t rva, uint64_t start,
                        uint64_t end)
{
    struct debug_range range;

    ck_assert(debug_range(file, rva, &range));
    ck_assert_uint_eq(range.start, start);
    ck_assert_uint_eq(range.end, end);
}

TEST(names)
{
    byte_vec v = build(true, INFO_SIZE);
    struct debug_file *file = debug_open("a.exe", v.data, v.len, NULL);

    ck_assert_ptr_nonnull(file);
    ck_assert_ptr_eq(file->kind, &pe_dwarf_kind);
    ck_assert_uint_eq(file->identity.timestamp, STAMP);
    ck_assert_uint_eq(file->identity.image_size, IMAGE_SIZE);
    ck_assert_int_eq(file->machine, DEBUG_X64);
    ck_assert_str_eq(name_at(file, TEXT), "work");
    ck_assert_str_eq(name_at(file, TEXT + 0x3F), "work");
    ck_assert_str_eq(name_at(file, TEXT + 0x40), "later");
    ck_assert_str_eq(name_at(file, TEXT + 0x80), "a_longer_symbol");
    ck_assert_str_eq(name_at(file, TEXT + TEXT_SIZE - 1), "a_longer_symbol");
    ck_assert_str_eq(name_at(file, TEXT + TEXT_SIZE), "");
    ck_assert_str_eq(name_at(file, TEXT - 1), "");
    /* A symbol does not reach into another section. */
    ck_assert_str_eq(name_at(file, MORE), "");
    ck_assert_str_eq(name_at(file, MORE + 8), "eight_ch");
    ck_assert_str_eq(name_at(file, IMAGE_SIZE), "");
    debug_close(file);
    vec_release(&v);
}

TEST(ranges_and_code)
{
    byte_vec v = build(true, INFO_SIZE);
    struct debug_file *file = debug_open("a.exe", v.data, v.len, NULL);
    struct debug_range range;

    check_range(file, TEXT + 5, TEXT, TEXT + 0x40);
    check_range(file, TEXT + 0x40, TEXT + 0x40, TEXT + 0x80);
    check_range(file, TEXT + 0x90, TEXT + 0x80, TEXT + TEXT_SIZE);
    check_range(file, MORE + 8, MORE + 8, MORE + MORE_SIZE);
    ck_assert(!debug_range(file, MORE + 7, &range));
    ck_assert(!debug_range(file, TEXT - 1, &range));
    ck_assert_uint_eq(debug_code(file, TEXT).data[0], 0xC3);
    ck_assert_uint_eq(debug_code(file, MORE).data[0], 0x90);
    ck_assert_uint_eq(debug_code(file, 0x5000).len, 0);
    debug_close(file);
    vec_release(&v);
}

/* A symbol ends where the unwind information says that its function does. */
TEST(bounds_by_unwind_information)
{
    byte_vec v = build_with_pdata();
    struct debug_file *file = debug_open("a.exe", v.data, v.len, NULL);
    struct debug_range range;

    ck_assert_str_eq(name_at(file, TEXT + 0x3F), "work");
    ck_assert_str_eq(name_at(file, TEXT + 0x4F), "later");
    ck_assert_str_eq(name_at(file, TEXT + 0x50), "");
    ck_assert_str_eq(name_at(file, TEXT + 0x7F), "");
    ck_assert_str_eq(name_at(file, TEXT + 0x80), "a_longer_symbol");
    check_range(file, TEXT + 5, TEXT, TEXT + 0x40);
    check_range(file, TEXT + 0x45, TEXT + 0x40, TEXT + 0x50);
    ck_assert(!debug_range(file, TEXT + 0x60, &range));
    debug_close(file);
    vec_release(&v);
}

/* Without its debug information an image is of another kind; with damaged
 * information it is broken. */
TEST(not_this_kind)
{
    struct err err = {0};
    byte_vec v = build(true, INFO_SIZE);

    ck_assert(pe_dwarf_kind.probe(v.data, v.len));
    v.data[SYMBOLS_AT + 18 * SYMBOLS + 5] ^= 1; /* "debug_info" */
    ck_assert(!pe_dwarf_kind.probe(v.data, v.len));
    v.data[SYMBOLS_AT + 18 * SYMBOLS + 5] ^= 1;
    v.data[HEADER] ^= 1;
    ck_assert(!pe_dwarf_kind.probe(v.data, v.len));
    v.data[HEADER] ^= 1;
    for (size_t n = 0; n < SYMBOLS_AT; n++)
        ck_assert(!pe_dwarf_kind.probe(v.data, n));
    /* A version of DWARF that nobody knows. */
    v.data[INFO_AT + 4] = 99;
    ck_assert(pe_dwarf_kind.probe(v.data, v.len));
    if (!debug_open("a.exe", v.data, v.len, &err))
        ck_assert_int_eq(err.code, ERR_CORRUPT);
    vec_release(&v);
}

/* 32-bit images have their base elsewhere. */
TEST(narrow_image)
{
    byte_vec v = build(false, INFO_SIZE);
    struct debug_file *file = debug_open("a.exe", v.data, v.len, NULL);

    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(file->identity.image_size, IMAGE_SIZE);
    ck_assert_str_eq(name_at(file, TEXT + 0x40), "later");
    debug_close(file);
    vec_release(&v);
}
