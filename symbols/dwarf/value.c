/* What the values of attributes mean: strings, addresses, other entries. */
#include <libdwarf/dwarf.h>
#include <string.h>

#include "symbols/dwarf/unit.h"

/* A terminated string inside a section. */
static const char *string_at(struct bytes section, uint64_t offset)
{
    if (offset >= section.len ||
        !memchr(section.data + offset, 0, (size_t)(section.len - offset)))
        return NULL;
    return (const char *)section.data + offset;
}

/* Entry `index` of a table of values of `width` bytes. */
static bool table_entry(struct bytes section, uint64_t base, uint64_t index,
                        unsigned width, uint64_t *entry)
{
    if ((width != 4 && width != 8) || base > section.len ||
        index >= (section.len - base) / width)
        return false;
    *entry = load_ptr(section.data + base + index * width, width);
    return true;
}

static const char *indexed_string(const struct unit *u, uint64_t index)
{
    const struct dwarf_sections *s = &u->file->sections;
    uint64_t offset;

    if (!table_entry(s->str_offsets, u->str_base, index, u->offset_size,
                     &offset))
        return NULL;
    return string_at(s->str, offset);
}

static struct dwarf_file *alternate_of(struct dwarf_file *file);

static const char *alternate_string(struct unit *u, uint64_t offset)
{
    struct dwarf_file *other = alternate_of(u->file);

    return other ? string_at(other->sections.str, offset) : NULL;
}

const char *value_string(struct unit *u, struct value v)
{
    const struct dwarf_sections *s = &u->file->sections;

    switch (v.form) {
    case DW_FORM_string:
        return string_at(s->info, v.number);
    case DW_FORM_strp:
        return string_at(s->str, v.number);
    case DW_FORM_line_strp:
        return string_at(s->line_str, v.number);
    case DW_FORM_strx:
    case DW_FORM_strx1:
    case DW_FORM_strx2:
    case DW_FORM_strx3:
    case DW_FORM_strx4:
    case DW_FORM_GNU_str_index:
        return indexed_string(u, v.number);
    case DW_FORM_strp_sup:
    case DW_FORM_GNU_strp_alt:
        return alternate_string(u, v.number);
    default:
        return NULL;
    }
}

bool unit_address(struct unit *u, uint64_t index, uint64_t *address)
{
    const struct unit *owner = u->skeleton ? u->skeleton : u;

    return table_entry(owner->file->sections.addr, owner->addr_base, index,
                       u->address_size, address);
}

bool dwarf_value_address(struct unit *u, struct value v, uint64_t *address)
{
    switch (v.form) {
    case DW_FORM_addr:
        *address = v.number;
        return true;
    case DW_FORM_addrx:
    case DW_FORM_addrx1:
    case DW_FORM_addrx2:
    case DW_FORM_addrx3:
    case DW_FORM_addrx4:
    case DW_FORM_GNU_addr_index:
        return unit_address(u, v.number, address);
    default:
        return false;
    }
}

/* The dwz file, opened when first needed:
 *   .gnu_debugaltlink  NUL-terminated name, build-id
 *   .debug_sup         u16 version, u8 is_supplementary, name, ULEB128 size
 *                      and bytes of the checksum */
static bool read_link(struct dwarf_file *file, struct dwarf_companion *wanted)
{
    struct dwarf_source *source = &file->source;
    struct bytes link = source->section(source->context, ".gnu_debugaltlink");
    struct reader r;
    bool sup = !link.len;

    if (sup)
        link = source->section(source->context, ".debug_sup");
    r = reader_of(source->name, link.data, link.len, 0, NULL);
    if (sup && (reader_u16(&r) != 5 || reader_u8(&r)))
        return false;
    wanted->name = string_at(link, r.pos);
    (void)reader_cstr(&r);
    if (sup)
        (void)reader_uleb(&r);
    wanted->build_id = reader_bytes(&r, reader_left(&r));
    return wanted->name && !r.failed;
}

static struct dwarf_file *alternate_of(struct dwarf_file *file)
{
    struct dwarf_companion wanted = {.kind = DWARF_ALTERNATE};
    struct dwarf_source found = {0};

    if (file->alternate_sought || !file->source.companion)
        return file->alternate;
    file->alternate_sought = true;
    if (!read_link(file, &wanted) ||
        !file->source.companion(file->source.context, &wanted, &found))
        return NULL;
    found.companion = NULL; /* an alternate file has no other */
    file->alternate = mem_new(1, sizeof(*file->alternate));
    if (!dwarf_file_open(file->alternate, &found)) {
        dwarf_file_close(file->alternate);
        free(file->alternate);
        file->alternate = NULL;
    }
    return file->alternate;
}

struct dwarf_file *value_reference(struct unit *u, struct value v,
                                   uint64_t *offset)
{
    *offset = v.number;
    switch (v.form) {
    case DW_FORM_ref1:
    case DW_FORM_ref2:
    case DW_FORM_ref4:
    case DW_FORM_ref8:
    case DW_FORM_ref_udata:
        *offset += u->start;
        return v.number < u->end - u->start ? u->file : NULL;
    case DW_FORM_ref_addr:
        return u->file;
    case DW_FORM_GNU_ref_alt:
    case DW_FORM_ref_sup4:
    case DW_FORM_ref_sup8:
        return alternate_of(u->file);
    default:
        return NULL;
    }
}
