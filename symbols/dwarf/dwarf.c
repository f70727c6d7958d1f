#include "symbols/dwarf/dwarf.h"

#include <libdwarf/dwarf.h>
#include <stdlib.h>

#include "engine/base/arena.h"
#include "symbols/dwarf/aranges.h"
#include "symbols/dwarf/lines.h"
#include "symbols/dwarf/names.h"
#include "symbols/dwarf/ranges.h"
#include "symbols/dwarf/split.h"
#include "symbols/dwarf/tree.h"

enum { WITNESSES = 16 };

struct dwarf {
    struct dwarf_file file;
    struct split_files split;
    struct aranges table;
    /* Addresses to units by their own word, in `file.row`: first those that
     * the address table does not list, then those that it does. */
    struct spans own[2];
    unsigned indexed; /* of these */
    struct arena names;
};

/* A unit without ranges of its own has those of its functions. */
static void index_functions(struct unit *u, struct spans *index,
                            uint32_t number)
{
    struct cursor c = unit_cursor(u);
    struct die die;

    while (cursor_next(&c, &die))
        if (die.tag == DW_TAG_subprogram)
            ranges_add(u, &die, index, number);
}

static void index_unit(struct unit *u, struct spans *index, uint32_t number)
{
    struct die die;

    unit_read_first(u);
    if ((u->tag != DW_TAG_compile_unit && u->tag != DW_TAG_skeleton_unit) ||
        !unit_first(u, &die))
        return;
    if (ranges_any(&die))
        ranges_add(u, &die, index, number);
    else
        index_functions(u, index, number);
}

static void index_units(struct dwarf *d, bool listed, struct spans *index)
{
    dwarf_file_all_units(&d->file);
    for (size_t i = 0; i < d->file.row.len; i++) {
        struct unit *u = d->file.row.data[i].unit;

        if (aranges_lists(&d->table, u) == listed)
            index_unit(u, index, (uint32_t)i);
    }
    spans_build_first(index); /* as in aranges.c */
}

/* Units that the address table lists are not touched before one of their
 * addresses is asked for. */
static struct unit *listed_unit(struct dwarf *d, uint64_t address)
{
    uint32_t i = spans_find(&d->table.spans, address);

    return i == SPAN_NONE
               ? NULL
               : dwarf_file_unit_at(&d->file, d->table.units.data[i]);
}

/* Whether the address table has all that a unit says of itself. */
static bool is_covered(const struct dwarf *d, struct unit *u)
{
    struct spans own = {.added = {0}};
    bool covered = true;

    index_unit(u, &own, 0);
    for (size_t i = 0; i < own.added.len && covered; i++)
        covered =
            spans_find(&d->table.spans, own.added.data[i].low) != SPAN_NONE &&
            spans_find(&d->table.spans, own.added.data[i].high - 1) !=
                SPAN_NONE;
    spans_release(&own);
    return covered;
}

/* A producer that leaves something out of the table does so again and again,
 * so some units from all over the file tell. To read all of them for every
 * address that is nobody's, as of padding or assembly, costs more than all
 * other answers. */
static bool table_is_complete(struct dwarf *d)
{
    size_t n = d->table.units.len, step = n / WITNESSES + 1;

    for (size_t i = 0; i < n; i += step) {
        struct unit *u = dwarf_file_unit_at(&d->file, d->table.units.data[i]);

        if (!u || !aranges_lists(&d->table, u) || !is_covered(d, u))
            return false;
    }
    return true;
}

/* The address table may leave out units, and what those have that it lists:
 * before an address is nobody's, they are read. */
static struct unit *unit_of(struct dwarf *d, uint64_t address)
{
    struct unit *u = listed_unit(d, address);

    for (unsigned i = 0; !u && i < 2; i++) {
        uint32_t number;

        if (d->indexed == i) {
            if (i == 0 || !table_is_complete(d))
                index_units(d, i == 1, &d->own[i]);
            d->indexed++;
        }
        number = spans_find(&d->own[i], address);
        u = number == SPAN_NONE ? NULL : d->file.row.data[number].unit;
    }
    return u;
}

struct dwarf *dwarf_open(const struct dwarf_source *source, struct err *err)
{
    struct dwarf *d;

    if (source->big_endian) {
        err_set(err, ERR_UNSUPPORTED, "%s: big-endian DWARF", source->name);
        return NULL;
    }
    d = mem_new(1, sizeof(*d));
    if (!dwarf_file_open(&d->file, source) || d->file.split) {
        err_set(err, ERR_NOT_FOUND, "%s: no DWARF", source->name);
        dwarf_close(d);
        return NULL;
    }
    aranges_read(&d->table, &d->file);
    return d;
}

void dwarf_close(struct dwarf *d)
{
    if (!d)
        return;
    split_release(&d->split);
    dwarf_file_close(&d->file);
    aranges_release(&d->table);
    spans_release(&d->own[0]);
    spans_release(&d->own[1]);
    arena_release(&d->names);
    free(d);
}

static const char *node_name(struct dwarf *d, struct unit *u, struct node *node)
{
    if (!node->name) {
        node->name =
            name_of_entry(u, u->start + node->entry, &d->names, &node->plain);
        if (!node->name)
            node->name = "";
    }
    return *node->name ? node->name : NULL;
}

/* Each inlined call says where in its caller it stands: that is the line of
 * the next frame. */
static size_t chain(struct dwarf *d, struct unit *u, uint64_t address,
                    struct lines *lines, struct debug_frame *frames, size_t max,
                    bool *plain)
{
    uint32_t at;
    struct node *nodes = tree_at(u, address, &at)->nodes.data;
    size_t n = 0;

    for (; at != TREE_NONE && n < max; at = nodes[at].parent, n++) {
        struct debug_frame *f = &frames[n];

        f->function = node_name(d, u, &nodes[at]);
        if (!f->function)
            f->function = nodes[at].parent == TREE_NONE ? NULL : "(inlined)";
        f->inlined = nodes[at].parent != TREE_NONE;
        *plain = nodes[at].plain;
        if (!f->inlined || n + 1 == max)
            continue;
        frames[n + 1].file = lines_file(lines, nodes[at].call_file, &d->names);
        frames[n + 1].line = nodes[at].call_line;
    }
    return n;
}

size_t dwarf_frames(struct dwarf *d, uint64_t address,
                    struct debug_frame *frames, size_t max, bool *plain)
{
    struct unit *u = max ? unit_of(d, address) : NULL, *split;
    const struct line_row *row;
    size_t n;

    *plain = false;
    if (!u)
        return 0;
    unit_read_first(u);
    split = split_of(&d->split, u);
    if (!split)
        split = u;
    if (!u->lines)
        u->lines = lines_new(u);
    frames[0] = (struct debug_frame){0};
    row = lines_find(u->lines, address);
    if (row) {
        frames[0].file = lines_file(u->lines, row->file, &d->names);
        frames[0].line = row->line;
    }
    n = chain(d, split, address, u->lines, frames, max, plain);
    return n ? n : row != NULL;
}

const char *dwarf_flaw(const struct dwarf *dwarf)
{
    const char *flaw = dwarf_file_flaw(&dwarf->file);

    return flaw ? flaw : split_flaw(&dwarf->split);
}
