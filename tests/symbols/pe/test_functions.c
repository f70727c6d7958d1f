/* Functions of Windows images: by unwind information, and by exports. */
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

/* ---- functions by unwind information ---- */

struct bounds {
    uint32_t rva;
    uint32_t fragment, end, start; /* 0: none */
};

static void check_functions(const struct blob *b, const struct bounds *rows,
                            size_t n)
{
    struct pe pe = open_pe(b);

    for (size_t i = 0; i < n; i++) {
        struct pe_function f;
        bool good = pe_function_at(&pe, rows[i].rva, &f);

        ck_assert_msg(good == (rows[i].end > 0), "0x%x", rows[i].rva);
        if (!good)
            continue;
        ck_assert_uint_eq(f.fragment.start, rows[i].fragment);
        ck_assert_uint_eq(f.fragment.end, rows[i].end);
        ck_assert_uint_eq(f.start, rows[i].start);
    }
}

#define CHECK_FUNCTIONS(b, rows)                                               \
    check_functions(b, rows, sizeof(rows) / sizeof(*(rows)))

enum { UNWIND = DATA + 0x300, PART = DATA + 0x340, MORE = DATA + 0x380 };

static void put_pdata_x64(struct blob *b)
{
    static const uint32_t entries[] = {
        TEXT + 0x10, TEXT + 0x20, UNWIND,          /* a function */
        TEXT + 0x20, TEXT + 0x30, PART,            /* a part of it */
        TEXT + 0x40, TEXT + 0x50, MORE,            /* a part of that */
        TEXT + 0x50, TEXT + 0x60, (DATA + 12) | 1, /* the same as entry 1 */
        TEXT + 0x80, TEXT + 0x90, 0x8000,          /* nowhere */
    };

    pe_put_words(b, DATA, entries, 15);
    pe_put_words(b, UNWIND, (uint32_t[]){1, 0, TEXT, 0, 0}, 5);
    /* Chained, with three codes, which take the room of four. */
    pe_put_words(
        b, PART,
        (uint32_t[]){0x21 | 3 << 16, 0, 0, TEXT + 0x10, TEXT + 0x20, UNWIND},
        6);
    pe_put_words(b, MORE, (uint32_t[]){0x21, TEXT + 0x20, TEXT + 0x30, PART},
                 4);
    pe_set_directory(b, true, PE_EXCEPTION, DATA, 5 * 12 + 11);
}

TEST(functions_of_x64)
{
    static const struct bounds rows[] = {
        {TEXT + 0xF, 0, 0, 0},
        {TEXT + 0x10, TEXT + 0x10, TEXT + 0x20, TEXT + 0x10},
        {TEXT + 0x1F, TEXT + 0x10, TEXT + 0x20, TEXT + 0x10},
        {TEXT + 0x20, TEXT + 0x20, TEXT + 0x30, TEXT + 0x10},
        {TEXT + 0x30, 0, 0, 0},
        {TEXT + 0x40, TEXT + 0x40, TEXT + 0x50, TEXT + 0x10},
        {TEXT + 0x50, TEXT + 0x50, TEXT + 0x60, TEXT + 0x10},
        {TEXT + 0x60, 0, 0, 0},
        {TEXT + 0x80, TEXT + 0x80, TEXT + 0x90, TEXT + 0x80},
        {TEXT + 0x90, 0, 0, 0},
    };
    struct blob b = pe_image_of(PE_X64, true);

    put_pdata_x64(&b);
    CHECK_FUNCTIONS(&b, rows);
    free(b.data);
}

/* Leaf functions lie in the gaps. */
TEST(gaps)
{
    static const struct {
        uint32_t rva, start, end; /* 0: none */
    } rows[] = {
        {TEXT - 1, 0, 0},
        {TEXT, TEXT, TEXT + 0x10},
        {TEXT + 0xF, TEXT, TEXT + 0x10},
        {TEXT + 0x10, 0, 0},
        {TEXT + 0x30, TEXT + 0x30, TEXT + 0x40},
        {TEXT + 0x3F, TEXT + 0x30, TEXT + 0x40},
        {TEXT + 0x60, TEXT + 0x60, TEXT + 0x80},
        {TEXT + 0x90, TEXT + 0x90, TEXT + IMAGE_TEXT_SIZE},
        {TEXT + IMAGE_TEXT_SIZE - 1, TEXT + 0x90, TEXT + IMAGE_TEXT_SIZE},
        {TEXT + IMAGE_TEXT_SIZE, 0, 0},
        {DATA, DATA, DATA + IMAGE_DATA_MEMORY},
    };
    static const struct {
        uint32_t from, rva;
        bool may;
    } reach[] = {
        {TEXT + 0x10, TEXT + 0x18, true},  {TEXT + 0x18, TEXT + 0x1F, true},
        {TEXT + 0xF, TEXT + 0x18, false},  {TEXT + 0x20, TEXT + 0x18, false},
        {TEXT + 0x10, TEXT + 0x28, true},  {TEXT + 0x18, TEXT + 0x28, false},
        {TEXT + 0x2F, TEXT + 0x28, true},  {TEXT + 0x30, TEXT + 0x38, true},
        {TEXT + 0x2F, TEXT + 0x38, false}, {TEXT + 0x30, TEXT - 1, true},
    };
    struct blob b = pe_image_of(PE_X64, true);
    struct pe_range gap;
    struct pe pe;

    put_pdata_x64(&b);
    pe = open_pe(&b);
    for (size_t i = 0; i < COUNT(rows); i++) {
        bool good = pe_gap_at(&pe, rows[i].rva, &gap);

        ck_assert_msg(good == (rows[i].end > 0), "0x%x", rows[i].rva);
        if (!good)
            continue;
        ck_assert_uint_eq(gap.start, rows[i].start);
        ck_assert_uint_eq(gap.end, rows[i].end);
    }
    for (size_t i = 0; i < COUNT(reach); i++)
        ck_assert_msg(pe_may_reach(&pe, reach[i].from, reach[i].rva) ==
                          reach[i].may,
                      "row %zu", i);
    pe_set_directory(&b, true, PE_EXCEPTION, 0, 0);
    pe = open_pe(&b);
    ck_assert(!pe_gap_at(&pe, TEXT, &gap));
    ck_assert(!pe_function_at(&pe, TEXT, &(struct pe_function){0}));
    free(b.data);
}

/* A chain that never ends is given up; so is one that leads out of the file. */
TEST(damaged_chains)
{
    static const struct bounds row[] = {
        {TEXT + 0x10, TEXT + 0x10, TEXT + 0x20, TEXT + 0x10}};
    struct blob b = pe_image_of(PE_X64, true);

    pe_put_words(&b, DATA, (uint32_t[]){TEXT + 0x10, TEXT + 0x20, DATA | 1}, 3);
    pe_set_directory(&b, true, PE_EXCEPTION, DATA, 12);
    CHECK_FUNCTIONS(&b, row);
    pe_put_words(&b, DATA + 8, (uint32_t[]){(DATA + IMAGE_DATA_SIZE - 10) | 1},
                 1);
    CHECK_FUNCTIONS(&b, row);
    pe_put_words(&b, DATA + 8, (uint32_t[]){DATA + IMAGE_DATA_SIZE - 4}, 1);
    pe_put_words(&b, DATA + IMAGE_DATA_SIZE - 4, (uint32_t[]){0x21}, 1);
    CHECK_FUNCTIONS(&b, row);
    free(b.data);
}

static void check_arm(uint16_t machine, uint32_t unit)
{
    uint32_t thumb = machine == PE_ARM;
    struct blob b = pe_image_of(machine, machine == PE_ARM64);
    const uint32_t entries[] = {
        TEXT | thumb,    8 << 2 | 1,     TEXT + 0x40,   0x7FF << 2 | 2,
        TEXT + 0x3000,   UNWIND,         TEXT + 0x5000, 0x8000,
        UINT32_MAX - 15, 0x7FF << 2 | 1,
    };
    const struct bounds rows[] = {
        {TEXT, TEXT, TEXT + 8 * unit, TEXT},
        {TEXT + 8 * unit, 0, 0, 0},
        {TEXT + 0x40, TEXT + 0x40, TEXT + 0x40 + 0x7FF * unit, TEXT + 0x40},
        {TEXT + 0x3000, TEXT + 0x3000, TEXT + 0x3000 + 0x123 * unit,
         TEXT + 0x3000},
        {TEXT + 0x5000, 0, 0, 0},
        {UINT32_MAX - 1, UINT32_MAX - 15, UINT32_MAX, UINT32_MAX - 15},
    };

    pe_put_words(&b, DATA, entries, 10);
    pe_put_words(&b, UNWIND, (uint32_t[]){0xFFFC0123}, 1);
    pe_set_directory(&b, machine == PE_ARM64, PE_EXCEPTION, DATA, 40);
    CHECK_FUNCTIONS(&b, rows);
    free(b.data);
}

TEST(functions_of_arm)
{
    check_arm(PE_ARM64, 4);
    check_arm(PE_ARM, 2);
}

/* x86 has no unwind information; what is there is something else. */
TEST(functions_of_x86)
{
    static const struct bounds row[] = {{TEXT + 0x10, 0, 0, 0}};
    struct blob b = pe_image_of(PE_X86, true);

    put_pdata_x64(&b);
    CHECK_FUNCTIONS(&b, row);
    free(b.data);
}

/* ---- exports ---- */

enum {
    FUNCTIONS = DATA + 0x440,
    NAMES = DATA + 0x480,
    ORDINALS = DATA + 0x4C0,
    TEXTS = DATA + 0x500,
    EXPORTS = DATA + 0x400
};

/* Functions 0 to 5, of which some have names; 2 is forwarded, 3 has two. */
static void put_exports(struct blob *b)
{
    static const uint32_t functions[] = {TEXT + 0x10, TEXT + 0x40, EXPORTS + 8,
                                         TEXT + 0x64, 0,           TEXT + 0x6C};
    static const uint16_t ordinals[] = {3, 0, 2, 3, 1, 9};
    static const char texts[] = "zz\0first\0forward\0aa\0middle\0none";
    static const uint32_t at[] = {0, 3, 9, 17, 20, 27};
    uint32_t names[6];

    for (size_t i = 0; i < 6; i++) {
        names[i] = TEXTS + at[i];
        blob_set(b, ORDINALS - DATA + IMAGE_DATA_AT + 2 * i, ordinals[i], 2);
    }
    pe_put_words(b, EXPORTS + 16,
                 (uint32_t[]){5, 6, 6, FUNCTIONS, NAMES, ORDINALS}, 6);
    pe_put_words(b, FUNCTIONS, functions, 6);
    pe_put_words(b, NAMES, names, 6);
    memcpy(b->data + (TEXTS - DATA + IMAGE_DATA_AT), texts, sizeof(texts));
    pe_set_directory(b, true, PE_EXPORT, EXPORTS, 0x200);
}

struct named {
    uint32_t rva;
    const char *name;
};

static void check_names(const struct blob *b, const struct named *rows,
                        size_t n)
{
    struct err err = {0};
    struct debug_file *d = debug_open("made", b->data, b->len, &err);
    struct debug_frame f[2];

    ck_assert_ptr_nonnull(d);
    ck_assert_str_eq(d->kind->name, "pe");
    for (size_t i = 0; i < n; i++) {
        size_t count = debug_frames(d, rows[i].rva, f, 2);

        ck_assert_str_eq(count ? f[0].function : "", rows[i].name);
    }
    ck_assert_uint_eq(debug_frames(d, rows[0].rva, f, 0), 0);
    ck_assert_uint_eq(debug_frames(d, TEXT + 0x10 + (1ull << 32), f, 1), 0);
    debug_close(d);
}

/* As far as the function reaches that they begin; between functions as far as
 * the gap. */
TEST(exports_with_bounds)
{
    static const struct named rows[] = {
        {TEXT + 0xF, ""},
        {TEXT + 0x10, "first"},
        {TEXT + 0x1F, "first"},
        {TEXT + 0x20, "first"}, /* apart */
        {TEXT + 0x30, ""},
        {TEXT + 0x40, "first"}, /* apart too */
        {TEXT + 0x60, ""},
        {TEXT + 0x64, "aa"},
        {TEXT + 0x6B, "aa"},
        {TEXT + 0x6C, "Ordinal#10"},
        {TEXT + 0x7F, "Ordinal#10"},
        {TEXT + 0x80, ""},
        {TEXT + 0x90, ""},
        {EXPORTS + 8, ""},
    };
    struct blob b = pe_image_of(PE_X64, true);

    put_pdata_x64(&b);
    put_exports(&b);
    check_names(&b, rows, COUNT(rows));
    free(b.data);
}

/* Without unwind information only where they begin. */
TEST(exports_without_bounds)
{
    static const struct named rows[] = {{TEXT + 0x10, "first"},
                                        {TEXT + 0x11, ""},
                                        {TEXT + 0x40, "middle"},
                                        {TEXT + 0x64, "aa"},
                                        {0, ""}};
    struct blob b = pe_image_of(PE_X86, true);

    put_exports(&b);
    check_names(&b, rows, COUNT(rows));
    free(b.data);
}

/* Bounds of functions, and of leaf functions from export to export. */
TEST(ranges)
{
    static const struct {
        uint32_t rva, start, end;
    } rows[] = {
        {TEXT + 0x10, TEXT + 0x10, TEXT + 0x20},
        {TEXT + 0x25, TEXT + 0x20, TEXT + 0x30},
        {TEXT + 0x60, TEXT + 0x60, TEXT + 0x64},
        {TEXT + 0x68, TEXT + 0x64, TEXT + 0x6C},
        {TEXT + 0x70, TEXT + 0x6C, TEXT + 0x80},
        {TEXT + 0x95, TEXT + 0x90, TEXT + IMAGE_TEXT_SIZE},
    };
    struct blob b = pe_image_of(PE_X64, true);
    struct err err = {0};
    struct debug_file *d;
    struct debug_range range;

    put_pdata_x64(&b);
    put_exports(&b);
    d = debug_open("made", b.data, b.len, &err);
    for (size_t i = 0; i < COUNT(rows); i++) {
        ck_assert(debug_range(d, rows[i].rva, &range));
        ck_assert_uint_eq(range.start, rows[i].start);
        ck_assert_uint_eq(range.end, rows[i].end);
    }
    ck_assert(!debug_range(d, TEXT - 1, &range));
    ck_assert(!debug_range(d, TEXT + 0x10 + (1ull << 32), &range));
    ck_assert_uint_eq(debug_code(d, TEXT + 1).len, IMAGE_TEXT_SIZE - 1);
    ck_assert_int_eq(debug_names(d), NAMES_EXPORTS);
    debug_close(d);
    free(b.data);
}
