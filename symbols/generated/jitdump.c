/*
 * jit-PID.dump (jitdump_records.h; format.md, section 2), with lines. A debug
 * file knows no time: where memory was used again, the code that came last is
 * meant.
 */
#include <string.h>

#include "engine/attribution/jitdump_records.h"
#include "engine/base/arena.h"
#include "engine/base/bisect.h"
#include "engine/base/map.h"
#include "engine/base/vec.h"
#include "symbols/generated/address_ranges.h"
#include "symbols/debug.h"

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
    struct address_ranges ranges; /* of the stays */
    struct map by_index;          /* of LOAD: to code */
    struct code described;        /* by the last DEBUG_INFO; no name yet */
    struct jitdump_records records;
};

/* ---- reading ---- */

static const char *keep_name(struct jitdump *d, struct bytes name)
{
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
    address_ranges_add(&d->ranges, start, size);
}

static void take_load(struct jitdump *d, const struct jitdump_code *load)
{
    uint32_t number = mem_next_id(d->codes.len);
    struct code code = {.name = ""};

    if (d->described.address == load->start)
        code = d->described;
    d->described = (struct code){.line_count = 0};
    code.address = load->start;
    code.name = keep_name(d, load->name);
    *vec_add(&d->codes) = code;
    map_set(&d->by_index, load->index, 0, number);
    add_stay(d, number, load->start, load->size);
}

static void take_move(struct jitdump *d, const struct jitdump_code *move)
{
    uint32_t code = map_get(&d->by_index, move->index, 0);

    if (code != MAP_NONE)
        add_stay(d, code, move->start, move->size);
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

    line.address = reader_u64_in(r, d->records.swapped);
    line.line = reader_u32_in(r, d->records.swapped);
    reader_skip(r, 4);
    name = keep_name(d, reader_cstr(r));
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

    code.address = reader_u64_in(r, d->records.swapped);
    n = reader_u64_in(r, d->records.swapped);
    while (n-- && reader_more(r))
        read_line(d, r, &file);
    code.line_count = d->lines.len - code.first_line;
    if (code.line_count)
        qsort(d->lines.data + code.first_line, code.line_count,
              sizeof(*d->lines.data), compare_lines);
    d->described = code;
}

static void take_record(struct jitdump *d, struct jitdump_record *record)
{
    struct jitdump_code code;

    if (record->id == JITDUMP_DEBUG_INFO)
        read_debug_info(d, &record->body);
    else if (!jitdump_code(&d->records, record, &code))
        d->described = (struct code){.line_count = 0};
    else if (record->id == JITDUMP_LOAD)
        take_load(d, &code);
    else
        take_move(d, &code);
}

static enum err_code open_jitdump(struct debug_file *file, struct err *err)
{
    struct jitdump *d = mem_new(1, sizeof(*d));
    struct jitdump_record record;

    file->state = d;
    if (!jitdump_open(&d->records, file->name, file->data, file->size, err))
        return ERR_CORRUPT;
    while (jitdump_next(&d->records, &record))
        take_record(d, &record);
    address_ranges_build(&d->ranges);
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
    uint32_t i = address_ranges_find(&d->ranges, rva);
    const struct code *code;
    const struct line *line;

    if (i == ADDRESS_RANGE_NONE || !max)
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
    address_ranges_release(&d->ranges);
    map_release(&d->by_index);
    free(d);
}

const struct debug_kind jitdump_kind = {
    .name = "jitdump",
    .probe = jitdump_probe,
    .open = open_jitdump,
    .frames = frames_of,
    .close = close_jitdump,
};
