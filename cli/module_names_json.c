#include "cli/module_managed.h"
#include "cli/module_names.h"
#include "cli/resolved.h"

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

static void json_search(const struct module_names *names,
                        const struct module_row *row, struct out *out)
{
    const struct module *m = names_module(names, row);
    const char *before = "";

    out_str(out, ",\"used\":");
    json_text(names_string(names, m->symbols), out);
    out_str(out, ",\"wanted\":{\"pdb\":");
    json_text(names_string(names, m->identity.pdb_name), out);
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
    out_char(out, ']');
}

static void json_lines(const struct lines_search *lines, struct out *out)
{
    out_str(out, ",\"lines\":");
    if (!lines) {
        out_str(out, "null");
        return;
    }
    out_char(out, '{');
    module_lines_json(lines, out);
    out_char(out, '}');
}

static void json_row(const struct module_names *names,
                     const struct module_row *row, struct out *out)
{
    const struct module *m = names_module(names, row);

    out_str(out, "{\"module\":");
    out_json(out, names_string(names, m->name));
    out_str(out, ",\"path\":");
    json_text(names_string(names, m->path), out);
    out_fmt(out, ",\"samples\":%llu,\"unnamed\":%llu,\"cause\":",
            (unsigned long long)row->samples,
            (unsigned long long)row->unnamed);
    json_text(row->cause ? name_cause_name((enum name_cause)row->cause) : NULL,
              out);
    json_search(names, row, out);
    out_str(out, ",\"code\":[");
    module_code_json(names->code, row->module, out);
    out_char(out, ']');
    json_lines(row->lines, out);
    out_char(out, '}');
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
