#include "cli/command.h"
#include "cli/hints.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/print_report.h"

/* Reports about all that is selected: top, tree, folded, info. */

enum status run_on_profile(const struct command *command,
                           const struct options *o, const char *const *files,
                           size_t count)
{
    const struct report *report = command->report;
    struct subject subject = {.options = &o->report};
    enum status status, written;
    struct selection *sel;
    struct profile *p;

    if (o->diff.folded)
        return run_on_sides(command, o, files, count);
    if (output_is_input(o->output, files, count))
        return STATUS_USAGE;
    p = load(o, files, count, report->lists_contents ? LOAD_COUNTS : LOAD_BUSY,
             &status);
    if (!p)
        return status;
    load_for_people(p, o);
    subject.p = p;
    subject.sel = sel = selection_new(p, &o->report.filter);
    written = print_report(report, &subject, o);
    if (!written)
        explain_empty(p, sel);
    if (!written && report->ranks_functions)
        hint_missing_names(p, sel, files[0]);
    selection_free(sel);
    profile_free(p);
    return written ? written : status;
}
