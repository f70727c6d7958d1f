/*
 * Additions of Android's simpleperf to a file: names of functions, of the code
 * that was sampled, and facts about itself. (format.md, section 12)
 *
 * FILE: of each file u32 size, and
 *
 *   SIZE  DESCRIPTION
 *   n     path, ends with NUL
 *   4     enum file_kind
 *   8     lowest address of code in the file
 *   4     number of symbols; each: u64 address, u32 size, name with NUL
 *   8     maybe: offset of the lowest address; FILE_ELF: in the file,
 *         FILE_KERNEL_MODULE: in memory
 *
 * FILE2: the same as messages of Protocol Buffers. Addresses are those in the
 * file; of the kernel, and of code that a runtime made, those in memory.
 */
#include "engine/format/perfdata/perfdata.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/keysort.h"
#include "engine/base/text_line.h"
#include "engine/base/wire.h"

enum file_kind {
    FILE_KERNEL,
    FILE_KERNEL_MODULE,
    FILE_ELF,
    FILE_DEX,
};

/* Each mapping of a file at another distance has symbols of its own, which may
 * come to more than the file has: as long as they are fewer than this and a
 * part of the recording's size. */
enum { SYMBOLS_FREE = 1 << 18, BYTES_PER_SYMBOL = 32 };

/* ---- files ---- */

static struct bytes rest_of(struct wire_field *f)
{
    return f->is_message ? reader_bytes(&f->message, reader_left(&f->message))
                         : (struct bytes){0};
}

static void add_file(struct pd_reading *r, struct bytes path,
                     struct pd_symbol_file file)
{
    file.path = pd_text(r, path);
    if (map_get(&r->symbol_file_of, file.path, 0) != MAP_NONE)
        return;
    map_set(&r->symbol_file_of, file.path, 0, mem_next_id(r->symbol_files.len));
    *vec_add(&r->symbol_files) = file;
}

static void read_file(struct pd_reading *r, struct reader *f)
{
    struct bytes path = reader_cstr(f);
    struct pd_symbol_file file = {.kind = reader_u32_in(f, r->swapped)};
    uint32_t count;

    file.lowest = reader_u64_in(f, r->swapped);
    count = reader_u32_in(f, r->swapped);
    file.symbols.data = f->base + f->pos;
    file.symbols.len = reader_left(f);
    while (count-- && reader_more(f)) {
        reader_skip(f, 12);
        reader_cstr(f);
    }
    if (f->failed)
        return;
    file.symbols.len -= reader_left(f);
    file.has_offset =
        (file.kind == FILE_ELF || file.kind == FILE_KERNEL_MODULE) &&
        reader_left(f) >= 8;
    if (file.has_offset)
        file.offset = reader_u64_in(f, r->swapped);
    add_file(r, path, file);
}

/* 1 path, 2 kind, 3 lowest address, 4 symbol; 6 ELF, 7 kernel module: 1 its
 * offset. Symbols are found again when they are needed. */
static void read_file_message(struct pd_reading *r, struct reader *m)
{
    enum { PATH = 1, KIND, LOWEST, ELF = 6, KERNEL_MODULE };
    struct pd_symbol_file file = {.message = true,
                                  .symbols = {m->base, m->len}};
    struct bytes path = {0};
    struct wire_field f, part;

    while (wire_next(m, &f)) {
        switch (f.number) {
        case PATH:
            path = rest_of(&f);
            break;
        case KIND:
            file.kind = (uint32_t)f.value;
            break;
        case LOWEST:
            file.lowest = f.value;
            break;
        case ELF:
        case KERNEL_MODULE:
            file.has_offset = true;
            if (f.is_message && wire_next(&f.message, &part) &&
                part.number == 1)
                file.offset = part.value;
            break;
        }
    }
    if (!m->failed && path.len)
        add_file(r, path, file);
}

void pd_read_symbol_files(struct pd_reading *r, struct reader *f, bool messages)
{
    while (reader_left(f) > 4) {
        uint32_t size = reader_u32_in(f, r->swapped);
        struct reader one;

        if (size > reader_left(f))
            return;
        one = reader_sub(f, size, "file");
        if (messages)
            read_file_message(r, &one);
        else
            read_file(r, &one);
    }
}

/* ---- symbols ---- */

static void tell_symbol(struct pd_reading *r, uint32_t set, uint64_t start,
                        uint64_t size, struct bytes name)
{
    struct observed_symbol symbol = {
        .set = set,
        .start = start,
        .size = size,
        .name = {name.data, (uint32_t)name.len, false},
    };

    if (!size || !name.len || size > UINT64_MAX - start)
        return;
    r->symbols_told++;
    observe_symbol(r->seen, &symbol);
}

static void tell_rows(struct pd_reading *r, const struct pd_symbol_file *file,
                      uint32_t set, uint64_t shift)
{
    struct reader f = {.base = file->symbols.data, .len = file->symbols.len};

    while (reader_more(&f)) {
        uint64_t start = reader_u64_in(&f, r->swapped);
        uint32_t size = reader_u32_in(&f, r->swapped);

        tell_symbol(r, set, start + shift, size, reader_cstr(&f));
    }
}

/* 1 address, 2 size, 3 name. */
static void tell_messages(struct pd_reading *r,
                          const struct pd_symbol_file *file, uint32_t set,
                          uint64_t shift)
{
    enum { SYMBOL = 4 };
    struct reader m = {.base = file->symbols.data, .len = file->symbols.len};
    struct wire_field f, part;

    while (wire_next(&m, &f)) {
        uint64_t start = 0, size = 0;
        struct bytes name = {0};

        if (f.number != SYMBOL)
            continue;
        while (f.is_message && wire_next(&f.message, &part)) {
            if (part.number == 1)
                start = part.value;
            else if (part.number == 2)
                size = part.value;
            else if (part.number == 3)
                name = rest_of(&part);
        }
        tell_symbol(r, set, start + shift, size, name);
    }
}

/* From addresses in the file to those in memory. */
static uint64_t shift_of(const struct pd_symbol_file *file,
                         const struct pd_mapping *m)
{
    switch (m->generated ? FILE_KERNEL : file->kind) {
    case FILE_KERNEL_MODULE:
        return m->base + file->offset - file->lowest;
    case FILE_ELF:
        return m->base - file->lowest -
               (file->has_offset ? m->file_offset - file->offset : 0);
    case FILE_DEX:
        return m->base - m->file_offset;
    }
    return 0;
}

/* ---- the kernel's ---- */

struct kernel_row {
    uint64_t start;
    struct bytes name;
};

/* "ffffffff81000000 T _stext", and the name of a module in brackets. */
static bool read_kernel_row(struct text_line l, struct kernel_row *row)
{
    struct text_line type, name;

    if (!line_hex(&l, &row->start) || !row->start)
        return false;
    type = line_word(&l);
    name = line_word(&l);
    row->name =
        (struct bytes){(const uint8_t *)name.at, (size_t)(name.end - name.at)};
    return type.end - type.at == 1 && strchr("tTwW", *type.at) && row->name.len;
}

/* The text of /proc/kallsyms: each function reaches to the next. */
static uint32_t tell_kernel_rows(struct pd_reading *r)
{
    enum { LAST = 4096 };
    const char *at = (const char *)r->kernel_rows.data;
    const char *end = at + r->kernel_rows.len;
    uint32_t set = observe_symbol_set(r->seen);
    VEC(struct kernel_row) rows = {0};
    struct kernel_row row;
    struct keyed *order;

    while (at < end)
        if (read_kernel_row(line_next(&at, end), &row))
            *vec_add(&rows) = row;
    order = mem_new(rows.len, sizeof(*order));
    for (size_t i = 0; i < rows.len; i++)
        order[i] = (struct keyed){rows.data[i].start, (uint32_t)i};
    keysort(order, rows.len);
    for (size_t i = 0; i < rows.len; i++) {
        uint64_t size =
            i + 1 < rows.len ? order[i + 1].key - order[i].key : LAST;

        tell_symbol(r, set, order[i].key, size, rows.data[order[i].value].name);
    }
    free(order);
    vec_release(&rows);
    r->symbols_told = 0; /* these are told once, and limit nothing */
    return set;
}

static void take_kernel_rows(struct pd_reading *r, struct reader *body,
                             bool lasting)
{
    uint32_t size = reader_u32_in(body, r->swapped);

    if (size > reader_left(body))
        size = (uint32_t)reader_left(body);
    r->kernel_rows = reader_bytes(body, size);
    if (!lasting)
        r->kernel_rows.data =
            arena_copy(&r->seen->kept, r->kernel_rows.data, size);
}

/* ---- both ---- */

uint32_t pd_file_symbols(struct pd_reading *r, const struct pd_mapping *m)
{
    uint32_t path = m->kernel ? pd_without_symbol(r, m->path) : m->path;
    uint32_t index = map_get(&r->symbol_file_of, path, 0), set;
    const struct pd_symbol_file *file;
    uint64_t shift;

    if (m->kernel && r->kernel_rows.len) {
        if (!r->kernel_set)
            r->kernel_set = tell_kernel_rows(r);
        return r->kernel_set;
    }
    if (index == MAP_NONE)
        return 0;
    file = &r->symbol_files.data[index];
    shift = shift_of(file, m);
    set = map_get(&r->symbol_sets, shift, index);
    if (set != MAP_NONE)
        return set;
    if (r->symbols_told > SYMBOLS_FREE + r->size / BYTES_PER_SYMBOL) {
        r->unnamed_mappings++;
        return 0;
    }
    set = observe_symbol_set(r->seen);
    map_set(&r->symbol_sets, shift, index, set);
    if (file->message)
        tell_messages(r, file, set, shift);
    else
        tell_rows(r, file, set, shift);
    return set;
}

/* ---- records ---- */

/* simpleperf opens counters while it records, for new threads and CPUs: u64
 * count; of each u64 event, by its place in the table, u64 id. */
static void take_event_ids(struct pd_reading *r, struct reader *body)
{
    uint64_t count = reader_u64_in(body, r->swapped);

    while (count-- && reader_left(body) >= 16) {
        uint64_t event = reader_u64_in(body, r->swapped);
        uint64_t id = reader_u64_in(body, r->swapped);

        if (event < r->events.len)
            map_set(&r->event_ids, id, 0, (uint32_t)event);
    }
}

/* Large records are split: pieces in SPLIT, and SPLIT_END behind the last. */
void pd_take_simpleperf_record(struct pd_reading *r, struct pd_record *rec)
{
    enum { HEADER = 8 };
    struct reader *body = &rec->body;
    struct reader whole;

    switch (rec->type) {
    case PD_RECORD_SPLIT:
        for (size_t i = 0; i < body->len; i++)
            *vec_add(&r->pieces) = body->base[i];
        break;
    case PD_RECORD_SPLIT_END:
        whole = reader_of(r->name, r->pieces.data, r->pieces.len, rec->offset,
                          NULL);
        if (reader_u32_in(&whole, r->swapped) != PD_RECORD_KERNEL_SYMBOL)
            break;
        reader_skip(&whole, HEADER - 4);
        take_kernel_rows(r, &whole, false);
        break;
    case PD_RECORD_KERNEL_SYMBOL:
        take_kernel_rows(r, body, rec->lasting);
        break;
    case PD_RECORD_EVENT_ID:
        take_event_ids(r, body);
        break;
    }
}

/* ---- what it says of itself ---- */

/* "cpu-cycles,0,0": name, type, number; a line each. */
static void name_events(struct pd_reading *r, uint32_t text)
{
    enum { MOST_LINES = 1000 }; /* more events are no recording */
    const char *at = strings_get(r->strings, text), *stop;
    unsigned long long type, config;

    for (int i = 0; *at && i < MOST_LINES; i++, at = *stop ? stop + 1 : stop) {
        size_t n = strcspn(at, ",\n");

        stop = at + strcspn(at, "\n");
        if (sscanf(at + n, ",%llu,%llu", &type, &config) == 2)
            pd_name_events(r, (uint32_t)type, config,
                           strings_add(r->strings, at, n));
    }
}

/* Names and values, each ends with NUL. */
void pd_read_meta_info(struct pd_reading *r, struct reader *f)
{
    static const struct {
        const char *name, *fact;
    } facts[] = {
        {"simpleperf_version", "simpleperf version"},
        {"android_version", "Android version"},
        {"product_props", "device"},
        {"app_package_name", "app"},
    };
    struct trace_info *trace = &r->profile->trace;

    while (reader_more(f)) {
        uint32_t first = pd_text(r, reader_cstr(f));
        uint32_t second = pd_text(r, reader_cstr(f));
        const char *name = strings_get(r->strings, first);
        const char *text = strings_get(r->strings, second);

        if (!strcmp(name, "event_type_info"))
            name_events(r, second);
        else if (!strcmp(name, "timestamp"))
            r->started = strtoull(text, NULL, 10);
        else if (!strcmp(name, "clockid") && !strcmp(text, "monotonic"))
            for (size_t i = 0; i < r->events.len; i++)
                r->events.data[i].monotonic = true;
        else if (!strcmp(name, "android_version") && !trace->os)
            trace->os = strings_addf(r->strings, "Android %s", text);
        else if (!strcmp(name, "product_props") && !trace->machine)
            trace->machine = second;
        for (size_t i = 0; i < sizeof(facts) / sizeof(*facts); i++)
            if (!strcmp(name, facts[i].name) && *text)
                profile_fact(r->profile, facts[i].fact, "%s", text);
    }
}
