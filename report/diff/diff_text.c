#include <string.h>

#include "engine/diff/explain.h"
#include "engine/model/profile.h"
#include "report/diff/diff.h"
#include "report/table/weight.h"

/* Below the rows of a diff: by which calls, and what was paired with what. */

enum { PAIRS_SHOWN = 20 };

static void print_text(const struct report_options *shown, const char *text,
                       struct out *out)
{
    if (shown->format == FORMAT_MARKDOWN)
        out_markdown(out, text);
    else
        out_plain(out, text);
}

static void print_function(const struct diff *d,
                           const struct report_options *shown,
                           uint32_t function, struct out *out)
{
    const struct diff_name *n = &d->pairs->names.data[function];

    if (n->unnamed && !strcmp(n->name, NAME_NO_SYMBOLS)) {
        print_text(shown, n->module, out);
        out_char(out, ' ');
    }
    print_text(shown, n->label, out);
}

static void print_part(const struct diff *d, const struct report_options *shown,
                       const struct diff_part *part, struct out *out)
{
    struct out *number = out_memory();
    size_t n;

    out_str(out, shown->format == FORMAT_MARKDOWN ? "- " : "  ");
    out_diff(number, d, part->change, true, false);
    out_text(number, &n);
    out_repeat(out, ' ', n < 9 ? 9 - n : 0);
    out_str(out, out_text(number, NULL));
    out_close(number, NULL);
    out_str(out, "  ");
    if (part->kind == DIFF_PART_REST) {
        out_grouped(out, part->edges);
        out_char(out, ' ');
    }
    out_str(out, diff_part_name((enum diff_part_kind)part->kind));
    if (part->function != NO_ID) {
        out_char(out, ' ');
        print_function(d, shown, part->function, out);
    }
    out_str(out, "  (");
    out_diff(out, d, part->value[0], false, false);
    out_str(out, " to ");
    out_diff(out, d, part->value[1], false, false);
    out_str(out, ")\n");
}

static void print_parts(const struct diff *d,
                        const struct report_options *shown,
                        const struct diff_row *row,
                        enum diff_direction direction, struct out *out)
{
    struct diff_explanation e = {0};

    diff_explain(&e, d, row, direction);
    out_char(out, '\n');
    out_diff(out, d, e.change, true, true);
    out_str(out, " in ");
    print_function(d, shown, row->function, out);
    out_str(out, direction == DIFF_INSIDE ? ", by what it ran:\n"
                                          : ", by where it was called:\n");
    if (shown->format == FORMAT_MARKDOWN)
        out_char(out, '\n');
    for (size_t i = 0; i < e.parts.len; i++)
        print_part(d, shown, &e.parts.data[i], out);
    diff_explanation_release(&e);
}

void diff_text_explain(const struct diff *d, const struct report_options *shown,
                       struct out *out)
{
    if (d->options.paths || d->options.by != RANK_FUNCTION)
        return;
    for (size_t i = 0; i < d->len && i < shown->explain; i++) {
        if (!diff_is_real(&d->rows[i]))
            return;
        if (d->options.inclusive)
            print_parts(d, shown, &d->rows[i], DIFF_INSIDE, out);
        print_parts(d, shown, &d->rows[i], DIFF_FROM_CALLERS, out);
    }
}

static bool is_inexact(const struct diff *d, size_t name)
{
    return d->pairs->names.data[name].unit != name;
}

void diff_text_pairs(const struct diff *d, const struct report_options *shown,
                     struct out *out)
{
    const struct diff_name *names = d->pairs->names.data;
    size_t total = 0, printed = 0;

    for (size_t i = 0; i < d->pairs->names.len; i++)
        total += is_inexact(d, i);
    if (!total)
        return;
    out_str(out, "\ncompared as one function, not by exact names:\n");
    if (shown->format == FORMAT_MARKDOWN)
        out_char(out, '\n');
    for (size_t i = 0; i < d->pairs->names.len; i++) {
        if (!is_inexact(d, i) || printed == PAIRS_SHOWN)
            continue;
        out_str(out, shown->format == FORMAT_MARKDOWN ? "- " : "  ");
        print_text(shown, names[i].name, out);
        out_str(out, " = ");
        print_text(shown, names[names[i].unit].name, out);
        out_fmt(out, "  (%s)\n",
                diff_rule_name((enum diff_rule)names[i].rule));
        printed++;
    }
    if (printed < total) {
        out_str(out, "  and ");
        out_grouped(out, total - printed);
        out_str(out, " more; --format json lists them\n");
    }
}
