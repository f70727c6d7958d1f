#include "engine/attribution/rangemap.h"

#include <string.h>

#include "engine/base/bisect.h"
#include "engine/base/keysort.h"

#define NONE UINT32_MAX

void rangemap_add(struct rangemap *map, const struct range *range)
{
    if (range->start >= range->end || range->from > range->to)
        return;
    /* Room for one at first: a trace may have a process for each sample. */
    if (!map->ranges.cap)
        map->ranges.data =
            mem_resize(NULL, map->ranges.cap = 1, sizeof(*range));
    *vec_add(&map->ranges) = *range;
}

void rangemap_release(struct rangemap *map)
{
    vec_release(&map->ranges);
    free(map->cuts);
    free(map->first);
    free(map->middle);
    free(map->items);
    free(map->upward);
    memset(map, 0, sizeof(*map));
}

static void keep_cut(struct rangemap *map, uint64_t address)
{
    if (!map->cut_count || map->cuts[map->cut_count - 1] != address)
        map->cuts[map->cut_count++] = address;
}

/* Starts and ends apart: the ranges of methods come by their starts. */
static void collect_cuts(struct rangemap *map)
{
    size_t n = map->ranges.len, next = 0;
    struct keyed *starts = mem_new(n, sizeof(*starts));
    struct keyed *ends = mem_new(n, sizeof(*ends));

    for (size_t i = 0; i < n; i++) {
        starts[i].key = map->ranges.data[i].start;
        ends[i].key = map->ranges.data[i].end;
    }
    keysort(starts, n);
    keysort(ends, n);
    map->cuts = mem_new(2 * n, sizeof(*map->cuts));
    for (size_t i = 0; i < n; i++) {
        for (; next < n && starts[next].key <= ends[i].key; next++)
            keep_cut(map, starts[next].key);
        keep_cut(map, ends[i].key);
    }
    free(ends);
    free(starts);
}

/* The index of the last cut at or below an address that is not below all. In
 * which half of what is left it is nobody can foresee, so it is not asked by a
 * branch. */
static size_t find_cut(const struct rangemap *map, uint64_t address)
{
    const uint64_t *cuts = map->cuts;

    for (size_t n = map->cut_count; n > 1;) {
        size_t half = n / 2;

        cuts += half & -(size_t)(cuts[half] <= address);
        n -= half;
    }
    return (size_t)(cuts - map->cuts);
}

/* Order within a node: known beginnings by beginning, then the rest by end;
 * of equals the one that was added later comes where it is preferred. */
static bool precedes(const struct range *ranges, uint32_t a, uint32_t b)
{
    const struct range *x = &ranges[a], *y = &ranges[b];

    if (x->began != y->began)
        return x->began;
    if (x->began)
        return x->from != y->from ? x->from < y->from : a < b;
    return x->to != y->to ? x->to < y->to : a > b;
}

/* Sorting all ranges once sorts every node: nodes are filled in order. */
static void merge_sort(const struct range *ranges, uint32_t *ids,
                       uint32_t *scratch, size_t n)
{
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t low = 0; low < n; low += 2 * width) {
            size_t mid = low + width < n ? low + width : n;
            size_t high = low + 2 * width < n ? low + 2 * width : n;
            size_t i = low, j = mid, k = low;

            while (i < mid && j < high)
                scratch[k++] =
                    precedes(ranges, ids[j], ids[i]) ? ids[j++] : ids[i++];
            while (i < mid)
                scratch[k++] = ids[i++];
            while (j < high)
                scratch[k++] = ids[j++];
        }
        memcpy(ids, scratch, n * sizeof(*ids));
    }
}

static uint32_t *sorted_ids(const struct rangemap *map)
{
    size_t n = map->ranges.len;
    uint32_t *ids = mem_new(n, sizeof(*ids));
    uint32_t *scratch = mem_new(n, sizeof(*scratch));

    for (size_t i = 0; i < n; i++)
        ids[i] = (uint32_t)i;
    merge_sort(map->ranges.data, ids, scratch, n);
    free(scratch);
    return ids;
}

/* Visits the O(log n) nodes that together cover a range's gaps: counts the
 * range there, or puts it there when `items` is given. */
static void place(struct rangemap *map, uint32_t id, uint32_t *fill, bool put)
{
    const struct range *range = &map->ranges.data[id];
    size_t low = find_cut(map, range->start) + map->leaves;
    size_t high = find_cut(map, range->end) + map->leaves;

    for (; low < high; low /= 2, high /= 2) {
        size_t nodes[2], count = 0;

        if (low & 1)
            nodes[count++] = low++;
        if (high & 1)
            nodes[count++] = --high;
        for (size_t i = 0; i < count; i++) {
            if (put)
                map->items[fill[nodes[i]]] = id;
            if (put && range->began)
                map->middle[nodes[i]] = fill[nodes[i]] + 1;
            fill[nodes[i]]++;
        }
    }
}

void rangemap_build(struct rangemap *map)
{
    size_t nodes;
    uint32_t *ids, *fill;

    if (!map->ranges.len)
        return;
    vec_trim(&map->ranges);
    collect_cuts(map);
    map->leaves = map->cut_count;
    nodes = map->leaves * 2;
    ids = sorted_ids(map);
    fill = mem_new(nodes + 1, sizeof(*fill));
    for (size_t i = 0; i < map->ranges.len; i++)
        place(map, ids[i], fill, false);
    map->first = mem_new(nodes + 1, sizeof(*map->first));
    for (size_t i = 0; i < nodes; i++)
        map->first[i + 1] = map->first[i] + fill[i];
    map->items = mem_new(map->first[nodes], sizeof(*map->items));
    map->middle = mem_new(nodes, sizeof(*map->middle));
    memcpy(fill, map->first, nodes * sizeof(*fill));
    memcpy(map->middle, map->first, nodes * sizeof(*map->middle));
    for (size_t i = 0; i < map->ranges.len; i++)
        place(map, ids[i], fill, true);
    map->upward = mem_new(nodes, sizeof(*map->upward));
    for (size_t i = 1; i < nodes; i++)
        map->upward[i] = map->first[i] < map->first[i + 1] ? (uint32_t)i
                                                           : map->upward[i / 2];
    free(fill);
    free(ids);
}

/* The answer of one look-up so far; from/to shrink to where it holds. */
struct search {
    const struct range *ranges;
    int64_t time;
    uint32_t begun; /* latest that began at or before time, or NONE */
    uint32_t other; /* first to end at or after time, or NONE */
    bool ended;     /* one of either kind was over by then */
    int64_t from, to;
};

static void narrow_from(struct search *s, int64_t time)
{
    if (time > s->from)
        s->from = time;
}

static void narrow_to(struct search *s, int64_t time)
{
    if (time < s->to)
        s->to = time;
}

static void search_begun(struct search *s, const uint32_t *items, uint32_t low,
                         uint32_t high)
{
    uint32_t next;
    uint32_t i;

    /* The number of items in [low, high) that began at or before the time. */
    BISECT(i, high - low, s->ranges[items[low + i]].from <= s->time);
    next = low + i;
    if (next < high)
        narrow_to(s, s->ranges[items[next]].from - 1);
    if (next == low)
        return;
    narrow_from(s, s->ranges[items[next - 1]].from);
    if (s->begun == NONE || precedes(s->ranges, s->begun, items[next - 1]))
        s->begun = items[next - 1];
}

static void search_other(struct search *s, const uint32_t *items, uint32_t low,
                         uint32_t high)
{
    uint32_t n = high - low, over;

    items += low;
    BISECT(over, n, s->ranges[items[over]].to < s->time);
    if (over) {
        narrow_from(s, s->ranges[items[over - 1]].to + 1);
        s->ended = true;
    }
    if (over < n &&
        (s->other == NONE || precedes(s->ranges, items[over], s->other)))
        s->other = items[over];
}

/* The winner, or NONE; from/to become those of the answer. */
static uint32_t decide(struct search *s)
{
    const struct range *range;

    if (s->begun != NONE) {
        range = &s->ranges[s->begun];
        if (range->to >= s->time) {
            narrow_to(s, range->to);
            return s->begun;
        }
        narrow_from(s, range->to + 1);
        s->ended = true;
    }
    if (s->other == NONE)
        return NONE;
    range = &s->ranges[s->other];
    narrow_to(s, range->to);
    if (range->from > s->time) {
        narrow_to(s, range->from - 1);
        return NONE;
    }
    narrow_from(s, range->from);
    return s->other;
}

struct range_hit rangemap_find(const struct rangemap *map, uint64_t address,
                               int64_t time)
{
    struct search s = {
        .ranges = map->ranges.data,
        .time = time,
        .begun = NONE,
        .other = NONE,
        .from = INT64_MIN,
        .to = INT64_MAX,
    };
    uint32_t id;

    if (!map->cut_count || address < map->cuts[0] ||
        address >= map->cuts[map->cut_count - 1])
        return (struct range_hit){NONE, 0, INT64_MIN, INT64_MAX, false};
    /* All nodes with ranges on the way from the address's gap to the root. */
    for (uint32_t node = map->upward[find_cut(map, address) + map->leaves];
         node; node = map->upward[node / 2]) {
        search_begun(&s, map->items, map->first[node], map->middle[node]);
        search_other(&s, map->items, map->middle[node], map->first[node + 1]);
    }
    id = decide(&s);
    if (id == NONE)
        return (struct range_hit){NONE, 0, s.from, s.to, s.ended};
    return (struct range_hit){s.ranges[id].value, s.ranges[id].start, s.from,
                              s.to, s.ended};
}
