#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/commands/with_source.h"
#include "cli/load/hints.h"
#include "cli/load/load.h"
#include "cli/options/options.h"
#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"
#include "engine/analysis/match.h"
#include "engine/base/text.h"
#include "engine/model/thread_states.h"
#include "report/export/export.h"
#include "report/table/columns.h"

/* Reports about all that is selected: top, tree, folded, info. */

/* The format that is to be written; NULL: none, or the report is another. */
static const struct export_kind *export_of(const struct report *report,
                                           const struct options *o)
{
    return report->takes & TAKES_EXPORT ? o->report.export : NULL;
}

static const char *kind_at(const void *context, size_t i)
{
    (void)context;
    return export_kinds[i] ? export_kinds[i]->name : NULL;
}

static void say_kinds(const char *to)
{
    const char *near = to ? text_nearest(to, kind_at, NULL) : NULL;
    struct out *kinds = out_memory();

    for (size_t i = 0; export_kinds[i]; i++)
        out_fmt(kinds, "%s%s", i ? ", " : "", export_kinds[i]->name);
    if (to)
        say("--to: unknown value \"%s\"%s%s%s (%s)", to,
            near ? "; did you mean " : "", near ? near : "", near ? "?" : "",
            out_text(kinds, NULL));
    else
        say("export needs a format, --to FORMAT: %s", out_text(kinds, NULL));
    out_close(kinds, NULL);
}

/* Formats that always have processes, modules and lines take no option for
 * them. */
static bool knows_options(const struct export_kind *kind,
                          const struct report_options *o)
{
    bool owners = o->with_process || o->with_thread;
    bool styles = o->with_module || o->with_lines || o->with_marks;

    if (owners && !kind->owners)
        say("--to %s takes neither --with-process nor --with-thread",
            kind->name);
    else if (styles && !kind->styles)
        say("--to %s takes neither --with-module nor --lines nor --marks",
            kind->name);
    else
        return true;
    return false;
}

/* True if the options name a format and nothing that it does not know; says
 * so if not. True for other reports. */
static bool export_is_possible(const struct report *report,
                               const struct options *o)
{
    const struct export_kind *kind = o->report.export;
    bool to_stdout = !o->output || !strcmp(o->output, "-");

    if (!(report->takes & TAKES_EXPORT))
        return true;
    if (!kind) {
        say_kinds(o->to);
        return false;
    }
    if (kind->binary && to_stdout && isatty(STDOUT_FILENO)) {
        say("%s is not for a terminal; name a file with -o", kind->name);
        return false;
    }
    return knows_options(kind, &o->report);
}

/* The same check for the recordings that were read. */
static bool can_be_exported(const struct report *report,
                            const struct profile *p, const struct options *o)
{
    const struct export_kind *kind = export_of(report, o);

    if (kind && kind->few_units && !profile_counts_time(p) &&
        !profile_counts_bytes(p) && !profile_counts_samples(p))
        say_warning("warning: --to %s has no unit for %s: numbers stand "
                    "without it",
                    kind->name, profile_unit_text(p, 0));
    if (!kind || !kind->whole || profile_counts_time(p) ||
        (profile_counts_samples(p) && !p->trace.metric.decimals))
        return true;
    say("--to %s has whole samples or times, not %s (%s)", kind->name,
        profile_counts_samples(p) ? "fractions" : profile_unit(p),
        profile_metric_word(p));
    return false;
}

enum { LARGE_EXPORT_MB = 200 };

/* Their tools take a long time for large files, or refuse them. */
static void warn_large_export(const struct export_kind *kind,
                              const struct profile *p,
                              const struct selection *sel)
{
    uint64_t megabytes = kind ? export_size(kind, p, sel) / 1000000 : 0;

    if (megabytes > LARGE_EXPORT_MB)
        say_warning("warning: the %s file may have about %llu MB; "
                    "--to pprof is smaller, --process and --time write less",
                    kind->name, (unsigned long long)megabytes);
}

/* A recording without times of its samples has no course over time. */
static bool has_times_to_show(const struct report *report,
                              const struct profile *p, const struct options *o,
                              const char *file)
{
    bool timeline = report->takes & TAKES_TIMELINE;

    if (!(timeline || o->report.when) || profile_has_times(p))
        return true;
    say("%s: the recording does not tell when its samples were taken: %s needs "
        "times",
        file, timeline ? "timeline" : "--when");
    return false;
}

/* By function, those that are called so: what --root means. False, and says
 * so, when there are none. */
static bool find_named(const struct profile *p, const struct selection *sel,
                       const char *name, const bool **found)
{
    struct ranking *chosen;
    enum match_rule rule;
    bool *is_named;

    if (!name)
        return true;
    chosen = match_labels(p, sel, name, 0, &rule);
    *found = is_named = mem_new(p->functions.len, sizeof(*is_named));
    for (size_t i = 0; chosen && i < chosen->len; i++)
        is_named[chosen->rows[i].id] = true;
    if (!chosen) {
        explain_empty(p, sel);
        say_unknown_function(p, sel, name);
        return false;
    }
    if (rule == MATCH_PART)
        say_part("root", name, chosen->total);
    ranking_free(chosen);
    return true;
}

/* Refuses options that only the other kind of page has. */
static bool page_is_possible(const struct report *report,
                             const struct options *o)
{
    bool sources = o->sources.len || o->source_maps.len;

    if (!(report->takes & TAKES_PAGE))
        return true;
    if (!o->diff.both && o->diff.options.normalize != DIFF_DEFAULTS.normalize)
        say("--normalize is for two sides: --diff BEFORE AFTER");
    else if (sources && !o->report.with_source)
        say("--source and --source-map go with --with-source");
    else
        return true;
    return false;
}

static enum load_what what_to_load(const struct report *report,
                                   const struct options *o)
{
    const struct export_kind *kind = export_of(report, o);

    if (report->needs_times || (kind && kind->times))
        return LOAD_ALL;
    return report->lists_contents ? LOAD_COUNTS : LOAD_BUSY;
}

/* With sources and instructions, where a page is to have them. */
static enum status write_report(const struct report *report,
                                struct subject *subject,
                                const struct recording *recording,
                                const struct options *o,
                                const char *const *files, size_t count)
{
    struct with_source with;
    enum status status;

    if (!o->report.with_source)
        return print_report(report, subject, o);
    with_source_find(&with, subject, recording, o, files, count);
    status = print_report(report, subject, o);
    with_source_release(&with);
    return status;
}

struct selection *select_samples(const struct report *report,
                                 const struct profile *p,
                                 const struct options *o)
{
    const uint64_t apart = TAKES_RANK | TAKES_TREE | TAKES_FUNCTIONS;
    struct filter filter = o->report.filter;
    struct selection *sel;

    if (report->takes & apart && !o->report.waits &&
        format_is_for_people(o->report.format))
        filter.waits = WAITS_LEFT_OUT;
    sel = selection_new(p, &filter);
    if (sel->samples || !sel->waiting)
        return sel;
    selection_free(sel);
    return selection_new(p, &o->report.filter);
}

/* Says which recordings have the rows that --by asks for, if this has none. */
static bool has_rows(const struct profile *p, enum rank_by by)
{
    if (by == RANK_LABEL && !p->trace.inputs.len)
        say("--by label is for fleets, and for what topfn merge makes");
    else if (by == RANK_WAIT && !samples_have_waits(&p->samples))
        say("--by wait is for the time of threads: add --event thread-time");
    else
        return true;
    return false;
}

enum status run_on_profile(const struct command *command,
                           const struct options *o, const char *const *files,
                           size_t count)
{
    const struct report *report = command->report;
    struct subject subject = {.options = &o->report};
    enum status status, written;
    struct recording *recording;
    struct naming_log log = {.symbols = {.modules = {0}}};
    struct selection *sel;
    struct profile *p;

    if (!page_is_possible(report, o))
        return STATUS_USAGE;
    if (o->diff.both)
        return run_on_sides(command, o, files, count);
    if (!export_is_possible(report, o))
        return STATUS_USAGE;
    if (output_is_input(o->output, files, count))
        return STATUS_USAGE;
    recording =
        load_recording(o, files, count, what_to_load(report, o), &log, &status);
    if (!recording) {
        naming_log_release(&log);
        return status;
    }
    p = recording->profile;
    if (!o->report.with_source)
        recording_close_files(recording);
    if (!can_be_exported(report, p, o) ||
        !has_times_to_show(report, p, o, files[0]) ||
        !has_rows(p, o->report.by)) {
        recording_close(recording);
        naming_log_release(&log);
        return STATUS_USAGE;
    }
    load_for_people(p, o);
    subject.p = p;
    subject.sel = sel = select_samples(report, p, o);
    warn_large_export(export_of(report, o), p, sel);
    hints_hold();
    if (report->ranks_functions)
        hint_missing_names(p, sel, &log, files[0], o->online);
    if (report->takes & TAKES_RANK)
        hint_next(p, sel, files[0], o->online);
    written = STATUS_USAGE;
    if (find_named(p, sel, o->report.root, &subject.root))
        written = write_report(report, &subject, recording, o, files, count);
    if (!written)
        explain_empty(p, sel);
    hints_end(!written);
    free((void *)subject.root);
    selection_free(sel);
    recording_close(recording);
    naming_log_release(&log);
    return written ? written : status;
}
