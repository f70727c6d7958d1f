#include "cli/command.h"
#include "cli/load/hints.h"
#include "cli/load/load.h"
#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"
#include "engine/base/text.h"
#include "report/symbols/module_names.h"
#include "symbols/find/bundle.h"
#include "symbols/sources.h"

/* symbols: which modules have names (report/symbols/symbols.c). */

static const char *module_at(const void *names, size_t i)
{
    const struct module_names *n = names;

    return i < n->count ? names_string(n, names_module(n, &n->rows[i])->name)
                        : NULL;
}

static enum status print(const struct module_names *names,
                         const struct report *report, const struct options *o)
{
    struct names_subject subject = {{.options = &o->report}, names, o->explain};
    enum status status = print_report(report, &subject.subject, o);
    const char *nearest;

    if (status || !o->explain || module_names_has(names, o->explain))
        return status;
    nearest = text_nearest(o->explain, module_at, names);
    say("no sampled module is called \"%s\"%s%s%s", o->explain,
        nearest ? "; did you mean " : "", nearest ? nearest : "",
        nearest ? "?" : "");
    return STATUS_USAGE;
}

/* Adds the source files that samples are in, from where the options allow. */
static void add_sources(struct bundle *b, const struct profile *p,
                        const struct options *o)
{
    bool *seen = mem_new(strings_count(p->strings), sizeof(*seen));
    struct sources sources = {0};

    for (size_t i = 0; i < o->source_maps.len; i++)
        sources_map(&sources, o->source_maps.data[i]);
    for (size_t i = 0; i < o->sources.len; i++)
        sources_add(&sources, o->sources.data[i]);
    for (size_t i = 0; i < p->frames.len; i++) {
        uint32_t file = p->frames.data[i].file;
        const char *path = strings_get(p->strings, file);
        struct textfile *text =
            seen[file] || !*path ? NULL : sources_find(&sources, path);

        seen[file] = true;
        if (text)
            bundle_add_source(b, path, textfile_path(text));
    }
    sources_release(&sources);
    free(seen);
}

/* Copies the files that are in use to the folder of --bundle. */
static enum status write_bundle(const struct profile *p,
                                const struct naming_log *log,
                                const struct options *o)
{
    struct bundle b = {0};
    struct err err = {0};

    for (size_t i = 0; i < log->symbols.modules.len; i++) {
        const struct module_search *s = &log->symbols.modules.data[i];
        const struct identity *id = &p->modules.data[s->module].identity;

        bundle_add(&b, id, false, &s->files.debug);
        bundle_add(&b, id, true, &s->files.image);
    }
    for (size_t i = 0; i < log->lines.modules.len; i++) {
        const struct lines_search *s = &log->lines.modules.data[i];
        const struct identity *id = &p->modules.data[s->module].identity;

        bundle_add(&b, id, false, &s->pdb);
        bundle_add(&b, id, true, &s->image);
    }
    add_sources(&b, p, o);
    if (bundle_write(&b, o->bundle, &err))
        say("%s", err.message);
    else
        say_warning("%s: %zu files, %llu bytes", o->bundle, b.files.len,
                    (unsigned long long)b.size);
    bundle_release(&b);
    return status_of_output(err.code);
}

static enum status run(const struct command *command, const struct options *o,
                       const char *const *files, size_t count)
{
    struct naming_log log = {.symbols = {.modules = {0}}};
    struct module_names names;
    struct err err = {0};
    enum status status, written;
    struct selection *sel;
    struct profile *p;

    if (output_is_input(o->output, files, count))
        return STATUS_USAGE;
    if (!o->bundle && (o->sources.len || o->source_maps.len)) {
        say("--source and --source-map go with --bundle");
        return STATUS_USAGE;
    }
    if (o->bundle && bundle_begin(o->bundle, &err)) {
        say("%s", err.message);
        return err.code == ERR_USAGE ? STATUS_USAGE
                                     : status_of_output(err.code);
    }
    p = recording_take(
        load_recording(o, files, count, LOAD_BUSY, &log, &status));
    if (!p)
        return status;
    load_filtered(p, o);
    sel = selection_new(p, &o->report.filter);
    names = module_names_new(p, sel, &log);
    written = print(&names, command->report, o);
    if (!written && o->bundle)
        written = write_bundle(p, &log, o);
    if (!written)
        explain_empty(p, sel);
    module_names_release(&names);
    selection_free(sel);
    naming_log_release(&log);
    profile_free(p);
    return written ? written : status;
}

const struct command symbols_command = {
    .name = "symbols",
    .arguments = "FILE...",
    .help = "symbol files of modules, or why there are none",
    .takes = USE_READING | USE_FORMAT | USE_OUTPUT | USE_EXPLAIN |
             TAKES_COLUMNS | TAKES_SOURCES,
    .run = run,
    .report = &symbols_report,
};
