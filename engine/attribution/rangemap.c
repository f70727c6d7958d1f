#include "engine/attribution/rangemap.h"

#include <string.h>

#include "engine/base/bisect.h"
#include "engine/base/keysort.h"

#define NONE UINT32_MAX

struct range_tree {
    uint64_t *cuts; /* sorted distinct starts and ends */
    size_t count;   /* of cuts */
    /* A segment tree over the gaps between cuts: node n's ranges are
     * items[first[n] .. first[n + 1]); those with a known beginning first,
     * sorted by it, then the others, sorted by their end. Most have none:
     * upward[n] is the next one, from n on towards the root, that has some;
     * 0: none has. The leaves are the last `count` nodes. */
    uint32_t *first, *middle, *items, *upward;
};

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
    struct range_tree *tree = map->tree;

    vec_release(&map->ranges);
    if (tree) {
        free(tree->cuts);
        free(tree->first);
        free(tree->middle);
        free(tree->items);
        free(tree->upward);
        free(tree);
    }
    map->tree = NULL;
}

static void keep_cut(struct range_tree *tree, uint64_t address)
{
    if (!tree->count || tree->cuts[tree->count - 1] != address)
        tree->cuts[tree->count++] = address;
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
    map->tree->cuts = mem_new(2 * n, sizeof(*map->tree->cuts));
    for (size_t i = 0; i < n; i++) {
        for (; next < n && starts[next].key <= ends[i].key; next++)
            keep_cut(map->tree, starts[next].key);
        keep_cut(map->tree, ends[i].key);
    }
    free(ends);
    free(starts);
}

/* The index of the last cut at or below an address that is not below all. In
 * which half of what is left it is nobody can foresee, so it is not asked by a
 * branch. */
static size_t find_cut(const struct range_tree *tree, uint64_t address)
{
    const uint64_t *cuts = tree->cuts;

    for (size_t n = tree->count; n > 1;) {
        size_t half = n / 2;

        cuts += half & -(size_t)(cuts[half] <= address);
        n -= half;
    }
    return (size_t)(cuts - tree->cuts);
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
    struct range_tree *tree = map->tree;
    size_t low = find_cut(tree, range->start) + tree->count;
    size_t high = find_cut(tree, range->end) + tree->count;

    for (; low < high; low /= 2, high /= 2) {
        size_t nodes[2], count = 0;

        if (low & 1)
            nodes[count++] = low++;
        if (high & 1)
            nodes[count++] = --high;
        for (size_t i = 0; i < count; i++) {
            if (put)
                tree->items[fill[nodes[i]]] = id;
            if (put && range->began)
                tree->middle[nodes[i]] = fill[nodes[i]] + 1;
            fill[nodes[i]]++;
        }
    }
}

void rangemap_build(struct rangemap *map)
{
    struct range_tree *tree;
    size_t nodes;
    uint32_t *ids, *fill;

    vec_trim(&map->ranges);
    if (map->ranges.len < 2)
        return;
    tree = map->tree = mem_new(1, sizeof(*tree));
    collect_cuts(map);
    nodes = tree->count * 2;
    ids = sorted_ids(map);
    fill = mem_new(nodes + 1, sizeof(*fill));
    for (size_t i = 0; i < map->ranges.len; i++)
        place(map, ids[i], fill, false);
    tree->first = mem_new(nodes + 1, sizeof(*tree->first));
    for (size_t i = 0; i < nodes; i++)
        tree->first[i + 1] = tree->first[i] + fill[i];
    tree->items = mem_new(tree->first[nodes], sizeof(*tree->items));
    tree->middle = mem_new(nodes, sizeof(*tree->middle));
    memcpy(fill, tree->first, nodes * sizeof(*fill));
    memcpy(tree->middle, tree->first, nodes * sizeof(*tree->middle));
    for (size_t i = 0; i < map->ranges.len; i++)
        place(map, ids[i], fill, true);
    tree->upward = mem_new(nodes, sizeof(*tree->upward));
    for (size_t i = 1; i < nodes; i++)
        tree->upward[i] = tree->first[i] < tree->first[i + 1]
                              ? (uint32_t)i
                              : tree->upward[i / 2];
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

/* Asks all nodes with ranges on the way from the address's gap to the root. */
static void search_tree(struct search *s, const struct range_tree *tree,
                        uint64_t address)
{
    uint32_t node;

    if (address < tree->cuts[0] || address >= tree->cuts[tree->count - 1])
        return;
    for (node = tree->upward[find_cut(tree, address) + tree->count]; node;
         node = tree->upward[node / 2]) {
        search_begun(s, tree->items, tree->first[node], tree->middle[node]);
        search_other(s, tree->items, tree->middle[node], tree->first[node + 1]);
    }
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

    if (map->tree) {
        search_tree(&s, map->tree, address);
    } else if (map->ranges.len && address >= map->ranges.data->start &&
               address < map->ranges.data->end) {
        uint32_t only = 0, begun = map->ranges.data->began;

        search_begun(&s, &only, 0, begun);
        search_other(&s, &only, begun, 1);
    }
    id = decide(&s);
    if (id == NONE)
        return (struct range_hit){NONE, 0, s.from, s.to, s.ended};
    return (struct range_hit){s.ranges[id].value, s.ranges[id].start, s.from,
                              s.to, s.ended};
}
