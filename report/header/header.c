#include "report/header/header.h"

#include <stddef.h>
#include <string.h>

#include "engine/analysis/algebra.h"
#include "engine/analysis/trust.h"
#include "engine/base/text.h"
#include "engine/model/code.h"
#include "engine/model/profile.h"
#include "report/table/text.h"
#include "report/table/table.h"

/* Every report says its filter, and how many of the samples it keeps. */

/* The lists of a filter, in the order in which they are asked. */
static const struct {
    const char *title; /* for people */
    const char *key;
    size_t at;
} lists[] = {
#define LIST(title, key, member)                                               \
    {                                                                          \
        title, key, offsetof(struct filter, member)                            \
    }
    LIST("process", "process", processes),
    LIST("thread", "thread", threads),
    LIST("group", "group", groups),
    LIST("mine", "mine", mine),
    LIST("fold", "fold", folds),
    LIST("focus", "focus", focus),
    LIST("ignore", "ignore", ignore),
    LIST("leaf", "leaf", leaves),
    LIST("module", "module", modules),
    LIST("from", "show_from", show_from),
    LIST("to", "to", to_any),
    LIST("between", "between", between),
};

enum { LISTS = sizeof(lists) / sizeof(*lists) };

static const struct words *list_of(const struct filter *f, size_t i)
{
    return (const struct words *)((const char *)f + lists[i].at);
}

/* ---- the rest of it, as text ---- */

static void print_set(const char *title, unsigned set,
                      const char *(*name_of)(int), struct out *out)
{
    const char *before = title;

    for (int i = 0; name_of(i); i++) {
        if (!(set & 1u << i))
            continue;
        out_str(out, before);
        out_str(out, name_of(i));
        before = ", ";
    }
}

static void print_words(const char *title, const struct words *words,
                        struct out *out)
{
    for (size_t i = 0; i < words->len; i++) {
        if (!i)
            out_fmt(out, " · %s ", title);
        out_str(out, i ? ", " : "");
        out_plain(out, words->data[i]);
    }
}

static void print_lists(const struct filter *f, size_t from, size_t to,
                        struct out *out)
{
    for (size_t i = from; i < to; i++)
        print_words(lists[i].title, list_of(f, i), out);
}

static bool print_filter(const struct filter *f, struct out *out)
{
    if (filter_is_empty(f) && !f->include_idle)
        return false;
    out_str(out, "filter");
    print_lists(f, 0, 5, out);
    if (f->fold_percent)
        out_fmt(out, " · fold below %u.%02u %%", f->fold_percent / 100,
                f->fold_percent % 100);
    print_lists(f, 5, LISTS, out);
    print_set(" · kind ", f->kinds, leaf_kind_name, out);
    print_set(" · tier ", f->tiers, code_tier_word, out);
    for (size_t i = 0; i < f->cpus.len; i++) {
        const struct cpu_range *r = &f->cpus.data[i];

        out_str(out, i ? "," : " · CPU ");
        out_u64(out, r->from);
        if (r->to != r->from)
            out_fmt(out, "-%u", (unsigned)r->to);
    }
    if (f->has_time) {
        bool begins = f->from > TIME_MIN, ends = f->to < TIME_MAX;

        if (begins || ends)
            out_str(out, !ends ? " · from " : begins ? " · " : " · up to ");
        if (begins)
            print_span(out, f->from);
        if (begins && ends)
            out_str(out, " to ");
        if (ends)
            print_span(out, f->to);
    }
    if (f->include_idle)
        out_str(out, " · idle included");
    if (f->types)
        out_str(out, f->types == SAMPLE_MANAGED ? " · in managed code"
                                                : " · external");
    return true;
}

void header_filter(const struct filter *f, struct out *out)
{
    if (print_filter(f, out))
        out_char(out, '\n');
}

void header_selected(const struct profile *p, const struct selection *sel,
                     struct out *out)
{
    if (!print_filter(&sel->filter, out))
        return;
    if (!filter_is_empty(&sel->filter)) {
        out_str(out, " · ");
        out_weight(out, p, sel->samples);
        out_str(out, " of ");
        out_weight_unit(out, p, sel->whole);
    }
    out_char(out, '\n');
}

/* ---- as JSON ---- */

static void json_set(struct json *json, const char *key, unsigned set,
                     const char *(*name_of)(int))
{
    if (!set)
        return;
    json_array(json, key);
    for (int i = 0; name_of(i); i++)
        if (set & 1u << i)
            json_text(json, NULL, name_of(i));
    json_end(json);
}

static void json_cpus(struct json *json, const struct filter *f)
{
    if (!f->cpus.len)
        return;
    json_array(json, "cpu");
    for (size_t i = 0; i < f->cpus.len; i++)
        for (unsigned n = f->cpus.data[i].from; n <= f->cpus.data[i].to; n++)
            json_u64(json, NULL, n);
    json_end(json);
}

void header_json_selected(const struct profile *p, const struct selection *sel,
                          struct json *json)
{
    const struct filter *f = &sel->filter;

    if (filter_is_empty(f))
        return;
    json_object(json, "selected");
    json_weight(json, "of_samples", p, sel->whole);
    for (size_t i = 0; i < LISTS; i++) {
        const struct words *words = list_of(f, i);

        if (!words->len)
            continue;
        json_array(json, lists[i].key);
        for (size_t w = 0; w < words->len; w++)
            json_text(json, NULL, words->data[w]);
        json_end(json);
    }
    if (f->fold_percent)
        json_percent(json, "fold_percent", f->fold_percent, 10000);
    json_set(json, "kind", f->kinds, leaf_kind_name);
    json_set(json, "tier", f->tiers, code_tier_word);
    if (f->types)
        json_text(json, "sample_type",
                  f->types == SAMPLE_MANAGED ? "managed" : "external");
    json_cpus(json, f);
    if (f->has_time && f->from > TIME_MIN)
        json_i64(json, "from_ns", f->from);
    if (f->has_time && f->to < TIME_MAX)
        json_i64(json, "to_ns", f->to);
    json_end(json);
}

void header_metric(const struct profile *p, const struct selection *sel,
                   bool is_brief, struct out *out)
{
    const char *meaning = profile_metric(p)->meaning;
    const char *word = profile_metric_word(p);
    const char *waits = meaning ? strchr(meaning, ':') : NULL;

    if (waits && (is_brief || selection_leaves_waiting(sel))) {
        out_bytes(out, meaning, (size_t)(waits - meaning));
        out_char(out, ')');
    } else if (meaning) {
        out_str(out, meaning);
    } else {
        out_plain(out, *word ? word : "samples");
    }
    if (p->trace.interval_ns > 0) {
        out_str(out, " every ");
        print_span(out, p->trace.interval_ns);
    }
}

/* "6.81 s of CPU time", or the events that the samples stand for:
 * "6,556,725,985 cycles". */
static void print_sampled(const struct profile *p, const struct selection *sel,
                          struct out *out)
{
    uint64_t time = trust_cpu_time(p, sel);

    if (time) {
        out_str(out, " · ");
        print_span(out, (int64_t)time);
        out_str(out, " of CPU time");
    }
    if (!sel->period || trust_periods_are_time(p))
        return;
    out_str(out, time ? " · " : " of ");
    out_grouped(out, sel->period);
    out_char(out, ' ');
    out_plain(out, strings_get(p->strings, p->trace.period_of));
}

/* Counts of the recorder that no sample stands for. */
static void print_caveats(const struct profile *p, struct out *out)
{
    const char *before = " · recorder also counted ";

    for (size_t i = 0; i < p->trace.facts.len; i++) {
        const struct trace_fact *f = &p->trace.facts.data[i];

        if (!f->caveat)
            continue;
        out_str(out, before);
        out_grouped(out, f->number);
        out_char(out, ' ');
        out_plain(out, strings_get(p->strings, f->name));
        before = ", ";
    }
}

/* "0.6 %", "6 %" */
static void print_tenths(struct out *out, uint32_t tenths)
{
    if (tenths < 10)
        out_fmt(out, "0.%u %%", (unsigned)tenths);
    else
        out_fmt(out, "%u %%", (unsigned)(tenths + 5) / 10);
}

/* "8 CPUs, 6 % busy"; or "used 6 % of 8 CPUs" where other processes were not
 * sampled. If neither is known, it prints the samples that were left out as
 * idle. */
static void print_processors(const struct profile *p,
                             const struct selection *sel, struct out *out)
{
    uint32_t busy = trust_busy(p, sel);
    bool some = busy != NO_ID && profile_fact_named(p, FACT_SAMPLED);

    if (p->trace.cpus) {
        out_str(out, " · ");
        if (some) {
            out_str(out, "used ");
            print_tenths(out, busy);
            out_str(out, " of ");
        }
        out_count(out, p->trace.cpus, "CPU");
    }
    if (some)
        return;
    if (busy != NO_ID) {
        out_str(out, ", ");
        print_tenths(out, busy);
        out_str(out, " busy");
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
    out_count(out, p->trace.recordings, "run");
    if (p->trace.hosts) {
        out_str(out, " of ");
        out_count(out, p->trace.hosts, "host");
    }
}

enum { FILE_PART = 2 /* of the width, for the path of a file */ };

void header_what(const struct profile *p, const struct selection *sel,
                 bool is_brief, size_t width, struct out *out)
{
    int64_t duration = selection_duration(p, sel);
    size_t files = p->trace.files.len;

    if (files) {
        const char *file = profile_file(p);
        struct arena scratch = {0};

        if (width)
            file = shorten_path(file, width / FILE_PART, &scratch);
        out_plain(out, file);
        arena_release(&scratch);
    }
    if (files > 1)
        out_fmt(out, " and %zu more", files - 1);
    out_str(out, files ? " · " : "");
    header_metric(p, sel, is_brief, out);
    out_str(out, " · ");
    out_weight_unit(out, p, sel->samples);
    if (selection_leaves_waiting(sel)) {
        out_str(out, " of running threads (");
        out_weight(out, p, sel->waiting);
        out_str(out, " waiting left out)");
    }
    print_sampled(p, sel, out);
    if (duration) {
        out_str(out, " in ");
        print_span(out, duration);
    }
    print_recordings(p, sel, out);
    print_processors(p, sel, out);
    out_char(out, '\n');
}

/* Less than all must not be shown as "100.0 %". */
static void print_share(struct out *out, uint64_t part, uint64_t whole)
{
    unsigned decimals = part != whole && whole - part <= whole / 2000 ? 2 : 1;

    out_percent(out, part, whole, part == whole ? 0 : decimals);
    out_str(out, " %");
}

/* A screen has no room for parts below one percent; info lists them. */
static void print_stacks(const struct trust *t, const struct selection *sel,
                         size_t width, struct out *out)
{
    uint64_t least = width ? sel->samples / 100 + 1 : 1;

    if (!sel->samples) {
        out_str(out, "no samples");
        return;
    }
    if (sel->by_end[STACK_END_NO_STACK] == sel->samples) {
        out_str(out, "no stacks");
        return;
    }
    if (t->unknown == sel->samples) {
        out_str(out, "unknown whether stacks are complete");
        return;
    }
    print_share(out, t->complete, sel->samples);
    out_str(out, " of stacks are complete");
    if (t->truncated >= least) {
        /* "3 % truncated (depth limit)"; of several causes the first, with its
         * own share. */
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
        if (t->truncated >= sel->samples / 4)
            out_str(out, ": inclusive counts and callers are too low");
    }
    if (t->unknown >= least) {
        out_str(out, " · unknown for ");
        print_share(out, t->unknown, sel->samples);
    }
}

enum { MODULES_NAMED = 3 };

static void print_names(const struct profile *p, const struct trust *t,
                        const struct selection *sel, struct out *out)
{
    if (!sel->samples)
        return;
    if (!sel->unresolved) {
        out_str(out, " · all function names known");
        return;
    }
    out_str(out, " · no function names for ");
    print_share(out, sel->unresolved, sel->samples);
    out_str(out, " of samples");
    /* The modules without names, most samples first. */
    for (size_t i = 0; i < t->nameless.len && i < MODULES_NAMED; i++) {
        const struct nameless *n = &t->nameless.data[i];

        out_str(out, i ? ", " : ": ");
        out_plain(out, n->module ? strings_get(p->strings, n->module)
                                 : "[unknown] (address in no loaded module)");
        out_char(out, ' ');
        out_weight(out, p, n->samples);
    }
    if (t->nameless.len > MODULES_NAMED)
        out_str(out, ", …");
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

/* Losses of which the format does not tell. */
static bool print_unsaid(const struct profile *p, struct out *out)
{
    const struct trace_fact *unsaid = profile_fact_named(p, FACT_UNSAID);

    if (unsaid) {
        out_str(out, " · not in the format: ");
        out_plain(out, strings_get(p->strings, unsaid->value));
    }
    return unsaid;
}

static void print_losses(const struct profile *p, struct out *out)
{
    const struct quality *q = &p->quality;
    const struct {
        const char *before;
        uint64_t n;
        const char *what, *fate;
    } losses[] = {
        {" · ", q->lost_events, "event", "lost"},
        {q->lost_events ? ", " : " · ", q->lost_buffers, "buffer", "lost"},
        {" · ", q->skipped_bytes, "byte", "skipped"},
        {" · ", q->malformed, "record", "damaged"},
        {" · ", q->cut_stacks, "deep stack", "cut"},
    };

    if (!q->lost_events && !q->lost_buffers && !print_unsaid(p, out))
        out_str(out, " · no events lost");
    for (size_t i = 0; i < sizeof(losses) / sizeof(*losses); i++) {
        if (!losses[i].n)
            continue;
        out_str(out, losses[i].before);
        out_count(out, losses[i].n, losses[i].what);
        out_fmt(out, " %s", losses[i].fate);
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

/* Says what helps if a .NET recording does not list its methods. */
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
                      : " (truncated before the runtime listed its methods)");
    runtime = runtime_without_names(p, &n);
    if (runtime && p->trace.files.len) {
        out_str(out, ": topfn ");
        out_plain(out, profile_file(p));
        out_str(out, " --symbols ");
        out_plain_bytes(out, runtime, n - 1);
        out_str(out, " names those of the runtime");
    }
    out_str(out, none ? "; record with rundown to have all\n"
                      : "; let the recorder end by itself to have all\n");
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

size_t text_limit(const struct report_options *options)
{
    return options->format == FORMAT_TEXT ? options->width : 0;
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
    struct trust trust = {0};

    trust_find(&trust, s->p, s->sel);
    header_what(s->p, s->sel, false, text_limit(s->options), lines);
    print_stacks(&trust, s->sel, text_limit(s->options), lines);
    print_names(s->p, &trust, s->sel, lines);
    print_without_inlined(s->p, lines);
    print_losses(s->p, lines);
    print_caveats(s->p, lines);
    out_char(lines, '\n');
    print_without_methods(s->p, s->sel, lines);
    header_selected(s->p, s->sel, lines);
    trust_release(&trust);
    out_str(lines, more ? more : "");
    header_lines(out_text(lines, NULL), s->options, "", out);
    if (s->options->format == FORMAT_TEXT)
        out_char(out, '\n');
    out_close(lines, NULL);
}
