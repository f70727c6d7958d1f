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

enum { INDENT_MAX = 60, INDENT_PART = 4 /* of the width */ };

/* The columns' functions get this as their rows. */
struct branch {
    struct tree_rows rows;
    uint64_t samples; /* of the function */
};

static const struct tree_row *branch_row_of(const void *rows, size_t row)
{
    return &((const struct branch *)rows)->rows.rows.data[row];
}

static uint64_t samples_of(const void *rows, size_t row)
{
    const struct tree_row *r = branch_row_of(rows, row);

    return r->node == NO_ID ? r->others
                            : ((const struct branch *)rows)
                                  ->rows.tree->nodes[r->node]
                                  .inclusive;
}

static struct value branch_samples(const void *rows, size_t row)
{
    return value_weight(((const struct branch *)rows)->rows.p,
                        samples_of(rows, row));
}

static struct value branch_percent(const void *rows, size_t row)
{
    return value_percent(samples_of(rows, row),
                         ((const struct branch *)rows)->samples);
}

static struct value branch_module(const void *rows, size_t row)
{
    const struct tree_rows *r = &((const struct branch *)rows)->rows;
    uint32_t node = branch_row_of(rows, row)->node;

    return value_module(
        node == NO_ID ? ""
                      : function_module(r->p, r->tree->nodes[node].function));
}

static struct value branch_label(const void *rows, size_t row)
{
    const struct tree_row *r = branch_row_of(rows, row);
    struct value v = value_name(r->label);

    v.prefix = r->draw;
    if (r->node == NO_ID)
        v.style = STYLE_DIM;
    return v;
}

/* Text or Markdown; `depth` of the options levels. */
static void callers_tree(const struct subject *s,
                         const struct rank_row *function, bool callers,
                         struct out *out)
{
    const struct report_options *o = s->options;
    const struct column columns[] = {
        {NULL, "samples", false, branch_samples},
        {NULL, "", false, branch_percent},
        {NULL, "module", false, branch_module},
        {NULL, callers ? "called by" : "calls", true, branch_label},
    };
    struct branch b = {.samples = function->inclusive};
    struct table table = {.columns = columns, .column_count = 4, .rows = &b};
    bool *root = mem_new(s->p->functions.len, sizeof(*root));
    struct calltree_options options = {
        .direction = callers ? CALLTREE_BOTTOM_UP : CALLTREE_TOP_DOWN,
        .fold_recursion = true,
        .root = root,
    };
    struct calltree *tree;

    root[function->id] = true;
    b.rows = (struct tree_rows){.p = s->p, .others = true};
    b.rows.depth = o->depth + 1;
    b.rows.least = tree_rows_least(o->min, function->inclusive);
    b.rows.indent = INDENT_MAX;
    if (o->width && o->width / INDENT_PART < INDENT_MAX)
        b.rows.indent = o->width / INDENT_PART;
    options.least = b.rows.least;
    options.deepest = b.rows.depth;
    b.rows.tree = tree = calltree_build(s->p, s->sel, &options);
    tree_rows_collect(&b.rows);
    table.row_count = table.total = b.rows.rows.len;
    table_write_chosen(&table, o->columns, o->format, o->width, out);
    tree_rows_release(&b.rows);
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
                     const struct call_count *calls, size_t n, bool is_caller)
{
    size_t most = r->subject->options->rows;

    for (size_t i = 0; i < n && (!most || i < most); i++) {
        struct call_row row = {
            .function = function, .call = &calls[i], .is_caller = is_caller};
        uint32_t other = calls[i].function;

        row.name = row.label = is_caller ? "[outermost]" : "[itself]";
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

static struct value shown_label(const void *rows, size_t row)
{
    return value_name(row_of(rows, row)->label);
}

static struct value module(const void *rows, size_t row)
{
    uint32_t other = row_of(rows, row)->call->function;

    if (other == NO_ID)
        return value_none();
    return value_text(
        function_module(((const struct call_rows *)rows)->subject->p, other));
}

/* Never none: the first row says what a column holds. */
static struct value shown_module(const void *rows, size_t row)
{
    struct value v = module(rows, row);

    return value_module(v.type == VALUE_NONE ? "" : v.text);
}

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

static const struct column shown_columns[2][4] = {
    {
        {NULL, "samples", false, samples},
        {NULL, "", false, function_percent},
        {NULL, "module", false, shown_module},
        {NULL, "calls", true, shown_label},
    },
    {
        {NULL, "samples", false, samples},
        {NULL, "", false, function_percent},
        {NULL, "module", false, shown_module},
        {NULL, "called by", true, shown_label},
    },
};

/* ---- formats ---- */

/* The call counts of the functions that are shown; the caller frees them. */
static struct function_calls *count_calls(const struct subject *s, size_t count)
{
    struct function_calls *calls = mem_new(count, sizeof(*calls));
    uint32_t *ids = mem_new(count, sizeof(*ids));

    for (size_t i = 0; i < count; i++)
        ids[i] = s->functions[i]->id;
    call_edges_count(s->p, s->sel, ids, count, calls);
    free(ids);
    return calls;
}

static void print_table(const struct subject *s, const struct rank_row *f,
                        const struct call_count *calls, size_t n,
                        bool is_caller, struct out *out)
{
    struct call_rows r = {.subject = s};
    struct table table = {.columns = shown_columns[is_caller],
                          .column_count = 4,
                          .rows = &r,
                          .total = n};
    enum format format = s->options->format;

    if (format == FORMAT_TEXT || !is_caller)
        out_char(out, '\n');
    if (s->options->depth > 1) {
        callers_tree(s, f, is_caller, out);
        return;
    }
    add_rows(&r, f, calls, n, is_caller);
    table.row_count = r.rows.len;
    table_write_chosen(&table, s->options->columns, format, s->options->width,
                       out);
    if (r.rows.len < n)
        out_fmt(out, "%s%zu more; -n 0 shows all\n",
                format == FORMAT_MARKDOWN ? "\n" : "", n - r.rows.len);
    release(&r);
}

static void write_text(const struct subject *s, struct out *out)
{
    size_t count = subject_functions_shown(s);
    struct function_calls *calls = count_calls(s, count);

    header_text(s, NULL, out);
    for (size_t i = 0; i < count; i++) {
        const struct rank_row *f = s->functions[i];

        if (i)
            out_char(out, '\n');
        heading_function(s, f, out);
        print_table(s, f, calls[i].callers.data, calls[i].callers.len, true,
                    out);
        print_table(s, f, calls[i].callees.data, calls[i].callees.len, false,
                    out);
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
        add_rows(&r, s->functions[i], calls[i].callers.data,
                 calls[i].callers.len, true);
        add_rows(&r, s->functions[i], calls[i].callees.data,
                 calls[i].callees.len, false);
    }
    table.row_count = r.rows.len;
    table_write_chosen(&table, s->options->columns, FORMAT_CSV, 0, out);
    release(&r);
    call_edges_release(calls, count);
    free(calls);
}

static void write_calls(const struct subject *s, const struct rank_row *f,
                        const struct call_count *calls, size_t n,
                        bool is_caller, struct json *json)
{
    struct call_rows r = {.subject = s};
    struct table table = {.columns = data_columns + HEADED,
                          .column_count = DATA_COLUMNS - HEADED,
                          .rows = &r};

    add_rows(&r, f, calls, n, is_caller);
    table.row_count = r.rows.len;
    table_json(&table, json, is_caller ? "callers" : "callees");
    json_u64(json, is_caller ? "total_callers" : "total_callees", n);
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
        const struct rank_row *f = s->functions[i];

        heading_json(s, f, &json);
        write_calls(s, f, calls[i].callers.data, calls[i].callers.len, true,
                    &json);
        write_calls(s, f, calls[i].callees.data, calls[i].callees.len, false,
                    &json);
        json_end(&json);
    }
    json_end(&json);
    json_u64(&json, "total_functions", s->function_count);
    report_json_end(&json);
    call_edges_release(calls, count);
    free(calls);
}

static const struct column_set sets[] = {
    {shown_columns[0], 4},
    {shown_columns[1], 4},
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
