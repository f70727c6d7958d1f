/*
 * Every report and every export over the profile that the bytes make: none of
 * them fails, and none writes without end.
 */
#include "engine/analysis/waiting.h"
#include "engine/diff/gate.h"
#include "engine/input/formats.h"
#include "engine/input/recording.h"
#include "engine/model/frames.h"
#include "report/diff/diff.h"
#include "report/export/export.h"
#include "tests/fuzz/target.h"

enum { FUNCTIONS = 3 };

static struct profile *profile_of_bytes(const uint8_t *data, size_t size)
{
    const struct trace_format *format = trace_format_of(data, size);
    struct read_options options = {.threads = 1};
    struct entry entry = {
        .name = "fuzz", .inner = "", .data = data, .size = size};
    struct profile *p = profile_new();

    if (!format || recording_read(format, &entry, 1, &options, p, NULL)) {
        profile_free(p);
        return NULL;
    }
    profile_finish(p);
    p->jit_in_modules = true;
    unnamed_fold(p);
    waiting_mark(p);
    return p;
}

static void write_formats(const struct report *r, struct subject *s)
{
    struct report_options options = *s->options;
    struct subject subject = *s;

    subject.options = &options;
    for (int f = 0; f < FORMATS; f++) {
        struct out *out = out_memory();

        options.format = (enum format)f;
        if (r->write[f])
            r->write[f](&subject, out);
        out_close(out, NULL);
    }
}

static void write_exports(const struct subject *s)
{
    for (size_t i = 0; export_kinds[i]; i++) {
        struct out *out = out_memory();

        export_kinds[i]->write(s, out);
        out_close(out, NULL);
    }
}

/* With itself, of which AFTER has what is not idle. */
static void compare(struct subject *s)
{
    const struct filter filter = {.include_idle = true};
    struct selection *more = selection_new(s->p, &filter);
    struct diff_input inputs[] = {{s->p, more, false}, {s->p, s->sel, true}};
    struct diff_options options = DIFF_DEFAULTS;
    struct diff *d = diff_new(inputs, 2, &options);
    const struct gate_rules rules = {.has_total = true};
    struct gate *gate = gate_new(d, &rules);
    struct subject both = {.options = s->options,
                           .inputs = inputs,
                           .input_count = 2,
                           .diff = d,
                           .gate = gate};

    for (size_t i = 0; reports[i]; i++) {
        const struct report *r = reports[i];

        if (r->two_sides || r->about == ABOUT_CHANGES ||
            r->about == ABOUT_LIMITS)
            write_formats(r->two_sides ? r->two_sides : r, &both);
    }
    gate_free(gate);
    diff_free(d);
    selection_free(more);
}

static struct textfile *no_source(void *state, const char *path)
{
    (void)state;
    (void)path;
    return NULL;
}

static void report(const struct profile *p, const struct report_options *o)
{
    struct selection *sel = selection_new(p, NULL);
    struct ranking *r = ranking_new(p, sel, RANK_FUNCTION, SORT_INCLUSIVE);
    struct subject s = {.options = o,
                        .p = p,
                        .sel = sel,
                        .functions = r->rows,
                        .function_count =
                            r->len < FUNCTIONS ? r->len : FUNCTIONS,
                        .sources = {no_source, NULL}};

    for (size_t i = 0; reports[i]; i++)
        if (!(reports[i]->takes & TAKES_EXPORT) &&
            (reports[i]->about == ABOUT_PROFILE ||
             (reports[i]->about == ABOUT_FUNCTIONS && s.function_count)))
            write_formats(reports[i], &s);
    write_exports(&s);
    compare(&s);
    ranking_free(r);
    selection_free(sel);
}

FUZZ(reports)
{
    struct report_options o = REPORT_DEFAULTS;
    struct profile *p = profile_of_bytes(data, size);

    /* Options of rows, by the size, so that each is tried. */
    o.by = size % 3 ? RANK_FUNCTION : RANK_MODULE;
    o.with_process = o.with_thread = size & 1;
    o.with_module = o.with_lines = size & 2;
    o.bottom_up = size & 4;
    o.width = size & 8 ? 80 : 0;
    o.when = size & 16;
    o.all = size & 32;
    if (p)
        report(p, &o);
    profile_free(p);
    return 0;
}
