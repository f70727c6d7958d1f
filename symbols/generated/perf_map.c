#include "symbols/generated/perf_map.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/arena.h"
#include "engine/base/reader.h"
#include "engine/base/vec.h"
#include "symbols/generated/paint.h"

/* Rows that describe the file and not code. */
#define FIRST_PSEUDO 0xFFFFFFFBu
#define SIGNATURE    0xFFFFFFFFu

struct perf_map {
    struct arena arena;
    VEC(const char *) names; /* in order of the file */
    struct paint ranges;     /* of the names */
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

/* What follows in the line is the name: not empty, also as text in C. */
static bool parse_line(struct bytes *line, uint64_t *start, uint64_t *size)
{
    return take_hex(line, start) && take_hex(line, size) && line->len &&
           *line->data;
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
    paint_add(&map->ranges, start, size);
    *vec_add(&map->names) =
        arena_strndup(&map->arena, (const char *)line.data, line.len);
}

static enum err_code open_map(struct debug_file *file, struct err *err)
{
    struct perf_map *map = mem_new(1, sizeof(*map));

    (void)err; /* what is no entry is skipped */
    file->state = map;
    for (size_t at = 0; at < file->size;)
        take_line(file, next_line(file->data, file->size, &at));
    paint_build(&map->ranges);
    return ERR_NONE;
}

static size_t frames_of(struct debug_file *file, uint64_t rva,
                        struct debug_frame *frames, size_t max)
{
    struct perf_map *map = file->state;
    uint32_t i = paint_find(&map->ranges, rva);

    if (i == PAINT_NONE || !max)
        return 0;
    frames[0] = (struct debug_frame){.function = map->names.data[i]};
    return 1;
}

static void close_map(struct debug_file *file)
{
    struct perf_map *map = file->state;

    arena_release(&map->arena);
    vec_release(&map->names);
    paint_release(&map->ranges);
    free(map);
}

const struct debug_kind perf_map_debug_kind = {
    .name = "perf map",
    .probe = probe,
    .open = open_map,
    .frames = frames_of,
    .close = close_map,
};
