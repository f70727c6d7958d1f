/*
 * .debug_aranges is a row of sets, one for each unit that has code
 * (symbols/dwarf/format.md, section 2).
 */
#include "symbols/dwarf/aranges.h"

struct set {
    struct reader r; /* over its pairs, once the header is read */
    uint64_t unit;   /* in .debug_info */
    unsigned width;
};

/* False when what follows is no set. */
static bool read_header(struct reader *r, struct set *set)
{
    size_t start = r->pos;
    unsigned offset_size = 4, segments;
    uint64_t length = reader_u32(r);

    if (length == UINT32_MAX) {
        offset_size = 8;
        length = reader_u64(r);
    }
    if (r->failed || length > reader_left(r))
        return false;
    start = r->pos - start;
    set->r = reader_sub(r, (size_t)length, ".debug_aranges");
    if (reader_u16(&set->r) != 2)
        return true; /* of another kind: skipped, as it has no unit */
    set->unit = reader_ptr(&set->r, offset_size);
    set->width = reader_u8(&set->r);
    segments = reader_u8(&set->r);
    if (segments || (set->width != 4 && set->width != 8)) {
        set->unit = UINT64_MAX;
        return true;
    }
    /* Pairs are aligned from the beginning of the set. */
    start = (start + set->r.pos) % ((size_t)2 * set->width);
    if (start)
        reader_skip(&set->r, (size_t)2 * set->width - start);
    return true;
}

/* False if its end is missing. */
static bool read_pairs(struct set *set, struct spans *spans, uint32_t unit)
{
    while (reader_left(&set->r) >= (size_t)2 * set->width) {
        uint64_t low = reader_ptr(&set->r, set->width);
        uint64_t size = reader_ptr(&set->r, set->width);

        if (!low && !size)
            return !set->r.failed;
        /* What the linker dropped begins at 0 or 1. */
        if (low > 1 && size <= UINT64_MAX - low)
            spans_add(spans, low, low + size, unit);
    }
    return false;
}

bool *aranges_add(struct dwarf_file *file, struct spans *spans)
{
    struct bytes b =
        file->source.section(file->source.context, ".debug_aranges");
    struct reader r = reader_of(file->source.name, b.data, b.len, 0, NULL);
    bool *listed = mem_new(file->units.len, sizeof(*listed));

    while (reader_more(&r)) {
        struct set set = {.unit = UINT64_MAX};
        const struct unit *u;
        size_t number;

        if (!read_header(&r, &set))
            break;
        u = dwarf_file_unit_at(file, set.unit);
        if (!u)
            continue;
        number = (size_t)(u - file->units.data);
        /* Twice listed is damage, and would cost what the table does not. */
        if (!listed[number])
            listed[number] = read_pairs(&set, spans, (uint32_t)number);
    }
    return listed;
}
