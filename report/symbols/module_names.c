#include "report/symbols/module_names.h"

#include <stdlib.h>

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
    /* The one of the two files that came closest to having lines. */
    const struct found *f =
        s->embedded || s->image.cause > s->pdb.cause ? &s->image : &s->pdb;

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

void module_lines_text(const struct lines_search *s, struct out *out)
{
    const char *used = lines_search_used(s);

    if (used) {
        out_plain(out, used);
        out_str(out, ", for ");
        out_grouped(out, s->found);
        out_str(out, " of ");
        out_grouped(out, s->places);
        out_str(out, s->places == 1 ? " address" : " addresses");
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

static bool is_unnamed(const struct profile *p, uint32_t location)
{
    uint32_t frame = p->frame_start.data[location];
    uint32_t function = p->frames.data[frame].function;

    return p->functions.data[function].cause != CAUSE_NONE;
}

/* The managed module of a location; NO_ID none. */
static uint32_t assembly_of(const struct profile *p, uint32_t location)
{
    const struct location *l = &p->locations.data[location];
    uint32_t module =
        l->method == NO_ID ? NO_ID : methods_get(&p->methods, l->method).module;

    return module == NO_ID || !p->modules.data[module].managed ? NO_ID : module;
}

/* Marks what has addresses at all. */
static void find_causes(const struct profile *p, struct module_row *rows,
                        bool *sampled)
{
    for (uint32_t i = 0; i < p->locations.len; i++) {
        const struct location *l = &p->locations.data[i];
        uint32_t assembly = assembly_of(p, i);

        if (assembly != NO_ID)
            sampled[assembly] = true;
        if (l->module == NO_ID)
            continue;
        sampled[l->module] = true;
        if (is_unnamed(p, i))
            rows[l->module].cause = l->cause;
    }
}

static int compare_rows(const void *a, const void *b)
{
    const struct module_row *x = a, *y = b;

    if (x->unnamed != y->unnamed)
        return x->unnamed > y->unnamed ? -1 : 1;
    if (x->samples != y->samples)
        return x->samples > y->samples ? -1 : 1;
    return (x->module > y->module) - (x->module < y->module);
}

struct module_names module_names_new(const struct profile *p,
                                     const struct selection *sel,
                                     const struct naming_log *log)
{
    struct module_names names = {
        .p = p,
        .code = &log->code,
        .rows = mem_new(p->modules.len, sizeof(struct module_row)),
    };
    bool *sampled = mem_new(p->modules.len, sizeof(*sampled));

    for (uint32_t i = 0; i < p->modules.len; i++)
        names.rows[i].module = i;
    for (size_t i = 0; i < log->symbols.modules.len; i++) {
        const struct module_search *search = &log->symbols.modules.data[i];

        names.rows[search->module].search = search;
    }
    for (size_t i = 0; i < log->lines.modules.len; i++) {
        const struct lines_search *search = &log->lines.modules.data[i];

        names.rows[search->module].lines = search;
    }
    /* Precompiled code counts for its image and for its assembly. */
    for (size_t i = 1; i < p->stacks.len; i++) {
        uint32_t location = p->stacks.data[i].location;
        uint32_t module = p->locations.data[location].module;
        uint32_t assembly = assembly_of(p, location);

        if (module != NO_ID)
            names.rows[module].samples += sel->stack_counts[i];
        if (module != NO_ID && is_unnamed(p, location))
            names.rows[module].unnamed += sel->stack_counts[i];
        if (assembly != NO_ID)
            names.rows[assembly].samples += sel->stack_counts[i];
    }
    find_causes(p, names.rows, sampled);
    for (uint32_t i = 0; i < p->modules.len; i++)
        if (sampled[i])
            names.rows[names.count++] = names.rows[i];
    if (names.count)
        qsort(names.rows, names.count, sizeof(*names.rows), compare_rows);
    free(sampled);
    return names;
}

const struct found *names_lost(const struct module_row *row)
{
    const struct found *used =
        row->search ? module_file_used(&row->search->files) : NULL;

    return used && used->lost.len ? used : NULL;
}

void module_names_release(struct module_names *names)
{
    free(names->rows);
}
