/* Debug information in other files: split units in packages and in files of
 * their own, and the parts that dwz moved out. */
#include "symbols/dwarf/dwarf.h"

#include "tests/support/dwarf_writer.h"
#include "tests/support/suite.h"

enum { UNIT = 1, FUNCTION, LOW = 0x1000 };

#define ID 0x0123456789ABCDEFu

/* A program and the other files that it may ask for, by their kinds. */
struct world {
    struct dwarf_parts program, others[3];
    unsigned asked[3];
    struct dwarf_companion last;
};

static struct bytes world_section(void *context, const char *name)
{
    struct world *w = context;

    return dwarf_section_of(&w->program, name);
}

static bool companion(void *context, const struct dwarf_companion *wanted,
                      struct dwarf_source *found)
{
    struct world *w = context;

    w->asked[wanted->kind]++;
    w->last = *wanted;
    *found = dwarf_source_of(&w->others[wanted->kind]);
    return w->others[wanted->kind].parts[0].name != NULL;
}

static struct dwarf *open_world(struct world *w)
{
    struct dwarf_source source = {.name = "made",
                                  .context = w,
                                  .section = world_section,
                                  .companion = companion};
    struct err err = {0};
    struct dwarf *dwarf = dwarf_open(&source, &err);

    ck_assert_msg(dwarf != NULL, "%s", err.message);
    return dwarf;
}

/* The name of the function at LOW; "" for none. */
static void check_name(struct world *w, const char *name)
{
    struct dwarf *dwarf = open_world(w);
    struct debug_frame f[2];
    bool plain;

    for (int again = 0; again < 2; again++) {
        size_t n = dwarf_frames(dwarf, LOW, f, 2, &plain);

        ck_assert_str_eq(n && f[n - 1].function ? f[n - 1].function : "", name);
    }
    dwarf_close(dwarf);
}

static void release(struct world *w)
{
    dwarf_parts_release(&w->program);
    for (size_t i = 0; i < 3; i++)
        dwarf_parts_release(&w->others[i]);
}

/* ---- split units ---- */

/* The unit that the program has of a split one, which holds its addresses. */
static void put_skeleton(struct dwarf_parts *d, uint16_t version)
{
    struct blob *info = dwarf_info(d);

    d->version = version;
    d->type = DW_UT_skeleton;
    DWARF_ABBREV(d, UNIT,
                 version == 5 ? DW_TAG_skeleton_unit : DW_TAG_compile_unit,
                 false, version == 5 ? DW_AT_dwo_name : DW_AT_GNU_dwo_name,
                 DW_FORM_string, DW_AT_comp_dir, DW_FORM_string, DW_AT_low_pc,
                 DW_FORM_addr, DW_AT_high_pc, DW_FORM_data1,
                 version == 5 ? DW_AT_addr_base : DW_AT_GNU_addr_base,
                 DW_FORM_sec_offset, DW_AT_GNU_dwo_id, DW_FORM_data8);
    blob_pack(dwarf_part(d, ".debug_addr"), "8xQ", LOW);
    dwarf_unit_begin(d);
    if (version == 5)
        blob_u64(info, ID);
    blob_u8(info, UNIT);
    dwarf_string(info, "unit.dwo");
    dwarf_string(info, "/build");
    blob_pack(info, "QB", LOW, 0x20);
    dwarf_offset(d, info, 8);
    blob_u64(info, ID);
    dwarf_unit_end(d);
}

/* Sections of split units have names of their own. */
static void move_to_split(struct dwarf_parts *d)
{
    static const char *const names[][2] = {
        {".debug_info", ".debug_info.dwo"},
        {".debug_abbrev", ".debug_abbrev.dwo"},
        {".debug_str", ".debug_str.dwo"},
        {".debug_str_offsets", ".debug_str_offsets.dwo"}};

    for (size_t i = 0; i < DWARF_PARTS && d->parts[i].name; i++)
        for (size_t k = 0; k < 4; k++)
            if (!strcmp(d->parts[i].name, names[k][0])) {
                d->parts[i].name = names[k][1];
                break;
            }
}

/* A unit with a function at LOW, whose name is a string by its index. */
static void put_split(struct dwarf_parts *d, uint16_t version, uint64_t id,
                      const char *name)
{
    struct blob *info = dwarf_info(d);
    struct blob *offsets = dwarf_part(d, ".debug_str_offsets");
    struct blob *str = dwarf_part(d, ".debug_str");
    bool first = !info->len;

    d->version = version;
    d->type = DW_UT_split_compile;
    if (version == 5)
        blob_zero(offsets, d->wide ? 16 : 8);
    dwarf_offset(d, offsets, str->len);
    dwarf_string(str, name);
    if (first) {
        DWARF_ABBREV(d, UNIT, DW_TAG_compile_unit, true, DW_AT_GNU_dwo_id,
                     DW_FORM_data8);
        DWARF_ABBREV(d, FUNCTION, DW_TAG_subprogram, false, DW_AT_name,
                     version == 5 ? DW_FORM_strx : DW_FORM_GNU_str_index,
                     DW_AT_low_pc,
                     version == 5 ? DW_FORM_addrx : DW_FORM_GNU_addr_index,
                     DW_AT_high_pc, DW_FORM_data1);
    }
    dwarf_unit_begin(d);
    if (version == 5)
        blob_u64(info, id);
    blob_pack(info, "BQBBBBB", UNIT, id, FUNCTION, 0, 0, 0x20, 0);
    dwarf_unit_end(d);
}

TEST(files_of_one_unit)
{
    for (uint16_t version = 4; version <= 5; version++)
        for (int wide = 0; wide < 2; wide++) {
            struct world w = {.asked = {0}};
            struct dwarf_parts *other = &w.others[DWARF_SPLIT_UNIT];

            w.program.wide = other->wide = wide;
            put_skeleton(&w.program, version);
            if (version == 5)
                put_split(other, version, ID + 1, "another");
            put_split(other, version, ID, "split");
            if (version == 5) /* its offsets are behind those of the other */
                blob_set(dwarf_part(other, ".debug_str_offsets"), wide ? 16 : 8,
                         8, wide ? 8 : 4);
            move_to_split(other);
            check_name(&w, "split");
            ck_assert_uint_eq(w.asked[DWARF_PACKAGE], 1);
            ck_assert_uint_eq(w.asked[DWARF_SPLIT_UNIT], 1);
            ck_assert_str_eq(w.last.name, "unit.dwo");
            ck_assert_str_eq(w.last.folder, "/build");
            ck_assert(w.last.split_id == ID);
            release(&w);
        }
}

/* A unit of another id is not this one's; and none is found where none is. */
TEST(units_of_others)
{
    for (uint16_t version = 4; version <= 5; version++) {
        struct world w = {.asked = {0}};
        struct dwarf_parts *other = &w.others[DWARF_SPLIT_UNIT];
        struct dwarf_source source;

        put_skeleton(&w.program, version);
        put_split(other, version, ID + 1, "another");
        move_to_split(other);
        check_name(&w, "");
        source = dwarf_source_of(other);
        ck_assert(dwarf_has_split_unit(&source, ID + 1));
        ck_assert(!dwarf_has_split_unit(&source, ID));
        source = dwarf_source_of(&w.program);
        ck_assert(!dwarf_has_split_unit(&source, ID));
        release(&w);
        w = (struct world){.asked = {0}};
        put_skeleton(&w.program, version);
        check_name(&w, "");
        release(&w);
    }
}

/* The index of a package: slots, of which those of `ids` are in rows of their
 * order, then the offsets of their parts. */
static void put_index(struct dwarf_parts *d, uint32_t slots,
                      const uint64_t *ids, const uint32_t *at, uint32_t n,
                      const uint32_t (*parts)[3])
{
    static const uint32_t columns[3] = {1, 3, 6};
    struct blob *b = dwarf_part(d, ".debug_cu_index");

    blob_pack(b, "IIII", d->version == 5 ? 5 : 2, 3, n, slots);
    blob_zero(b, slots * (size_t)12);
    for (uint32_t i = 0; i < n; i++) {
        blob_set(b, 16 + 8 * (size_t)at[i], ids[i], 8);
        blob_set(b, 16 + 8 * (size_t)slots + 4 * (size_t)at[i], i + 1, 4);
    }
    for (size_t i = 0; i < 3; i++)
        blob_u32(b, columns[i]);
    for (uint32_t i = 0; i < n; i++)
        for (size_t k = 0; k < 3; k++)
            blob_u32(b, parts[i][k]);
    blob_zero(b, n * (size_t)12); /* sizes */
}

/* Without a free slot an id that is not there is not looked for for ever; an
 * index of a number of slots that cannot be is none. */
TEST(damaged_packages)
{
    static const uint64_t ids[] = {1, 2, 3, 4};
    static const uint32_t at[] = {0, 1, 2, 3};
    static const uint32_t counts[] = {4, 3, 0};

    for (size_t i = 0; i < 3; i++) {
        struct world w = {.asked = {0}};
        struct dwarf_parts *package = &w.others[DWARF_PACKAGE];
        static const uint32_t parts[4][3] = {{0}};

        put_skeleton(&w.program, 5);
        put_split(package, 5, 1, "packed");
        put_index(package, 4, ids, at, 4, parts);
        blob_set(dwarf_part(package, ".debug_cu_index"), 12, counts[i], 4);
        move_to_split(package);
        check_name(&w, "");
        ck_assert_uint_eq(w.asked[DWARF_SPLIT_UNIT], 1);
        release(&w);
    }
}

/* ---- files of dwz ---- */

/* A function whose name is in the alternate file, or that is one there. */
static void put_program(struct dwarf_parts *d, uint16_t attribute,
                        uint16_t form, uint64_t value, unsigned width)
{
    struct blob *info = dwarf_info(d);

    d->version = 5;
    DWARF_ABBREV(d, UNIT, DW_TAG_compile_unit, true, DW_AT_language,
                 DW_FORM_data1);
    DWARF_ABBREV(d, FUNCTION, DW_TAG_subprogram, false, attribute, form,
                 DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data1);
    dwarf_unit_begin(d);
    blob_bytes(info, "\1\4\2", 3);
    blob_number(info, value, width);
    blob_pack(info, "QBB", LOW, 0x20, 0);
    dwarf_unit_end(d);
}

/* What it names: byte 14 of .debug_info is a function. */
static void put_alternate(struct dwarf_parts *d)
{
    struct blob *info = dwarf_info(d);

    d->version = 5;
    blob_bytes(dwarf_part(d, ".debug_str"), "one\0two", 8);
    DWARF_ABBREV(d, UNIT, DW_TAG_partial_unit, true, DW_AT_language,
                 DW_FORM_data1);
    DWARF_ABBREV(d, FUNCTION, DW_TAG_subprogram, false, DW_AT_name,
                 DW_FORM_strp);
    dwarf_unit_begin(d);
    blob_bytes(info, "\1\4\2", 3);
    blob_pack(info, "IB", 4, 0);
    dwarf_unit_end(d);
}

static void put_link(struct dwarf_parts *d, const char *section,
                     const char *bytes, size_t n)
{
    blob_bytes(dwarf_part(d, section), bytes, n);
}

TEST(moved_out)
{
    static const struct {
        uint16_t attribute, form;
        uint64_t value;
        unsigned width;
    } rows[] = {
        {DW_AT_name, DW_FORM_GNU_strp_alt, 4, 4},
        {DW_AT_name, DW_FORM_strp_sup, 4, 4},
        {DW_AT_abstract_origin, DW_FORM_GNU_ref_alt, 14, 4},
        {DW_AT_abstract_origin, DW_FORM_ref_sup4, 14, 4},
        {DW_AT_abstract_origin, DW_FORM_ref_sup8, 14, 8},
    };

    for (size_t i = 0; i < COUNT(rows); i++)
        for (int sup = 0; sup < 2; sup++) {
            struct world w = {.asked = {0}};

            put_program(&w.program, rows[i].attribute, rows[i].form,
                        rows[i].value, rows[i].width);
            put_alternate(&w.others[DWARF_ALTERNATE]);
            if (sup)
                put_link(&w.program, ".debug_sup", "\5\0\0alt\0\3ABC", 11);
            else
                put_link(&w.program, ".gnu_debugaltlink", "alt\0ABC", 7);
            check_name(&w, "two");
            ck_assert_uint_eq(w.asked[DWARF_ALTERNATE], 1);
            ck_assert_str_eq(w.last.name, "alt");
            ck_assert_uint_eq(w.last.build_id.len, 3);
            ck_assert_mem_eq(w.last.build_id.data, "ABC", 3);
            release(&w);
        }
}

/* Asked for once, even when it is not there; a link of another version, to
 * this file itself or without a name is none. */
TEST(not_there)
{
    static const struct {
        const char *bytes;
        size_t n;
        unsigned asked;
    } rows[] = {{"\5\0\0alt\0\3ABC", 11, 1},
                {"\4\0\0alt\0\3ABC", 11, 0},
                {"\5\0\1alt\0\3ABC", 11, 0},
                {"\5\0\0alt", 6, 0}};

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct world w = {.asked = {0}};

        put_program(&w.program, DW_AT_name, DW_FORM_strp_sup, 4, 4);
        put_link(&w.program, ".debug_sup", rows[i].bytes, rows[i].n);
        check_name(&w, "");
        ck_assert_uint_eq(w.asked[DWARF_ALTERNATE], rows[i].asked);
        release(&w);
    }
}
