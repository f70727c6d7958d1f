#include "cli/command.h"
#include "cli/fleet/fleet.h"
#include "cli/terminal/say.h"
#include "engine/fleet/prune.h"

/* prune: recordings are taken out of a fleet, or become sums of a day. */

static enum status prune(void *context, struct fleet *f,
                         const struct fleet_question *q,
                         const struct options *o)
{
    struct err err = {0};
    struct out *out;
    size_t runs;

    (void)context;
    if (fleet_prune(f, q, o->daily, &runs, &err)) {
        say("%s", err.message);
        return status_of_input(err.code);
    }
    if (o->quiet)
        return STATUS_OK;
    out = out_stream(stdout);
    out_fmt(out, "%zu %s\n", runs, o->daily ? "added up by day" : "taken out");
    out_close(out, NULL);
    return STATUS_OK;
}

static enum status run(const struct command *command, const struct options *o,
                       const char *const *files, size_t count)
{
    (void)command;
    if (count > 1 || (!o->where && !o->older)) {
        say("prune takes one fleet, and what to take out of it: --older, "
            "--where or both");
        return STATUS_USAGE;
    }
    return fleet_do(files[0], o, prune, NULL);
}

const struct command prune_command = {
    .name = "prune",
    .arguments = "FLEET",
    .help = "take recordings out of a fleet (--older, --where)",
    .takes = USE_FLEET | USE_PRUNE,
    .run = run,
};
