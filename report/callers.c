#include "report/callers.h"

#include "engine/analysis/call_edges.h"
#include "report/heading.h"

struct call_row {
    const struct rank_row *function; /* the one that is the matter */
    const struct call_count *call;
    const char *name; /* of the other one */
    bool is_caller;
};

struct call_rows {
    const struct calling *calling;
    VEC(struct call_row) rows;
    struct arena arena;
};

/* ---- rows ---- */

static void add_rows(struct call_rows *r, const struct rank_row *function,
                     const struct call_count *calls, size_t n, bool is_caller)
{
    size_t most = r->calling->options->rows;

    for (size_t i = 0; i < n && (!most || i < most); i++) {
        struct call_row row = {function, &calls[i], NULL, is_caller};

        if (calls[i].function != NO_ID)
            row.name = function_label(r->calling->p, calls[i].function,
                                      &r->arena);
        else
            row.name = is_caller ? "[outermost]" : "[itself]";
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
    return value_count(row_of(rows, row)->call->samples);
}

static struct value percent(const void *rows, size_t row)
{
    return value_percent(
        row_of(rows, row)->call->samples,
        ((const struct call_rows *)rows)->calling->sel->samples);
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

static struct value module(const void *rows, size_t row)
{
    uint32_t other = row_of(rows, row)->call->function;

    if (other == NO_ID)
        return value_none();
    return value_text(
        function_module(((const struct call_rows *)rows)->calling->p, other));
}

/* CSV has all of them; JSON says elsewhere what the first three do. */
enum { HEADED = 3, DATA_COLUMNS = 8 };

static const struct column data_columns[DATA_COLUMNS] = {
    {"function", NULL, false, function},
    {"function_module", NULL, false, function_owner},
    {"relation", NULL, false, relation},
    {"samples", NULL, false, samples},
    {"percent", NULL, false, percent},
    {"function_percent", NULL, false, function_percent},
    {"name", NULL, false, name},
    {"module", NULL, false, module},
};

static const struct column shown_columns[2][4] = {
    {
        {NULL, "samples", false, samples},
        {NULL, "", false, function_percent},
        {NULL, "calls", true, name},
        {NULL, "module", false, module},
    },
    {
        {NULL, "samples", false, samples},
        {NULL, "", false, function_percent},
        {NULL, "called by", true, name},
        {NULL, "module", false, module},
    },
};

/* ---- formats ---- */

static void print_table(const struct calling *c, const struct rank_row *f,
                        const struct call_count *calls, size_t n,
                        bool is_caller, struct out *out)
{
    struct call_rows r = {.calling = c};
    struct table table = {shown_columns[is_caller], 4, &r, 0, n};
    enum format format = c->options->format;

    add_rows(&r, f, calls, n, is_caller);
    table.row_count = r.rows.len;
    if (format == FORMAT_TEXT || !is_caller)
        out_char(out, '\n');
    table_write(&table, format, c->options->width, out);
    if (r.rows.len < n)
        out_fmt(out, "%s%zu more; -n 0 shows all\n",
                format == FORMAT_MARKDOWN ? "\n" : "", n - r.rows.len);
    release(&r);
}

static void write_text(const struct calling *c,
                       const struct function_calls *calls, size_t count,
                       struct out *out)
{
    enum format format = c->options->format;

    header_text(c->p, c->sel, format, out);
    for (size_t i = 0; i < count; i++) {
        const struct rank_row *f = c->functions[i];

        if (i)
            out_char(out, '\n');
        heading_function(c->p, c->sel, f, format, out);
        print_table(c, f, calls[i].callers.data, calls[i].callers.len, true,
                    out);
        print_table(c, f, calls[i].callees.data, calls[i].callees.len, false,
                    out);
    }
    heading_rest(count, c->count, format, out);
}

static void write_csv(const struct calling *c,
                      const struct function_calls *calls, size_t count,
                      struct out *out)
{
    struct call_rows r = {.calling = c};
    struct table table = {data_columns, DATA_COLUMNS, &r, 0, 0};

    for (size_t i = 0; i < count; i++) {
        add_rows(&r, c->functions[i], calls[i].callers.data,
                 calls[i].callers.len, true);
        add_rows(&r, c->functions[i], calls[i].callees.data,
                 calls[i].callees.len, false);
    }
    table.row_count = r.rows.len;
    table_write(&table, FORMAT_CSV, 0, out);
    release(&r);
}

static void json_table(const struct calling *c, const struct rank_row *f,
                       const struct call_count *calls, size_t n,
                       bool is_caller, struct out *out)
{
    struct call_rows r = {.calling = c};
    struct table table = {data_columns + HEADED, DATA_COLUMNS - HEADED, &r, 0,
                          0};

    add_rows(&r, f, calls, n, is_caller);
    table.row_count = r.rows.len;
    out_fmt(out, ",\"%s\":", is_caller ? "callers" : "callees");
    table_write(&table, FORMAT_JSON, 0, out);
    out_fmt(out, ",\"total_%s\":%zu", is_caller ? "callers" : "callees", n);
    release(&r);
}

static void write_json(const struct calling *c,
                       const struct function_calls *calls, size_t count,
                       struct out *out)
{
    out_char(out, '{');
    header_json(c->p, c->sel, "callers", out);
    out_str(out, ",\n \"functions\":[");
    for (size_t i = 0; i < count; i++) {
        const struct rank_row *f = c->functions[i];

        out_str(out, i ? ",\n {" : "\n {");
        heading_json(c->sel, f, out);
        json_table(c, f, calls[i].callers.data, calls[i].callers.len, true,
                   out);
        json_table(c, f, calls[i].callees.data, calls[i].callees.len, false,
                   out);
        out_char(out, '}');
    }
    out_str(out, "],\"total_functions\":");
    out_u64(out, c->count);
    out_str(out, "}\n");
}

void callers_report(const struct calling *c, struct out *out)
{
    size_t most = c->options->rows;
    size_t count = most && most < c->count ? most : c->count;
    struct function_calls *calls = mem_new(count, sizeof(*calls));
    uint32_t *ids = mem_new(count, sizeof(*ids));

    for (size_t i = 0; i < count; i++)
        ids[i] = c->functions[i]->id;
    call_edges_count(c->p, c->sel, ids, count, calls);
    if (c->options->format == FORMAT_JSON)
        write_json(c, calls, count, out);
    else if (c->options->format == FORMAT_CSV)
        write_csv(c, calls, count, out);
    else
        write_text(c, calls, count, out);
    call_edges_release(calls, count);
    free(calls);
    free(ids);
}
