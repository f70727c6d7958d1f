#include "cli/options/export_options.h"

#include <string.h>
#include <unistd.h>

#include "cli/terminal/say.h"
#include "engine/model/profile.h"

const struct export_kind *export_of(const struct report *report,
                                    const struct options *o)
{
    return report == &export_report ? o->report.export : NULL;
}

static void say_kinds(const char *to)
{
    struct out *kinds = out_memory();

    for (size_t i = 0; export_kinds[i]; i++)
        out_fmt(kinds, "%s%s", i ? ", " : "", export_kinds[i]->name);
    if (to)
        say("--to: unknown value \"%s\" (%s)", to, out_text(kinds, NULL));
    else
        say("export needs a format, --to FORMAT: %s", out_text(kinds, NULL));
    out_close(kinds, NULL);
}

/* What has processes, modules and lines anyway takes none of these. */
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

bool export_is_possible(const struct report *report, const struct options *o)
{
    const struct export_kind *kind = o->report.export;
    bool to_stdout = !o->output || !strcmp(o->output, "-");

    if (report != &export_report)
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

/* Those that take samples alone write each of them by itself, as often as its
 * weight says. */
static bool are_too_many(const struct export_kind *kind,
                         const struct profile *p)
{
    enum { MOST = 100000000 };
    uint64_t samples = 0;

    for (size_t i = 0; i < p->samples.len && samples <= MOST; i++)
        samples += sample_weight(p, i);
    if (kind->takes != EXPORT_SAMPLES || samples <= MOST)
        return false;
    say("--to %s writes each sample by itself, and these are more than "
        "100,000,000",
        kind->name);
    return true;
}

static void warn_of_unit(const struct export_kind *kind,
                         const struct profile *p)
{
    if (kind->few_units && !profile_counts_time(p) &&
        !profile_counts_bytes(p) && !profile_counts_samples(p))
        say_warning("warning: --to %s has no unit for %s: numbers stand "
                    "without it",
                    kind->name, profile_unit_text(p, 0));
}

bool can_be_exported(const struct report *report, const struct profile *p,
                     const struct options *o)
{
    const struct export_kind *kind = export_of(report, o);

    if (kind)
        warn_of_unit(kind, p);
    if (!kind || !kind->takes ||
        (kind->takes & EXPORT_TIMES && profile_counts_time(p)) ||
        (profile_counts_samples(p) && !p->trace.metric.decimals))
        return !kind || !are_too_many(kind, p);
    say("--to %s has %s, not %s (%s)", kind->name,
        kind->takes & EXPORT_TIMES ? "whole samples or times"
                                   : "whole samples alone",
        profile_counts_samples(p) ? "fractions" : profile_unit(p),
        profile_metric_word(p));
    return false;
}
