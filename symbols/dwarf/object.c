#include "symbols/dwarf/object.h"

#include <stdlib.h>
#include <string.h>

/* Section 0 is none, as in ELF. */
static int section_info(void *context, Dwarf_Half index,
                        Dwarf_Obj_Access_Section *info, int *error)
{
    const struct object *o = context;

    (void)error;
    if (index >= OBJECT_SECTIONS)
        return DW_DLV_NO_ENTRY;
    *info = (Dwarf_Obj_Access_Section){
        .name = o->sections[index].name,
        .size = o->sections[index].bytes.len,
    };
    return DW_DLV_OK;
}

static int load_section(void *context, Dwarf_Half index, Dwarf_Small **data,
                        int *error)
{
    const struct object *o = context;

    (void)error;
    if (index >= OBJECT_SECTIONS || !o->sections[index].bytes.len)
        return DW_DLV_NO_ENTRY;
    /* Nothing is relocated, so nothing is written. */
    *data = (Dwarf_Small *)o->sections[index].bytes.data;
    return DW_DLV_OK;
}

static Dwarf_Endianness byte_order(void *context)
{
    (void)context;
    return DW_OBJECT_LSB;
}

static Dwarf_Small length_size(void *context)
{
    (void)context;
    return 4;
}

static Dwarf_Small pointer_size(void *context)
{
    (void)context;
    return 8;
}

static Dwarf_Unsigned section_count(void *context)
{
    (void)context;
    return OBJECT_SECTIONS;
}

static const struct Dwarf_Obj_Access_Methods_s methods = {
    .get_section_info = section_info,
    .get_byte_order = byte_order,
    .get_length_size = length_size,
    .get_pointer_size = pointer_size,
    .get_section_count = section_count,
    .load_section = load_section,
};

static void check_memory(Dwarf_Error error)
{
    if (dwarf_errno(error) == DW_DLE_ALLOC_FAIL)
        mem_exhausted(0);
}

/* Without a handler libdwarf aborts where a caller wants no details. */
static void drop_error(Dwarf_Error error, Dwarf_Ptr context)
{
    const struct object *o = context;

    check_memory(error);
    dwarf_dealloc_error(o->debug, error);
}

/* unit_length 12, version 4, abbreviations at 0, address size 8; entry 1 with
 * its line table at 0. */
static const uint8_t unit_bytes[] = {12, 0, 0, 0, 4, 0, 0, 0,
                                     0,  0, 8, 1, 0, 0, 0, 0};

/* 1: DW_TAG_compile_unit, no children, DW_AT_stmt_list DW_FORM_sec_offset. */
static const uint8_t abbrev_bytes[] = {1, 0x11, 0, 0x10, 0x17, 0, 0, 0};

static void put_u32(uint8_t *to, uint64_t value)
{
    for (unsigned i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

/* The table ends where its program would begin. */
static void cut_header(struct object *o, struct bytes header)
{
    o->header = mem_new(header.len, 1);
    memcpy(o->header, header.data, header.len);
    if (load_u32(o->header) != UINT32_MAX) {
        put_u32(o->header, header.len - 4);
        return;
    }
    put_u32(o->header + 4, header.len - 12);
    put_u32(o->header + 8, (uint64_t)(header.len - 12) >> 32);
}

Dwarf_Die object_open(struct object *o, const struct dwarf_sections *s,
                      struct bytes header)
{
    Dwarf_Error error = NULL;

    *o = (struct object){
        .access = {.object = o, .methods = &methods},
        .sections = {{"", {0}},
                     {".debug_info", {unit_bytes, sizeof(unit_bytes)}},
                     {".debug_abbrev", {abbrev_bytes, sizeof(abbrev_bytes)}},
                     {".debug_line", {0}},
                     {".debug_str", s->str},
                     {".debug_line_str", s->line_str}},
    };
    cut_header(o, header);
    o->sections[3].bytes = (struct bytes){o->header, header.len};
    /* Every object is given back by hand: no list of all of them is kept. */
    dwarf_set_de_alloc_flag(0);
    if (dwarf_object_init_b(&o->access, drop_error, o, DW_GROUPNUMBER_ANY,
                            &o->debug, &error) != DW_DLV_OK) {
        if (error) {
            check_memory(error);
            dwarf_dealloc_error(NULL, error);
        }
        o->debug = NULL;
        return NULL;
    }
    if (dwarf_offdie_b(o->debug, 11, 1, &o->unit, NULL) != DW_DLV_OK)
        o->unit = NULL;
    return o->unit;
}

void object_close(struct object *o)
{
    if (o->unit)
        dwarf_dealloc_die(o->unit);
    if (o->debug)
        dwarf_object_finish(o->debug, NULL);
    free(o->header);
}
