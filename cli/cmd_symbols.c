#include "cli/command.h"
#include "cli/load.h"
#include "cli/module_names.h"
#include "cli/output.h"
#include "cli/say.h"

/* symbols: which modules have names, from where, and why not. */

static bool write_names(const struct module_names *names,
                        const struct options *o, struct out *out)
{
    if (o->report.format == FORMAT_JSON)
        module_names_json(names, out);
    else if (o->explain)
        return module_names_explain(names, o->explain, out);
    else
        module_names_text(names, out);
    return true;
}

static enum status print(const struct module_names *names,
                         const struct options *o)
{
    struct err err = {0};
    struct output *output = output_open(o->output, &err);
    bool known = true;

    if (output) {
        known = write_names(names, o, output_out(output));
        output_close(output, &err);
    }
    if (err.code)
        say("%s", err.message);
    if (!known)
        say("no sampled module is called \"%s\"", o->explain);
    return err.code ? status_of_output(err.code)
                    : known ? STATUS_OK : STATUS_USAGE;
}

enum status cmd_symbols(const struct command *command,
                        const struct options *o, const char *const *files,
                        size_t count)
{
    struct names_log log = {.symbols = {.modules = {0}}};
    struct module_names names;
    enum status status, written;
    struct selection *sel;
    struct profile *p;

    (void)command;
    if (o->report.format != FORMAT_TEXT && o->report.format != FORMAT_JSON) {
        say("symbols writes text or json");
        return STATUS_USAGE;
    }
    if (output_is_input(o->output, files, count))
        return STATUS_USAGE;
    p = load_explained(o, files, count, &log, &status);
    if (!p)
        return status;
    sel = selection_new(p, &o->report.filter);
    names = module_names_new(p, sel, &log);
    written = print(&names, o);
    module_names_release(&names);
    selection_free(sel);
    names_log_release(&log);
    profile_free(p);
    return written ? written : status;
}
