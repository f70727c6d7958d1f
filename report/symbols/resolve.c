#include "report/symbols/resolve.h"

#include <stdio.h>
#include <stdlib.h>

#include "engine/base/map.h"
#include "engine/base/path.h"
#include "report/header/header.h"

void resolved_release(struct resolved *r)
{
    free(r->rows);
    vec_release(&r->frames);
}

/* Names made readable: a few functions are inlined nearly everywhere. */
struct readable {
    enum demangle_style style;
    struct map at; /* the name as stored to index in `texts` */
    VEC(struct { const char *text; }) texts;
    struct arena arena;
    struct budget cost;
};

static const char *readable(struct readable *names, const char *name)
{
    uint32_t fresh = mem_next_id(names->texts.len), i;

    if (!name)
        return NULL;
    i = map_get(&names->at, (uintptr_t)name, 0);
    if (i != MAP_NONE)
        return names->texts.data[i].text;
    map_set(&names->at, (uintptr_t)name, 0, fresh);
    vec_add(&names->texts)->text =
        symbol_readable(name, names->style, &names->arena, &names->cost);
    return names->texts.data[fresh].text;
}

static void readable_release(struct readable *names)
{
    map_release(&names->at);
    vec_release(&names->texts);
    arena_release(&names->arena);
}

static const struct resolved_subject *resolved_of(const struct subject *s)
{
    return (const struct resolved_subject *)s;
}

/* ---- tables ---- */

struct frame_row {
    uint64_t rva;
    const struct debug_frame *frame; /* NULL: not known */
    const char *function;
};

static const struct frame_row *row_of(const void *rows, size_t row)
{
    return &((const struct frame_row *)rows)[row];
}

static struct value rva(const void *rows, size_t row)
{
    return value_address(row_of(rows, row)->rva);
}

static struct value function(const void *rows, size_t row)
{
    return value_maybe(row_of(rows, row)->function);
}

static struct value file(const void *rows, size_t row)
{
    const struct debug_frame *f = row_of(rows, row)->frame;

    return f ? value_maybe(f->file) : value_none();
}

static struct value line(const void *rows, size_t row)
{
    const struct debug_frame *f = row_of(rows, row)->frame;

    return f && f->line ? value_id(f->line) : value_none();
}

static struct value inlined(const void *rows, size_t row)
{
    const struct debug_frame *f = row_of(rows, row)->frame;

    return f ? value_flag(f->inlined) : value_none();
}

static const struct column columns[] = {
    {"rva", "rva", false, rva},
    {"function", "function", true, function},
    {"file", "file", false, file},
    {"line", "line", false, line},
    {"inlined", "inlined", false, inlined},
};

enum { COLUMNS = sizeof(columns) / sizeof(*columns) };

static const struct column_set column_sets[] = {{columns, COLUMNS}, {NULL, 0}};

static void write_table(const struct subject *subject, struct out *out)
{
    const struct resolved_subject *s = resolved_of(subject);
    const struct resolved *r = s->resolved;
    struct frame_row *rows = mem_new(r->count + r->frames.len, sizeof(*rows));
    struct table table = {
        .columns = columns, .column_count = COLUMNS, .rows = rows};
    const struct report_options *o = subject->options;
    struct readable names = {.style = s->names, .cost = demangle_budget(0, 1)};

    for (size_t i = 0; i < r->count; i++) {
        const struct resolved_row *row = &r->rows[i];

        if (!row->count)
            rows[table.row_count++] = (struct frame_row){row->rva, NULL, NULL};
        for (uint32_t k = row->first; k < row->first + row->count; k++) {
            const struct debug_frame *f = &r->frames.data[k];

            rows[table.row_count++] =
                (struct frame_row){row->rva, f, readable(&names, f->function)};
        }
    }
    table.total = table.row_count;
    table_write_chosen(&table, o->columns, o->format, o->width, out);
    readable_release(&names);
    free(rows);
}

/* ---- text ---- */

static void text_row(const struct resolved *r, const struct resolved_row *row,
                     struct readable *names, struct out *out)
{
    size_t indent = out_columns("0x");

    for (uint64_t rest = row->rva; rest || indent == 2; rest >>= 4)
        indent++;
    out_fmt(out, "0x%llx", (unsigned long long)row->rva);
    if (!row->count)
        out_str(out, "  ?\n");
    for (uint32_t i = 0; i < row->count; i++) {
        const struct debug_frame *f = &r->frames.data[row->first + i];

        if (i)
            out_repeat(out, ' ', indent);
        out_str(out, i && f[-1].inlined ? "  inlined into " : "  ");
        out_plain(out, f->function ? readable(names, f->function) : "?");
        if (f->file) {
            out_str(out, "  ");
            out_plain(out, f->file);
            if (f->line)
                out_fmt(out, ":%u", f->line);
        }
        out_char(out, '\n');
    }
}

static void write_text(const struct subject *subject, struct out *out)
{
    const struct resolved_subject *s = resolved_of(subject);
    struct readable names = {.style = s->names, .cost = demangle_budget(0, 1)};

    if (subject->options->columns)
        write_table(subject, out);
    for (size_t i = 0; !subject->options->columns && i < s->resolved->count;
         i++)
        text_row(s->resolved, &s->resolved->rows[i], &names, out);
    readable_release(&names);
}

/* ---- JSON ---- */

static void json_frame(const struct debug_frame *f, struct readable *names,
                       struct json *json)
{
    json_object(json, NULL);
    json_text(json, "function", readable(names, f->function));
    json_text(json, "file", f->file);
    if (f->line)
        json_u64(json, "line", f->line);
    else
        json_null(json, "line");
    json_bool(json, "inlined", f->inlined);
    json_end(json);
}

static bool is_zero(const uint8_t *bytes, size_t n)
{
    while (n && !bytes[n - 1])
        n--;
    return !n;
}

void identity_json(const struct identity *id, struct json *json)
{
    char hex[BUILD_ID_TEXT], guid[37];

    if (id->timestamp || id->image_size) {
        json_u64(json, "timestamp", id->timestamp);
        json_u64(json, "size", id->image_size);
    }
    if (!is_zero(id->guid, sizeof(id->guid))) {
        /* People write it as 94F6190A-FB23-46CD-9408-A1DA5A33CEA7. */
        snprintf(guid, 37, "%08X-%04X-%04X-%02X%02X-%02X%02X%02X%02X%02X%02X",
                 load_u32(id->guid), load_u16(id->guid + 4),
                 load_u16(id->guid + 6), id->guid[8], id->guid[9], id->guid[10],
                 id->guid[11], id->guid[12], id->guid[13], id->guid[14],
                 id->guid[15]);
        json_text(json, "guid", guid);
        json_u64(json, "age", id->age);
    }
    if (id->build_id_size) {
        build_id_text(id->build_id, id->build_id_size, hex);
        json_text(json, "build_id", hex);
    }
}

static void json_file(const struct debug_file *file, const char *key,
                      struct json *json)
{
    json_object(json, key);
    json_text(json, "path", file->name);
    json_text(json, "format", file->kind->name);
    identity_json(&file->identity, json);
    json_end(json);
}

static void json_debug_file(const struct module_files *files, struct json *json)
{
    const struct found *debug = &files->debug;

    if (debug->file) {
        json_file(debug->file, "debug_file", json);
        return;
    }
    json_null(json, "debug_file");
    if (!files->is_complete)
        json_text(json, "cause", find_cause_text(debug->cause));
}

static void write_json(const struct subject *subject, struct out *out)
{
    const struct resolved_subject *s = resolved_of(subject);
    struct json json = report_json("resolve", out);
    const struct resolved *r = s->resolved;
    struct readable names = {.style = s->names, .cost = demangle_budget(0, 1)};

    json_file(s->files->image.file, "image", &json);
    json_debug_file(s->files, &json);
    json_array(&json, "rows");
    for (size_t i = 0; i < r->count; i++) {
        const struct resolved_row *row = &r->rows[i];

        json_line(&json, 0);
        json_object(&json, NULL);
        json_address(&json, "rva", row->rva);
        json_array(&json, "frames");
        for (uint32_t k = 0; k < row->count; k++)
            json_frame(&r->frames.data[row->first + k], &names, &json);
        json_end(&json);
        json_end(&json);
    }
    json_line(&json, 0);
    json_end(&json);
    report_json_end(&json);
    readable_release(&names);
}

const struct report resolve_report = {
    .name = "resolve",
    .columns = column_sets,
    .write = {[FORMAT_TEXT] = write_text,
              [FORMAT_JSON] = write_json,
              [FORMAT_CSV] = write_table,
              [FORMAT_MARKDOWN] = write_table},
};
