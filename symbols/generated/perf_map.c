
#include <stdlib.h>
#include <string.h>

#include "engine/attribution/perf_map_rows.h"
#include "engine/base/arena.h"
#include "engine/base/hex.h"
#include "engine/base/vec.h"
#include "symbols/generated/address_ranges.h"

/* Rows that describe the file and not code. */
#define FIRST_PSEUDO 0xFFFFFFFBu
#define SIGNATURE    0xFFFFFFFFu

struct perf_map {
    struct arena arena;
    VEC(const char *) names;      /* in order of the file */
    struct address_ranges ranges; /* of the names */
};

static void take_row(struct debug_file *file, const struct perf_map_row *row)
{
    struct perf_map *map = file->state;

    if (row->start >= FIRST_PSEUDO && row->start <= SIGNATURE &&
        row->size < 2) {
        if (row->start == SIGNATURE) {
            struct bytes text = row->name;
            uint8_t guid[16];

            if (text.len == 2 * sizeof(guid) &&
                hex_bytes((const char *)text.data, sizeof(guid), guid))
                memcpy(file->identity.guid, guid, sizeof(guid));
        }
        return;
    }
    address_ranges_add(&map->ranges, row->start, row->size);
    *vec_add(&map->names) =
        arena_strndup(&map->arena, (const char *)row->name.data, row->name.len);
}

static enum err_code open_map(struct debug_file *file, struct err *err)
{
    struct perf_map *map = mem_new(1, sizeof(*map));
    struct perf_map_row row;

    (void)err; /* what is no row is skipped */
    file->state = map;
    for (size_t at = 0; perf_map_next(file->data, file->size, &at, &row);)
        take_row(file, &row);
    address_ranges_build(&map->ranges);
    return ERR_NONE;
}

static size_t frames_of(struct debug_file *file, uint64_t rva,
                        struct debug_frame *frames, size_t max)
{
    struct perf_map *map = file->state;
    uint32_t i = address_ranges_find(&map->ranges, rva);

    if (i == ADDRESS_RANGE_NONE || !max)
        return 0;
    frames[0] = (struct debug_frame){.function = map->names.data[i]};
    return 1;
}

static void close_map(struct debug_file *file)
{
    struct perf_map *map = file->state;

    arena_release(&map->arena);
    vec_release(&map->names);
    address_ranges_release(&map->ranges);
    free(map);
}

const struct debug_kind perf_map_debug_kind = {
    .name = "perf map",
    .probe = perf_map_probe,
    .open = open_map,
    .frames = frames_of,
    .close = close_map,
};
