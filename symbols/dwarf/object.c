#include "symbols/dwarf/object.h"

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
    *data = (Dwarf_Small *)(uintptr_t)o->sections[index].bytes.data;
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

Dwarf_Debug object_open(struct object *o, const struct dwarf_sections *s)
{
    Dwarf_Debug debug = NULL;

    *o = (struct object){
        .access = {.object = o, .methods = &methods},
        .sections = {{"", {0}},
                     {".debug_info", s->info},
                     {".debug_abbrev", s->abbrev},
                     {".debug_line", s->line},
                     {".debug_str", s->str},
                     {".debug_line_str", s->line_str},
                     {".debug_str_offsets", s->str_offsets},
                     {".debug_addr", s->addr},
                     {".debug_ranges", s->ranges},
                     {".debug_rnglists", s->rnglists}},
    };
    /* Every object is given back by hand: no list of all of them is kept. */
    dwarf_set_de_alloc_flag(0);
    if (dwarf_object_init_b(&o->access, NULL, NULL, DW_GROUPNUMBER_ANY, &debug,
                            NULL) != DW_DLV_OK)
        return NULL;
    return debug;
}

void object_close(Dwarf_Debug debug)
{
    dwarf_object_finish(debug, NULL);
}
