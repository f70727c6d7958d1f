#include "cli/commands/about.h"
#include "cli/load/source_places.h"
#include "cli/terminal/print_report.h"

/* Reports about functions that are named: callers, list. */

enum status run_on_functions(const struct command *command,
                             const struct options *o,
                             const char *const *arguments, size_t count)
{
    enum status status, written;
    struct source_places places;
    struct subject subject;
    struct about about;

    if (!about_load(&about, command, o, arguments, count, &status))
        return status;
    source_places(&places, about.recording, o, arguments + 1, count - 1);
    subject = about_subject(&about, o, &places);
    written = print_report(command->report, &subject, o);
    if (!written)
        source_places_say(&places);
    source_places_release(&places);
    about_release(&about);
    return written ? written : status;
}
