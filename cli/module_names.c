#include "cli/module_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/module_managed.h"
#include "cli/resolved.h"
#include "engine/base/ascii.h"
#include "engine/facts.h"
#include "symbols/find/pdb.h"

static const char *string(const struct module_names *names, uint32_t id)
{
    return strings_get(names->p->strings, id);
}

static const struct module *module_of(const struct module_names *names,
                                      const struct module_row *row)
{
    return &names->p->modules.data[row->module];
}

/* ---- gathering ---- */

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
        l->method == NO_ID ? NO_ID : p->methods.data[l->method].module;

    return module == NO_ID || !p->modules.data[module].managed ? NO_ID
                                                               : module;
}

/* Precompiled code counts for its image and for its assembly. */
static void count_samples(const struct profile *p, const struct selection *sel,
                          struct module_row *rows)
{
    for (size_t i = 1; i < p->stacks.len; i++) {
        uint32_t location = p->stacks.data[i].location;
        uint32_t module = p->locations.data[location].module;
        uint32_t assembly = assembly_of(p, location);

        if (module != NO_ID)
            rows[module].samples += sel->stack_counts[i];
        if (module != NO_ID && is_unnamed(p, location))
            rows[module].unnamed += sel->stack_counts[i];
        if (assembly != NO_ID)
            rows[assembly].samples += sel->stack_counts[i];
    }
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

static void link_searches(struct module_row *rows, const struct names_log *log)
{
    for (size_t i = 0; i < log->symbols.modules.len; i++) {
        const struct module_search *search = &log->symbols.modules.data[i];

        rows[search->module].search = search;
    }
    for (size_t i = 0; i < log->lines.modules.len; i++) {
        const struct lines_search *search = &log->lines.modules.data[i];

        rows[search->module].lines = search;
    }
}

struct module_names module_names_new(const struct profile *p,
                                     const struct selection *sel,
                                     const struct names_log *log)
{
    struct module_names names = {
        .p = p,
        .code = &log->code,
        .rows = mem_new(p->modules.len, sizeof(struct module_row)),
    };
    bool *sampled = mem_new(p->modules.len, sizeof(*sampled));

    for (uint32_t i = 0; i < p->modules.len; i++)
        names.rows[i].module = i;
    link_searches(names.rows, log);
    count_samples(p, sel, names.rows);
    find_causes(p, names.rows, sampled);
    for (uint32_t i = 0; i < p->modules.len; i++)
        if (sampled[i])
            names.rows[names.count++] = names.rows[i];
    if (names.count)
        qsort(names.rows, names.count, sizeof(*names.rows), compare_rows);
    free(sampled);
    return names;
}

void module_names_release(struct module_names *names)
{
    free(names->rows);
}

/* ---- text ---- */

/* The file that a cause is about; NULL none. */
static const char *file_to_blame(const struct module_row *row)
{
    const struct module_files *files = row->search ? &row->search->files : NULL;
    enum find_cause wanted = row->cause == CAUSE_BROKEN ? FIND_BROKEN
                                                        : FIND_MISMATCH;

    if (!files || (row->cause != CAUSE_BROKEN && row->cause != CAUSE_MISMATCH))
        return NULL;
    return files->debug.cause == wanted ? files->debug.path
                                        : files->image.path;
}

static const char *cause_text(uint32_t cause)
{
    switch (cause) {
    case CAUSE_NO_SYMBOLS:
        return "no debug file";
    case CAUSE_MISMATCH:
        return "identity mismatch";
    case CAUSE_BROKEN:
        return "broken debug file";
    case CAUSE_OUTSIDE:
        return "addresses outside of the debug file";
    }
    return name_cause_name((enum name_cause)cause);
}

static void print_source(const struct module_names *names,
                         const struct module_row *row, struct out *out)
{
    const char *used = string(names, module_of(names, row)->symbols);
    const char *blamed = file_to_blame(row);

    if (*used)
        out_plain(out, used);
    else if (row->cause == CAUSE_NONE)
        out_str(out, "in the trace");
    if (row->cause == CAUSE_NONE || (*used && row->cause == CAUSE_OUTSIDE))
        return;
    out_str(out, *used ? "; " : "");
    out_str(out, cause_text(row->cause));
    if (blamed) {
        out_str(out, ": ");
        out_plain(out, blamed);
    }
}

void module_names_text(const struct module_names *names, struct out *out)
{
    size_t width = out_columns("module");

    for (size_t i = 0; i < names->count; i++) {
        size_t n = out_columns(
            string(names, module_of(names, &names->rows[i])->name));

        width = n > width ? n : width;
    }
    width = width > 40 ? 40 : width;
    out_str(out, "   samples    unnamed  ");
    out_cell(out, "module", width, true);
    out_str(out, "  names\n");
    for (size_t i = 0; i < names->count; i++) {
        const struct module_row *row = &names->rows[i];

        out_fmt(out, "%10llu %10llu  ", (unsigned long long)row->samples,
                (unsigned long long)row->unnamed);
        out_cell(out, string(names, module_of(names, row)->name), width, true);
        out_str(out, "  ");
        print_source(names, row, out);
        out_char(out, '\n');
    }
}

static void print_wanted(const struct module_names *names,
                         const struct module *m, struct out *out)
{
    const struct identity *id = &m->identity;
    char key[PDB_KEY_SIZE];
    bool any = false;

    if (id->pdb_name) {
        pdb_key(id->guid, id->age, key);
        out_str(out, "  wanted  PDB ");
        out_plain(out, string(names, id->pdb_name));
        out_fmt(out, ", %s\n", key);
        any = true;
    }
    if (id->timestamp && id->image_size) {
        out_fmt(out, "  wanted  image, %08X%x\n", id->timestamp,
                id->image_size);
        any = true;
    }
    if (id->build_id_size) {
        out_str(out, "  wanted  build-id ");
        for (size_t i = 0; i < id->build_id_size; i++)
            out_fmt(out, "%02x", id->build_id[i]);
        out_char(out, '\n');
        any = true;
    }
    if (!any)
        out_str(out, "  wanted  the trace does not say which build it was\n");
}

static const char *probe_text(enum find_cause cause)
{
    return cause == FIND_OK       ? "matches"
           : cause == FIND_ABSENT ? "no such file"
                                  : find_cause_text(cause);
}

/* Messages begin with the path, which stands there already. */
static const char *without_path(const struct probe *probe)
{
    size_t n = strlen(probe->path);

    return !strncmp(probe->reason, probe->path, n) &&
                   !strncmp(probe->reason + n, ": ", 2)
               ? probe->reason + n + 2
               : probe->reason;
}

static void print_probes(const struct found *found, struct out *out)
{
    for (size_t i = 0; i < found->probes.len; i++) {
        const struct probe *probe = &found->probes.data[i];

        out_str(out, "  probed  ");
        out_plain(out, probe->path);
        out_fmt(out, ": %s", probe_text(probe->cause));
        if (probe->reason) {
            out_str(out, ": ");
            out_plain(out, without_path(probe));
        }
        out_char(out, '\n');
    }
}

static void explain_row(const struct module_names *names,
                        const struct module_row *row, struct out *out)
{
    const struct module *m = module_of(names, row);

    out_plain(out, string(names, m->path));
    out_str(out, "\n  samples ");
    out_grouped(out, row->samples);
    out_str(out, ", without a name ");
    out_grouped(out, row->unnamed);
    out_char(out, '\n');
    print_wanted(names, m, out);
    if (row->search) {
        print_probes(&row->search->files.debug, out);
        print_probes(&row->search->files.image, out);
    }
    if (row->lines) {
        print_probes(&row->lines->pdb, out);
        print_probes(&row->lines->image, out);
    }
    out_str(out, "  names   ");
    print_source(names, row, out);
    out_char(out, '\n');
    module_code_text(names->code, row->module, out);
    if (row->lines) {
        out_str(out, "  lines   ");
        module_lines_text(row->lines, out);
        out_char(out, '\n');
    }
}

static bool is_called(const struct module_names *names,
                      const struct module *m, const char *name)
{
    return ascii_same(string(names, m->name), name) ||
           ascii_same(path_base_name(string(names, m->path)), name);
}

bool module_names_explain(const struct module_names *names,
                          const char *module, struct out *out)
{
    bool found = false;

    for (size_t i = 0; i < names->count; i++) {
        const struct module_row *row = &names->rows[i];

        if (!is_called(names, module_of(names, row), module))
            continue;
        explain_row(names, row, out);
        found = true;
    }
    return found;
}

/* ---- JSON ---- */

static void json_text(const char *text, struct out *out)
{
    if (text && *text)
        out_json(out, text);
    else
        out_str(out, "null");
}

static const char *json_probes(const struct found *found, const char *before,
                               struct out *out)
{
    static const char *const results[] = {
        [FIND_OK] = "match", [FIND_NOT_NAMED] = "not_named",
        [FIND_ABSENT] = "absent", [FIND_MISMATCH] = "identity_mismatch",
        [FIND_BROKEN] = "broken_file", [FIND_NOT_ASKED] = "not_asked",
        [FIND_FAILED] = "failed",
    };

    for (size_t i = 0; i < found->probes.len; i++) {
        const struct probe *probe = &found->probes.data[i];

        out_fmt(out, "%s{\"path\":", before);
        out_json(out, probe->path);
        out_fmt(out, ",\"result\":\"%s\",\"reason\":", results[probe->cause]);
        json_text(probe->reason, out);
        out_char(out, '}');
        before = ",";
    }
    return before;
}

static void json_row(const struct module_names *names,
                     const struct module_row *row, struct out *out)
{
    const struct module *m = module_of(names, row);
    const char *before = "";

    out_str(out, "{\"module\":");
    out_json(out, string(names, m->name));
    out_str(out, ",\"path\":");
    json_text(string(names, m->path), out);
    out_fmt(out, ",\"samples\":%llu,\"unnamed\":%llu,\"cause\":",
            (unsigned long long)row->samples,
            (unsigned long long)row->unnamed);
    json_text(row->cause ? name_cause_name((enum name_cause)row->cause) : NULL,
              out);
    out_str(out, ",\"used\":");
    json_text(string(names, m->symbols), out);
    out_str(out, ",\"wanted\":{\"pdb\":");
    json_text(string(names, m->identity.pdb_name), out);
    identity_json(&m->identity, out);
    out_str(out, "},\"probes\":[");
    if (row->search) {
        before = json_probes(&row->search->files.debug, before, out);
        before = json_probes(&row->search->files.image, before, out);
    }
    if (row->lines) {
        before = json_probes(&row->lines->pdb, before, out);
        json_probes(&row->lines->image, before, out);
    }
    out_str(out, "],\"code\":[");
    module_code_json(names->code, row->module, out);
    out_str(out, "],\"lines\":");
    if (row->lines) {
        out_char(out, '{');
        module_lines_json(row->lines, out);
        out_str(out, "}}");
    } else {
        out_str(out, "null}");
    }
}

void module_names_json(const struct module_names *names, struct out *out)
{
    out_str(out, "{\"schema\":\"topfn.symbols/1\",\"modules\":[");
    for (size_t i = 0; i < names->count; i++) {
        out_str(out, i ? ",\n" : "\n");
        json_row(names, &names->rows[i], out);
    }
    out_str(out, "\n]}\n");
}
