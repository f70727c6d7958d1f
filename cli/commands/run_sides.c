#include "cli/command.h"
#include "cli/commands/compare.h"
#include "cli/commands/with_source.h"
#include "cli/terminal/print_report.h"
#include "cli/terminal/say.h"
#include "report/table/columns.h"

/* Reports about what changed: diff, and others with --diff. */

/* With sources and instructions of both, where a page is to have them. */
static enum status write_sides(const struct report *report,
                               const struct subject *subject,
                               const struct compared *c,
                               const struct options *o,
                               const char *const *files, size_t count)
{
    struct subject sides[2] = {*subject, *subject}, both = *subject;
    struct with_source with[2];
    enum status status;

    if (!o->report.with_source)
        return print_report(report, subject, o);
    with_source_of_sides(with, sides, c, o, files, count);
    both.sides = sides;
    status = print_report(report, &both, o);
    for (size_t k = 0; k < 2; k++)
        with_source_release(&with[k]);
    return status;
}

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
    written = write_sides(report, &subject, &c, o, files, count);
    diff_free(d);
    compare_release(&c);
    return written ? written : status;
}
