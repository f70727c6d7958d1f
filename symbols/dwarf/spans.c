#include "symbols/dwarf/spans.h"

#include <stdlib.h>

#include "engine/base/bisect.h"

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

        /* What lies below and ended earlier was hidden all along. */
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
