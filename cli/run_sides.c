#include "cli/command.h"
#include "cli/compare.h"
#include "cli/print_report.h"
#include "cli/say.h"
#include "report/columns.h"

/* Reports about what changed: diff, and others with --diff. */

enum status run_on_sides(const struct command *command, const struct options *o,
                         const char *const *files, size_t count)
{
    const struct report *report =
        o->diff.both ? command->report->two_sides : command->report;
    struct subject subject = {.options = &o->report};
    enum status status, written;
    struct diff *d = NULL;
    struct compared c;

    if (!report_is_possible(report, o))
        return STATUS_USAGE;
    if (o->explain && !o->explain_is_number) {
        say("--explain: not a valid number: \"%s\"", o->explain);
        return STATUS_USAGE;
    }
    if (o->report.by != RANK_FUNCTION &&
        (o->diff.options.paths || !diff_groups_can(o->report.by))) {
        say("diff has no --by %s%s", rank_by_name((int)o->report.by),
            o->diff.options.paths ? " of call paths" : "");
        return STATUS_USAGE;
    }
    if (!compare_load(&c, o, files, count, &status))
        return status;
    c.options.by = o->report.by;
    c.options.modules = o->report.by == RANK_FUNCTION && !o->diff.options.paths;
    subject.inputs = c.inputs;
    subject.input_count = c.count;
    if (report->about == ABOUT_CHANGES)
        subject.diff = d = diff_new(c.inputs, c.count, &c.options);
    written = print_report(report, &subject, o);
    diff_free(d);
    compare_release(&c);
    return written ? written : status;
}
