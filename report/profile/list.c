#include "report/profile/list.h"

#include <string.h>

#include "report/header/header.h"
#include "report/table/table.h"

/*
 * list - source lines of functions, with the samples taken at each.
 *
 *     work · app.exe · exclusive 40 (40.0 %) · inclusive 90 (90.0 %)
 *     /src/app.c · found as src/app.c
 *
 *         exclusive        inclusive    line  source
 *                                         11      for (;;)
 *          40  40.0 %       90  90.0 %    12          x += step(x);
 *
 * Lines around those with samples are shown too; a short function is shown
 * whole. JSON: schema "topfn.list/1".
 */

/* A function is shown whole when its lines with samples span no more. */
enum { SHORT = 50, GAP_MIN = 2 };

static void add_row(struct list *l, const struct list_row *like, uint32_t line,
                    const struct line_count *count, struct textfile *source)
{
    struct list_row row = *like;

    row.line = line;
    row.is_counted = count != NULL;
    if (count)
        row.count = *count;
    if (source && line && line <= textfile_lines(source))
        row.text = textfile_line(source, line);
    *vec_add(&l->rows) = row;
}

/* Lines of context from `from` to before `to`. */
static void add_context(struct list *l, const struct list_row *like,
                        uint64_t from, uint64_t to, struct textfile *source)
{
    uint64_t end = (uint64_t)textfile_lines(source) + 1;

    for (; from < to && from < end; from++)
        add_row(l, like, (uint32_t)from, NULL, source);
}

/* The lines between two lines with samples; the first may be 0. */
static void add_between(struct list *l, const struct list_row *like,
                        uint64_t before, uint64_t after, bool whole,
                        struct textfile *source)
{
    uint64_t context = l->subject->options->context;
    uint64_t stop = before ? before + context + 1 : 1;
    uint64_t start = after > context ? after - context : 1;

    if (whole || start <= stop + GAP_MIN) {
        add_context(l, like, before + 1, after, source);
        return;
    }
    add_context(l, like, before + 1, stop, source);
    if (before) {
        /* Only a reader of text has to be told. */
        struct list_row row = *like;

        row.text = "...";
        if (format_is_for_people(l->subject->options->format))
            *vec_add(&l->rows) = row;
    }
    add_context(l, like, start, after, source);
}

static void add_lines(struct list *l, const struct list_row *like,
                      const struct line_count *counts, size_t n,
                      struct textfile *source)
{
    uint32_t before = 0, last = counts[n - 1].line;
    uint32_t first = counts[n > 1 && !counts[0].line].line;
    bool whole = last - first < SHORT;

    for (size_t i = 0; i < n; i++) {
        uint32_t line = counts[i].line;

        if (source && line)
            add_between(l, like, before, line, whole && before, source);
        add_row(l, like, line, &counts[i], source);
        before = line;
    }
    if (source)
        add_context(l, like, (uint64_t)last + 1,
                    (uint64_t)last + 1 + l->subject->options->context, source);
}

static void add_section(struct list *l, size_t function,
                        const struct function_lines *lines,
                        const struct file_lines *file)
{
    const char *path = strings_get(l->subject->p->strings, file->file);
    struct list_row like = {.function = &l->subject->functions[function],
                            .file = path,
                            .p = l->subject->p,
                            .total = l->subject->sel->samples};
    struct list_section s = {
        .file = path, .function = function, .first = l->rows.len};
    struct textfile *source = NULL;

    if (*path)
        source = l->subject->sources.find(l->subject->sources.state, path);
    add_lines(l, &like, &lines->counts.data[file->first],
              file->end - file->first, source);
    s.end = l->rows.len;
    s.source = source;
    s.is_beyond = source && lines->counts.data[file->end - 1].line >
                                textfile_lines(source);
    *vec_add(&l->sections) = s;
}

void list_collect(struct list *l)
{
    const struct subject *s = l->subject;
    struct function_lines *lines;
    uint32_t *ids;

    l->functions = subject_functions_shown(s);
    lines = mem_new(l->functions, sizeof(*lines));
    ids = mem_new(l->functions, sizeof(*ids));
    for (size_t i = 0; i < l->functions; i++)
        ids[i] = s->functions[i].id;
    source_lines_count(s->p, s->sel, ids, l->functions, lines);
    l->section_of = mem_new(l->functions + 1, sizeof(*l->section_of));
    for (size_t i = 0; i < l->functions; i++) {
        l->section_of[i] = l->sections.len;
        for (size_t k = 0; k < lines[i].files.len; k++)
            add_section(l, i, &lines[i], &lines[i].files.data[k]);
    }
    l->section_of[l->functions] = l->sections.len;
    free(ids);
    source_lines_release(lines, l->functions);
    free(lines);
}

void list_release(struct list *l)
{
    vec_release(&l->rows);
    vec_release(&l->sections);
    free(l->section_of);
}

static const struct list_row *row_of(const void *rows, size_t row)
{
    return &((const struct list_row *)rows)[row];
}

static struct value function(const void *rows, size_t row)
{
    return value_text(row_of(rows, row)->function->name);
}

static struct value label(const void *rows, size_t row)
{
    return value_text(row_of(rows, row)->function->label);
}

static struct value module(const void *rows, size_t row)
{
    return value_text(row_of(rows, row)->function->module);
}

static struct value file(const void *rows, size_t row)
{
    return value_maybe(row_of(rows, row)->file);
}

static struct value count(const void *rows, size_t row, uint64_t samples)
{
    return row_of(rows, row)->is_counted
               ? value_weight(row_of(rows, row)->p, samples)
               : value_none();
}

static struct value percent(const struct list_row *r, uint64_t samples)
{
    return r->is_counted ? value_percent(samples, r->total) : value_none();
}

static struct value exclusive(const void *rows, size_t row)
{
    return count(rows, row, row_of(rows, row)->count.exclusive);
}

static struct value exclusive_percent(const void *rows, size_t row)
{
    const struct list_row *r = row_of(rows, row);

    return percent(r, r->count.exclusive);
}

static struct value inclusive(const void *rows, size_t row)
{
    return count(rows, row, row_of(rows, row)->count.inclusive);
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

/* CSV has all of them; elsewhere a heading says what the first four do. */
enum { HEADED = 4, COLUMNS = 10 };

static const struct column columns[COLUMNS] = {
    {"function", NULL, false, function},
    {"label", NULL, false, label},
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
    return (struct table){.columns = columns + columns_left_out,
                          .column_count = COLUMNS - columns_left_out,
                          .rows = end > first ? l->rows.data + first : NULL,
                          .row_count = end - first,
                          .total = end - first};
}

/* Says how to get source lines. */
static void print_what_is_missing(const struct rank_row *function,
                                  struct out *out)
{
    if (function->cause != CAUSE_NONE || *function->module == '[') {
        out_str(out, "the code has no name that a debug file is known for\n");
        return;
    }
    out_str(out, "they come with the ");
    out_str(out, function->kind == CODE_MANAGED ? "PDB" : "debug file");
    out_str(out, " of ");
    out_plain(out, function->module);
    out_str(out, ": --symbols PATH or --online\n");
}

static void print_unknown(const struct list *l, const struct list_section *s,
                          struct out *out)
{
    const struct line_count *count = &l->rows.data[s->first].count;

    out_str(out, "unknown lines: exclusive ");
    out_weight(out, l->subject->p, count->exclusive);
    out_str(out, ", inclusive ");
    out_weight(out, l->subject->p, count->inclusive);
    out_char(out, '\n');
    if (l->section_of[s->function] + 1 == l->section_of[s->function + 1])
        print_what_is_missing(&l->subject->functions[s->function], out);
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
    const struct report_options *o = l->subject->options;
    struct table table = table_of(l, s->first, s->end, HEADED);
    struct out *line = out_memory();

    if (*s->file)
        print_source(s, line);
    else
        print_unknown(l, s, line);
    header_lines(out_text(line, NULL), o, "", out);
    out_close(line, NULL);
    if (!*s->file)
        return;
    if (o->format == FORMAT_TEXT)
        out_char(out, '\n');
    if (!s->source)
        table.column_count--;
    table_write_chosen(&table, o->columns, o->format, o->width, out);
}

static void write_text(const struct subject *s, struct out *out)
{
    struct list l = {.subject = s};

    list_collect(&l);
    header_text(s, NULL, out);
    for (size_t i = 0; i < l.functions; i++) {
        if (i)
            out_char(out, '\n');
        heading_function(s, &s->functions[i], out);
        for (size_t k = l.section_of[i]; k < l.section_of[i + 1]; k++) {
            if (k > l.section_of[i])
                out_char(out, '\n');
            print_section(&l, &l.sections.data[k], out);
        }
    }
    heading_rest(s, out);
    list_release(&l);
}

static void write_csv(const struct subject *s, struct out *out)
{
    struct list l = {.subject = s};
    struct table all;

    list_collect(&l);
    all = table_of(&l, 0, l.rows.len, 0);
    table_write_chosen(&all, s->options->columns, FORMAT_CSV, 0, out);
    list_release(&l);
}

static void write_json(const struct subject *s, struct out *out)
{
    struct json json = report_json("list", out);
    struct list l = {.subject = s};

    list_collect(&l);
    header_json(s->p, s->sel, &json);
    json_line(&json, 1);
    json_array(&json, "functions");
    for (size_t i = 0; i < l.functions; i++) {
        heading_json(s, &s->functions[i], &json);
        json_array(&json, "files");
        for (size_t k = l.section_of[i]; k < l.section_of[i + 1]; k++) {
            struct table table = table_of(&l, l.sections.data[k].first,
                                          l.sections.data[k].end, HEADED);

            json_object(&json, NULL);
            json_maybe(&json, "file", l.sections.data[k].file);
            json_text(&json, "found",
                      l.sections.data[k].source
                          ? textfile_path(l.sections.data[k].source)
                          : NULL);
            json_bool(&json, "too_short", l.sections.data[k].is_beyond);
            table_json(&table, &json, "rows");
            json_end(&json);
        }
        json_end(&json);
        json_end(&json);
    }
    json_end(&json);
    json_u64(&json, "total_functions", s->function_count);
    report_json_end(&json);
    list_release(&l);
}

static const struct column_set sets[] = {{columns, COLUMNS}, {NULL, 0}};

const struct report list_report = {
    .name = "list",
    .help = "source lines of a function, with their samples",
    .about = ABOUT_FUNCTIONS,
    .takes = TAKES_FUNCTIONS | TAKES_SOURCES | TAKES_CONTEXT | TAKES_COLUMNS,
    .columns = sets,
    .write = {[FORMAT_TEXT] = write_text,
              [FORMAT_JSON] = write_json,
              [FORMAT_CSV] = write_csv,
              [FORMAT_MARKDOWN] = write_text},
};
