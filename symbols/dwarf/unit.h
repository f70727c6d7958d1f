/*
 * unit - the units of .debug_info and how to read their entries.
 *
 *     struct dwarf_file file;
 *     dwarf_file_open(&file, &source);
 *     unit = dwarf_file_unit_at(&file, 0);
 *     struct cursor c = unit_cursor(unit);
 *     while (cursor_next(&c, &die))
 *         if (die.tag == DW_TAG_subprogram) ...
 *
 * Every read is bounded by the unit; a damaged entry ends its unit. Entries
 * are read here rather than through libdwarf, which allocates an object for
 * each (0.4 s for a million), cannot follow references into a dwz file and
 * searches units one after the other.
 */
#ifndef TOPFN_DWARF_UNIT_H
#define TOPFN_DWARF_UNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/map.h"
#include "engine/base/reader.h"
#include "engine/base/vec.h"
#include "symbols/dwarf/abbrev.h"
#include "symbols/dwarf/dwarf.h"
#include "symbols/dwarf/line_program.h"
#include "symbols/dwarf/spans.h"

struct dwarf_sections {
    struct bytes info, abbrev, line, str, line_str, str_offsets;
    struct bytes addr, ranges, rnglists, cu_index;
};

struct tree;
struct lines;

/* The offsets at which the parts of one split unit begin in the sections of a
 * package. */
struct contributions {
    uint64_t abbrev, str_offsets, rnglists, line;
};

struct unit {
    struct dwarf_file *file;
    uint64_t start, first, end; /* header, first entry; in .debug_info */
    uint64_t abbrev_offset;
    uint16_t version;
    uint8_t type; /* DW_UT_... */
    uint8_t address_size, offset_size;

    /* From the first entry, once read; offsets of names into the string
     * sections. */
    bool ready;
    uint16_t tag;
    uint64_t addr_base, str_base, rnglists_base, ranges_base;
    uint64_t low;        /* what range lists count from */
    uint64_t line_table; /* DW_AT_stmt_list; UINT64_MAX: none */
    uint64_t split_id;
    const char *folder, *split_name; /* or NULL */

    struct unit *skeleton;         /* of a split unit: has its addresses */
    struct contributions parts;    /* of a split unit in a package */
    const struct abbrevs *abbrevs; /* once read */
    struct tree *tree;             /* once walked, but for its functions */
    struct tree *whole;            /* once all of it had to be */
    struct lines *lines;           /* once decoded */
    struct unit *split;            /* of a skeleton, once found */
    bool split_sought;
};

struct dwarf_file {
    struct dwarf_source source;
    struct dwarf_sections sections;
    bool split; /* sections are the ".dwo" ones */
    /* Headers are read when somebody asks for them: one touches a page, a
     * large file has thousands. */
    VEC(struct { struct unit *unit; }) met;
    struct map met_at;                      /* start to index in `met` */
    VEC(struct { struct unit *unit; }) row; /* from the start, as they lie */
    uint64_t row_end;                       /* up to here */
    VEC(struct { struct abbrevs *table; }) abbrevs;
    struct map abbrevs_at; /* offset and sizes to index in `abbrevs` */
    /* Tables may be shared but a hostile file may make all of them overlap:
     * what is read and kept is bounded by what the sections could honestly ask
     * for. In bytes of units and of tables, and in entries of range lists. */
    struct budget unit_bytes, abbrev_bytes, range_entries;
    struct line_budget lines;
    bool has_long_abbrev; /* with more attributes than are read */
    struct dwarf_file *alternate;
    bool alternate_sought;
};

/* A value as the form gives it. */
struct value {
    uint64_t number;
    uint16_t form; /* 0: the attribute is absent */
};

/* The attributes that matter here. */
struct die {
    uint64_t offset; /* in .debug_info */
    uint16_t tag;
    bool children;
    struct value name, linkage_name;
    struct value low, high, ranges;
    struct value origin; /* DW_AT_abstract_origin or DW_AT_specification */
    struct value folder, split_name;
    uint64_t sibling; /* where the entry behind its children is; 0 unknown */
    uint64_t call_file, call_line;
    uint64_t addr_base, str_base, rnglists_base, ranges_base;
    uint64_t split_id;
    struct value line_table;
};

struct cursor {
    struct unit *unit;
    struct reader r;
    uint32_t depth; /* of the entry read last, below the first */
    uint32_t below; /* of what follows it, if that is no end of a list */
};

/* The flaw (debug.h) of the file, or of the one that it refers into; NULL:
 * none. */
const char *dwarf_file_flaw(const struct dwarf_file *file);

/* False when there are no sections of DWARF. */
bool dwarf_file_open(struct dwarf_file *file,
                     const struct dwarf_source *source);
void dwarf_file_close(struct dwarf_file *file);

/* Nearly every header with the first entry behind it is shorter. */
enum { UNIT_FIRST = 1024 };

/* The first entry, for which little of the unit is needed. */
bool unit_first(struct unit *unit, struct die *die);

/* Reads the attributes of the unit's first entry, once. Call it for split units
 * when their skeleton and parts are known. */
void unit_read_first(struct unit *unit);

/* The unit whose entries include that offset, its first entry read; or NULL. */
struct unit *dwarf_file_unit(struct dwarf_file *file, uint64_t offset);

/* All units, as far as they can be told, in `row`. */
void dwarf_file_all_units(struct dwarf_file *file);

/* The unit whose header is at that offset, or NULL. */
struct unit *dwarf_file_unit_at(struct dwarf_file *file, uint64_t offset);

/* At the first entry, or at the entry at `offset`. */
struct cursor unit_cursor(struct unit *unit);
struct cursor unit_cursor_at(struct unit *unit, uint64_t offset);

/* The next entry in file order; false at the end. Units, functions, inlined
 * calls and scopes come with all values that matter, others with tag, children
 * and offset only. */
bool cursor_next(struct cursor *c, struct die *die);

/* The same for the next function that has code. */
bool cursor_next_function(struct cursor *c, struct die *die);

/* Leaves out the children of the entry read last, if it tells where they
 * end. */
bool cursor_skip_children(struct cursor *c, const struct die *die);

/* The meaning of a value; 0, NULL, UINT64_MAX for none that can be read. */
const char *value_string(struct unit *unit, struct value value);
bool dwarf_value_address(struct unit *unit, struct value value,
                         uint64_t *address);

/* The file that a DW_AT_abstract_origin refers into, and the offset there. */
struct dwarf_file *value_reference(struct unit *unit, struct value value,
                                   uint64_t *offset);

/* Entry `index` of the table of addresses. */
bool unit_address(struct unit *unit, uint64_t index, uint64_t *address);

/*
 * which units an address table lists, without reading the units.
 *
 * The values of the spans are indices of `units`. A table that is damaged
 * lists what it lists before the damage.
 */

struct aranges {
    struct spans spans;
    VEC(uint64_t) units; /* where they begin, as it says */
    struct map at;       /* the same to index */
};

void aranges_read(struct aranges *table, struct dwarf_file *file);
bool aranges_lists(const struct aranges *table, const struct unit *unit);
void aranges_release(struct aranges *table);

#endif
