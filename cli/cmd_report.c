#include "cli/command.h"
#include "cli/hints.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/say.h"

/* top, tree, folded, info: everything that reads a profile and prints. */

static enum status print_report(const struct report *report,
                                const struct profile *p,
                                const struct selection *sel,
                                const struct options *o)
{
    struct err err = {0};
    struct output *output = output_open(o->output, &err);

    if (output) {
        report->run(p, sel, &o->report, output_out(output));
        output_close(output, &err);
    }
    if (err.code)
        say("%s", err.message);
    return status_of_output(err.code);
}

enum status cmd_report(const struct command *command, const struct options *o,
                       const char *const *files, size_t count)
{
    const struct report *report = report_find(command->name);
    enum status status, written;
    enum load_what what;
    struct selection *sel;
    struct profile *p;

    if (o->diff.folded)
        return cmd_diff(command, o, files, count);
    if (output_is_input(o->output, files, count))
        return STATUS_USAGE;
    what = report->lists_contents ? LOAD_COUNTS : LOAD_BUSY;
    p = load(o, files, count, what, &status);
    if (!p)
        return status;
    sel = selection_new(p, &o->report.filter);
    written = print_report(report, p, sel, o);
    if (!written) {
        explain_empty(p, sel);
        if (report == &top_report || report == &tree_report) {
            warn_of_waits(p, sel);
            hint_missing_names(p, sel, files[0]);
        }
    }
    selection_free(sel);
    profile_free(p);
    return written ? written : status;
}
