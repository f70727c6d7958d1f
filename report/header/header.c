#include "report/header/header.h"

#include <string.h>

#include "engine/analysis/trust.h"
#include "engine/base/text.h"
#include "engine/model/profile.h"
#include "report/table/weight.h"
#include "report/table/wrap.h"

static void print_metric(const struct profile *p, struct out *out)
{
    const char *meaning = profile_metric(p)->meaning;
    const char *word = profile_metric_word(p);

    if (meaning)
        out_str(out, meaning);
    else
        out_plain(out, *word ? word : "samples");
    if (p->trace.interval_ns > 0) {
        out_str(out, " every ");
        print_span(out, p->trace.interval_ns);
    }
}

static void print_plural(struct out *out, uint64_t n, const char *what)
{
    out_grouped(out, n);
    out_char(out, ' ');
    out_str(out, what);
    if (n != 1)
        out_char(out, 's');
}

/* " of 6,556,725,985 cycles": the events that the samples stand for. */
static void print_period(const struct profile *p, const struct selection *sel,
                         struct out *out)
{
    if (!sel->period)
        return;
    out_str(out, " of ");
    out_grouped(out, sel->period);
    out_char(out, ' ');
    out_plain(out, strings_get(p->strings, p->trace.period_of));
}

void header_count(const struct profile *p, uint64_t n, struct out *out)
{
    out_weight_unit(out, p, n);
}

/* What the recorder counted and no sample stands for. */
static void print_caveats(const struct profile *p, struct out *out)
{
    const char *before = " · recorder also counted ";

    for (size_t i = 0; i < p->trace.facts.len; i++) {
        const struct trace_fact *f = &p->trace.facts.data[i];

        if (!f->caveat)
            continue;
        out_str(out, before);
        out_plain(out, strings_get(p->strings, f->value));
        out_char(out, ' ');
        out_plain(out, strings_get(p->strings, f->name));
        before = ", ";
    }
}

/* "8 CPUs, 6 % busy"; where that is not known, what was left out as idle. */
static void print_processors(const struct profile *p,
                             const struct selection *sel, struct out *out)
{
    uint32_t busy = trust_busy(p, sel);

    if (p->trace.cpus) {
        out_str(out, " · ");
        print_plural(out, p->trace.cpus, "CPU");
    }
    if (busy != NO_ID && busy < 10) {
        out_fmt(out, ", 0.%u %% busy", (unsigned)busy);
    } else if (busy != NO_ID) {
        out_fmt(out, ", %u %% busy", (unsigned)(busy + 5) / 10);
    } else if (sel->idle) {
        out_str(out, " (");
        out_weight(out, p, sel->idle);
        out_str(out, " idle left out)");
    }
}

/* The number of recordings that were added up, unless a time filter left one of
 * them. */
static void print_recordings(const struct profile *p,
                             const struct selection *sel, struct out *out)
{
    if (!p->trace.recordings || (sel->filter.has_time && p->trace.inputs.len))
        return;
    out_str(out, " · ");
    print_plural(out, p->trace.recordings, "run");
    if (p->trace.hosts) {
        out_str(out, " of ");
        print_plural(out, p->trace.hosts, "host");
    }
}

void header_what(const struct profile *p, const struct selection *sel,
                 struct out *out)
{
    int64_t duration = selection_duration(p, sel);
    size_t files = p->trace.files.len;

    if (files)
        out_plain(out, strings_get(p->strings, p->trace.files.data[0]));
    if (files > 1)
        out_fmt(out, " and %zu more", files - 1);
    out_str(out, files ? " · " : "");
    print_metric(p, out);
    out_str(out, " · ");
    header_count(p, sel->samples, out);
    print_period(p, sel, out);
    if (duration) {
        out_str(out, " in ");
        print_span(out, duration);
    }
    print_recordings(p, sel, out);
    print_processors(p, sel, out);
    out_char(out, '\n');
}

/* What is not all is not "100.0 %". */
static void print_share(struct out *out, uint64_t part, uint64_t whole)
{
    unsigned decimals = part != whole && whole - part <= whole / 2000 ? 2 : 1;

    out_percent(out, part, whole, part == whole ? 0 : decimals);
    out_str(out, " %");
}

/* "3 % truncated (depth limit)"; of several causes the first, with its own
 * share. */
static void print_truncated(const struct trust *t, const struct selection *sel,
                            struct out *out)
{
    uint64_t most = sel->by_end[t->cause];

    out_str(out, " · ");
    print_share(out, t->truncated, sel->samples);
    out_str(out, " truncated (");
    out_str(out, stack_end_phrase(t->cause));
    if (most != t->truncated) {
        out_char(out, ' ');
        print_share(out, most, sel->samples);
        out_str(out, ", …");
    }
    out_char(out, ')');
}

static void print_stacks(const struct trust *t, const struct selection *sel,
                         struct out *out)
{
    if (!sel->samples) {
        out_str(out, "no samples");
        return;
    }
    if (sel->by_end[STACK_END_NO_STACK] == sel->samples) {
        out_str(out, "no stacks");
        return;
    }
    if (t->unknown == sel->samples) {
        out_str(out, "completeness of stacks is not known");
        return;
    }
    print_share(out, t->complete, sel->samples);
    out_str(out, " of stacks are complete");
    if (t->truncated)
        print_truncated(t, sel, out);
    if (t->unknown) {
        out_str(out, " · completeness of ");
        print_share(out, t->unknown, sel->samples);
        out_str(out, " is not known");
    }
}

enum { MODULES_NAMED = 3 };

/* Which modules lack names, most samples first. */
static void print_nameless(const struct profile *p, const struct trust *t,
                           struct out *out)
{
    for (size_t i = 0; i < t->nameless.len && i < MODULES_NAMED; i++) {
        const struct nameless *n = &t->nameless.data[i];

        out_str(out, i ? ", " : ": ");
        out_plain(out, n->module ? strings_get(p->strings, n->module)
                                 : "memory of no module");
        out_char(out, ' ');
        out_weight(out, p, n->samples);
    }
    if (t->nameless.len > MODULES_NAMED)
        out_str(out, ", …");
}

static void print_names(const struct profile *p, const struct trust *t,
                        const struct selection *sel, struct out *out)
{
    if (!sel->samples)
        return;
    if (!sel->unresolved) {
        out_str(out, " · no names missing");
        return;
    }
    out_str(out, " · names missing for ");
    print_share(out, sel->unresolved, sel->samples);
    print_nameless(p, t, out);
}

/* Named, but with less than there is to know. */
static void print_without_inlined(const struct profile *p, struct out *out)
{
    const char *before = " · without inlined calls: ";

    for (size_t i = 0; i < p->modules.len; i++) {
        const struct module *m = &p->modules.data[i];

        if (!m->without_inlined)
            continue;
        out_str(out, before);
        out_plain(out, strings_get(p->strings, m->name));
        before = ", ";
    }
}

/* What its format has no place for; losses are of that then. */
static bool print_unsaid(const struct profile *p, struct out *out)
{
    for (size_t i = 0; i < p->trace.facts.len; i++) {
        const struct trace_fact *f = &p->trace.facts.data[i];

        if (strcmp(strings_get(p->strings, f->name), FACT_UNSAID) != 0)
            continue;
        out_str(out, " · not in the format: ");
        out_plain(out, strings_get(p->strings, f->value));
        return true;
    }
    return false;
}

static void print_losses(const struct profile *p, struct out *out)
{
    const struct quality *q = &p->quality;
    const char *before = " · ";

    if (q->lost_events) {
        out_str(out, before);
        print_plural(out, q->lost_events, "event");
        out_str(out, " lost");
        before = ", ";
    }
    if (q->lost_buffers) {
        out_str(out, before);
        print_plural(out, q->lost_buffers, "buffer");
        out_str(out, " lost");
    }
    if (!q->lost_events && !q->lost_buffers && !print_unsaid(p, out))
        out_str(out, " · nothing lost");
    if (q->skipped_bytes) {
        out_str(out, " · ");
        print_plural(out, q->skipped_bytes, "byte");
        out_str(out, " skipped");
    }
    if (q->malformed) {
        out_str(out, " · ");
        print_plural(out, q->malformed, "record");
        out_str(out, " malformed");
    }
    if (q->cut_stacks) {
        out_str(out, " · ");
        print_plural(out, q->cut_stacks, "deep stack");
        out_str(out, " cut");
    }
}

/* The folder of the .NET runtime that was recorded, whose precompiled code has
 * no names yet: its length in the path. NULL: there is none. */
static const char *runtime_without_names(const struct profile *p, size_t *n)
{
    const char *folder = NULL;

    for (size_t i = 0; i < p->modules.len; i++) {
        const struct module *m = &p->modules.data[i];
        const char *path = strings_get(p->strings, m->path);
        const char *name = path_base_name(path);

        if (!m->managed || name - path < 2 ||
            strcmp(name, "System.Private.CoreLib.dll") != 0)
            continue;
        if (m->symbols)
            return NULL;
        folder = path;
        *n = (size_t)(name - path);
    }
    return folder;
}

/* Of a .NET recording that does not list its methods: what helps. */
static void print_without_methods(const struct profile *p,
                                  const struct selection *sel, struct out *out)
{
    uint64_t none = sel->by_cause[CAUSE_NO_RUNDOWN];
    uint64_t cut = sel->by_cause[CAUSE_CUT_OFF];
    const char *runtime;
    size_t n;

    if (!none && !cut)
        return;
    out_str(out, "no method names in the recording for ");
    print_share(out, none + cut, sel->samples);
    out_str(out, " of samples");
    out_str(out, none ? " (recorded without rundown)"
                      : " (cut off before the runtime listed its methods)");
    runtime = runtime_without_names(p, &n);
    if (runtime && p->trace.files.len) {
        out_str(out, ": topfn ");
        out_plain(out, strings_get(p->strings, p->trace.files.data[0]));
        out_str(out, " --symbols ");
        out_plain_bytes(out, runtime, n - 1);
        out_str(out, " names those of the runtime");
    }
    out_str(out, none ? "; record with rundown to have all\n"
                      : "; let the recorder end by itself to have all\n");
}

static void print_lines(const struct profile *p, const struct selection *sel,
                        struct out *out)
{
    struct trust trust = {0};

    trust_find(&trust, p, sel);
    header_what(p, sel, out);
    print_stacks(&trust, sel, out);
    print_names(p, &trust, sel, out);
    print_without_inlined(p, out);
    print_losses(p, out);
    print_caveats(p, out);
    out_char(out, '\n');
    print_without_methods(p, sel, out);
    header_selected(p, sel, out);
    trust_release(&trust);
}

/* Each line a paragraph, its special characters escaped. */
static void as_markdown(const char *text, const char *mark, struct out *out)
{
    struct arena scratch = {0};

    while (*text) {
        size_t n = strcspn(text, "\n");

        out_str(out, mark);
        out_markdown(out, arena_strndup(&scratch, text, n));
        out_str(out, "\n\n");
        text += n + (text[n] == '\n');
    }
    arena_release(&scratch);
}

void header_lines(const char *text, const struct report_options *options,
                  const char *mark, struct out *out)
{
    if (options->format == FORMAT_TEXT)
        wrap(text, options->width, out);
    else
        as_markdown(text, mark, out);
}

void header_text(const struct subject *s, const char *more, struct out *out)
{
    struct out *lines = out_memory();

    print_lines(s->p, s->sel, lines);
    out_str(lines, more ? more : "");
    header_lines(out_text(lines, NULL), s->options, "", out);
    if (s->options->format == FORMAT_TEXT)
        out_char(out, '\n');
    out_close(lines, NULL);
}
