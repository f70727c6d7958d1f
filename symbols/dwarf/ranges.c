#include "symbols/dwarf/ranges.h"

#include <libdwarf/dwarf.h>

struct list {
    struct unit *unit;
    struct spans *spans;
    uint32_t value;
    uint64_t base; /* that offsets count from */
};

static uint64_t top_address(const struct unit *u)
{
    return u->address_size == 8 ? UINT64_MAX : UINT32_MAX;
}

static void add(const struct list *l, uint64_t low, uint64_t high)
{
    if (low <= 1 || low >= top_address(l->unit) - 1)
        return;
    spans_add(l->spans, low, high, l->value);
}

/* What all lists of a file together may come to. */
static bool take_entry(const struct list *l)
{
    struct dwarf_file *file = l->unit->file;

    if (!file->range_budget) {
        dwarf_file_refuse(file, "range lists that overlap others are left out");
        return false;
    }
    file->range_budget--;
    return true;
}

/* Pairs relative to the base; all ones and a new base; 0, 0 at the end. */
static void read_pairs(struct list *l, struct reader *r)
{
    unsigned width = l->unit->address_size;
    uint64_t top = top_address(l->unit);

    while (reader_more(r)) {
        uint64_t low = reader_ptr(r, width), high = reader_ptr(r, width);

        if (r->failed || (!low && !high) || !take_entry(l))
            return;
        if (low == top)
            l->base = high;
        else if (low < top - 1)
            add(l, l->base + low, l->base + high);
    }
}

/* An address from the table; `good` turns false when it is not there. */
static uint64_t indexed(const struct list *l, struct reader *r, bool *good)
{
    uint64_t address = 0;

    *good = unit_address(l->unit, reader_uleb(r), &address) && *good;
    return address;
}

static bool read_entry(struct list *l, struct reader *r)
{
    unsigned width = l->unit->address_size;
    uint64_t low = 0, high = 0;
    bool good = true;

    switch (reader_u8(r)) {
    case DW_RLE_base_addressx:
        l->base = indexed(l, r, &good);
        return good;
    case DW_RLE_base_address:
        l->base = reader_ptr(r, width);
        return true;
    case DW_RLE_startx_endx:
        low = indexed(l, r, &good);
        high = indexed(l, r, &good);
        break;
    case DW_RLE_startx_length:
        low = indexed(l, r, &good);
        high = low + reader_uleb(r);
        break;
    case DW_RLE_offset_pair:
        low = l->base + reader_uleb(r);
        high = l->base + reader_uleb(r);
        /* A dropped base drops what counts from it. */
        good = l->base != top_address(l->unit) &&
               l->base != top_address(l->unit) - 1;
        if (!good)
            return true;
        break;
    case DW_RLE_start_end:
        low = reader_ptr(r, width);
        high = reader_ptr(r, width);
        break;
    case DW_RLE_start_length:
        low = reader_ptr(r, width);
        high = low + reader_uleb(r);
        break;
    default: /* DW_RLE_end_of_list, or damage */
        return false;
    }
    if (good && !r->failed)
        add(l, low, high);
    return true;
}

static void read_list(struct list *l, struct reader *r)
{
    while (reader_more(r) && take_entry(l) && read_entry(l, r))
        ;
}

static struct reader reader_in(const struct unit *u, struct bytes section,
                               uint64_t offset)
{
    struct reader r =
        reader_of(u->file->source.name, section.data, section.len, 0, NULL);

    return reader_at(&r, offset, "range list");
}

/* An index counts offsets that follow the header; they are relative to the
 * first of them. */
static struct reader list_5(const struct unit *u, struct value v)
{
    struct bytes section = u->file->sections.rnglists;
    struct reader r;
    uint64_t base = u->rnglists_base;

    if (v.form != DW_FORM_rnglistx)
        return reader_in(u, section, v.number + u->parts.rnglists);
    if (v.number > section.len) {
        r = reader_in(u, section, UINT64_MAX);
        return r;
    }
    r = reader_in(u, section, base + v.number * u->offset_size);
    return reader_in(u, section, base + reader_ptr(&r, u->offset_size));
}

/* Split units of DWARF 4 have their lists in the file of the skeleton. */
static struct reader list_4(const struct unit *u, struct value v)
{
    const struct unit *s = u->skeleton;

    if (s)
        return reader_in(u, s->file->sections.ranges,
                         s->ranges_base + v.number);
    return reader_in(u, u->file->sections.ranges, v.number);
}

static void add_plain(struct list *l, const struct die *die)
{
    uint64_t low, high;

    if (!dwarf_value_address(l->unit, die->low, &low))
        return;
    if (!dwarf_value_address(l->unit, die->high, &high))
        high = low + die->high.number;
    add(l, low, high);
}

bool ranges_any(const struct die *die)
{
    return die->ranges.form || (die->low.form && die->high.form);
}

void ranges_add(struct unit *unit, const struct die *die, struct spans *spans,
                uint32_t value)
{
    struct list l = {unit, spans, value, 0};
    struct reader r;

    if (!die->ranges.form) {
        if (die->low.form && die->high.form)
            add_plain(&l, die);
        return;
    }
    l.base = unit->skeleton ? unit->skeleton->low : unit->low;
    if (unit->version >= 5) {
        r = list_5(unit, die->ranges);
        read_list(&l, &r);
    } else {
        r = list_4(unit, die->ranges);
        read_pairs(&l, &r);
    }
}
