#include "cli/command.h"
#include "cli/load/load.h"
#include "cli/terminal/output.h"
#include "cli/terminal/say.h"
#include "engine/store/merge.h"
#include "engine/store/store.h"

/* merge: profiles become runs in one .topfn database. */

static enum status write_merged(const struct profile *const *profiles,
                                size_t count, const char *path)
{
    struct err err = {0};
    struct profile *all = profile_merge(profiles, count, &err);
    enum status status;

    if (!all) {
        say("%s", err.message);
        return STATUS_USAGE;
    }
    status = status_of_output(store_write(all, path, &err));
    if (status)
        say("%s", err.message);
    else
        say_hint("%s: %zu samples of %zu runs", path, all->samples.len,
                 all->trace.inputs.len);
    profile_free(all);
    return status;
}

static enum status run(const struct command *command, const struct options *o,
                       const char *const *files, size_t count)
{
    struct profile **profiles;
    enum status status, written;

    (void)command;
    if (!o->output) {
        say("merge needs the name of a database: -o FILE");
        return STATUS_USAGE;
    }
    if (output_is_input(o->output, files, count))
        return STATUS_USAGE;
    profiles = mem_new(count, sizeof(*profiles));
    if (load_each(o, files, count, LOAD_ALL, profiles, &status)) {
        written = write_merged((const struct profile *const *)profiles, count,
                               o->output);
        for (size_t i = 0; i < count; i++)
            profile_free(profiles[i]);
        status = written ? written : status;
    }
    free(profiles);
    return status;
}

const struct command merge_command = {
    .name = "merge",
    .arguments = "FILE...",
    .help = "join profiles as runs in one .topfn database (-o)",
    .takes = USE_LOAD | USE_SYMBOLS | USE_OUTPUT | USE_FLEET,
    .run = run,
};
