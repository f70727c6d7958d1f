#include "symbols/dwarf/spans.h"

#include <stdlib.h>

#include "engine/base/bisect.h"
#include "symbols/dwarf/unit.h"

/*
 * .debug_aranges is a row of sets, one for each unit that has code
 * (symbols/dwarf/format.md, section 2).
 */

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
        /* Code that the linker dropped begins at 0 or 1. */
        if (low > 1 && size <= UINT64_MAX - low)
            spans_add(spans, low, low + size, unit);
    }
    return false;
}

/* One set. Twice listed is damage, and would cost what the table does not. */
static void add_set(struct aranges *table, struct set *set)
{
    uint32_t fresh = mem_next_id(table->units.len);

    if (set->unit == UINT64_MAX ||
        map_get(&table->at, set->unit, 0) != MAP_NONE)
        return;
    *vec_add(&table->units) = set->unit;
    if (read_pairs(set, &table->spans, fresh))
        map_set(&table->at, set->unit, 0, fresh);
}

/* If several units have the same code, the linker keeps what the first of them
 * brought, and may let the others describe it, too. */
void aranges_read(struct aranges *table, struct dwarf_file *file)
{
    struct bytes b =
        file->source.section(file->source.context, ".debug_aranges");
    struct reader r = reader_of(file->source.name, b.data, b.len, 0, NULL);

    *table = (struct aranges){.at = {0}};
    while (reader_more(&r)) {
        struct set set = {.unit = UINT64_MAX};

        if (!read_header(&r, &set))
            break;
        if (set.unit < file->sections.info.len)
            add_set(table, &set);
    }
    spans_build_first(&table->spans);
}

bool aranges_lists(const struct aranges *table, const struct unit *unit)
{
    return map_get(&table->at, unit->start, 0) != MAP_NONE;
}

void aranges_release(struct aranges *table)
{
    spans_release(&table->spans);
    vec_release(&table->units);
    map_release(&table->at);
}

void spans_add(struct spans *spans, uint64_t low, uint64_t high, uint32_t value)
{
    if (low < high)
        *vec_add(&spans->added) =
            (struct span){low, high, value, mem_next_id(spans->added.len)};
}

static int compare(const void *x, const void *y)
{
    const struct span *a = x, *b = y;

    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    if (a->high != b->high)
        return a->high > b->high ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

/* A piece that begins where the last one does replaces it. */
static void put(struct spans *spans, uint64_t start, uint32_t value)
{
    struct span_piece *last =
        spans->pieces.len ? &spans->pieces.data[spans->pieces.len - 1] : NULL;

    if (last && last->start == start)
        last->value = value;
    else if (!last || last->value != value)
        *vec_add(&spans->pieces) = (struct span_piece){start, value};
}

/* The ranges open at a point, the innermost last: indices of `added`. */
struct open_spans {
    VEC(uint32_t) all;
};

static const struct span *innermost(const struct spans *spans,
                                    const struct open_spans *open)
{
    return open->all.len ? &spans->added.data[open->all.data[open->all.len - 1]]
                         : NULL;
}

/* Closes what ends at or before `point`, innermost first. */
static void close_until(struct spans *spans, struct open_spans *open,
                        uint64_t point)
{
    const struct span *s = innermost(spans, open);

    while (s && s->high <= point) {
        uint64_t end = s->high;

        /* A range below that ended earlier was hidden all along. */
        while (s && s->high <= end) {
            open->all.len--;
            s = innermost(spans, open);
        }
        put(spans, end, s ? s->value : SPAN_NONE);
    }
}

void spans_build(struct spans *spans)
{
    struct open_spans open = {0};

    if (spans->added.len)
        qsort(spans->added.data, spans->added.len, sizeof(struct span),
              compare);
    for (size_t i = 0; i < spans->added.len; i++) {
        const struct span *s = &spans->added.data[i];

        close_until(spans, &open, s->low);
        *vec_add(&open.all) = (uint32_t)i;
        put(spans, s->low, s->value);
    }
    close_until(spans, &open, UINT64_MAX);
    vec_release(&open.all);
    vec_release(&spans->added);
    vec_trim(&spans->pieces);
}

void spans_build_first(struct spans *spans)
{
    for (size_t i = 0; i < spans->added.len; i++)
        spans->added.data[i].order = (uint32_t)(spans->added.len - i);
    spans_build(spans);
}

uint32_t spans_find(const struct spans *spans, uint64_t address)
{
    size_t i;

    BISECT(i, spans->pieces.len, spans->pieces.data[i].start <= address);
    return i ? spans->pieces.data[i - 1].value : SPAN_NONE;
}

void spans_release(struct spans *spans)
{
    vec_release(&spans->added);
    vec_release(&spans->pieces);
}
