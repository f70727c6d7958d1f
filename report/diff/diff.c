#include "report/diff/diff.h"

#include <string.h>

#include "engine/model/profile.h"
#include "engine/model/waits.h"
#include "report/header/header.h"

/* Functions from the innermost one out. */
static void print_path(const struct diff *d, uint32_t path, bool labels,
                       struct out *out)
{
    const struct diff_path *paths = d->paths.list.data;
    VEC(uint32_t) chain = {0};

    for (; path; path = paths[path].parent)
        *vec_add(&chain) = paths[path].function;
    for (size_t i = chain.len; i-- > 0;) {
        const struct diff_name *n = &d->pairs->names.data[chain.data[i]];

        if (n->unnamed && !strcmp(n->name, NAME_NO_SYMBOLS))
            out_fmt(out, "%s ", n->module);
        out_str(out, labels ? n->label : n->name);
        out_str(out, i ? ";" : "");
    }
    vec_release(&chain);
}

const char *diff_path_text(const struct diff *d, const struct diff_row *row,
                           bool labels, struct arena *arena)
{
    const char *text;
    struct out *out;
    size_t n;

    if (!d->options.paths)
        return labels ? row->label : row->name;
    out = out_memory();
    print_path(d, row->unit, labels, out);
    text = out_text(out, &n);
    text = arena_strndup(arena, text, n);
    out_close(out, NULL);
    return text;
}

/* Real changes, then what may be one; the others with `all`. */
size_t diff_rows_shown(const struct diff *d, const struct report_options *shown,
                       size_t *total)
{
    size_t n = 0;

    while (n < d->len && (shown->all || diff_is_likely(&d->rows[n])))
        n++;
    *total = n;
    return shown->rows && shown->rows < n ? shown->rows : n;
}

static void print_rest(const struct diff *d, size_t rows, size_t total,
                       struct out *out)
{
    if (rows < total) {
        out_char(out, '\n');
        out_grouped(out, total - rows);
        out_str(out, " more; -n 0 shows all\n");
    } else if (total < d->len && total) {
        out_char(out, '\n');
        out_grouped(out, d->len - total);
        out_str(out, " more without a change; --all shows them\n");
    }
}

/* What would be a column if there were room. */
static void print_waits(const struct diff *d, const struct report_options *o,
                        size_t rows, struct out *out)
{
    struct out *line = out_memory();
    const char *before = "only wait: ";

    for (size_t i = 0; i < rows; i++) {
        if (!only_waits(d->rows[i].name))
            continue;
        out_str(line, before);
        out_plain(line, d->rows[i].label);
        before = ", ";
    }
    out_char(line, '\n');
    if (*before == ',') {
        out_char(out, '\n');
        header_lines(out_text(line, NULL), o, "", out);
    }
    out_close(line, NULL);
}

enum { MODULES_SHOWN = 8 };

/* Where to look first: the rows of modules shown. One module alone says no
 * more than its functions; columns that were chosen are those of functions. */
static size_t print_modules(const struct diff *d,
                            const struct report_options *o, struct out *out)
{
    struct report_options shown = *o;
    size_t total, rows;

    if (!d || d->len < 2 || o->columns)
        return 0;
    shown.all = false;
    shown.rows = MODULES_SHOWN;
    rows = diff_rows_shown(d, &shown, &total);
    if (!rows)
        return 0;
    if (o->format == FORMAT_TEXT)
        out_char(out, '\n');
    diff_table(d, &shown, rows, total, out);
    if (rows < total)
        out_fmt(out, "%s%zu more; --by module shows them\n",
                o->format == FORMAT_MARKDOWN ? "\n" : "", total - rows);
    return rows;
}

static void write_text(const struct subject *s, struct out *out)
{
    const struct report_options *o = s->options;
    size_t total, rows = diff_rows_shown(s->diff, o, &total), modules;
    struct out *head = out_memory();

    diff_print_head(s->diff, o, head);
    header_lines(out_text(head, NULL), o, "", out);
    out_close(head, NULL);
    modules = print_modules(s->diff->modules, o, out);
    if (rows && (modules || o->format == FORMAT_TEXT))
        out_char(out, '\n');
    if (rows)
        diff_table(s->diff, o, rows, total, out);
    if (diff_is_narrow(o) && diff_measures_waits(s->diff))
        print_waits(s->diff, o, rows, out);
    print_rest(s->diff, rows, total, out);
    diff_text_explain(s->diff, o, out);
    if (o->verbose)
        diff_text_pairs(s->diff, o, out);
}

static void write_csv(const struct subject *s, struct out *out)
{
    size_t total, rows = diff_rows_shown(s->diff, s->options, &total);

    diff_table(s->diff, s->options, rows, total, out);
}

const struct report diff_report = {
    .name = "diff",
    .help = "what changed between two profiles, and how sure that is",
    .about = ABOUT_CHANGES,
    .takes = TAKES_DIFF | TAKES_COLUMNS,
    .columns = diff_columns,
    .write = {[FORMAT_TEXT] = write_text,
              [FORMAT_JSON] = diff_json,
              [FORMAT_CSV] = write_csv,
              [FORMAT_MARKDOWN] = write_text},
};
