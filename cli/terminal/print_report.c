#include "cli/terminal/print_report.h"

#include "cli/terminal/output.h"
#include "cli/terminal/say.h"

/* "text", "text or json", "text, json or csv" */
static void print_formats(const struct report *r, struct out *out)
{
    int last = FORMATS;

    while (last && !r->write[last - 1])
        last--;
    for (int i = 0; i < last; i++) {
        if (!r->write[i])
            continue;
        if (i)
            out_str(out, i == last - 1 ? " or " : ", ");
        out_str(out, format_name(i));
    }
}

bool report_is_possible(const struct report *r, const struct options *o)
{
    struct out *out;

    if (r->write[o->report.format])
        return true;
    out = out_memory();
    print_formats(r, out);
    say("%s writes %s", r->name, out_text(out, NULL));
    out_close(out, NULL);
    return false;
}

enum status print_to(const char *path, report_writer *write,
                     const struct subject *subject)
{
    struct err err = {0};
    struct output *output = output_open(path, &err);

    if (output) {
        write(subject, output_out(output));
        output_close(output, &err);
    }
    if (err.code)
        say("%s", err.message);
    return status_of_output(err.code);
}

enum status print_report(const struct report *report,
                         const struct subject *subject, const struct options *o)
{
    return print_to(o->output, report->write[o->report.format], subject);
}
