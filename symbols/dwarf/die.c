/*
 * An entry is the ULEB128 code of its abbreviation, 0 ending a list of
 * children, and then one value for each attribute of the abbreviation.
 * DWARF 5, section 7.5.
 */
#include <libdwarf/dwarf.h>
#include <string.h>

#include "symbols/dwarf/unit.h"

/* The values of attributes: strings, addresses, other entries. */

/* A terminated string inside a section. Longer ones than any compiler writes
 * are none: thousands of entries may lead into one. */
static const char *string_at(struct bytes section, uint64_t offset)
{
    enum { LONGEST = 1 << 16 };
    uint64_t left = offset < section.len ? section.len - offset : 0;

    if (!left || !memchr(section.data + offset, 0,
                         left < LONGEST ? (size_t)left : LONGEST))
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

static uint64_t read_sized(struct reader *r, unsigned size)
{
    switch (size) {
    case 1:
        return reader_u8(r);
    case 2:
        return reader_u16(r);
    case 3: {
        uint64_t low = reader_u16(r);

        return low | (uint64_t)reader_u8(r) << 16;
    }
    case 4:
        return reader_u32(r);
    case 8:
        return reader_u64(r);
    default:
        reader_fail(r, ERR_UNSUPPORTED, "size of a value");
        return 0;
    }
}

/* Nearly all are one byte long. */
static inline uint64_t read_uleb(struct reader *r)
{
    if (reader_left(r) && r->base[r->pos] < 0x80)
        return r->base[r->pos++];
    return reader_uleb(r);
}

static void skip_block(struct reader *r, uint64_t n)
{
    if (n > reader_left(r))
        reader_fail(r, ERR_TRUNCATED, "block");
    else
        reader_skip(r, (size_t)n);
}

/* Strings stand for themselves: the number is their place in .debug_info. */
static uint64_t read_string(struct reader *r)
{
    uint64_t at = r->pos;

    (void)reader_cstr(r);
    return at;
}

static uint64_t read_unsized(struct reader *r, uint16_t form)
{
    switch (form) {
    case DW_FORM_udata:
    case DW_FORM_ref_udata:
    case DW_FORM_strx:
    case DW_FORM_addrx:
    case DW_FORM_loclistx:
    case DW_FORM_rnglistx:
    case DW_FORM_GNU_addr_index:
    case DW_FORM_GNU_str_index:
        return read_uleb(r);
    case DW_FORM_sdata:
        while (reader_u8(r) & 0x80)
            ;
        return 0;
    case DW_FORM_string:
        return read_string(r);
    case DW_FORM_block:
    case DW_FORM_exprloc:
        skip_block(r, read_uleb(r));
        return 0;
    case DW_FORM_block1:
        skip_block(r, reader_u8(r));
        return 0;
    case DW_FORM_block2:
        skip_block(r, reader_u16(r));
        return 0;
    case DW_FORM_block4:
        skip_block(r, reader_u32(r));
        return 0;
    case DW_FORM_data16:
        skip_block(r, 16);
        return 0;
    default:
        reader_fail(r, ERR_UNSUPPORTED, "form of a value");
        return 0;
    }
}

static struct value read_indirect(struct cursor *c)
{
    const struct unit *u = c->unit;
    struct value_sizes sizes = {u->version, u->address_size, u->offset_size};
    struct value v = {.form = (uint16_t)read_uleb(&c->r)};
    unsigned size = form_size(sizes, v.form);

    if (v.form == DW_FORM_indirect || v.form == DW_FORM_implicit_const)
        reader_fail(&c->r, ERR_CORRUPT, "indirect form");
    else if (size == VALUE_VARIES)
        v.number = read_unsized(&c->r, v.form);
    else if (size)
        v.number = read_sized(&c->r, size);
    return v;
}

static inline struct value read_value(struct cursor *c,
                                      const struct abbrev_value *a)
{
    struct value v = {.form = a->form};

    if (a->size == 4) /* most */
        v.number = reader_u32(&c->r);
    else if (v.form == DW_FORM_implicit_const)
        v.number = (uint64_t)a->constant;
    else if (v.form == DW_FORM_indirect)
        v = read_indirect(c);
    else if (a->size == VALUE_VARIES)
        v.number = read_unsized(&c->r, v.form);
    else if (a->size)
        v.number = read_sized(&c->r, a->size);
    return v;
}

static void keep_value(struct die *die, uint16_t name, struct value v)
{
    switch (name) {
    case DW_AT_name:
        die->name = v;
        break;
    case DW_AT_linkage_name:
    case DW_AT_MIPS_linkage_name:
        die->linkage_name = v;
        break;
    case DW_AT_low_pc:
        die->low = v;
        break;
    case DW_AT_high_pc:
        die->high = v;
        break;
    case DW_AT_ranges:
        die->ranges = v;
        break;
    case DW_AT_abstract_origin:
    case DW_AT_specification:
        die->origin = v;
        break;
    case DW_AT_sibling:
        if (v.form != DW_FORM_ref_addr)
            die->sibling = v.number;
        break;
    case DW_AT_call_file:
        die->call_file = v.number;
        break;
    case DW_AT_call_line:
        die->call_line = v.number;
        break;
    default:
        break;
    }
}

static void keep_unit_value(struct die *die, uint16_t name, struct value v)
{
    switch (name) {
    case DW_AT_comp_dir:
        die->folder = v;
        break;
    case DW_AT_dwo_name:
    case DW_AT_GNU_dwo_name:
        die->split_name = v;
        break;
    case DW_AT_GNU_dwo_id:
        die->split_id = v.number;
        break;
    case DW_AT_stmt_list:
        die->line_table = v;
        break;
    case DW_AT_addr_base:
    case DW_AT_GNU_addr_base:
        die->addr_base = v.number;
        break;
    case DW_AT_str_offsets_base:
        die->str_base = v.number;
        break;
    case DW_AT_rnglists_base:
        die->rnglists_base = v.number;
        break;
    case DW_AT_GNU_ranges_base:
        die->ranges_base = v.number;
        break;
    default:
        keep_value(die, name, v);
        break;
    }
}

static void read_values(struct cursor *c, const struct abbrev *a,
                        struct die *die,
                        void (*keep)(struct die *die, uint16_t name,
                                     struct value v))
{
    const struct abbrev_value *values =
        a->count ? &c->unit->abbrevs->values.data[a->first] : NULL;

    for (uint32_t i = 0; i < a->count && !c->r.failed; i++)
        keep(die, values[i].name, read_value(c, &values[i]));
}

static struct cursor cursor_in(struct unit *unit, uint64_t offset, uint64_t end)
{
    struct bytes info = unit->file->sections.info;
    struct cursor c = {.unit = unit};

    c.r = reader_of(unit->file->source.name, info.data, (size_t)end, 0, NULL);
    if (!unit->abbrevs || offset < unit->first)
        reader_fail(&c.r, ERR_CORRUPT, "unit");
    else
        c.r = reader_at(&c.r, offset, "entry");
    return c;
}

struct cursor unit_cursor_at(struct unit *unit, uint64_t offset)
{
    return cursor_in(unit, offset, unit->end);
}

struct cursor unit_cursor(struct unit *unit)
{
    return unit_cursor_at(unit, unit->first);
}

/* The code of the next entry, past the ends of lists; 0 at the end. */
static uint64_t next_code(struct cursor *c, uint64_t *offset)
{
    uint64_t code = 0;

    while (!code && reader_more(&c->r)) {
        *offset = c->r.pos;
        code = read_uleb(&c->r);
        if (!code && c->below)
            c->below--;
    }
    return code;
}

static const struct abbrev *next_abbrev(struct cursor *c, uint64_t *offset)
{
    uint64_t code = next_code(c, offset);
    const struct abbrev *a = code ? abbrevs_find(c->unit->abbrevs, code) : NULL;

    if (a) {
        c->depth = c->below;
        c->below += a->children;
    }
    return a;
}

/* Most entries are asked for by nobody: of these `die` gets what they are and
 * keeps the values of the one before. */
static bool read_entry(struct cursor *c, const struct abbrev *a,
                       uint64_t offset, struct die *die)
{
    if (!a->asked && a->size != ABBREV_VARIES) {
        reader_skip(&c->r, a->size);
    } else {
        *die = (struct die){.tag = 0};
        read_values(c, a, die, is_unit(a->tag) ? keep_unit_value : keep_value);
    }
    die->offset = offset;
    die->tag = a->tag;
    die->children = a->children;
    return !c->r.failed;
}

bool cursor_next(struct cursor *c, struct die *die)
{
    uint64_t offset = 0;
    const struct abbrev *a = next_abbrev(c, &offset);

    return a && read_entry(c, a, offset, die);
}

bool cursor_next_function(struct cursor *c, struct die *die)
{
    uint64_t offset = 0;
    const struct abbrev *a;

    while ((a = next_abbrev(c, &offset)) != NULL && !c->r.failed) {
        if (a->tag == DW_TAG_subprogram && a->ranges)
            return read_entry(c, a, offset, die);
        if (a->size != ABBREV_VARIES)
            reader_skip(&c->r, a->size);
        else
            (void)read_entry(c, a, offset, die);
    }
    return false;
}

bool unit_first(struct unit *unit, struct die *die)
{
    struct cursor c;

    if (unit->end - unit->start > UNIT_FIRST) {
        c = cursor_in(unit, unit->first, unit->start + UNIT_FIRST);
        if (cursor_next(&c, die))
            return true;
    }
    c = unit_cursor(unit);
    return cursor_next(&c, die);
}

bool cursor_skip_children(struct cursor *c, const struct die *die)
{
    uint64_t from = c->r.pos - c->unit->start;

    if (!die->children || die->sibling <= from ||
        die->sibling > c->unit->end - c->unit->start)
        return false;
    c->r.pos = (size_t)(c->unit->start + die->sibling);
    c->below = c->depth;
    return true;
}
