#include "cli/about.h"
#include "cli/output.h"
#include "cli/say.h"
#include "cli/source_places.h"
#include "report/list.h"

/* list: source lines of a function with their samples. */

static enum status print(const struct listing *listing,
                         const struct options *o)
{
    struct err err = {0};
    struct output *output = output_open(o->output, &err);
    bool all_found = true;

    if (output) {
        all_found = list_report(listing, output_out(output));
        output_close(output, &err);
    }
    if (err.code)
        say("%s", err.message);
    else if (!all_found)
        say_hint("source not found: --source-map FROM=TO tells where it is, "
                 "--symbols PATH where to look");
    return status_of_output(err.code);
}

enum status cmd_list(const struct command *command, const struct options *o,
                     const char *const *arguments, size_t count)
{
    enum status status, written;
    struct about about;
    struct source_places sources;
    struct listing listing;

    if (!about_load(&about, command, o, arguments, count, &status))
        return status;
    source_places(&sources, about.p, o, arguments + 1, count - 1);
    listing = (struct listing){
        .p = about.p,
        .sel = about.sel,
        .options = &o->report,
        .context = o->context,
        .functions = about.chosen.rows.data,
        .count = about.chosen.rows.len,
        .find = source_places_find,
        .state = &sources,
    };
    written = print(&listing, o);
    source_places_release(&sources);
    about_release(&about);
    return written ? written : status;
}
