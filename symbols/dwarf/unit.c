/* .debug_info is a row of units (format.md, section 1). */
#include "symbols/dwarf/unit.h"

#include <libdwarf/dwarf.h>
#include <stdlib.h>

#include "engine/base/bisect.h"
#include "symbols/dwarf/lines.h"
#include "symbols/dwarf/tree.h"

const char *dwarf_file_flaw(const struct dwarf_file *file)
{
    if (file->has_long_abbrev)
        return "section .debug_abbrev: abbreviations from the first one with "
               "more than 256 attributes on are left out";
    if (file->abbrev_bytes.cut)
        return "section .debug_abbrev: tables that overlap others, or are "
               "large for the file's size, are left out";
    if (file->range_entries.cut)
        return "range lists that overlap others are left out";
    if (file->lines.rows.cut || file->lines.bytes.cut)
        return "section .debug_line: tables that come to more than its size "
               "allows are left out";
    if (file->unit_bytes.cut)
        return "section .debug_info: units that overlap others, or are many "
               "for its size, are left out";
    return file->alternate ? dwarf_file_flaw(file->alternate) : NULL;
}

/* Split units lie in sections of their own names; a file has either. */
static void load_sections(struct dwarf_file *file, bool split)
{
    const struct dwarf_source *s = &file->source;
    struct dwarf_sections *to = &file->sections;
    const struct {
        struct bytes *to;
        const char *name, *split;
    } rows[] = {
        {&to->info, ".debug_info", ".debug_info.dwo"},
        {&to->abbrev, ".debug_abbrev", ".debug_abbrev.dwo"},
        {&to->line, ".debug_line", ".debug_line.dwo"},
        {&to->str, ".debug_str", ".debug_str.dwo"},
        {&to->line_str, ".debug_line_str", NULL},
        {&to->str_offsets, ".debug_str_offsets", ".debug_str_offsets.dwo"},
        {&to->addr, ".debug_addr", NULL},
        {&to->ranges, ".debug_ranges", NULL},
        {&to->rnglists, ".debug_rnglists", ".debug_rnglists.dwo"},
        {&to->cu_index, NULL, ".debug_cu_index"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const char *name = split ? rows[i].split : rows[i].name;

        if (name)
            *rows[i].to = s->section(s->context, name);
    }
    file->split = split;
}

static uint64_t read_offset(struct reader *r, const struct unit *u)
{
    return reader_ptr(r, u->offset_size);
}

/* False at the end, or when what follows is no unit. */
static bool read_header(struct reader *r, struct unit *u)
{
    uint64_t length;

    u->start = r->pos;
    u->offset_size = 4;
    length = reader_u32(r);
    if (length == UINT32_MAX) {
        u->offset_size = 8;
        length = reader_u64(r);
    }
    if (r->failed || length > reader_left(r))
        return false;
    u->end = r->pos + length;
    u->version = reader_u16(r);
    if (u->version == 5) {
        u->type = reader_u8(r);
        u->address_size = reader_u8(r);
        u->abbrev_offset = read_offset(r, u);
        if (u->type == DW_UT_skeleton || u->type == DW_UT_split_compile)
            u->split_id = reader_u64(r);
        if (u->type == DW_UT_type || u->type == DW_UT_split_type)
            reader_skip(r, 8u + u->offset_size);
    } else {
        u->type = DW_UT_compile;
        u->abbrev_offset = read_offset(r, u);
        u->address_size = reader_u8(r);
    }
    u->first = r->pos;
    return !r->failed;
}

static bool usable(const struct unit *u)
{
    return u->version >= 2 && u->version <= 5 && u->first < u->end &&
           (u->address_size == 4 || u->address_size == 8);
}

enum { UNIT_COST = 256 }; /* bytes that a unit takes in memory */

/* Returns the end of the unit at `offset`; 0 if no unit begins there. It is met
 * if it is one that can be read. */
static uint64_t meet(struct dwarf_file *file, uint64_t offset)
{
    struct bytes info = file->sections.info;
    struct reader all =
        reader_of(file->source.name, info.data, info.len, 0, NULL);
    struct reader r = reader_at(&all, offset, "unit");
    struct unit u = {.file = file, .line_table = UINT64_MAX};
    struct unit *kept;

    if (!read_header(&r, &u))
        return 0;
    if (!usable(&u))
        return u.end;
    if (!budget_take(&file->unit_bytes, u.end - u.start + UNIT_COST))
        return u.end;
    kept = mem_new(1, sizeof(*kept));
    *kept = u;
    map_set(&file->met_at, offset, 0, (uint32_t)file->met.len);
    vec_add(&file->met)->unit = kept;
    return u.end;
}

static struct unit *met_at(struct dwarf_file *file, uint64_t offset)
{
    uint32_t i = map_get(&file->met_at, offset, 0);

    return i == MAP_NONE ? NULL : file->met.data[i].unit;
}

/* One more of the row; false at its end. */
static bool step(struct dwarf_file *file)
{
    uint64_t start = file->row_end;
    struct unit *u = met_at(file, start);
    uint64_t end = u ? u->end : meet(file, start);

    if (!end) {
        file->row_end = UINT64_MAX;
        return false;
    }
    u = met_at(file, start);
    if (u)
        vec_add(&file->row)->unit = u;
    file->row_end = end;
    return true;
}

struct unit *dwarf_file_unit_at(struct dwarf_file *file, uint64_t offset)
{
    if (!met_at(file, offset))
        (void)meet(file, offset);
    return met_at(file, offset);
}

void dwarf_file_all_units(struct dwarf_file *file)
{
    while (step(file))
        ;
}

/* The table is shared by all units that name its offset, if values have the
 * same sizes in them. */
static void find_abbrevs(struct unit *u)
{
    struct dwarf_file *file = u->file;
    struct value_sizes sizes = {u->version, u->address_size, u->offset_size};
    uint32_t key =
        (uint32_t)(u->version << 16 | u->address_size << 8) | u->offset_size;
    uint64_t offset = u->abbrev_offset + u->parts.abbrev, used;
    struct budget *budget = &file->abbrev_bytes;
    struct bytes section = file->sections.abbrev;
    uint32_t fresh = (uint32_t)file->abbrevs.len;
    uint32_t at = map_get(&file->abbrevs_at, offset, key);

    if (at == MAP_NONE) {
        bool shorter;

        if (!budget_take(budget, 1))
            return;
        shorter = offset < section.len && section.len - offset > budget->left;
        if (shorter)
            section.len = (size_t)(offset + budget->left);
        vec_add(&file->abbrevs)->table =
            abbrevs_new(section, offset, sizes, &used);
        (void)budget_take(budget, used);
        budget->cut |= shorter && used >= section.len - offset;
        map_set(&file->abbrevs_at, offset, key, fresh);
        at = fresh;
    }
    u->abbrevs = file->abbrevs.data[at].table;
    file->has_long_abbrev |= u->abbrevs->cut;
}

/* In a split unit the tables begin behind one header each: there is no
 * attribute that says so. */
static void assume_bases(struct unit *u)
{
    uint64_t wide = u->offset_size == 8 ? 8 : 0;

    if (u->version < 5) {
        u->str_base = u->parts.str_offsets;
        return;
    }
    u->str_base = u->parts.str_offsets + 8 + wide;
    u->rnglists_base = u->parts.rnglists + 12 + wide;
}

void unit_read_first(struct unit *u)
{
    struct die die = {0};

    if (u->ready)
        return;
    u->ready = true;
    find_abbrevs(u);
    if (u->file->split)
        assume_bases(u);
    if (!unit_first(u, &die))
        return;
    u->tag = die.tag;
    u->addr_base = die.addr_base;
    u->ranges_base = die.ranges_base;
    if (die.str_base)
        u->str_base = die.str_base + u->parts.str_offsets;
    if (die.rnglists_base)
        u->rnglists_base = die.rnglists_base + u->parts.rnglists;
    if (die.split_id)
        u->split_id = die.split_id;
    if (die.line_table.form)
        u->line_table = die.line_table.number + u->parts.line;
    u->folder = value_string(u, die.folder);
    u->split_name = value_string(u, die.split_name);
    (void)dwarf_value_address(u, die.low, &u->low);
}

enum {
    UNITS_FREE = 24 << 20,
    ABBREVS_FREE = 2 << 20,
    RANGES_FREE = 1 << 18,
    ROWS_FREE = 1 << 20,
};

/* In memory a row of lines takes 16 bytes, a byte of abbreviations up to 16, an
 * entry of a range list 56 while it is sorted, and an honest one takes 3 to 16
 * in its section. Few units of a file are asked for. Real packed sections of
 * lines have fewer rows than packed bytes. */
static void set_budgets(struct dwarf_file *file)
{
    const struct dwarf_sections *s = &file->sections;
    uint64_t stored = file->source.stored_line, ranges = s->ranges.len;

    ranges += s->rnglists.len;
    /* Those that the address table names and those of the row. */
    file->unit_bytes = budget_of(s->info.len, 2, UNITS_FREE);
    file->abbrev_bytes =
        budget_of(s->abbrev.len / 4 + s->info.len / 8, 1, ABBREVS_FREE);
    file->range_entries = budget_of(ranges / 6, 1, RANGES_FREE);
    file->lines.bytes = budget_of(s->line.len, 2, 0);
    file->lines.rows = stored ? budget_of(stored + stored / 4, 1, ROWS_FREE)
                              : budget_of(s->line.len / 4, 1, ROWS_FREE);
}

bool dwarf_file_open(struct dwarf_file *file, const struct dwarf_source *source)
{
    *file = (struct dwarf_file){.source = *source};
    load_sections(file, false);
    if (!file->sections.info.len)
        load_sections(file, true);
    if (!file->sections.info.len || !file->sections.abbrev.len)
        return false;
    set_budgets(file);
    while (!file->row.len && step(file))
        ;
    return file->row.len > 0;
}

void dwarf_file_close(struct dwarf_file *file)
{
    for (size_t i = 0; i < file->met.len; i++) {
        tree_free(file->met.data[i].unit->tree);
        tree_free(file->met.data[i].unit->whole);
        lines_free(file->met.data[i].unit->lines);
        free(file->met.data[i].unit);
    }
    for (size_t i = 0; i < file->abbrevs.len; i++)
        abbrevs_free(file->abbrevs.data[i].table);
    vec_release(&file->met);
    map_release(&file->met_at);
    vec_release(&file->row);
    vec_release(&file->abbrevs);
    map_release(&file->abbrevs_at);
    if (file->alternate)
        dwarf_file_close(file->alternate); /* which has none */
    free(file->alternate);
    file->alternate = NULL;
}

struct unit *dwarf_file_unit(struct dwarf_file *file, uint64_t offset)
{
    struct unit *u;
    size_t i;

    /* The last unit that begins at or below. */
    while (file->row_end <= offset && step(file))
        ;
    BISECT(i, file->row.len, file->row.data[i].unit->start <= offset);
    u = i ? file->row.data[i - 1].unit : NULL;
    if (!u || offset < u->first || offset >= u->end)
        return NULL;
    if (!file->split)
        unit_read_first(u);
    return u;
}
