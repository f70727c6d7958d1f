/*
 * jit-PID.dump: what a runtime says of code it generated, as `perf inject`
 * reads it (format.md, section 2). In the byte order of the machine:
 *
 *   0   u32  magic 0x4A695444
 *   4   u32  version 1
 *   8   u32  size of this header, at least 40
 *   12  u32  machine, u32 0, u32 pid, u64 time, u64 flags
 *
 * Records, each u32 id, u32 size with these 16 bytes, u64 time:
 *
 *   0 LOAD        u32 pid, u32 tid, u64 address in memory, u64 address,
 *                 u64 size, u64 index, name (NUL), code
 *   1 MOVE        u32 pid, u32 tid, u64 address in memory, u64 old and new
 *                 address, u64 size, u64 index (of its LOAD)
 *   2 DEBUG_INFO  u64 address, u64 n, n times: u64 address, u32 line,
 *                 u32 column, file (NUL; "\xFF": that of the entry before);
 *                 comes before its LOAD
 *   3 CLOSE, 4 UNWINDING_INFO: nothing about names
 *
 * Addresses are absolute. A debug file knows no time: where memory was used
 * again, the code that came last is meant. A record that is cut off, as when
 * the program was killed, ends the file.
 */
#include <string.h>

#include "engine/base/arena.h"
#include "engine/base/bisect.h"
#include "engine/base/map.h"
#include "engine/base/reader.h"
#include "engine/base/vec.h"
#include "symbols/generated/paint.h"
#include "symbols/kinds.h"

#define MAGIC 0x4A695444u

enum { HEADER_SIZE = 40, RECORD_SIZE = 16 };

enum record_id { LOAD, MOVE, DEBUG_INFO };

struct line {
    uint64_t address; /* where the code was first */
    uint32_t line;
    uint32_t order; /* in the file: of one address the last counts */
    const char *file;
};

/* lines[first .. first + count), by address. */
struct code {
    const char *name; /* "" unknown */
    uint64_t address;
    size_t first_line, line_count;
};

/* A place of code in memory. */
struct stay {
    uint32_t code;
    uint64_t start;
};

struct jitdump {
    struct arena names;
    VEC(struct code) codes;
    VEC(struct line) lines;
    VEC(struct stay) stays;
    struct paint ranges;   /* of the stays */
    struct map by_index;   /* of LOAD: to code */
    struct code described; /* by the last DEBUG_INFO; no name yet */
    bool swapped;
};

/* ---- reading ---- */

static uint32_t get_u32(const struct jitdump *d, struct reader *r)
{
    uint32_t value = reader_u32(r);

    return d->swapped ? __builtin_bswap32(value) : value;
}

static uint64_t get_u64(const struct jitdump *d, struct reader *r)
{
    uint64_t value = reader_u64(r);

    return d->swapped ? __builtin_bswap64(value) : value;
}

static bool probe(const uint8_t *data, size_t size)
{
    uint32_t magic = size < HEADER_SIZE ? 0 : load_u32(data);

    return magic == MAGIC || magic == __builtin_bswap32(MAGIC);
}

static const char *get_name(struct jitdump *d, struct reader *r)
{
    struct bytes name = reader_cstr(r);

    return name.len ? arena_strndup(&d->names, (const char *)name.data,
                                    name.len)
                    : "";
}

static void add_stay(struct jitdump *d, uint32_t code, uint64_t start,
                     uint64_t size)
{
    if (!size)
        return;
    *vec_add(&d->stays) = (struct stay){code, start};
    paint_add(&d->ranges, start, size);
}

static void read_load(struct jitdump *d, struct reader *r)
{
    uint32_t number = mem_next_id(d->codes.len);
    struct code code = {.name = ""};
    uint64_t size, index;

    reader_skip(r, 16);
    code.address = get_u64(d, r);
    size = get_u64(d, r);
    index = get_u64(d, r);
    if (d->described.address == code.address)
        code = d->described;
    d->described = (struct code){.line_count = 0};
    code.name = get_name(d, r);
    if (r->failed)
        return;
    *vec_add(&d->codes) = code;
    map_set(&d->by_index, index, 0, number);
    add_stay(d, number, code.address, size);
}

static void read_move(struct jitdump *d, struct reader *r)
{
    uint64_t start, size;
    uint32_t code;

    reader_skip(r, 24);
    start = get_u64(d, r);
    size = get_u64(d, r);
    code = map_get(&d->by_index, get_u64(d, r), 0);
    if (!r->failed && code != MAP_NONE)
        add_stay(d, code, start, size);
}

static int compare_lines(const void *a, const void *b)
{
    const struct line *x = a, *y = b;

    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

static void read_line(struct jitdump *d, struct reader *r, const char **file)
{
    struct line line = {.order = mem_next_id(d->lines.len)};
    const char *name;

    line.address = get_u64(d, r);
    line.line = get_u32(d, r);
    reader_skip(r, 4);
    name = get_name(d, r);
    if (r->failed)
        return;
    if (strcmp(name, "\xFF") != 0)
        *file = name;
    line.file = *file;
    *vec_add(&d->lines) = line;
}

static void read_debug_info(struct jitdump *d, struct reader *r)
{
    struct code code = {.first_line = d->lines.len};
    const char *file = "";
    uint64_t n;

    code.address = get_u64(d, r);
    n = get_u64(d, r);
    while (n-- && reader_more(r))
        read_line(d, r, &file);
    code.line_count = d->lines.len - code.first_line;
    if (code.line_count)
        qsort(d->lines.data + code.first_line, code.line_count,
              sizeof(*d->lines.data), compare_lines);
    d->described = code;
}

static void read_record(struct jitdump *d, struct reader *r)
{
    uint32_t id = get_u32(d, r), size = get_u32(d, r);
    struct reader body;

    reader_skip(r, 8);
    if (size < RECORD_SIZE)
        reader_fail(r, ERR_CORRUPT, "size of a record");
    body = reader_sub(r, size - RECORD_SIZE, "record");
    body.err = NULL;
    if (r->failed)
        return;
    if (id == LOAD)
        read_load(d, &body);
    else if (id == MOVE)
        read_move(d, &body);
    else if (id == DEBUG_INFO)
        read_debug_info(d, &body);
}

static enum err_code open_jitdump(struct debug_file *file, struct err *err)
{
    struct jitdump *d = mem_new(1, sizeof(*d));
    struct reader r =
        reader_of(file->name, file->data, file->size, 0, NULL);
    uint32_t header;

    file->state = d;
    d->swapped = reader_u32(&r) != MAGIC;
    reader_skip(&r, 4);
    header = get_u32(d, &r);
    if (header < HEADER_SIZE || header > file->size)
        return err_set(err, ERR_CORRUPT, "%s: offset 0x8: a header of %u bytes",
                       file->name, header);
    r = reader_at(&r, header, "records");
    while (reader_more(&r))
        read_record(d, &r);
    paint_build(&d->ranges);
    return ERR_NONE;
}

/* ---- answering ---- */

/* The last line at or below; NULL none. */
static const struct line *find_line(const struct jitdump *d,
                                    const struct code *code, uint64_t address)
{
    const struct line *lines;
    size_t i;

    if (!code->line_count)
        return NULL;
    lines = d->lines.data + code->first_line;
    BISECT(i, code->line_count, lines[i].address <= address);
    return i ? &lines[i - 1] : NULL;
}

static size_t frames_of(struct debug_file *file, uint64_t rva,
                        struct debug_frame *frames, size_t max)
{
    const struct jitdump *d = file->state;
    uint32_t i = paint_find(&d->ranges, rva);
    const struct code *code;
    const struct line *line;

    if (i == PAINT_NONE || !max)
        return 0;
    code = &d->codes.data[d->stays.data[i].code];
    if (!*code->name)
        return 0;
    line = find_line(d, code, code->address + rva - d->stays.data[i].start);
    frames[0] = (struct debug_frame){
        .function = code->name,
        .file = line && *line->file ? line->file : NULL,
        .line = line ? line->line : 0,
    };
    return 1;
}

static void close_jitdump(struct debug_file *file)
{
    struct jitdump *d = file->state;

    if (!d)
        return;
    arena_release(&d->names);
    vec_release(&d->codes);
    vec_release(&d->lines);
    vec_release(&d->stays);
    paint_release(&d->ranges);
    map_release(&d->by_index);
    free(d);
}

const struct debug_kind jitdump_kind = {
    .name = "jitdump",
    .probe = probe,
    .open = open_jitdump,
    .frames = frames_of,
    .close = close_jitdump,
};
