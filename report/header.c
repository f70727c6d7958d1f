#include "report/header.h"

#include <string.h>

/* `n` of a unit of at least 100, rounded to two decimals; zeros at the end
 * are left out. */
static void print_decimal(struct out *out, uint64_t n, uint64_t unit)
{
    uint64_t hundredths = n / unit * 100 + (n % unit * 100 + unit / 2) / unit;
    unsigned part = (unsigned)(hundredths % 100);

    out_grouped(out, hundredths / 100);
    if (part % 10)
        out_fmt(out, ".%02u", part);
    else if (part)
        out_fmt(out, ".%u", part / 10);
}

void print_span(struct out *out, int64_t ns)
{
    uint64_t n = ns > 0 ? (uint64_t)ns : 0;

    if (n >= 1000000000) {
        print_decimal(out, n, 1000000000);
        out_str(out, " s");
    } else if (n >= 1000000) {
        print_decimal(out, n, 1000000);
        out_str(out, " ms");
    } else if (n >= 1000) {
        print_decimal(out, n, 1000);
        out_str(out, " us");
    } else {
        out_u64(out, n);
        out_str(out, " ns");
    }
}

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

/* What one count of a report is. */
static const char *sample_unit(const struct profile *p)
{
    return profile_counts_microseconds(p) ? "microsecond" : "sample";
}

void header_count(const struct profile *p, uint64_t n, struct out *out)
{
    print_plural(out, n, sample_unit(p));
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

void header_what(const struct profile *p, const struct selection *sel,
                 struct out *out)
{
    size_t files = p->trace.files.len;

    if (files)
        out_plain(out, strings_get(p->strings, p->trace.files.data[0]));
    if (files > 1)
        out_fmt(out, " and %zu more", files - 1);
    out_str(out, files ? " · " : "");
    print_metric(p, out);
    out_str(out, " · ");
    header_count(p, sel->samples, out);
    out_str(out, " in ");
    print_span(out, p->trace.duration_ns);
    if (p->trace.cpus) {
        out_str(out, " on ");
        print_plural(out, p->trace.cpus, "CPU");
    }
    if (sel->idle) {
        out_str(out, " (");
        out_grouped(out, sel->idle);
        out_str(out, " idle left out)");
    }
    out_char(out, '\n');
}

static void print_stacks(const struct selection *sel, struct out *out)
{
    static const char *const names[] = {
        [STACK_FULL] = "full",
        [STACK_USER] = "user only",
        [STACK_KERNEL] = "kernel only",
        [STACK_NONE] = "none",
    };
    const char *before = "stacks ";

    for (size_t i = 0; i < 4; i++) {
        if (!sel->by_class[i])
            continue;
        out_str(out, before);
        out_percent(out, sel->by_class[i], sel->samples, 1);
        out_fmt(out, " %% %s", names[i]);
        before = ", ";
    }
    if (!sel->samples)
        out_str(out, "no samples");
}

/* The commonest cause first. */
static void print_causes(const struct selection *sel, struct out *out)
{
    bool done[CAUSE_KINDS] = {false};
    const char *before = ": ";

    for (;;) {
        unsigned most = CAUSE_NONE;

        for (unsigned i = CAUSE_NONE + 1; i < CAUSE_KINDS; i++)
            if (!done[i] && sel->by_cause[i] &&
                (most == CAUSE_NONE ||
                 sel->by_cause[i] > sel->by_cause[most]))
                most = i;
        if (most == CAUSE_NONE)
            return;
        done[most] = true;
        out_fmt(out, "%s%s ", before, name_cause_phrase((enum name_cause)most));
        out_percent(out, sel->by_cause[most], sel->samples, 1);
        before = ", ";
    }
}

static void print_names(const struct selection *sel, struct out *out)
{
    if (!sel->samples)
        return;
    if (!sel->unresolved) {
        out_str(out, " · no names missing");
        return;
    }
    out_str(out, " · names missing for ");
    out_percent(out, sel->unresolved, sel->samples, 1);
    out_str(out, " %");
    print_causes(sel, out);
}

static void print_losses(const struct quality *q, struct out *out)
{
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
    if (!q->lost_events && !q->lost_buffers)
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
}

static void print_range(const struct filter *f, struct out *out)
{
    if (f->from > TIME_MIN) {
        out_str(out, " · from ");
        print_span(out, f->from);
    }
    if (f->to < TIME_MAX) {
        out_str(out, " · before ");
        print_span(out, f->to);
    }
}

/* Rows about a part of the trace say so. */
void header_filter(const struct filter *f, struct out *out)
{
    if (!f->process && !f->module && !f->has_pid && !f->has_tid &&
        !f->has_time && !f->include_idle && !f->types)
        return;
    out_str(out, "selected");
    if (f->process) {
        out_str(out, " · process ");
        out_plain(out, f->process);
    }
    if (f->has_pid)
        out_fmt(out, " · pid %u", f->pid);
    if (f->has_tid)
        out_fmt(out, " · thread %u", f->tid);
    if (f->module) {
        out_str(out, " · module ");
        out_plain(out, f->module);
    }
    if (f->has_time)
        print_range(f, out);
    if (f->include_idle)
        out_str(out, " · idle included");
    if (f->types)
        out_str(out, f->types == SAMPLE_MANAGED ? " · in managed code"
                                                : " · external");
    out_char(out, '\n');
}

static void print_lines(const struct profile *p, const struct selection *sel,
                        struct out *out)
{
    header_what(p, sel, out);
    print_stacks(sel, out);
    print_names(sel, out);
    print_losses(&p->quality, out);
    print_caveats(p, out);
    out_char(out, '\n');
    header_filter(&sel->filter, out);
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

void header_lines(const char *text, enum format format, const char *mark,
                  struct out *out)
{
    if (format == FORMAT_TEXT)
        out_str(out, text);
    else
        as_markdown(text, mark, out);
}

void header_text(const struct profile *p, const struct selection *sel,
                 enum format format, struct out *out)
{
    struct out *lines = out_memory();

    print_lines(p, sel, lines);
    header_lines(out_text(lines, NULL), format, "", out);
    if (format == FORMAT_TEXT)
        out_char(out, '\n');
    out_close(lines, NULL);
}
