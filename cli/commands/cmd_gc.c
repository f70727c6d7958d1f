#include "cli/command.h"
#include "cli/load/load.h"
#include "cli/options/options.h"
#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"
#include "engine/analysis/filter.h"
#include "engine/model/profile.h"
#include "report/profile/gc.h"

/* gc: garbage collections (report/profile/gc.c). They are there in a recording
 * without samples, too. */
static enum status run_gc(const struct command *command,
                          const struct options *o, const char *const *files,
                          size_t count)
{
    enum status status, written;
    struct profile *p;
    struct subject subject = {.options = &o->report};
    struct selection *sel;

    if (output_is_input(o->output, files, count))
        return STATUS_USAGE;
    p = load(o, files, count, LOAD_COUNTS, &status);
    if (!p)
        return status;
    sel = selection_new(p, &o->report.filter);
    subject.p = p;
    subject.sel = sel;
    if (!p->collections.len)
        say_warning("no garbage collections were recorded; of .NET, dotnet-trace "
                    "collect --profile gc-collect records them");
    written = print_report(command->report, &subject, o);
    selection_free(sel);
    profile_free(p);
    return written ? written : status;
}

const struct command gc_command = {
    .name = "gc",
    .arguments = "FILE...",
    .help = "garbage collections of .NET, Java: when, why, pause, heap",
    .takes = USE_LOAD | USE_MOMENTS | USE_WRITING | TAKES_COLUMNS,
    .run = run_gc,
    .report = &gc_report,
};
