#include "report/list.h"

#include <string.h>

#include "report/heading.h"
#include "report/list_rows.h"

static const struct list_row *row_of(const void *rows, size_t row)
{
    return &((const struct list_row *)rows)[row];
}

static struct value function(const void *rows, size_t row)
{
    return value_text(row_of(rows, row)->function->name);
}

static struct value module(const void *rows, size_t row)
{
    return value_text(row_of(rows, row)->function->module);
}

static struct value file(const void *rows, size_t row)
{
    return value_maybe(row_of(rows, row)->file);
}

static struct value count(const struct list_row *r, uint64_t samples)
{
    return r->is_counted ? value_count(samples) : value_none();
}

static struct value percent(const struct list_row *r, uint64_t samples)
{
    return r->is_counted ? value_percent(samples, r->total) : value_none();
}

static struct value exclusive(const void *rows, size_t row)
{
    const struct list_row *r = row_of(rows, row);

    return count(r, r->count.exclusive);
}

static struct value exclusive_percent(const void *rows, size_t row)
{
    const struct list_row *r = row_of(rows, row);

    return percent(r, r->count.exclusive);
}

static struct value inclusive(const void *rows, size_t row)
{
    const struct list_row *r = row_of(rows, row);

    return count(r, r->count.inclusive);
}

static struct value inclusive_percent(const void *rows, size_t row)
{
    const struct list_row *r = row_of(rows, row);

    return percent(r, r->count.inclusive);
}

static struct value line(const void *rows, size_t row)
{
    const struct list_row *r = row_of(rows, row);

    return r->line ? value_id(r->line) : value_none();
}

static struct value source(const void *rows, size_t row)
{
    const char *text = row_of(rows, row)->text;

    return text ? value_text(text) : value_none();
}

/* CSV has all of them; elsewhere a heading says what the first three do. */
enum { HEADED = 3, COLUMNS = 9 };

static const struct column columns[COLUMNS] = {
    {"function", NULL, false, function},
    {"module", NULL, false, module},
    {"file", NULL, false, file},
    {"exclusive", "exclusive", false, exclusive},
    {"exclusive_percent", "", false, exclusive_percent},
    {"inclusive", "inclusive", false, inclusive},
    {"inclusive_percent", "", false, inclusive_percent},
    {"line", "line", false, line},
    {"source", "source", true, source},
};

/* ---- formats ---- */

static struct table table_of(const struct list *l, size_t first, size_t end,
                             size_t columns_left_out)
{
    return (struct table){columns + columns_left_out,
                          COLUMNS - columns_left_out,
                          l->rows.data + first, end - first, end - first};
}

static void print_unknown(const struct list *l, const struct list_section *s,
                          struct out *out)
{
    const struct line_count *count = &l->rows.data[s->first].count;

    out_str(out, "lines are not known: ");
    header_count(l->listing->p, count->exclusive, out);
    out_str(out, ", with what it calls ");
    out_grouped(out, count->inclusive);
    out_char(out, '\n');
}

static void print_source(const struct list_section *s, struct out *out)
{
    out_plain(out, s->file);
    if (!s->source) {
        out_str(out, " · source not found");
    } else if (strcmp(textfile_path(s->source), s->file)) {
        out_str(out, " · found as ");
        out_plain(out, textfile_path(s->source));
    }
    if (s->is_beyond)
        out_fmt(out, " · does not match: it has %zu lines",
                textfile_lines(s->source));
    out_char(out, '\n');
}

static void print_section(const struct list *l, const struct list_section *s,
                          struct out *out)
{
    const struct report_options *o = l->listing->options;
    struct table table = table_of(l, s->first, s->end, HEADED);
    struct out *line = out_memory();

    if (*s->file)
        print_source(s, line);
    else
        print_unknown(l, s, line);
    header_lines(out_text(line, NULL), o->format, "", out);
    out_close(line, NULL);
    if (!*s->file)
        return;
    if (o->format == FORMAT_TEXT)
        out_char(out, '\n');
    if (!s->source)
        table.column_count--;
    table_write(&table, o->format, o->width, out);
}

static void write_text(const struct list *l, struct out *out)
{
    const struct listing *in = l->listing;
    enum format format = in->options->format;

    header_text(in->p, in->sel, format, out);
    for (size_t i = 0; i < l->functions; i++) {
        if (i)
            out_char(out, '\n');
        heading_function(in->p, in->sel, in->functions[i], format, out);
        for (size_t k = l->section_of[i]; k < l->section_of[i + 1]; k++) {
            if (k > l->section_of[i])
                out_char(out, '\n');
            print_section(l, &l->sections.data[k], out);
        }
    }
    heading_rest(l->functions, in->count, format, out);
}

static void json_text(const char *text, struct out *out)
{
    if (text)
        out_json(out, text);
    else
        out_str(out, "null");
}

static void json_section(const struct list *l, const struct list_section *s,
                         struct out *out)
{
    struct table table = table_of(l, s->first, s->end, HEADED);

    out_str(out, "{\"file\":");
    json_text(*s->file ? s->file : NULL, out);
    out_str(out, ",\"found\":");
    json_text(s->source ? textfile_path(s->source) : NULL, out);
    out_fmt(out, ",\"too_short\":%s,\"rows\":",
            s->is_beyond ? "true" : "false");
    table_write(&table, FORMAT_JSON, 0, out);
    out_char(out, '}');
}

static void write_json(const struct list *l, struct out *out)
{
    const struct listing *in = l->listing;

    out_char(out, '{');
    header_json(in->p, in->sel, "list", out);
    out_str(out, ",\n \"functions\":[");
    for (size_t i = 0; i < l->functions; i++) {
        out_str(out, i ? ",\n {" : "\n {");
        heading_json(in->sel, in->functions[i], out);
        out_str(out, ",\"files\":[");
        for (size_t k = l->section_of[i]; k < l->section_of[i + 1]; k++) {
            if (k > l->section_of[i])
                out_char(out, ',');
            json_section(l, &l->sections.data[k], out);
        }
        out_str(out, "]}");
    }
    out_str(out, "],\"total_functions\":");
    out_u64(out, in->count);
    out_str(out, "}\n");
}

bool list_report(const struct listing *listing, struct out *out)
{
    struct list l = {.listing = listing};
    struct table all;

    list_collect(&l);
    all = table_of(&l, 0, l.rows.len, 0);
    if (listing->options->format == FORMAT_JSON)
        write_json(&l, out);
    else if (listing->options->format == FORMAT_CSV)
        table_write(&all, FORMAT_CSV, 0, out);
    else
        write_text(&l, out);
    list_release(&l);
    return l.all_found;
}
