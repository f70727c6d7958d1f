#include "cli/commands/module_managed.h"
#include "cli/commands/module_names.h"
#include "cli/commands/resolved.h"
#include "report/header/header.h"
#include "report/table/weight.h"

static const char *const results[] = {
    [FIND_OK] = "match",           [FIND_NOT_NAMED] = "not_named",
    [FIND_ABSENT] = "absent",      [FIND_MISMATCH] = "identity_mismatch",
    [FIND_BROKEN] = "broken_file", [FIND_UNUSED] = "not_used",
    [FIND_NOT_ASKED] = "not_asked", [FIND_FAILED] = "failed",
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

/* What the file in use refers to and is not at hand. */
static void json_missing(const struct found *used, struct json *json)
{
    json_array(json, "missing");
    for (size_t i = 0; i < used->lost.len; i++) {
        json_object(json, NULL);
        json_text(json, "path", used->lost.data[i].path);
        json_text(json, "result", results[used->lost.data[i].cause]);
        json_end(json);
    }
    json_end(json);
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
    if (names_lost(row))
        json_missing(names_lost(row), json);
}

static void json_row(const struct module_names *names,
                     const struct module_row *row, struct json *json)
{
    const struct module *m = names_module(names, row);

    json_line(json, 0);
    json_object(json, NULL);
    json_text(json, "module", names_string(names, m->name));
    json_maybe(json, "path", names_string(names, m->path));
    json_weight(json, "samples", names->p, row->samples);
    json_weight(json, "unnamed", names->p, row->unnamed);
    json_text(json, "cause",
              row->cause ? name_cause_name((enum name_cause)row->cause) : NULL);
    json_search(names, row, json);
    module_code_json(names->code, row->module, json);
    module_lines_json(row->lines, json);
    json_end(json);
}

void module_names_json(const struct subject *subject, struct out *out)
{
    const struct module_names *names = names_subject(subject)->names;
    struct json json = report_json("symbols", out);

    json_array(&json, "modules");
    for (size_t i = 0; i < names->count; i++)
        json_row(names, &names->rows[i], &json);
    json_line(&json, 0);
    json_end(&json);
    report_json_end(&json);
}
