/*
 * heap - buffers and events that are merged in order of time: the earliest is
 * on top, data[0].
 *
 *     struct heap heap = {0};
 *     heap_push(&heap, time, order, buffer);
 *     while (heap.len) {
 *         use(heap.data[0].what);
 *         if (is_at_its_end(heap.data[0].what))
 *             heap_pop(&heap);
 *         else
 *             heap_delay(&heap, its_next_time);
 *     }
 *     vec_release(&heap);
 */
#ifndef TOPFN_BASE_HEAP_H
#define TOPFN_BASE_HEAP_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/vec.h"

struct heap_entry {
    uint64_t time, order; /* at equal times the smaller order is first */
    void *what;
};

struct heap {
    struct heap_entry *data;
    size_t len, cap;
};

static inline bool heap_is_earlier(const struct heap_entry *a,
                                   const struct heap_entry *b)
{
    return a->time != b->time ? a->time < b->time : a->order < b->order;
}

static inline void heap_push(struct heap *h, uint64_t time, uint64_t order,
                             void *what)
{
    struct heap_entry added = {time, order, what};
    size_t at = h->len;

    *vec_add(h) = added;
    for (; at && heap_is_earlier(&added, &h->data[(at - 1) / 2]);
         at = (at - 1) / 2)
        h->data[at] = h->data[(at - 1) / 2];
    h->data[at] = added;
}

/* The top is due at this time from now on, which is not earlier. */
static inline void heap_delay(struct heap *h, uint64_t time)
{
    struct heap_entry *heap = h->data, moved = heap[0];
    size_t at = 0, child;

    moved.time = time;
    while ((child = 2 * at + 1) < h->len) {
        if (child + 1 < h->len &&
            heap_is_earlier(&heap[child + 1], &heap[child]))
            child++;
        if (!heap_is_earlier(&heap[child], &moved))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = moved;
}

/* Takes the top away. */
static inline void *heap_pop(struct heap *h)
{
    void *what = h->data[0].what;

    h->data[0] = h->data[--h->len];
    if (h->len)
        heap_delay(h, h->data[0].time);
    return what;
}

#endif
