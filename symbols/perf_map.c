#include "symbols/perf_map.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/arena.h"
#include "engine/base/reader.h"
#include "engine/base/vec.h"

/* Rows that describe the file and not code. */
#define FIRST_PSEUDO 0xFFFFFFFBu
#define SIGNATURE    0xFFFFFFFFu

#define NOBODY UINT32_MAX

struct entry {
    uint64_t start, end; /* end 0: up to the next */
    const char *name;
};

/* Disjoint: from `start` to the next piece. */
struct piece {
    uint64_t start;
    uint32_t entry; /* NOBODY: a gap */
};

struct perf_map {
    struct arena names;
    VEC(struct entry) entries; /* in order of the file */
    VEC(struct piece) pieces;  /* sorted by start */
};

static int hex_digit(uint8_t c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* A number and the blanks after it; false if there is none. */
static bool take_hex(struct bytes *line, uint64_t *value)
{
    size_t i = 0, digits = 0;
    int digit;

    if (line->len > 1 && line->data[0] == '0' && (line->data[1] | 0x20) == 'x')
        i = 2;
    for (*value = 0; i < line->len; i++, digits++) {
        digit = hex_digit(line->data[i]);
        if (digit < 0)
            break;
        *value = *value << 4 | (uint64_t)digit;
    }
    if (!digits || digits > 16 || i == line->len || line->data[i] != ' ')
        return false;
    while (i < line->len && line->data[i] == ' ')
        i++;
    line->data += i;
    line->len -= i;
    return true;
}

static struct bytes next_line(const uint8_t *data, size_t size, size_t *at)
{
    const uint8_t *start = data + *at;
    const uint8_t *end = memchr(start, '\n', size - *at);
    struct bytes line = {start, end ? (size_t)(end - start) : size - *at};

    *at += line.len + (end != NULL);
    while (line.len &&
           (line.data[line.len - 1] == '\r' || line.data[line.len - 1] == ' '))
        line.len--;
    return line;
}

static bool parse_line(struct bytes *line, uint64_t *start, uint64_t *size)
{
    return take_hex(line, start) && take_hex(line, size) && line->len;
}

/* No magic number: the first line must be an entry. */
static bool probe(const uint8_t *data, size_t size)
{
    size_t at = 0;
    uint64_t start, length;
    struct bytes line;

    if (!size || hex_digit(data[0]) < 0)
        return false;
    line = next_line(data, size < 4096 ? size : 4096, &at);
    return parse_line(&line, &start, &length);
}

static void take_signature(struct debug_file *file, struct bytes text)
{
    if (text.len != 32)
        return;
    for (unsigned i = 0; i < 32; i++) {
        int digit = hex_digit(text.data[i]);

        if (digit < 0)
            return;
        file->identity.guid[i / 2] =
            (uint8_t)(file->identity.guid[i / 2] << 4 | digit);
    }
}

static void take_line(struct debug_file *file, struct bytes line)
{
    struct perf_map *map = file->state;
    uint64_t start, size;

    if (!parse_line(&line, &start, &size))
        return;
    if (start >= FIRST_PSEUDO && start <= SIGNATURE && size < 2) {
        if (start == SIGNATURE)
            take_signature(file, line);
        return;
    }
    if (size > UINT64_MAX - start)
        return;
    *vec_add(&map->entries) = (struct entry){
        .start = start,
        .end = size ? start + size : 0,
        .name = arena_strndup(&map->names, (const char *)line.data, line.len),
    };
}

static int compare_pieces(const void *x, const void *y)
{
    const struct piece *a = x, *b = y;

    return a->start < b->start ? -1 : a->start > b->start;
}

/* Every start and end once, in order. */
static void find_edges(struct perf_map *map)
{
    size_t kept = 0;

    for (size_t i = 0; i < map->entries.len; i++) {
        const struct entry *e = &map->entries.data[i];

        *vec_add(&map->pieces) = (struct piece){e->start, NOBODY};
        if (e->end)
            *vec_add(&map->pieces) = (struct piece){e->end, NOBODY};
    }
    if (!map->pieces.len)
        return;
    qsort(map->pieces.data, map->pieces.len, sizeof(struct piece),
          compare_pieces);
    for (size_t i = 0; i < map->pieces.len; i++)
        if (!kept ||
            map->pieces.data[kept - 1].start != map->pieces.data[i].start)
            map->pieces.data[kept++] = map->pieces.data[i];
    map->pieces.len = kept;
}

/* Number of pieces that start at or below the address. */
static size_t upper_bound(const struct perf_map *map, uint64_t address)
{
    size_t low = 0, high = map->pieces.len;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (map->pieces.data[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The first piece from `i` on that nobody has. Paths are halved on the way,
 * so that painting all entries takes next to linear time. */
static size_t next_free(uint32_t *next, size_t i)
{
    while (next[i] != i) {
        next[i] = next[next[i]];
        i = next[i];
    }
    return i;
}

/* From the last entry to the first, each takes what is still free. */
static void paint(struct perf_map *map)
{
    struct piece *pieces = map->pieces.data;
    size_t n = map->pieces.len;
    uint32_t *next = mem_new(n + 1, sizeof(*next));

    (void)mem_next_id(n);
    for (size_t i = 0; i <= n; i++)
        next[i] = (uint32_t)i;
    for (size_t e = map->entries.len; e-- > 0;) {
        const struct entry *entry = &map->entries.data[e];
        size_t first = upper_bound(map, entry->start) - 1;
        uint64_t end = entry->end ? entry->end : entry->start + 1;

        for (size_t i = next_free(next, first); i < n && pieces[i].start < end;
             i = next_free(next, i)) {
            pieces[i].entry = (uint32_t)e;
            next[i] = (uint32_t)i + 1;
        }
    }
    free(next);
}

static enum err_code open_map(struct debug_file *file, struct err *err)
{
    struct perf_map *map = mem_new(1, sizeof(*map));

    (void)err; /* what is no entry is skipped */
    file->state = map;
    for (size_t at = 0; at < file->size;)
        take_line(file, next_line(file->data, file->size, &at));
    find_edges(map);
    paint(map);
    return ERR_NONE;
}

static size_t frames_of(struct debug_file *file, uint64_t rva,
                        struct debug_frame *frames, size_t max)
{
    struct perf_map *map = file->state;
    size_t i = upper_bound(map, rva);

    if (!i || !max || map->pieces.data[i - 1].entry == NOBODY)
        return 0;
    frames[0] = (struct debug_frame){
        .function = map->entries.data[map->pieces.data[i - 1].entry].name,
    };
    return 1;
}

static void close_map(struct debug_file *file)
{
    struct perf_map *map = file->state;

    arena_release(&map->names);
    vec_release(&map->entries);
    vec_release(&map->pieces);
    free(map);
}

const struct debug_kind perf_map_debug_kind = {
    .name = "perf map",
    .probe = probe,
    .open = open_map,
    .frames = frames_of,
    .close = close_map,
};
