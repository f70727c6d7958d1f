#include "symbols/generated/address_ranges.h"

#include "engine/base/bisect.h"

static int compare_pieces(const void *x, const void *y)
{
    const struct piece *a = x, *b = y;

    return a->start < b->start ? -1 : a->start > b->start;
}

/* Every start and end once, in order. */
static void find_edges(struct address_ranges *p)
{
    size_t kept = 0;

    for (size_t i = 0; i < p->ranges.len; i++) {
        const struct address_range *e = &p->ranges.data[i];

        *vec_add(&p->pieces) = (struct piece){e->start, ADDRESS_RANGE_NONE};
        if (e->end)
            *vec_add(&p->pieces) = (struct piece){e->end, ADDRESS_RANGE_NONE};
    }
    if (!p->pieces.len)
        return;
    qsort(p->pieces.data, p->pieces.len, sizeof(struct piece), compare_pieces);
    for (size_t i = 0; i < p->pieces.len; i++)
        if (!kept || p->pieces.data[kept - 1].start != p->pieces.data[i].start)
            p->pieces.data[kept++] = p->pieces.data[i];
    p->pieces.len = kept;
}

/* Number of pieces that start at or below the address. */
static size_t upper_bound(const struct address_ranges *p, uint64_t address)
{
    size_t i;

    BISECT(i, p->pieces.len, p->pieces.data[i].start <= address);
    return i;
}

/* The first piece from `i` on that nobody has. Paths are halved on the way,
 * so that painting all ranges takes next to linear time. */
static size_t next_free(uint32_t *next, size_t i)
{
    while (next[i] != i) {
        next[i] = next[next[i]];
        i = next[i];
    }
    return i;
}

void address_ranges_add(struct address_ranges *p, uint64_t start, uint64_t size)
{
    uint64_t end = size > UINT64_MAX - start ? UINT64_MAX : start + size;

    *vec_add(&p->ranges) = (struct address_range){start, size ? end : 0};
}

void address_ranges_build(struct address_ranges *p)
{
    struct piece *pieces;
    size_t n;
    uint32_t *next;

    find_edges(p);
    /* From the last range to the first, each takes what is still free. */
    pieces = p->pieces.data;
    n = p->pieces.len;
    next = mem_new(n + 1, sizeof(*next));
    (void)mem_next_id(n);
    for (size_t i = 0; i <= n; i++)
        next[i] = (uint32_t)i;
    for (size_t e = p->ranges.len; e-- > 0;) {
        const struct address_range *range = &p->ranges.data[e];
        size_t first = upper_bound(p, range->start) - 1;
        uint64_t end = range->end ? range->end : range->start + 1;

        for (size_t i = next_free(next, first); i < n && pieces[i].start < end;
             i = next_free(next, i)) {
            pieces[i].range = (uint32_t)e;
            next[i] = (uint32_t)i + 1;
        }
    }
    free(next);
}

uint32_t address_ranges_find(const struct address_ranges *p, uint64_t address)
{
    size_t i = upper_bound(p, address);

    return i ? p->pieces.data[i - 1].range : ADDRESS_RANGE_NONE;
}

void address_ranges_release(struct address_ranges *p)
{
    vec_release(&p->ranges);
    vec_release(&p->pieces);
}
