#include "engine/base/keysort.h"

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

/* How often each digit has each value. */
static void count_digits(const struct keyed *list, size_t n,
                         size_t counts[DIGITS][BUCKETS])
{
    for (size_t i = 0; i < n; i++)
        for (unsigned d = 0; d < DIGITS; d++)
            counts[d][digit_of(&list[i], d)]++;
}

static void scatter(const struct keyed *from, struct keyed *to, size_t n,
                    unsigned digit, size_t counts[BUCKETS])
{
    size_t at = 0;

    for (size_t b = 0; b < BUCKETS; b++) {
        size_t count = counts[b];

        counts[b] = at;
        at += count;
    }
    for (size_t i = 0; i < n; i++)
        to[counts[digit_of(&from[i], digit)]++] = from[i];
}

static void radix_sort(struct keyed *list, size_t n)
{
    size_t(*counts)[BUCKETS] = mem_new(DIGITS, sizeof(*counts));
    struct keyed *spare = mem_new(n, sizeof(*spare));
    struct keyed *from = list, *to = spare;

    count_digits(list, n, counts);
    for (unsigned d = 0; d < DIGITS; d++) {
        struct keyed *sorted = to;

        if (counts[d][digit_of(from, d)] == n)
            continue;
        scatter(from, to, n, d, counts[d]);
        to = from;
        from = sorted;
    }
    if (from != list)
        memcpy(list, from, n * sizeof(*list));
    free(spare);
    free(counts);
}

void keysort(struct keyed *list, size_t n)
{
    if (n <= SMALL)
        insertion_sort(list, n);
    else
        radix_sort(list, n);
}
