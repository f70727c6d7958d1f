#include "cli/about.h"
#include "cli/output.h"
#include "cli/say.h"
#include "report/callers.h"

/* callers: who called a function, and what it called. */

enum status cmd_callers(const struct command *command,
                        const struct options *o,
                        const char *const *arguments, size_t count)
{
    struct err err = {0};
    struct output *output;
    struct calling calling;
    struct about about;
    enum status status;

    if (!about_load(&about, command, o, arguments, count, &status))
        return status;
    calling = (struct calling){about.p, about.sel, &o->report,
                               about.chosen.rows.data, about.chosen.rows.len};
    output = output_open(o->output, &err);
    if (output) {
        callers_report(&calling, output_out(output));
        output_close(output, &err);
    }
    if (err.code)
        say("%s", err.message);
    about_release(&about);
    return err.code ? status_of_output(err.code) : status;
}
