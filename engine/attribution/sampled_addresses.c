#include "engine/attribution/sampled_addresses.h"

#include <stdlib.h>

#include "engine/base/bisect.h"

enum {
    PAGE_SHIFT = 12,
    FEWEST_BITS = 12,
    MOST_BITS = 24,
    MOST_PAGES = 8, /* of a range whose pages are looked up one by one */
};

static int compare_addresses(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static size_t page_bit(const struct sampled_addresses *s, uint64_t page)
{
    return (size_t)(page * 0x9E3779B97F4A7C15u >> s->shift);
}

static void mark_pages(struct sampled_addresses *s)
{
    unsigned bits = FEWEST_BITS;

    while (bits < MOST_BITS && (size_t)1 << bits < s->len * 8)
        bits++;
    s->shift = 64 - bits;
    s->pages = mem_new((size_t)1 << (bits - 6), sizeof(*s->pages));
    for (size_t i = 0; i < s->len; i++) {
        size_t bit = page_bit(s, s->addresses[i] >> PAGE_SHIFT);

        s->pages[bit / 64] |= (uint64_t)1 << bit % 64;
    }
}

void sampled_addresses_of(struct sampled_addresses *s, uint64_t *addresses,
                          size_t n)
{
    if (n)
        qsort(addresses, n, sizeof(*addresses), compare_addresses);
    s->addresses = addresses;
    s->len = n;
    mark_pages(s);
}

void sampled_addresses_init(struct sampled_addresses *s,
                            const struct callchains *runs)
{
    VEC(uint64_t) list = {0};
    struct map seen = {0};

    for (size_t i = 0; i < runs->list.len; i++) {
        const struct callchain *run = &runs->list.data[i];

        for (uint32_t j = 0; j < run->count; j++) {
            uint64_t address = callchain_frame(run, j);

            if (map_add(&seen, address, 0, 1) == 1) {
                map_set(&seen, address, 0, 0);
                *vec_add(&list) = address;
            }
        }
    }
    map_release(&seen);
    sampled_addresses_of(s, list.data, list.len);
}

void sampled_addresses_release(struct sampled_addresses *s)
{
    free(s->addresses);
    free(s->pages);
}

static bool page_marked(const struct sampled_addresses *s, uint64_t page)
{
    size_t bit = page_bit(s, page);

    return s->pages[bit / 64] >> bit % 64 & 1;
}

bool sampled_addresses_near(const struct sampled_addresses *s, uint64_t address)
{
    return page_marked(s, address >> PAGE_SHIFT);
}

static bool any_page_marked(const struct sampled_addresses *s, uint64_t start,
                            uint64_t last)
{
    uint64_t page = start >> PAGE_SHIFT, end = last >> PAGE_SHIFT;

    if (end - page > MOST_PAGES)
        return true;
    for (; page <= end; page++)
        if (page_marked(s, page))
            return true;
    return false;
}

bool sampled_addresses_within(const struct sampled_addresses *s, uint64_t start,
                              uint64_t size)
{
    size_t i;
    uint64_t last;

    if (!size)
        return false;
    last = size - 1 > UINT64_MAX - start ? UINT64_MAX : start + (size - 1);
    if (!any_page_marked(s, start, last))
        return false;
    BISECT(i, s->len, s->addresses[i] < start);
    return i < s->len && s->addresses[i] <= last;
}
