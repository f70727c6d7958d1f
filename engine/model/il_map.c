#include "engine/model/il_map.h"

#include "engine/base/bisect.h"

/* With what keeps equal ones in their order. */
struct placed {
    struct il_entry entry;
    size_t index;
};

static int compare_placed(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;

    if (x->entry.native != y->entry.native)
        return x->entry.native < y->entry.native ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

void il_maps_set(struct il_maps *maps, uint32_t method,
                 const struct il_entry *entries, size_t n)
{
    uint32_t fresh = mem_next_id(maps->spans.len);
    struct placed *placed;

    if (!n || map_add(&maps->ids, method, 0, fresh) != fresh)
        return;
    placed = mem_new(n, sizeof(*placed));
    for (size_t i = 0; i < n; i++)
        placed[i] = (struct placed){entries[i], i};
    qsort(placed, n, sizeof(*placed), compare_placed);
    *vec_add(&maps->spans) =
        (struct il_span){mem_next_id(maps->entries.len), mem_next_id(n)};
    for (size_t i = 0; i < n; i++)
        *vec_add(&maps->entries) = placed[i].entry;
    free(placed);
}

struct il_map il_maps_get(const struct il_maps *maps, uint32_t method)
{
    uint32_t id = map_get(&maps->ids, method, 0);
    const struct il_span *span;

    if (id == MAP_NONE)
        return (struct il_map){NULL, 0};
    span = &maps->spans.data[id];
    return (struct il_map){maps->entries.data + span->start, span->count};
}

void il_maps_release(struct il_maps *maps)
{
    vec_release(&maps->entries);
    vec_release(&maps->spans);
    map_release(&maps->ids);
}

/* Counts the entries that begin at or before an offset. */
static size_t upper_bound(const struct il_map *map, uint64_t offset)
{
    size_t i;

    BISECT(i, map->count, map->data[i].native <= offset);
    return i;
}

/* True if an epilog begins at the same place as entry `i`. */
static bool is_epilog(const struct il_map *map, size_t i)
{
    uint32_t native = map->data[i].native;

    for (size_t k = upper_bound(map, native); k-- > 0;) {
        if (map->data[k].native != native)
            return false;
        if (map->data[k].il == IL_EPILOG)
            return true;
    }
    return false;
}

/* A prolog belongs to what comes first behind it. */
static bool skip_prolog(const struct il_map *map, size_t i, int32_t *il)
{
    while (i < map->count && map->data[i].il < 0)
        i++;
    if (i < map->count)
        *il = map->data[i].il;
    return i < map->count;
}

static bool il_of_entry(const struct il_map *map, size_t i, int32_t *il)
{
    *il = map->data[i].il;
    if (*il == IL_PROLOG)
        return skip_prolog(map, i, il);
    return *il >= 0;
}

/* The smallest IL offset of the map above this one; -1 none. */
static int32_t next_il(const struct il_map *map, int32_t il)
{
    int32_t next = -1;

    for (size_t i = 0; i < map->count; i++)
        if (map->data[i].il > il && (next < 0 || map->data[i].il < next))
            next = map->data[i].il;
    return next;
}

/* True if the IL offset after `il` begins at this offset of the code. A call
 * that returns there then belongs to `il`, not to the next one. Some entry has
 * an earlier offset. */
static bool ends_range(const struct il_map *map, uint64_t offset, int32_t il,
                       int32_t *next)
{
    size_t i = upper_bound(map, offset);

    *next = -1;
    if (map->data[i - 1].native != offset)
        return false;
    *next = next_il(map, il);
    for (; *next >= 0 && map->data[i - 1].native == offset; i--)
        if (map->data[i - 1].il == *next)
            return true;
    return false;
}

static bool find_return(const struct il_map *map, uint64_t offset, int32_t *il)
{
    size_t i = offset ? upper_bound(map, offset - 1) : 0;
    int32_t next;

    if (!i || is_epilog(map, i - 1) || !il_of_entry(map, i - 1, il))
        return false;
    if (ends_range(map, offset, *il, &next))
        *il = next - 1;
    return true;
}

static bool find_exact(const struct il_map *map, uint64_t offset, int32_t *il)
{
    size_t i = upper_bound(map, offset);

    /* An epilog is still what was before it. */
    while (i && map->data[i - 1].il == IL_EPILOG)
        i--;
    return i && il_of_entry(map, i - 1, il);
}

bool il_map_find(const struct il_map *map, uint64_t offset, bool is_return,
                 uint32_t *il)
{
    int32_t found = -1;

    if (!(is_return ? find_return : find_exact)(map, offset, &found))
        return false;
    *il = (uint32_t)found;
    return true;
}
