/* Where code is: lists of ranges and the address table, byte by byte. */
#include "symbols/dwarf/unit.h"
#include "symbols/dwarf/dwarf.h"

#include "tests/support/dwarf_writer.h"
#include "tests/support/suite.h"

enum { UNIT = 1, FUNCTION, LOW = 0x1000 };

static struct dwarf *open_parts(struct dwarf_parts *d)
{
    struct dwarf_source source = dwarf_source_of(d);
    struct err err = {0};
    struct dwarf *dwarf = dwarf_open(&source, &err);

    ck_assert_msg(dwarf != NULL, "%s", err.message);
    return dwarf;
}

static const char *name_at(struct dwarf *dwarf, uint64_t address)
{
    struct debug_frame f[1];
    bool plain;

    return dwarf_frames(dwarf, address, f, 1, &plain) && f[0].function
               ? f[0].function
               : "";
}

/* Of addresses: whether the function is there. */
struct want {
    uint64_t address;
    bool there;
};

static void check(struct dwarf_parts *d, const struct want *want, size_t n)
{
    struct dwarf *dwarf = open_parts(d);

    for (size_t i = 0; i < n; i++)
        ck_assert_msg(!strcmp(name_at(dwarf, want[i].address),
                              want[i].there ? "f" : ""),
                      "version %u, 0x%llx", d->version,
                      (unsigned long long)want[i].address);
    ck_assert_ptr_null(dwarf_flaw(dwarf));
    dwarf_close(dwarf);
    dwarf_parts_release(d);
}

#define CHECK(d, want) check(d, want, sizeof(want) / sizeof(*(want)))

/* ---- lists of ranges ---- */

/* A function whose ranges are a list in this form; those of the unit count
 * from LOW. */
static void put_function(struct dwarf_parts *d, uint16_t form, uint64_t value)
{
    struct blob *info = dwarf_info(d);
    uint8_t size = d->address_size;

    DWARF_ABBREV(d, UNIT, DW_TAG_compile_unit, true, DW_AT_low_pc, DW_FORM_addr,
                 DW_AT_addr_base, DW_FORM_sec_offset, DW_AT_rnglists_base,
                 DW_FORM_sec_offset);
    DWARF_ABBREV(d, FUNCTION, DW_TAG_subprogram, false, DW_AT_name,
                 DW_FORM_string, DW_AT_ranges, form);
    dwarf_unit_begin(d);
    blob_u8(info, UNIT);
    blob_number(info, LOW, size);
    dwarf_offset(d, info, 8);
    dwarf_offset(d, info, 12);
    blob_u8(info, FUNCTION);
    dwarf_string(info, "f");
    if (form == DW_FORM_rnglistx)
        dwarf_uleb(info, value);
    else
        dwarf_offset(d, info, value);
    blob_u8(info, 0);
    dwarf_unit_end(d);
}

static void put_pair(struct dwarf_parts *d, uint64_t low, uint64_t high)
{
    struct blob *b = dwarf_part(d, ".debug_ranges");

    blob_number(b, low, d->address_size);
    blob_number(b, high, d->address_size);
}

TEST(pairs)
{
    static const struct want want[] = {
        {0x100F, false}, {0x1010, true},  {0x101F, true},  {0x1020, false},
        {0x2FFF, false}, {0x3000, true},  {0x301F, true},  {0x3020, false},
        {0x4000, false}, {0x5000, false}, {0x1002, false}, {0x1050, false},
    };

    for (uint16_t version = 2; version <= 4; version++)
        for (uint8_t size = 4; size <= 8; size += 4) {
            struct dwarf_parts d = {.version = version, .address_size = size};
            uint64_t top = size == 8 ? UINT64_MAX : UINT32_MAX;

            put_function(&d, DW_FORM_sec_offset, 3);
            blob_zero(dwarf_part(&d, ".debug_ranges"), 3);
            put_pair(&d, 0x10, 0x20);
            put_pair(&d, 0x50, 0x50);        /* nothing */
            put_pair(&d, top - 1, 0x5000);   /* dropped */
            put_pair(&d, top, 0x3000);       /* counts from there */
            put_pair(&d, 0, 0x20);
            put_pair(&d, top, 1);            /* dropped as well */
            put_pair(&d, 0, 0x5000);
            put_pair(&d, 0, 0);              /* the end */
            put_pair(&d, 0x4000, 0x4010);
            CHECK(&d, want);
        }
}

enum { INDICES = 3 };

/* A table of offsets and a list of every kind of entry. */
static void put_lists(struct dwarf_parts *d)
{
    struct blob *b = dwarf_part(d, ".debug_rnglists");
    struct blob *addr = dwarf_part(d, ".debug_addr");
    uint64_t top = d->address_size == 8 ? UINT64_MAX : UINT32_MAX;
    uint8_t size = d->address_size;

    blob_zero(addr, 8);
    blob_number(addr, 0x2000, size);
    blob_number(addr, 0x2010, size);
    blob_number(addr, 0x3000, size);
    blob_zero(b, 12);
    for (uint64_t i = 0; i < INDICES; i++)
        dwarf_offset(d, b, i ? INDICES * (uint64_t)dwarf_width(d) : 1000);
    blob_u8(b, DW_RLE_offset_pair); /* 1010 to 1090 */
    dwarf_uleb(b, 0x10);
    dwarf_uleb(b, 0x90);
    blob_u8(b, DW_RLE_startx_endx); /* 2000 to 2010 */
    dwarf_uleb(b, 0);
    dwarf_uleb(b, 1);
    blob_u8(b, DW_RLE_startx_length); /* 3000 to 3081 */
    dwarf_uleb(b, 2);
    dwarf_uleb(b, 0x81);
    blob_u8(b, DW_RLE_startx_length); /* no such address */
    dwarf_uleb(b, 1 << 20);
    dwarf_uleb(b, 0x7000);
    blob_u8(b, DW_RLE_startx_endx);
    dwarf_uleb(b, 1 << 20);
    dwarf_uleb(b, 2);
    blob_u8(b, DW_RLE_start_end); /* 4000 to 4020 */
    blob_number(b, 0x4000, size);
    blob_number(b, 0x4020, size);
    blob_u8(b, DW_RLE_start_length); /* 5000 to 5030 */
    blob_number(b, 0x5000, size);
    dwarf_uleb(b, 0x30);
    blob_u8(b, DW_RLE_base_address);
    blob_number(b, top, size);
    blob_u8(b, DW_RLE_offset_pair); /* dropped */
    dwarf_uleb(b, 0x7001);
    dwarf_uleb(b, 0x7010);
    blob_u8(b, DW_RLE_base_address);
    blob_number(b, top - 1, size);
    blob_u8(b, DW_RLE_offset_pair); /* as well */
    dwarf_uleb(b, 0x7002);
    dwarf_uleb(b, 0x7010);
    blob_u8(b, DW_RLE_base_address);
    blob_number(b, 0x6000, size);
    blob_u8(b, DW_RLE_offset_pair); /* 6008 to 6010 */
    dwarf_uleb(b, 8);
    dwarf_uleb(b, 0x10);
    blob_u8(b, DW_RLE_base_addressx);
    dwarf_uleb(b, 1);
    blob_u8(b, DW_RLE_offset_pair); /* 2018 to 2020 */
    dwarf_uleb(b, 8);
    dwarf_uleb(b, 0x10);
    blob_pack(b, "BB", DW_RLE_end_of_list, DW_RLE_start_length);
    blob_number(b, 0x7000, size);
    dwarf_uleb(b, 0x100);
}

static const struct want every_kind[] = {
    {0x100F, false}, {0x1010, true}, {0x108F, true}, {0x1090, false},
    {0x1FFF, false}, {0x2000, true}, {0x200F, true}, {0x2010, false},
    {0x2017, false}, {0x2018, true}, {0x201F, true}, {0x2020, false},
    {0x2FFF, false}, {0x3000, true}, {0x3080, true}, {0x3081, false},
    {0x3FFF, false}, {0x4000, true}, {0x401F, true}, {0x4020, false},
    {0x4FFF, false}, {0x5000, true}, {0x502F, true}, {0x5030, false},
    {0x6007, false}, {0x6008, true}, {0x600F, true}, {0x6010, false},
    {0x7000, false}, {0x7005, false},
};

TEST(lists)
{
    for (int wide = 0; wide < 2; wide++)
        for (uint8_t size = 4; size <= 8; size += 4)
            for (int index = 0; index < 2; index++) {
                struct dwarf_parts d = {
                    .version = 5, .wide = wide, .address_size = size};

                put_lists(&d);
                if (index)
                    put_function(&d, DW_FORM_rnglistx, 2);
                else
                    put_function(&d, DW_FORM_sec_offset,
                                 12 + INDICES * (uint64_t)dwarf_width(&d));
                CHECK(&d, every_kind);
            }
}

/* An index behind the table, and an entry that is cut off or unknown, or
 * counts from an address that is not there. */
TEST(damaged_lists)
{
    static const struct want none[] = {{0x1010, false}, {0x4000, false}};
    static const struct want first[] = {{0x1010, true}, {0x101F, true},
                                        {0x1FFF, false}, {0x4000, false}};
    static const uint8_t ends[][4] = {{DW_RLE_base_addressx, 9, 0, 0},
                                      {0x55, 9, 0, 0},
                                      {DW_RLE_start_end, 0, 0x40, 0}};
    struct dwarf_parts d = {.version = 5, .address_size = 8};

    put_lists(&d);
    put_function(&d, DW_FORM_rnglistx, 0); /* which leads nowhere */
    CHECK(&d, none);
    d = (struct dwarf_parts){.version = 5, .address_size = 8};
    put_lists(&d);
    put_function(&d, DW_FORM_rnglistx, UINT64_MAX / 2);
    CHECK(&d, none);
    for (size_t i = 0; i < 3; i++) {
        struct blob *b;

        d = (struct dwarf_parts){.version = 5, .address_size = 8};
        b = dwarf_part(&d, ".debug_rnglists");
        blob_bytes(b, (const uint8_t[]){DW_RLE_offset_pair, 0x10, 0x20}, 3);
        blob_bytes(b, ends[i], 4);
        blob_bytes(b, (const uint8_t[]){DW_RLE_offset_pair, 0, 0x80, 0x7F}, 4);
        put_function(&d, DW_FORM_sec_offset, 0);
        if (i == 2)
            b->len = 7;
        CHECK(&d, first);
    }
}

/* ---- the address table ---- */

/* Two units of one function each, "f" at LOW and "f" at 0x2000, which the
 * address table lists elsewhere: it is believed. */
static void put_units(struct dwarf_parts *d)
{
    struct blob *info = dwarf_info(d);

    DWARF_ABBREV(d, UNIT, DW_TAG_compile_unit, true, DW_AT_language,
                 DW_FORM_data1);
    DWARF_ABBREV(d, FUNCTION, DW_TAG_subprogram, false, DW_AT_name,
                 DW_FORM_string, DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc,
                 DW_FORM_data1);
    for (uint64_t i = 0; i < 2; i++) {
        dwarf_unit_begin(d);
        blob_bytes(info, "\1\4\2f", 5);
        blob_number(info, LOW + 0x1000 * i, d->address_size);
        blob_pack(info, "BB", 0x10, 0);
        dwarf_unit_end(d);
    }
}

struct set {
    uint16_t version;
    uint64_t unit;
    uint8_t width, segments;
};

/* A set of one pair; it may lack its end. */
static void put_set(struct dwarf_parts *d, struct set s, uint64_t low,
                    uint64_t size, bool ends)
{
    struct blob *b = dwarf_part(d, ".debug_aranges");
    size_t start = b->len, at = dwarf_length_begin(d, b);

    blob_u16(b, s.version);
    dwarf_offset(d, b, s.unit);
    blob_pack(b, "BB", s.width, s.segments);
    while ((b->len - start) % (2u * s.width))
        blob_u8(b, 0xEE);
    blob_number(b, low, s.width);
    blob_number(b, size, s.width);
    if (ends)
        blob_zero(b, 2u * s.width);
    dwarf_length_end(d, b, at);
}

static struct dwarf_parts two_units(uint8_t size, bool wide)
{
    struct dwarf_parts d = {.version = 4, .address_size = size, .wide = wide};

    put_units(&d);
    return d;
}

/* Entries of the table are believed even if they are wrong. If the table lists
 * a unit completely, nothing is searched elsewhere for it. */
TEST(listed_units)
{
    static const struct want want[] = {
        {0x1000, true}, {0x100F, true}, {0x1010, false},
        {0x2000, true}, {0x200F, true}, {0x2010, false}, {0x3000, false}};

    for (uint8_t size = 4; size <= 8; size += 4)
        for (int wide = 0; wide < 2; wide++) {
            struct dwarf_parts d = two_units(size, wide);
            struct set s = {2, 0, size, 0};

            put_set(&d, s, LOW, 0x10, true);
            s.unit = d.unit;
            put_set(&d, s, 0x2000, 0x10, true);
            CHECK(&d, want);
        }
}

/* Sets of another kind do not count, and those behind them do. */
TEST(sets_of_other_kinds)
{
    static const struct set others[] = {{3, 0, 8, 0}, {2, 0, 8, 1},
                                        {2, 0, 2, 0}, {2, 0x1000, 8, 0}};
    static const struct want want[] = {
        {0x1000, true}, {0x1010, false}, {0x2000, true}};

    for (size_t i = 0; i < COUNT(others); i++) {
        struct dwarf_parts d = two_units(8, false);
        struct set s = {2, d.unit, 8, 0};

        put_set(&d, others[i], 0x2000, 0x10, true); /* as the first unit's */
        put_set(&d, s, 0x2000, 0x10, true);
        CHECK(&d, want);
    }
}

/* Without its end a set may lack more; what is listed again, the linker
 * dropped, or a length that goes round, is none. */
TEST(damaged_sets)
{
    static const struct want want[] = {
        {0x1000, true}, {0x1010, false}, {0x2000, true}, {0x2010, false},
        {0, false}, {1, false}, {8, false}, {UINT64_MAX - 1, false}};
    struct dwarf_parts d = two_units(8, false);
    struct set s = {2, 0, 8, 0};

    put_set(&d, s, LOW, 0x8, false);
    put_set(&d, s, 0x3000, 0x10, true);
    s.unit = d.unit;
    put_set(&d, s, 0x2000, 0x10, true);
    put_set(&d, s, 0x5000, 0x10, true);
    CHECK(&d, want);
    for (uint64_t low = 0; low < 2; low++) {
        d = two_units(8, false);
        put_set(&d, (struct set){2, 0, 8, 0}, low, 0x10, true);
        CHECK(&d, want);
    }
    d = two_units(8, false);
    put_set(&d, (struct set){2, 0, 8, 0}, UINT64_MAX - 4, 5, true);
    CHECK(&d, want);
    d = two_units(8, false);
    put_set(&d, (struct set){2, 0, 8, 0}, LOW, 0x10, true);
    dwarf_part(&d, ".debug_aranges")->len -= 1; /* cut off: no set */
    CHECK(&d, want);
}
