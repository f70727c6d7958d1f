#include "engine/base/keysort.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/mem.h"

enum { DIGITS = 8, BUCKETS = 256, SMALL = 48 };

static void insertion_sort(struct keyed *list, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        struct keyed moved = list[i];
        size_t at = i;

        for (; at && list[at - 1].key > moved.key; at--)
            list[at] = list[at - 1];
        list[at] = moved;
    }
}

static unsigned digit_of(const struct keyed *k, unsigned digit)
{
    return k->key >> digit * 8 & (BUCKETS - 1);
}

static void sort_by_digit(const struct keyed *from, struct keyed *to, size_t n,
                          unsigned digit)
{
    size_t starts[BUCKETS] = {0}, at = 0;

    for (size_t i = 0; i < n; i++)
        starts[digit_of(&from[i], digit)]++;
    for (size_t b = 0; b < BUCKETS; b++) {
        size_t count = starts[b];

        starts[b] = at;
        at += count;
    }
    for (size_t i = 0; i < n; i++)
        to[starts[digit_of(&from[i], digit)]++] = from[i];
}

/* The bits in which keys differ; 0 also when they are in order. */
static uint64_t bits_to_sort_by(const struct keyed *list, size_t n)
{
    uint64_t differ = 0;
    bool in_order = true;

    for (size_t i = 1; i < n; i++) {
        differ |= list[i].key ^ list[0].key;
        in_order &= list[i - 1].key <= list[i].key;
    }
    return in_order ? 0 : differ;
}

static void radix_sort(struct keyed *list, size_t n)
{
    uint64_t differ = bits_to_sort_by(list, n);
    struct keyed *from = list, *to, *spare, *sorted;

    if (!differ)
        return;
    to = spare = mem_new(n, sizeof(*spare));
    for (unsigned d = 0; d < DIGITS; d++) {
        if (!(differ >> d * 8 & (BUCKETS - 1)))
            continue;
        sort_by_digit(from, to, n, d);
        sorted = to;
        to = from;
        from = sorted;
    }
    if (from != list)
        memcpy(list, from, n * sizeof(*list));
    free(spare);
}

void keysort(struct keyed *list, size_t n)
{
    if (n <= SMALL)
        insertion_sort(list, n);
    else
        radix_sort(list, n);
}
