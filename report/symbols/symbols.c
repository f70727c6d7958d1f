#include <stdio.h>
#include <string.h>

#include "engine/base/text.h"
#include "report/header/header.h"
#include "report/symbols/module_names.h"
#include "report/symbols/resolve.h"
#include "symbols/find/pdb.h"

/* symbols: which modules have names, from where, and why not. */

static const char *const results[] = {
    [FIND_OK] = "match",
    [FIND_NOT_NAMED] = "not_named",
    [FIND_ABSENT] = "absent",
    [FIND_MISMATCH] = "identity_mismatch",
    [FIND_BROKEN] = "broken_file",
    [FIND_UNUSED] = "not_used",
    [FIND_NOT_ASKED] = "not_asked",
    [FIND_FAILED] = "failed",
};

static void json_probes(const struct found *found, struct json *json)
{
    for (size_t i = 0; i < found->probes.len; i++) {
        const struct probe *probe = &found->probes.data[i];

        json_object(json, NULL);
        json_text(json, "path", probe->path);
        json_text(json, "result", results[probe->cause]);
        json_maybe(json, "reason", probe->reason);
        if (probe->renamed)
            json_bool(json, "renamed", true);
        if (probe->unproved)
            json_bool(json, "unproved", true);
        json_end(json);
    }
}

static void json_search(const struct module_names *names,
                        const struct module_row *row, struct json *json)
{
    const struct module *m = names_module(names, row);

    json_maybe(json, "used", names_string(names, m->symbols));
    json_object(json, "wanted");
    json_maybe(json, "pdb", names_string(names, m->identity.pdb_name));
    identity_json(&m->identity, json);
    json_end(json);
    json_array(json, "probes");
    if (row->search) {
        json_probes(&row->search->files.debug, json);
        json_probes(&row->search->files.image, json);
    }
    if (row->lines) {
        json_probes(&row->lines->pdb, json);
        json_probes(&row->lines->image, json);
    }
    json_end(json);
    if (names_lost(row)) {
        /* Names the file that the one in use refers to and that is not there.
         */
        const struct found *used = names_lost(row);

        json_array(json, "missing");
        for (size_t i = 0; i < used->lost.len; i++) {
            json_object(json, NULL);
            json_text(json, "path", used->lost.data[i].path);
            json_text(json, "result", results[used->lost.data[i].cause]);
            json_end(json);
        }
        json_end(json);
    }
}

static void write_json(const struct subject *subject, struct out *out)
{
    const struct module_names *names = names_subject(subject)->names;
    struct json json = report_json("symbols", out);

    json_array(&json, "modules");
    for (size_t i = 0; i < names->count; i++) {
        const struct module *m = names_module(names, &names->rows[i]);

        json_line(&json, 0);
        json_object(&json, NULL);
        json_text(&json, "module", names_string(names, m->name));
        json_maybe(&json, "path", names_string(names, m->path));
        json_weight(&json, "samples", names->p, names->rows[i].samples);
        json_weight(&json, "unnamed", names->p, names->rows[i].unnamed);
        json_text(&json, "cause",
                  names->rows[i].cause
                      ? name_cause_name((enum name_cause)names->rows[i].cause)
                      : NULL);
        json_search(names, &names->rows[i], &json);
        module_code_json(names->code, names->rows[i].module, &json);
        module_lines_json(names->rows[i].lines, &json);
        json_end(&json);
    }
    json_line(&json, 0);
    json_end(&json);
    report_json_end(&json);
}

static const struct module_names *names_of(const void *rows)
{
    return rows;
}

static const struct module_row *row_of(const void *rows, size_t row)
{
    return &names_of(rows)->rows[row];
}

static const struct module *module_of(const void *rows, size_t row)
{
    return names_module(names_of(rows), row_of(rows, row));
}

static struct value samples(const void *rows, size_t row)
{
    return value_weight(names_of(rows)->p, row_of(rows, row)->samples);
}

static struct value unnamed(const void *rows, size_t row)
{
    return value_weight(names_of(rows)->p, row_of(rows, row)->unnamed);
}

static struct value name(const void *rows, size_t row)
{
    return value_text(names_string(names_of(rows), module_of(rows, row)->name));
}

static struct value path(const void *rows, size_t row)
{
    return value_maybe(
        names_string(names_of(rows), module_of(rows, row)->path));
}

static struct value cause(const void *rows, size_t row)
{
    uint32_t cause = row_of(rows, row)->cause;

    return cause ? value_text(name_cause_name((enum name_cause)cause))
                 : value_none();
}

static struct value used(const void *rows, size_t row)
{
    return value_maybe(
        names_string(names_of(rows), module_of(rows, row)->symbols));
}

/* The words of JSON. */
static const struct column columns[] = {
    {"module", "module", true, name},
    {"path", NULL, false, path},
    {"samples", "samples", false, samples},
    {"unnamed", "unnamed", false, unnamed},
    {"cause", "cause", false, cause},
    {"used", "names from", false, used},
};

enum { COLUMNS = sizeof(columns) / sizeof(*columns) };

/* The columns of the table; text is a table when columns are chosen. */
static const struct column_set column_sets[] = {{columns, COLUMNS}, {NULL, 0}};

static void write_table(const struct subject *subject, struct out *out)
{
    const struct module_names *names = names_subject(subject)->names;
    const struct report_options *o = subject->options;
    struct table table = {.columns = columns,
                          .column_count = COLUMNS,
                          .rows = names,
                          .row_count = names->count,
                          .total = names->count};

    table_write_chosen(&table, o->columns, o->format, o->width, out);
}

/* The file that a cause is about; NULL none. */
static const char *file_to_blame(const struct module_row *row)
{
    const struct module_files *files = row->search ? &row->search->files : NULL;
    enum find_cause wanted =
        row->cause == CAUSE_BROKEN ? FIND_BROKEN : FIND_MISMATCH;

    if (!files || (row->cause != CAUSE_BROKEN && row->cause != CAUSE_MISMATCH))
        return NULL;
    return files->debug.cause == wanted ? files->debug.path : files->image.path;
}

static const char *cause_text(uint32_t cause)
{
    switch (cause) {
    case CAUSE_NO_SYMBOLS:
        return "no debug file";
    case CAUSE_MISMATCH:
        return "another build";
    case CAUSE_BROKEN:
        return "broken debug file";
    case CAUSE_OUTSIDE:
        return "addresses outside of the debug file";
    }
    return name_cause_phrase((enum name_cause)cause);
}

/* The first of the files, as it is mostly one, or all in one folder. */
static void print_lost(const struct found *used, struct out *out)
{
    out_str(out, "; inlined calls missing: ");
    out_plain(out, used->lost.data[0].path);
    out_fmt(out, ": %s", find_cause_text(used->lost.data[0].cause));
    if (used->lost_count > 1)
        out_fmt(out, ", and %zu more", used->lost_count - 1);
}

static void print_source(const struct module_names *names,
                         const struct module_row *row, struct out *out)
{
    const char *used = names_string(names, names_module(names, row)->symbols);
    const char *blamed = file_to_blame(row);
    const char *flaw = row->search ? module_flaw(&row->search->files) : NULL;

    if (*used)
        out_plain(out, used);
    else if (row->cause == CAUSE_NONE)
        out_str(out, "in the trace");
    if (names_lost(row))
        print_lost(names_lost(row), out);
    if (flaw) {
        out_str(out, *used ? "; " : "");
        out_plain(out, flaw);
    } else if (row->cause != CAUSE_NONE &&
               (!*used || row->cause != CAUSE_OUTSIDE)) {
        out_str(out, *used ? "; " : "");
        out_str(out, cause_text(row->cause));
        out_str(out, blamed ? ": " : "");
        out_plain(out, blamed ? blamed : "");
    }
}

static void print_rows(const struct module_names *names, struct out *out)
{
    size_t width = out_columns("module");

    for (size_t i = 0; i < names->count; i++) {
        size_t n = out_columns(
            names_string(names, names_module(names, &names->rows[i])->name));

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
        out_cell(out, names_string(names, names_module(names, row)->name),
                 width, true);
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
        out_plain(out, names_string(names, id->pdb_name));
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
        if (probe->renamed)
            out_str(out, ", under another name");
        if (probe->unproved)
            out_str(out, ", " BUILD_NOT_PROVED);
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
    const struct module *m = names_module(names, row);

    out_plain(out, names_string(names, m->path));
    out_fmt(out, "\n  %-7s ", profile_unit_text(names->p, 0));
    out_weight(out, names->p, row->samples);
    out_str(out, ", without a name ");
    out_weight(out, names->p, row->unnamed);
    out_char(out, '\n');
    print_wanted(names, m, out);
    if (row->search) {
        print_probes(&row->search->files.debug, out);
        print_probes(&row->search->files.image, out);
    }
    if (names_lost(row)) {
        const struct found *used = names_lost(row);

        for (size_t i = 0; i < used->lost.len; i++) {
            out_str(out, "  missing ");
            out_plain(out, used->lost.data[i].path);
            out_fmt(out, ": %s\n", probe_text(used->lost.data[i].cause));
        }
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

static bool is_called(const struct module_names *names, const struct module *m,
                      const char *name)
{
    return ascii_same(names_string(names, m->name), name) ||
           ascii_same(path_base_name(names_string(names, m->path)), name);
}

bool module_names_has(const struct module_names *names, const char *module)
{
    for (size_t i = 0; i < names->count; i++)
        if (is_called(names, names_module(names, &names->rows[i]), module))
            return true;
    return false;
}

static void explain(const struct module_names *names, const char *module,
                    struct out *out)
{
    for (size_t i = 0; i < names->count; i++)
        if (is_called(names, names_module(names, &names->rows[i]), module))
            explain_row(names, &names->rows[i], out);
}

static void write_text(const struct subject *subject, struct out *out)
{
    const struct names_subject *s = names_subject(subject);

    if (subject->options->columns)
        write_table(subject, out);
    else if (s->explain)
        explain(s->names, s->explain, out);
    else
        print_rows(s->names, out);
}

const struct report symbols_report = {
    .name = "symbols",
    .columns = column_sets,
    .write = {[FORMAT_TEXT] = write_text,
              [FORMAT_JSON] = write_json,
              [FORMAT_CSV] = write_table,
              [FORMAT_MARKDOWN] = write_table},
};
