#include "cli/commands/module_managed.h"

/* ---- code ---- */

void module_code_text(const struct code_log *log, uint32_t module,
                      struct out *out)
{
    for (size_t i = 0; i < log->places.len; i++) {
        const struct code_place *c = &log->places.data[i];

        if (c->module != module)
            continue;
        out_fmt(out, "  code    at 0x%llx, inferred from ",
                (unsigned long long)c->base);
        if (c->calls)
            out_fmt(out, "%u calls", c->calls);
        else
            out_str(out, "a method in the trace");
        out_fmt(out, ": names of %u addresses\n", c->named);
    }
}

void module_code_json(const struct code_log *log, uint32_t module,
                      struct json *json)
{
    json_array(json, "code");
    for (size_t i = 0; i < log->places.len; i++) {
        const struct code_place *c = &log->places.data[i];

        if (c->module != module)
            continue;
        json_object(json, NULL);
        json_address(json, "base", c->base);
        json_u64(json, "calls", c->calls);
        json_u64(json, "addresses", c->named);
        json_end(json);
    }
    json_end(json);
}

/* ---- lines ---- */

/* Of the two files, the one that came closest to having lines. */
static const struct found *closest(const struct lines_search *s)
{
    return s->embedded || s->image.cause > s->pdb.cause ? &s->image : &s->pdb;
}

static void print_file(const char *path, struct out *out)
{
    if (!path)
        return;
    out_str(out, ": ");
    out_plain(out, path);
}

/* Why no file has lines. */
static void print_cause(const struct lines_search *s, struct out *out)
{
    const struct found *f = closest(s);

    if (s->err.code)
        out_plain(out, s->err.message);
    else if (f->cause == FIND_NOT_NAMED)
        out_str(out, "the trace does not say which PDB is wanted");
    else if (s->is_windows)
        out_str(out, "lines of managed code are not read from Windows PDBs");
    else if (f->cause == FIND_OK)
        out_str(out, "its PDB has none for these methods");
    else
        out_str(out, find_cause_text(f->cause));
    if (!s->err.code && f->cause != FIND_ABSENT)
        print_file(f->path, out);
}

static void print_counts(const struct lines_search *s, struct out *out)
{
    out_str(out, ", for ");
    out_grouped(out, s->found);
    out_str(out, " of ");
    out_grouped(out, s->places);
    out_str(out, s->places == 1 ? " address" : " addresses");
}

void module_lines_text(const struct lines_search *s, struct out *out)
{
    const char *used = lines_search_used(s);

    if (used) {
        out_plain(out, used);
        print_counts(s, out);
    } else {
        out_str(out, "none: ");
        print_cause(s, out);
    }
    if (s->unmapped) {
        out_str(out, "; ");
        out_grouped(out, s->unmapped);
        out_str(out, " in methods without an IL map");
    }
}

void module_lines_json(const struct lines_search *s, struct json *json)
{
    if (!s) {
        json_null(json, "lines");
        return;
    }
    json_object(json, "lines");
    json_text(json, "used", lines_search_used(s));
    json_u64(json, "addresses", s->places);
    json_u64(json, "found", s->found);
    json_u64(json, "without_il_map", s->unmapped);
    json_end(json);
}
