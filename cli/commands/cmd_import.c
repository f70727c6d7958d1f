#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/load/load.h"
#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"
#include "engine/base/arena.h"
#include "engine/store/merge.h"
#include "engine/store/store.h"

/* import: a trace becomes a .topfn database. */

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

static enum status merge_run(const struct command *command,
                             const struct options *o, const char *const *files,
                             size_t count)
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
    .help = "join recordings in one .topfn database (-o)",
    .takes = USE_LOAD | USE_SYMBOLS | USE_OUTPUT | USE_FLEET,
    .run = merge_run,
};

/* app.etl becomes app.topfn beside it. */
static const char *default_path(const char *file, struct arena *scratch)
{
    const char *slash = strrchr(file, '/');
    const char *base = slash ? slash + 1 : file;
    const char *dot = strrchr(base, '.');
    size_t n = dot && dot > base ? (size_t)(dot - file) : strlen(file);
    size_t size = n + sizeof(".topfn");
    char *path = arena_new(scratch, char, size);

    snprintf(path, size, "%.*s.topfn", (int)n, file);
    return path;
}

/* Found out before minutes of reading rather than after. */
static bool can_create(const char *path)
{
    struct arena scratch = {0};
    const char *slash = strrchr(path, '/');
    const char *folder = "/";
    bool can;

    if (!slash)
        folder = ".";
    else if (slash > path)
        folder = arena_strndup(&scratch, path, (size_t)(slash - path));
    can = !access(folder, W_OK | X_OK);
    if (!can)
        say("%s: cannot create: %s", path, strerror(errno));
    arena_release(&scratch);
    return can;
}

static enum status write_database(const struct profile *p, const char *path)
{
    struct err err = {0};

    if (store_write(p, path, &err)) {
        say("%s", err.message);
        return status_of_output(err.code);
    }
    say_hint("%s: %zu samples, %zu stacks, %zu functions", path, p->samples.len,
             p->stacks.len - 1, p->functions.len);
    return STATUS_OK;
}

static enum status import_to(const char *path, const struct options *o,
                             const char *const *files, size_t count)
{
    enum status status, written;
    struct profile *p;

    if (output_is_input(path, files, count))
        return STATUS_USAGE;
    if (!can_create(path))
        return STATUS_CANNOT_CREATE;
    p = load(o, files, count, LOAD_ALL, &status);
    if (!p)
        return status;
    written = write_database(p, path);
    profile_free(p);
    return written ? written : status;
}

static enum status run(const struct command *command, const struct options *o,
                       const char *const *files, size_t count)
{
    struct arena scratch = {0};
    const char *path = o->output ? o->output : default_path(files[0], &scratch);
    enum status status = import_to(path, o, files, count);

    (void)command;
    arena_release(&scratch);
    return status;
}

const struct command import_command = {
    .name = "import",
    .arguments = "FILE...",
    .help = "make a .topfn database (SQLite) of a trace",
    .takes = USE_LOAD | USE_SYMBOLS | USE_OUTPUT | USE_FLEET,
    .run = run,
};
