/* Entries below each other: scopes, calls in calls and functions in functions,
 * whether or not entries tell where those behind their children are. */
#include "symbols/dwarf/dwarf.h"

#include "tests/support/dwarf_writer.h"
#include "tests/support/suite.h"

enum {
    UNIT = 1,
    SPACE, /* a namespace */
    CLASS,
    METHOD,   /* declared there */
    FUNCTION, /* with code */
    DEFINED,  /* the same of what is declared elsewhere */
    CALL,     /* inlined */
    BLOCK,
    VARIABLE,
    LOW = 0x1000,
};

struct made {
    struct dwarf_parts d;
    bool siblings;
    size_t open[16];
    size_t depth;
};

static void put_abbrevs(struct made *m)
{
    uint16_t sibling = m->siblings ? DW_AT_sibling : DW_AT_decl_column;
    struct dwarf_parts *d = &m->d;

    DWARF_ABBREV(d, UNIT, DW_TAG_compile_unit, true, DW_AT_language,
                 DW_FORM_data1);
    DWARF_ABBREV(d, SPACE, DW_TAG_namespace, true, sibling, DW_FORM_ref4,
                 DW_AT_name, DW_FORM_string);
    DWARF_ABBREV(d, CLASS, DW_TAG_class_type, true, sibling, DW_FORM_ref4,
                 DW_AT_name, DW_FORM_string);
    DWARF_ABBREV(d, METHOD, DW_TAG_subprogram, false, DW_AT_name,
                 DW_FORM_string, DW_AT_declaration, DW_FORM_flag_present);
    DWARF_ABBREV(d, FUNCTION, DW_TAG_subprogram, true, sibling, DW_FORM_ref4,
                 DW_AT_name, DW_FORM_string, DW_AT_low_pc, DW_FORM_addr,
                 DW_AT_high_pc, DW_FORM_data2);
    DWARF_ABBREV(d, DEFINED, DW_TAG_subprogram, false, DW_AT_specification,
                 DW_FORM_ref4, DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc,
                 DW_FORM_data2);
    DWARF_ABBREV(d, CALL, DW_TAG_inlined_subroutine, true, sibling,
                 DW_FORM_ref4, DW_AT_name, DW_FORM_string, DW_AT_low_pc,
                 DW_FORM_addr, DW_AT_high_pc, DW_FORM_data2, DW_AT_call_line,
                 DW_FORM_data1);
    DWARF_ABBREV(d, BLOCK, DW_TAG_lexical_block, true, sibling, DW_FORM_ref4);
    DWARF_ABBREV(d, VARIABLE, DW_TAG_variable, false, DW_AT_name,
                 DW_FORM_string);
}

static size_t begin_entry(struct made *m, uint8_t code, const char *name)
{
    struct blob *info = dwarf_info(&m->d);
    size_t at = info->len - m->d.unit;

    blob_u8(info, code);
    m->open[m->depth++] = info->len;
    blob_u32(info, 0);
    if (name)
        dwarf_string(info, name);
    return at;
}

static void put_code(struct made *m, uint64_t low, uint16_t size)
{
    blob_pack(dwarf_info(&m->d), "QH", low, size);
}

static void end_entry(struct made *m)
{
    struct blob *info = dwarf_info(&m->d);

    blob_u8(info, 0);
    blob_set(info, m->open[--m->depth], info->len - m->d.unit, 4);
}

static void variable(struct made *m)
{
    blob_u8(dwarf_info(&m->d), VARIABLE);
    dwarf_string(dwarf_info(&m->d), "v");
}

static void function(struct made *m, const char *name, uint64_t low,
                     uint16_t size)
{
    (void)begin_entry(m, FUNCTION, name);
    put_code(m, low, size);
}

static void call(struct made *m, const char *name, uint64_t low, uint16_t size,
                 uint8_t line)
{
    (void)begin_entry(m, CALL, name);
    put_code(m, low, size);
    blob_u8(dwarf_info(&m->d), line);
}

static size_t method(struct made *m, const char *name)
{
    struct blob *info = dwarf_info(&m->d);
    size_t at = info->len - m->d.unit;

    blob_u8(info, METHOD);
    dwarf_string(info, name);
    return at;
}

static void defined(struct made *m, size_t declared, uint64_t low)
{
    blob_pack(dwarf_info(&m->d), "BI", DEFINED, (uint32_t)declared);
    put_code(m, low, 0x10);
}

static void begin(struct made *m, bool siblings)
{
    *m = (struct made){.d.version = 4, .siblings = siblings};
    put_abbrevs(m);
    dwarf_unit_begin(&m->d);
    blob_bytes(dwarf_info(&m->d), "\1\4", 2);
}

/* Names at an address, innermost first, with the lines of their calls. */
static void check(struct dwarf *dwarf, uint64_t address, const char *want)
{
    struct debug_frame f[8];
    char text[300] = "", *at = text;
    bool plain;
    size_t n = dwarf_frames(dwarf, address, f, 8, &plain);

    for (size_t i = 0; i < n; i++) {
        at += sprintf(at, "%s%s", i ? " < " : "",
                      f[i].function ? f[i].function : "?");
        if (f[i].line)
            at += sprintf(at, ":%u", f[i].line);
    }
    ck_assert_msg(!strcmp(text, want), "0x%llx: %s, not %s",
                  (unsigned long long)address, text, want);
}

static struct dwarf *open_made(struct made *m)
{
    struct dwarf_source source;
    struct err err = {0};
    struct dwarf *dwarf;

    blob_u8(dwarf_info(&m->d), 0);
    dwarf_unit_end(&m->d);
    source = dwarf_source_of(&m->d);
    dwarf = dwarf_open(&source, &err);
    ck_assert_msg(dwarf != NULL, "%s", err.message);
    return dwarf;
}

static void end(struct made *m, struct dwarf *dwarf)
{
    dwarf_close(dwarf);
    dwarf_parts_release(&m->d);
}

TEST(scopes)
{
    for (int siblings = 0; siblings < 2; siblings++) {
        size_t first, second, third;
        struct dwarf *dwarf;
        struct made m;

        begin(&m, siblings);
        variable(&m);
        (void)begin_entry(&m, SPACE, "a");
        (void)begin_entry(&m, CLASS, "K");
        first = method(&m, "one");
        (void)begin_entry(&m, CLASS, "In");
        second = method(&m, "two");
        end_entry(&m);
        third = method(&m, "three");
        end_entry(&m);
        function(&m, "f", LOW, 0x10);
        variable(&m);
        end_entry(&m);
        (void)begin_entry(&m, SPACE, "b");
        function(&m, "g", LOW + 0x10, 0x10);
        end_entry(&m);
        end_entry(&m);
        function(&m, "h", LOW + 0x20, 0x10);
        end_entry(&m);
        end_entry(&m);
        function(&m, "free", LOW + 0x30, 0x10);
        end_entry(&m);
        defined(&m, first, LOW + 0x40);
        defined(&m, second, LOW + 0x50);
        defined(&m, third, LOW + 0x60);
        dwarf = open_made(&m);
        for (int again = 0; again < 2; again++) {
            check(dwarf, LOW - 1, "");
            check(dwarf, LOW, "a::f");
            check(dwarf, LOW + 0x1F, "a::b::g");
            check(dwarf, LOW + 0x20, "a::h");
            check(dwarf, LOW + 0x30, "free");
            check(dwarf, LOW + 0x60, "a::K::three");
            check(dwarf, LOW + 0x50, "a::K::In::two");
            check(dwarf, LOW + 0x40, "a::K::one");
            check(dwarf, LOW + 0x70, "");
        }
        end(&m, dwarf);
    }
}

/* As many frames as there is room for, the innermost ones; calls without a
 * name are inlined ones all the same. */
TEST(short_answers)
{
    struct dwarf *dwarf;
    struct made m;

    begin(&m, true);
    function(&m, "f", LOW, 0x40);
    call(&m, "", LOW, 0x20, 1);
    call(&m, "b", LOW, 0x10, 2);
    end_entry(&m);
    end_entry(&m);
    end_entry(&m);
    function(&m, "", LOW + 0x40, 0x10);
    end_entry(&m);
    dwarf = open_made(&m);
    check(dwarf, LOW, "b < (inlined):2 < f:1");
    check(dwarf, LOW + 0x10, "(inlined) < f:1");
    check(dwarf, LOW + 0x40, "?");
    for (size_t max = 1; max <= 4; max++) {
        struct debug_frame f[5] = {[3].line = 99, [4].line = 99};
        bool plain = false;
        size_t n = dwarf_frames(dwarf, LOW, f, max, &plain);

        ck_assert_uint_eq(n, max < 3 ? max : 3);
        ck_assert(plain);
        ck_assert_str_eq(f[0].function, "b");
        for (size_t i = 0; i < n; i++)
            ck_assert(f[i].inlined == (i < 2));
        ck_assert_uint_eq(f[3].line, 99);
        ck_assert_uint_eq(f[max].line, max < 3 ? 0 : 99);
    }
    end(&m, dwarf);
}

/* A function within another, whose code is elsewhere. */
TEST(functions_within)
{
    for (int siblings = 0; siblings < 2; siblings++) {
        struct dwarf *dwarf;
        struct made m;

        begin(&m, siblings);
        (void)begin_entry(&m, SPACE, "s");
        function(&m, "outer", LOW, 0x20);
        function(&m, "inner", LOW + 0x40, 0x20);
        call(&m, "a", LOW + 0x48, 8, 7);
        end_entry(&m);
        end_entry(&m);
        call(&m, "b", LOW + 8, 8, 8);
        function(&m, "inmost", LOW + 0x80, 0x20);
        call(&m, "c", LOW + 0x88, 8, 9);
        end_entry(&m);
        end_entry(&m);
        end_entry(&m);
        end_entry(&m);
        function(&m, "next", LOW + 0x20, 0x20);
        end_entry(&m);
        end_entry(&m);
        dwarf = open_made(&m);
        for (int again = 0; again < 2; again++) {
            check(dwarf, LOW + 7, "s::outer");
            check(dwarf, LOW + 8, "s::b < s::outer:8");
            check(dwarf, LOW + 0x20, "s::next");
            check(dwarf, LOW + 0x40, "s::inner");
            check(dwarf, LOW + 0x48, "s::a < s::inner:7");
            check(dwarf, LOW + 0x80, "s::inmost");
            check(dwarf, LOW + 0x88, "s::c < s::inmost:9");
            check(dwarf, LOW + 0x90, "s::inmost");
            check(dwarf, LOW + 0xA0, "");
        }
        end(&m, dwarf);
    }
}

/* A sibling that lies before or behind the unit, or before the children, is
 * not believed. */
TEST(wrong_siblings)
{
    static const uint32_t wrong[] = {0, 1, 30, 0x7FFFFFFF};

    for (size_t i = 0; i < 4; i++) {
        struct dwarf *dwarf;
        struct made m;
        size_t at;

        begin(&m, true);
        function(&m, "f", LOW, 0x20);
        at = m.open[0];
        call(&m, "a", LOW + 8, 8, 1);
        end_entry(&m);
        end_entry(&m);
        blob_set(dwarf_info(&m.d), at, wrong[i], 4);
        function(&m, "g", LOW + 0x20, 0x20);
        end_entry(&m);
        dwarf = open_made(&m);
        check(dwarf, LOW + 8, "a < f:1");
        check(dwarf, LOW + 0x10, "f");
        check(dwarf, LOW + 0x20, "g");
        end(&m, dwarf);
    }
}
