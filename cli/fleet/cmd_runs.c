#include "cli/command.h"
#include "cli/fleet/fleet.h"
#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"
#include "report/fleet/runs.h"

/* runs: the recordings of a fleet (report/fleet/runs.c). */

static enum status list(void *context, struct fleet *f,
                        const struct fleet_question *q,
                        const struct options *o)
{
    struct runs_subject s = {.subject = {.options = &o->report}};
    struct err err = {0};
    enum status status;

    (void)context;
    if (fleet_runs(f, q, &s.runs, &err)) {
        status = say_input_error(&err);
    } else {
        status = print_report(&runs_report, &s.subject, o);
    }
    fleet_runs_release(&s.runs);
    return status;
}

static enum status run(const struct command *command, const struct options *o,
                       const char *const *files, size_t count)
{
    (void)command;
    if (count > 1) {
        say("runs is about one fleet");
        return STATUS_USAGE;
    }
    return fleet_do(files[0], o, false, list, NULL);
}

const struct command runs_command = {
    .name = "runs",
    .arguments = "FLEET",
    .help = "the recordings of a fleet, with labels and quality",
    .takes = USE_FLEET | USE_WRITING,
    .run = run,
    .report = &runs_report,
};
