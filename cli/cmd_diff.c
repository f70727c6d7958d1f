#include "cli/command.h"
#include "cli/compare.h"
#include "cli/output.h"
#include "cli/say.h"
#include "report/diff.h"

/* diff, and folded --diff. */

static void print_diff(const struct compared *c, const struct options *o,
                       struct out *out)
{
    struct diff_shown shown = {
        .format = o->report.format,
        .width = o->report.width,
        .rows = o->report.rows,
        .explain = o->diff.explain,
        .all = o->diff.all,
    };
    struct diff *d = diff_new(c->inputs, c->count, &c->options);

    diff_report(d, &shown, out);
    diff_free(d);
}

enum status cmd_diff(const struct command *command, const struct options *o,
                     const char *const *files, size_t count)
{
    enum status status;
    struct err err = {0};
    struct output *output;
    struct compared c;

    (void)command;
    if (o->explain && !o->explain_is_number) {
        say("--explain: not a valid number: \"%s\"", o->explain);
        return STATUS_USAGE;
    }
    if (!compare_load(&c, o, files, count, &status))
        return status;
    output = output_open(o->output, &err);
    if (output) {
        if (o->diff.folded)
            diff_folded(c.inputs, c.count, output_out(output));
        else
            print_diff(&c, o, output_out(output));
        output_close(output, &err);
    }
    if (err.code)
        say("%s", err.message);
    compare_release(&c);
    return err.code ? status_of_output(err.code) : status;
}
