/* Bytes that have to be made ready before they are read: which, and in which
 * order, are asked for. */
#include "symbols/dwarf/dwarf.h"

#include "tests/support/dwarf_writer.h"
#include "tests/support/suite.h"

enum {
    UNIT = 1,
    FUNCTION,
    LOW = 0x1000,
    UNITS = 8,
    PADDING = 3000,
    MOST = 200
};

static struct {
    struct dwarf_parts d;
    size_t starts[UNITS + 1];
    struct {
        bool of_info;
        size_t from, to;
    } asked[MOST];
    size_t count;
    size_t forgotten, forgotten_to;
    bool refuses_info, refuses_strings;
} world;

static bool need(void *context, const uint8_t *from, size_t n)
{
    const struct blob *info = dwarf_info(&world.d);
    const struct blob *str = dwarf_part(&world.d, ".debug_str");
    bool of_info = from >= info->data && from < info->data + info->len;
    const struct blob *b = of_info ? info : str;

    (void)context;
    ck_assert(from >= b->data && from + n <= b->data + b->len && n > 0);
    ck_assert_uint_lt(world.count, MOST);
    world.asked[world.count].of_info = of_info;
    world.asked[world.count].from = (size_t)(from - b->data);
    world.asked[world.count++].to = (size_t)(from - b->data) + n;
    return !(of_info ? world.refuses_info : world.refuses_strings);
}

static void forget(void *context, const uint8_t *from, size_t n)
{
    const struct blob *info = dwarf_info(&world.d);

    (void)context;
    ck_assert_uint_eq(world.forgotten, 0);
    world.forgotten = (size_t)(from - info->data);
    world.forgotten_to = world.forgotten + n;
}

/* Units of one function each, 0x1000 apart, whose names are strings; all but
 * the last are in the address table. */
static void make_units(size_t padding)
{
    struct dwarf_parts *d = &world.d;
    struct blob *info = dwarf_info(d), *str, *b;

    memset(&world, 0, sizeof(world));
    d->version = 4;
    info = dwarf_info(d);
    str = dwarf_part(d, ".debug_str");
    DWARF_ABBREV(d, UNIT, DW_TAG_compile_unit, true, DW_AT_language,
                 DW_FORM_data1);
    DWARF_ABBREV(d, FUNCTION, DW_TAG_subprogram, false, DW_AT_const_value,
                 DW_FORM_block4, DW_AT_name, DW_FORM_strp, DW_AT_low_pc,
                 DW_FORM_addr, DW_AT_high_pc, DW_FORM_data1);
    b = dwarf_part(d, ".debug_aranges");
    for (uint64_t i = 0; i < UNITS; i++) {
        size_t at;

        dwarf_unit_begin(d);
        world.starts[i] = d->unit;
        blob_bytes(info, "\1\4\2", 3);
        blob_u32(info, (uint32_t)padding);
        blob_zero(info, padding);
        blob_u32(info, (uint32_t)str->len);
        blob_u64(info, LOW + 0x1000 * i);
        blob_u8(info, 0x10);
        blob_u8(info, 0);
        dwarf_unit_end(d);
        for (int k = 0; k < 300; k++)
            blob_u8(str, (uint8_t)('a' + i));
        blob_u8(str, 0);
        if (i + 1 == UNITS)
            break;
        at = dwarf_length_begin(d, b);
        blob_u16(b, 2);
        blob_u32(b, (uint32_t)d->unit);
        blob_bytes(b, "\10\0\0\0\0\0", 6);
        blob_u64(b, LOW + 0x1000 * i);
        blob_u64(b, 0x10);
        blob_zero(b, 16);
        dwarf_length_end(d, b, at);
    }
    world.starts[UNITS] = info->len;
}

static struct dwarf *open_units(void)
{
    struct dwarf_source source = dwarf_source_of(&world.d);
    struct err err = {0};
    struct dwarf *dwarf;

    source.need = need;
    source.forget = forget;
    dwarf = dwarf_open(&source, &err);
    ck_assert_ptr_nonnull(dwarf);
    return dwarf;
}

/* The first letter of the name of what is at the function of a unit; '-' for
 * a function without a name, '\0' for none. */
static char letter(struct dwarf *dwarf, uint64_t unit)
{
    struct debug_frame f[1];
    bool plain;

    if (!dwarf_frames(dwarf, LOW + 0x1000 * unit, f, 1, &plain))
        return '\0';
    if (!f[0].function)
        return '-';
    ck_assert_uint_eq(strlen(f[0].function), 300);
    return *f[0].function;
}

static bool was_asked(size_t from, size_t to)
{
    for (size_t i = 0; i < world.count; i++)
        if (world.asked[i].of_info && world.asked[i].from == from &&
            world.asked[i].to == to)
            return true;
    return false;
}

static bool strings_were_asked(size_t n)
{
    for (size_t i = 0; i < world.count; i++)
        if (!world.asked[i].of_info && world.asked[i].from == 0 &&
            world.asked[i].to == n)
            return true;
    return false;
}

/* Units of the addresses that are expected are asked for as they lie, and no
 * other; strings all at once only where many will be. */
static void check_expected(const uint64_t *units, size_t n, uint64_t base,
                           bool strings)
{
    uint64_t addresses[UNITS];
    bool wanted[UNITS] = {false};
    size_t last = 0;
    struct dwarf *dwarf;

    make_units(PADDING);
    dwarf = open_units();
    for (size_t i = 0; i < n; i++) {
        addresses[i] = LOW + 0x1000 * units[i] + 5 - base;
        wanted[units[i]] = true;
    }
    world.count = 0;
    dwarf_expect(dwarf, base, addresses, n);
    for (size_t i = 0; i + 1 < UNITS; i++)
        ck_assert(was_asked(world.starts[i], world.starts[i + 1]) == wanted[i]);
    for (size_t i = 0; i < world.count; i++) {
        if (!world.asked[i].of_info)
            continue;
        ck_assert_uint_ge(world.asked[i].from, last);
        last = world.asked[i].from;
    }
    ck_assert(strings_were_asked(301 * UNITS) == strings);
    for (size_t i = 0; i < n; i++)
        ck_assert_int_eq(letter(dwarf, units[i]), 'a' + (int)units[i]);
    dwarf_close(dwarf);
    dwarf_parts_release(&world.d);
}

START_TEST(expected_units)
{
    static const uint64_t units[] = {4, 1, 4, 6};

    check_expected(units, 1, 0, false);
    check_expected(units + 1, 1, 0x500, false);
    check_expected(units, 4, 0, true);
    check_expected(units, 2, 0x500, true);
}
END_TEST

/* Without being told, one after the other. */
START_TEST(units_by_address)
{
    struct dwarf *dwarf;

    make_units(PADDING);
    dwarf = open_units();
    for (uint64_t i = UNITS; i-- > 0;)
        ck_assert_int_eq(letter(dwarf, i), 'a' + (int)i);
    ck_assert_int_eq(letter(dwarf, UNITS), '\0');
    for (size_t i = 0; i < UNITS; i++)
        ck_assert(was_asked(world.starts[i], world.starts[i + 1]));
    dwarf_close(dwarf);
    dwarf_parts_release(&world.d);
}
END_TEST

/* What cannot be made ready is not read. */
START_TEST(not_ready)
{
    struct dwarf *dwarf;

    make_units(PADDING);
    dwarf = open_units();
    world.refuses_strings = true;
    ck_assert_int_eq(letter(dwarf, 2), '-');
    world.refuses_strings = false;
    world.refuses_info = true;
    ck_assert_int_eq(letter(dwarf, 3), '\0');
    dwarf_expect(dwarf, 0, (uint64_t[]){LOW + 0x4000}, 1);
    ck_assert_int_eq(letter(dwarf, 4), '\0');
    dwarf_close(dwarf);
    dwarf_parts_release(&world.d);
}
END_TEST

/* Once more than 4 MiB of units were passed they are told to be forgotten. The
 * first was read when the file was opened. */
START_TEST(passed_units)
{
    enum { PASS = 4 << 20 };
    struct dwarf *dwarf;

    make_units(PASS / 4);
    dwarf = open_units();
    ck_assert_int_eq(letter(dwarf, UNITS), '\0');
    ck_assert_uint_eq(world.forgotten, world.starts[1]);
    ck_assert_uint_eq(world.forgotten_to, world.starts[5]);
    dwarf_close(dwarf);
    dwarf_parts_release(&world.d);
}
END_TEST

int main(void)
{
    return suite_run("needed", expected_units, units_by_address, not_ready,
                     passed_units);
}
