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

/* Sorts by one digit after the other, the lowest first. Digits that all keys
 * share are left out, and so is a list that is in order. */
void keysort(struct keyed *list, size_t n)
{
    uint64_t differ = 0;
    bool in_order = true;
    struct keyed *from = list, *to, *spare;

    if (n <= SMALL) {
        insertion_sort(list, n);
        return;
    }
    for (size_t i = 1; i < n; i++) {
        differ |= list[i].key ^ list[0].key;
        in_order &= list[i - 1].key <= list[i].key;
    }
    if (in_order)
        return;
    to = spare = mem_new(n, sizeof(*spare));
    for (unsigned shift = 0; shift < 8 * DIGITS; shift += 8) {
        size_t starts[BUCKETS] = {0}, at = 0;
        struct keyed *sorted = to;

        if (!(differ >> shift & (BUCKETS - 1)))
            continue;
        for (size_t i = 0; i < n; i++)
            starts[from[i].key >> shift & (BUCKETS - 1)]++;
        for (size_t i = 0; i < BUCKETS; i++) {
            size_t count = starts[i];

            starts[i] = at;
            at += count;
        }
        for (size_t i = 0; i < n; i++)
            to[starts[from[i].key >> shift & (BUCKETS - 1)]++] = from[i];
        to = from;
        from = sorted;
    }
    if (from != list)
        memcpy(list, from, n * sizeof(*list));
    free(spare);
}
