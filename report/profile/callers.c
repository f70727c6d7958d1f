#include <string.h>

#include "engine/analysis/call_edges.h"
#include "engine/model/labels.h"
#include "report/header/header.h"
#include "report/profile/tree_rows.h"
#include "report/report.h"
#include "report/table/table.h"

/*
 * callers - functions with who called them, and what they called.
 *
 *     mix · app.exe · exclusive 72 (72.0 %) · inclusive 72 (72.0 %)
 *
 *         samples     %  module   called by
 *              67  93.1  app.exe  mix_twice
 *
 *         samples      %  module  calls
 *              72  100.0          [itself]
 *
 * Percentages are of the function's inclusive samples. Several levels are
 * trees; data has one. JSON: schema "topfn.callers/1".
 */

/* Stands for samples without a caller or callee. */
static const char *end_label(bool is_caller)
{
    return is_caller ? "[outermost]" : "[itself]";
}

/* ---- text and Markdown ---- */

enum { SHOWN_COLUMNS = 4 };

static const struct column level_columns[SHOWN_COLUMNS] = {
    {NULL, "samples", false, tree_inclusive},
    {NULL, "", false, tree_inclusive_percent},
    {NULL, "module", false, tree_module},
    {NULL, "calls", true, tree_label},
};

/* The columns are called as --columns calls them; otherwise the first has the
 * name of what it counts. */
static void write_shown(const struct subject *s, const struct column *list,
                        const void *rows, size_t count, bool is_caller,
                        struct out *out)
{
    const struct report_options *o = s->options;
    struct column columns[SHOWN_COLUMNS];
    struct table table = {.columns = columns,
                          .column_count = SHOWN_COLUMNS,
                          .rows = rows,
                          .row_count = count,
                          .total = count};

    memcpy(columns, list, sizeof(columns));
    if (!o->columns)
        columns[0].header = weight_title(s->p);
    if (is_caller)
        columns[SHOWN_COLUMNS - 1].header = "called by";
    table_write_chosen(&table, o->columns, o->format, o->width, out);
}

/* Several levels: the tree from the function, down or up. */
static void write_levels(const struct subject *s,
                         const struct rank_row *function, bool is_caller,
                         struct out *out)
{
    struct tree_rows rows =
        tree_rows_of(s, s->options->depth + 1, function->inclusive);
    bool *root = mem_new(s->p->functions.len, sizeof(*root));
    struct calltree_options options = {
        .direction = is_caller ? CALLTREE_BOTTOM_UP : CALLTREE_TOP_DOWN,
        .least = rows.least,
        .deepest = rows.depth,
        .fold_recursion = true,
        .root = root,
    };
    struct calltree *tree;

    root[function->id] = true;
    rows.tree = tree = calltree_build(s->p, s->sel, &options);
    tree_rows_collect(&rows);
    write_shown(s, level_columns, &rows, rows.rows.len, is_caller, out);
    tree_rows_release(&rows);
    calltree_free(tree);
    free(root);
}

struct call_row {
    const struct rank_row *function; /* the one that is the matter */
    const struct call_count *call;
    const char *name, *label; /* of the other one */
    bool is_caller;
};

struct call_rows {
    const struct subject *subject;
    VEC(struct call_row) rows;
    struct arena arena;
};

/* ---- rows ---- */

static void add_rows(struct call_rows *r, const struct rank_row *function,
                     const call_count_list *calls, bool is_caller)
{
    size_t most = r->subject->options->rows;

    for (size_t i = 0; i < calls->len && (!most || i < most); i++) {
        const struct call_count *call = &calls->data[i];
        struct call_row row = {
            .function = function, .call = call, .is_caller = is_caller};
        uint32_t other = call->function;

        row.name = row.label = end_label(is_caller);
        if (other != NO_ID) {
            row.name = function_name(r->subject->p, other, &r->arena);
            row.label = function_label(r->subject->p, other, &r->arena);
        }
        *vec_add(&r->rows) = row;
    }
}

static void release(struct call_rows *r)
{
    vec_release(&r->rows);
    arena_release(&r->arena);
}

/* ---- columns ---- */

static const struct call_row *row_of(const void *rows, size_t row)
{
    return &((const struct call_rows *)rows)->rows.data[row];
}

static struct value function(const void *rows, size_t row)
{
    return value_text(row_of(rows, row)->function->name);
}

static struct value function_owner(const void *rows, size_t row)
{
    return value_text(row_of(rows, row)->function->module);
}

static struct value relation(const void *rows, size_t row)
{
    return value_text(row_of(rows, row)->is_caller ? "caller" : "callee");
}

static struct value samples(const void *rows, size_t row)
{
    return value_weight(((const struct call_rows *)rows)->subject->p,
                        row_of(rows, row)->call->samples);
}

static struct value percent(const void *rows, size_t row)
{
    return value_percent(
        row_of(rows, row)->call->samples,
        ((const struct call_rows *)rows)->subject->sel->samples);
}

static struct value function_percent(const void *rows, size_t row)
{
    const struct call_row *r = row_of(rows, row);

    return value_percent(r->call->samples, r->function->inclusive);
}

static struct value name(const void *rows, size_t row)
{
    return value_text(row_of(rows, row)->name);
}

static struct value label(const void *rows, size_t row)
{
    return value_text(row_of(rows, row)->label);
}

static struct value module(const void *rows, size_t row)
{
    uint32_t other = row_of(rows, row)->call->function;

    if (other == NO_ID)
        return value_none();
    return value_text(
        function_module(((const struct call_rows *)rows)->subject->p, other));
}

static struct value shown_module(const void *rows, size_t row)
{
    uint32_t other = row_of(rows, row)->call->function;
    const struct profile *p = ((const struct call_rows *)rows)->subject->p;

    return value_module(other == NO_ID ? "" : function_module(p, other));
}

static struct value shown_label(const void *rows, size_t row)
{
    struct value v = value_name(row_of(rows, row)->label);

    if (row_of(rows, row)->call->function == NO_ID)
        v.style = STYLE_DIM;
    return v;
}

/* The last one is in place of the one before it, of callers. */
static const struct column shown_columns[SHOWN_COLUMNS + 1] = {
    {NULL, "samples", false, samples},      {NULL, "", false, function_percent},
    {NULL, "module", false, shown_module},  {NULL, "calls", true, shown_label},
    {NULL, "called by", true, shown_label},
};

/* CSV has all of them; JSON says elsewhere what the first three do. */
enum { HEADED = 3, DATA_COLUMNS = 9 };

static const struct column data_columns[DATA_COLUMNS] = {
    {"function", NULL, false, function},
    {"function_module", NULL, false, function_owner},
    {"relation", NULL, false, relation},
    {"samples", NULL, false, samples},
    {"percent", NULL, false, percent},
    {"function_percent", NULL, false, function_percent},
    {"name", NULL, false, name},
    {"label", NULL, false, label},
    {"module", NULL, false, module},
};

/* ---- formats ---- */

/* The call counts of the functions that are shown; the caller frees them. */
static struct function_calls *count_calls(const struct subject *s, size_t count)
{
    struct function_calls *calls = mem_new(count, sizeof(*calls));
    uint32_t *ids = mem_new(count, sizeof(*ids));

    for (size_t i = 0; i < count; i++)
        ids[i] = s->functions[i].id;
    call_edges_count(s->p, s->sel, ids, count, calls);
    free(ids);
    return calls;
}

/* One level has the numbers of the data formats: a recursive function is among
 * its own callers, and some samples have none. */
static void write_level(const struct subject *s, const struct rank_row *f,
                        const call_count_list *calls, bool is_caller,
                        struct out *out)
{
    struct call_rows r = {.subject = s};

    add_rows(&r, f, calls, is_caller);
    write_shown(s, shown_columns, &r, r.rows.len, is_caller, out);
    if (r.rows.len < calls->len)
        out_fmt(out, "%s%zu more; -n 0 shows all\n",
                s->options->format == FORMAT_MARKDOWN ? "\n" : "",
                calls->len - r.rows.len);
    release(&r);
}

static void write_calls(const struct subject *s, const struct rank_row *f,
                        const call_count_list *calls, bool is_caller,
                        struct out *out)
{
    if (s->options->format == FORMAT_TEXT || !is_caller)
        out_char(out, '\n');
    if (s->options->depth > 1)
        write_levels(s, f, is_caller, out);
    else
        write_level(s, f, calls, is_caller, out);
}

static void write_text(const struct subject *s, struct out *out)
{
    size_t count = subject_functions_shown(s);
    struct function_calls *calls = count_calls(s, count);

    header_text(s, NULL, out);
    for (size_t i = 0; i < count; i++) {
        const struct rank_row *f = &s->functions[i];

        if (i)
            out_char(out, '\n');
        heading_function(s, f, out);
        write_calls(s, f, &calls[i].callers, true, out);
        write_calls(s, f, &calls[i].callees, false, out);
    }
    heading_rest(s, out);
    call_edges_release(calls, count);
    free(calls);
}

static void write_csv(const struct subject *s, struct out *out)
{
    size_t count = subject_functions_shown(s);
    struct function_calls *calls = count_calls(s, count);
    struct call_rows r = {.subject = s};
    struct table table = {
        .columns = data_columns, .column_count = DATA_COLUMNS, .rows = &r};

    for (size_t i = 0; i < count; i++) {
        add_rows(&r, &s->functions[i], &calls[i].callers, true);
        add_rows(&r, &s->functions[i], &calls[i].callees, false);
    }
    table.row_count = r.rows.len;
    table_write_chosen(&table, s->options->columns, FORMAT_CSV, 0, out);
    release(&r);
    call_edges_release(calls, count);
    free(calls);
}

static void calls_json(const struct subject *s, const struct rank_row *f,
                       const call_count_list *calls, bool is_caller,
                       struct json *json)
{
    struct call_rows r = {.subject = s};
    struct table table = {.columns = data_columns + HEADED,
                          .column_count = DATA_COLUMNS - HEADED,
                          .rows = &r};

    add_rows(&r, f, calls, is_caller);
    table.row_count = r.rows.len;
    table_json(&table, json, is_caller ? "callers" : "callees");
    json_u64(json, is_caller ? "total_callers" : "total_callees", calls->len);
    release(&r);
}

static void write_json(const struct subject *s, struct out *out)
{
    size_t count = subject_functions_shown(s);
    struct function_calls *calls = count_calls(s, count);
    struct json json = report_json("callers", out);

    header_json(s->p, s->sel, &json);
    json_line(&json, 1);
    json_array(&json, "functions");
    for (size_t i = 0; i < count; i++) {
        const struct rank_row *f = &s->functions[i];

        heading_json(s, f, &json);
        calls_json(s, f, &calls[i].callers, true, &json);
        calls_json(s, f, &calls[i].callees, false, &json);
        json_end(&json);
    }
    json_end(&json);
    json_u64(&json, "total_functions", s->function_count);
    report_json_end(&json);
    call_edges_release(calls, count);
    free(calls);
}

static const struct column_set sets[] = {
    {shown_columns, SHOWN_COLUMNS + 1},
    {data_columns, DATA_COLUMNS},
    {NULL, 0},
};

const struct report callers_report = {
    .name = "callers",
    .help = "callers and callees of a function",
    .about = ABOUT_FUNCTIONS,
    .takes = TAKES_FUNCTIONS | TAKES_CALLERS | TAKES_COLUMNS,
    .columns = sets,
    .write = {[FORMAT_TEXT] = write_text,
              [FORMAT_JSON] = write_json,
              [FORMAT_CSV] = write_csv,
              [FORMAT_MARKDOWN] = write_text},
};
