#include "cli/resolved.h"

#include <stdlib.h>
#include <string.h>

#include "symbols/names/names.h"

void resolved_release(struct resolved *r)
{
    free(r->rows);
    vec_release(&r->frames);
}

static void text_row(const struct resolved *r, const struct resolved_row *row,
                     enum demangle_style names, struct out *out,
                     struct arena *arena)
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
        out_plain(out, symbol_readable(f->function, names, arena));
        if (f->file) {
            out_str(out, "  ");
            out_plain(out, f->file);
            if (f->line)
                out_fmt(out, ":%u", f->line);
        }
        out_char(out, '\n');
    }
}

void resolved_text(const struct resolved *r, enum demangle_style names,
                   struct out *out)
{
    struct arena arena = {0};

    for (size_t i = 0; i < r->count; i++) {
        text_row(r, &r->rows[i], names, out, &arena);
        arena_reset(&arena);
    }
    arena_release(&arena);
}

static void json_frame(const struct debug_frame *f, enum demangle_style names,
                       struct out *out, struct arena *arena)
{
    out_str(out, "{\"function\":");
    out_json(out, symbol_readable(f->function, names, arena));
    out_str(out, ",\"file\":");
    if (f->file)
        out_json(out, f->file);
    else
        out_str(out, "null");
    if (f->line)
        out_fmt(out, ",\"line\":%u", f->line);
    else
        out_str(out, ",\"line\":null");
    out_fmt(out, ",\"inlined\":%s}", f->inlined ? "true" : "false");
}

static void json_row(const struct resolved *r, const struct resolved_row *row,
                     enum demangle_style names, struct out *out,
                     struct arena *arena)
{
    out_fmt(out, "{\"rva\":\"0x%llx\",\"frames\":[",
            (unsigned long long)row->rva);
    for (uint32_t i = 0; i < row->count; i++) {
        if (i)
            out_char(out, ',');
        json_frame(&r->frames.data[row->first + i], names, out, arena);
    }
    out_str(out, "]}");
}

static bool is_zero(const uint8_t *bytes, size_t n)
{
    while (n && !bytes[n - 1])
        n--;
    return !n;
}

/* As people write it: 94F6190A-FB23-46CD-9408-A1DA5A33CEA7. */
static void json_guid(const struct identity *id, struct out *out)
{
    const uint8_t *g = id->guid;

    if (is_zero(g, sizeof(id->guid)))
        return;
    out_fmt(out, ",\"guid\":\"%08X-%04X-%04X-%02X%02X-", load_u32(g),
            load_u16(g + 4), load_u16(g + 6), g[8], g[9]);
    for (size_t i = 10; i < sizeof(id->guid); i++)
        out_fmt(out, "%02X", g[i]);
    out_fmt(out, "\",\"age\":%u", id->age);
}

void identity_json(const struct identity *id, struct out *out)
{
    if (id->timestamp || id->image_size)
        out_fmt(out, ",\"timestamp\":%u,\"size\":%u", id->timestamp,
                id->image_size);
    json_guid(id, out);
    if (id->build_id_size) {
        out_str(out, ",\"build_id\":\"");
        for (size_t i = 0; i < id->build_id_size; i++)
            out_fmt(out, "%02x", id->build_id[i]);
        out_char(out, '"');
    }
}

static void json_file(const struct debug_file *file, struct out *out)
{
    out_str(out, "{\"path\":");
    out_json(out, file->name);
    out_str(out, ",\"format\":");
    out_json(out, file->kind->name);
    identity_json(&file->identity, out);
    out_char(out, '}');
}

void resolved_json(const struct resolved *r, const struct module_files *files,
                   enum demangle_style names, struct out *out)
{
    const struct found *debug = &files->debug;
    struct arena arena = {0};

    out_str(out, "{\"schema\":\"topfn.resolve/1\",\"image\":");
    json_file(files->image.file, out);
    out_str(out, ",\"debug_file\":");
    if (debug->file)
        json_file(debug->file, out);
    else
        out_str(out, "null");
    if (!debug->file && !files->is_complete) {
        out_str(out, ",\"cause\":");
        out_json(out, find_cause_text(debug->cause));
    }
    out_str(out, ",\"rows\":[");
    for (size_t i = 0; i < r->count; i++) {
        out_str(out, i ? ",\n" : "\n");
        json_row(r, &r->rows[i], names, out, &arena);
        arena_reset(&arena);
    }
    out_str(out, "\n]}\n");
    arena_release(&arena);
}
