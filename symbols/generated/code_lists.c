/*
 * Lists of generated code as debug files: jit-PID.dump (jitdump_records.h;
 * format.md, section 2), with lines, and text lists, perf-PID.map and
 * *.ni.r2rmap (perf_map_rows.h; section 1). A debug file knows no time: where
 * memory was used again, the code that came last is meant.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/attribution/jitdump_records.h"
#include "engine/attribution/perf_map_rows.h"
#include "engine/base/arena.h"
#include "engine/base/bisect.h"
#include "engine/base/hex.h"
#include "engine/base/map.h"
#include "engine/base/vec.h"
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
    uint32_t first_line, line_count;
};

/* A place of code in memory. */
struct stay {
    uint64_t start;
    uint64_t end; /* of size 0: `start`. It reaches to the next edge. */
    uint32_t code;
};

struct code_list {
    struct arena names;
    VEC(struct code) codes;
    VEC(struct line) lines;
    VEC(struct stay) stays;
    bool has_open; /* one is of size 0 */
    struct map by_index;   /* of LOAD: to code */
    struct code described; /* by the last DEBUG_INFO; no name yet */
    struct jitdump_records records;
};

/* ---- reading ---- */

static const char *keep_name(struct code_list *d, struct bytes name)
{
    return name.len
               ? arena_strndup(&d->names, (const char *)name.data, name.len)
               : "";
}

/* One that would end beyond all addresses ends there. */
static void add_stay(struct code_list *d, uint32_t code, uint64_t start,
                     uint64_t size)
{
    uint64_t end = size > UINT64_MAX - start ? UINT64_MAX : start + size;

    d->has_open |= !size;
    *vec_add(&d->stays) = (struct stay){start, end, code};
}

static void take_load(struct code_list *d, const struct jitdump_code *load)
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
    if (load->size)
        add_stay(d, number, load->start, load->size);
}

static void take_move(struct code_list *d, const struct jitdump_code *move)
{
    uint32_t code = map_get(&d->by_index, move->index, 0);

    if (code != MAP_NONE && move->size)
        add_stay(d, code, move->start, move->size);
}

static int compare_lines(const void *a, const void *b)
{
    const struct line *x = a, *y = b;

    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

static void read_line(struct code_list *d, struct reader *r, const char **file)
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

static void read_debug_info(struct code_list *d, struct reader *r)
{
    struct code code = {.first_line = mem_next_id(d->lines.len)};
    const char *file = "";
    uint64_t n;

    code.address = reader_u64_in(r, d->records.swapped);
    n = reader_u64_in(r, d->records.swapped);
    while (n-- && reader_more(r))
        read_line(d, r, &file);
    code.line_count = (uint32_t)d->lines.len - code.first_line;
    if (code.line_count)
        qsort(d->lines.data + code.first_line, code.line_count,
              sizeof(*d->lines.data), compare_lines);
    d->described = code;
}

static void take_record(struct code_list *d, struct jitdump_record *record)
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
    struct code_list *d = mem_new(1, sizeof(*d));
    struct jitdump_record record;

    file->state = d;
    if (!jitdump_open(&d->records, file->name, file->data, file->size, err))
        return ERR_CORRUPT;
    while (jitdump_next(&d->records, &record))
        take_record(d, &record);
    return ERR_NONE;
}

/* Rows of a text list that describe the file and not code. */
#define FIRST_PSEUDO 0xFFFFFFFBu
#define SIGNATURE    0xFFFFFFFFu

static enum err_code open_map(struct debug_file *file, struct err *err)
{
    struct code_list *d = mem_new(1, sizeof(*d));
    struct perf_map_row row;
    size_t at = 0;

    (void)err; /* what is no row is skipped */
    file->state = d;
    while (perf_map_next(file->data, file->size, &at, &row)) {
        if (row.start < FIRST_PSEUDO || row.start > SIGNATURE ||
            row.size >= 2) {
            add_stay(d, mem_next_id(d->codes.len), row.start, row.size);
            *vec_add(&d->codes) = (struct code){.name = keep_name(d, row.name)};
        } else if (row.start == SIGNATURE) {
            uint8_t guid[16];

            if (row.name.len == 2 * sizeof(guid) &&
                hex_bytes((const char *)row.name.data, sizeof(guid), guid))
                memcpy(file->identity.guid, guid, sizeof(guid));
        }
    }
    return ERR_NONE;
}

/* ---- answering ---- */

/* The last line at or below; NULL none. */
static const struct line *find_line(const struct code_list *d,
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

/* The last one that holds an address; NULL none. */
static const struct stay *find_stay(const struct code_list *d, uint64_t address)
{
    const struct stay *stays = d->stays.data;
    uint64_t edge = 0; /* the last beginning or end up to the address */

    for (size_t i = 0; d->has_open && i < d->stays.len; i++) {
        if (stays[i].start <= address && stays[i].start > edge)
            edge = stays[i].start;
        if (stays[i].end <= address && stays[i].end > edge)
            edge = stays[i].end;
    }
    for (size_t i = d->stays.len; i-- > 0;)
        if (stays[i].start == stays[i].end
                ? d->has_open && stays[i].start == edge
                : address >= stays[i].start && address < stays[i].end)
            return &stays[i];
    return NULL;
}

static size_t frames_of(struct debug_file *file, uint64_t rva,
                        struct debug_frame *frames, size_t max)
{
    const struct code_list *d = file->state;
    const struct stay *stay = max ? find_stay(d, rva) : NULL;
    const struct code *code;
    const struct line *line;

    code = stay ? &d->codes.data[stay->code] : NULL;
    if (!code || !*code->name)
        return 0;
    line = find_line(d, code, code->address + rva - stay->start);
    frames[0] = (struct debug_frame){
        .function = code->name,
        .file = line && *line->file ? line->file : NULL,
        .line = line ? line->line : 0,
    };
    return 1;
}

static void close_list(struct debug_file *file)
{
    struct code_list *d = file->state;

    if (!d)
        return;
    arena_release(&d->names);
    vec_release(&d->codes);
    vec_release(&d->lines);
    vec_release(&d->stays);
    map_release(&d->by_index);
    free(d);
}

const struct debug_kind jitdump_kind = {
    .name = "jitdump",
    .probe = jitdump_probe,
    .open = open_jitdump,
    .frames = frames_of,
    .close = close_list,
};

const struct debug_kind perf_map_debug_kind = {
    .name = "perf map",
    .probe = perf_map_probe,
    .open = open_map,
    .frames = frames_of,
    .close = close_list,
};
