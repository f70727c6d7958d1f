#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/load/load.h"
#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"
#include "engine/base/arena.h"
#include "engine/base/newfile.h"
#include "engine/store/merge.h"
#include "engine/store/store.h"

/*
 * import and merge: recordings become a .topfn database. import reads its files
 * as one recording; merge makes a run of each.
 */

/* app.etl becomes app.topfn beside it. */
static const char *default_path(const char *file, struct arena *scratch)
{
    const char *slash = strrchr(file, '/');
    const char *base = slash ? slash + 1 : file;
    const char *dot = strrchr(base, '.');
    size_t n = dot && dot > base ? (size_t)(dot - file) : strlen(file);

    return arena_fmt(scratch, "%.*s.topfn", (int)n, file);
}

/* Reads the next file when the one before is added and forgotten. Each file
 * that cannot be read is told. */
static struct profile *load_merged(const struct options *o,
                                   const char *const *files, size_t count,
                                   enum status *status)
{
    struct profile *all = profile_new();
    struct err err = {0};

    *status = STATUS_OK;
    mem_return_freed();
    for (size_t i = 0; i < count; i++) {
        struct profile *run = NULL;
        enum status one;

        if (load_each(o, &files[i], 1, &run, &one) && all &&
            merge_add(all, run, &err)) {
            say("%s", err.message);
            one = STATUS_USAGE;
        }
        if (!run || err.code) {
            profile_free(all);
            all = NULL;
        }
        profile_free(run);
        *status = *status ? *status : one;
    }
    if (all)
        merge_end(all);
    return all;
}

static enum status write_database(const struct profile *p, const char *path,
                                  struct new_file *file)
{
    struct err err = {0};
    char runs[40] = "";

    if (store_write_to(p, file, &err))
        return say_output_error(&err);
    if (p->trace.inputs.len)
        snprintf(runs, sizeof(runs), " of %zu runs", p->trace.inputs.len);
    say_hint("%s: %zu samples%s, %zu stacks, %zu functions", path,
             p->samples.len, runs, p->stacks.len - 1, p->functions.len);
    return STATUS_OK;
}

static enum status cannot_create(const char *path, int error)
{
    say("%s: cannot create: %s", path, strerror(error));
    return STATUS_CANNOT_CREATE;
}

/* The file is made before anything is read: no minutes are lost if it cannot
 * be, and in the sandbox no file can be made. */
static enum status make_database(const struct command *command,
                                 const char *path, bool merges,
                                 const struct options *o,
                                 const char *const *files, size_t count)
{
    enum status status, written;
    struct new_file file;
    struct profile *p;
    int error;

    if (output_is_input(path, files, count))
        return STATUS_USAGE;
    error = new_file_create(&file, path, NULL) ? errno : 0;
    /* merge names a missing input and inputs that do not add up first. */
    if (error && !merges)
        return cannot_create(path, error);
    (void)command_enclose(command, o);
    p = merges ? load_merged(o, files, count, &status)
               : load(o, files, count, LOAD_ALL, &status);
    if (p && !error) {
        written = write_database(p, path, &file);
        status = written ? written : status;
    } else if (p) {
        status = cannot_create(path, error);
    } else if (!error) {
        new_file_discard(&file);
    }
    profile_free(p);
    return status;
}

static enum status run_import(const struct command *command,
                              const struct options *o, const char *const *files,
                              size_t count)
{
    struct arena scratch = {0};
    const char *path = o->output ? o->output : default_path(files[0], &scratch);
    enum status status = make_database(command, path, false, o, files, count);

    arena_release(&scratch);
    return status;
}

static enum status run_merge(const struct command *command,
                             const struct options *o, const char *const *files,
                             size_t count)
{
    if (o->output)
        return make_database(command, o->output, true, o, files, count);
    say("merge needs the name of a database: -o FILE");
    return STATUS_USAGE;
}

const struct command import_command = {
    .name = "import",
    .arguments = "FILE...",
    .help = "make a .topfn database (SQLite) of a trace",
    .takes = USE_LOAD | USE_SYMBOLS | USE_OUTPUT | USE_FLEET,
    .run = run_import,
    .makes_database = true,
};

const struct command merge_command = {
    .name = "merge",
    .arguments = "FILE...",
    .help = "join recordings in one .topfn database (-o)",
    .takes = USE_LOAD | USE_SYMBOLS | USE_OUTPUT | USE_FLEET,
    .run = run_merge,
    .makes_database = true,
};
