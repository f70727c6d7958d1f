#include <stdlib.h>
#include <string.h>

#include "engine/analysis/calltree.h"
#include "engine/attribution/wakers.h"
#include "report/header/header.h"
#include "report/profile/tree_rows.h"
#include "report/report.h"
#include "report/table/table.h"

/*
 * wakers - the threads that ended the waits of a function.
 *
 *     wait_for_orders · app · blocked 705.06 ms (12.4 %)
 *
 *        blocked      %  process  woken by
 *      705.06 ms  100.0  app      holder
 *      605.12 ms   85.8  app      writer
 *
 * The waker of a waker stands below it. A second tree has the stacks: first
 * that of the wait, then those of the wakers. Percentages are of the function's
 * blocked time. JSON has the first tree: schema "topfn.wakers/1".
 */

/* The blocked time of a function, as a selection of its stacks. */
struct blocked {
    struct selection sel;
    bool *function, *wakers; /* by function: the one, and frames "woken by" */
    uint64_t told; /* the time that a known thread or an interrupt ended */
};

/* True if the function is in the stack of the thread that waits, which is
 * farther out than all wakers. */
static bool waits_in(const struct profile *p, uint32_t stack,
                     const bool *function, const bool *wakers, bool *told)
{
    bool found = false;

    *told = false;
    for (; stack; stack = p->stacks.data[stack].parent) {
        uint32_t location = p->stacks.data[stack].location;

        for (uint32_t i = p->frame_start.data[location];
             i < p->frame_start.data[location + 1]; i++) {
            if (wakers[p->frames.data[i].function]) {
                *told = true;
                found = false;
            }
            found |= function[p->frames.data[i].function];
        }
    }
    return found;
}

/* By function, whether it is a frame "woken by NAME". */
static bool *find_wakers(const struct profile *p)
{
    bool *wakers = mem_new(p->functions.len, sizeof(*wakers));

    for (size_t i = 0; i < p->locations.len; i++) {
        uint32_t module = p->locations.data[i].module;

        if (module != NO_ID &&
            !strcmp(strings_get(p->strings, p->modules.data[module].name),
                    WAKERS_MODULE))
            wakers[profile_innermost(p, (uint32_t)i)] = true;
    }
    return wakers;
}

static struct blocked blocked_of(const struct subject *s, uint32_t function)
{
    const struct profile *p = s->p;
    struct blocked b = {.sel = *s->sel};

    b.function = mem_new(p->functions.len, sizeof(*b.function));
    b.function[function] = true;
    b.wakers = find_wakers(p);
    b.sel.samples = 0;
    b.sel.stack_counts = mem_new(p->stacks.len, sizeof(uint64_t));
    for (uint32_t i = 1; i < p->stacks.len; i++) {
        uint64_t count = s->sel->stack_counts[i];
        bool told;

        if (!count || !waits_in(p, i, b.function, b.wakers, &told))
            continue;
        b.sel.stack_counts[i] = count;
        b.sel.samples += count;
        b.told += told ? count : 0;
    }
    return b;
}

static void blocked_release(struct blocked *b)
{
    free(b->sel.stack_counts);
    free(b->function);
    free(b->wakers);
}

struct waker_rows {
    struct tree_rows tree; /* first: its columns take these rows */
    const struct rank_row *function;
};

/* The tree of the threads, or of the stacks. */
static struct waker_rows collect(const struct subject *s,
                                 const struct rank_row *function,
                                 const struct blocked *b, bool threads)
{
    struct waker_rows rows = {
        tree_rows_of(s, s->options->depth, b->sel.samples), function};
    struct calltree_options options = {
        .least = rows.tree.least,
        .fold_recursion = !threads,
        .root = b->function,
        .only = threads ? b->wakers : NULL,
    };

    rows.tree.tree = calltree_build(s->p, &b->sel, &options);
    tree_rows_collect(&rows.tree);
    return rows;
}

static void release(struct waker_rows *rows)
{
    calltree_free((struct calltree *)rows->tree.tree);
    tree_rows_release(&rows->tree);
}

/* ---- text and Markdown ---- */

/* The thread of a frame "woken by NAME". */
static struct value waker_label(const void *rows, size_t row)
{
    struct value v = tree_label(rows, row);

    if (!strncmp(v.text, "woken by ", 9))
        v.text += 9;
    return v;
}

static const struct column shown_columns[2][4] = {
    {
        {NULL, "blocked", false, tree_inclusive},
        {NULL, "", false, tree_inclusive_percent},
        {NULL, "module", false, tree_module},
        {NULL, "stack", true, tree_label},
    },
    {
        {NULL, "blocked", false, tree_inclusive},
        {NULL, "", false, tree_inclusive_percent},
        {NULL, "process", false, tree_module},
        {NULL, "woken by", true, waker_label},
    },
};

static void write_tree(const struct subject *s, const struct rank_row *f,
                       const struct blocked *b, bool threads, struct out *out)
{
    const struct report_options *o = s->options;
    struct waker_rows rows = collect(s, f, b, threads);
    struct table table = {.columns = shown_columns[threads],
                          .column_count = 4,
                          .rows = &rows,
                          .row_count = rows.tree.rows.len,
                          .total = rows.tree.rows.len};

    if (table.row_count) {
        if (o->format == FORMAT_TEXT || !threads)
            out_char(out, '\n');
        table_write_chosen(&table, o->columns, o->format, o->width, out);
    }
    release(&rows);
}

static void write_heading(const struct subject *s, const struct rank_row *f,
                          const struct blocked *b, struct out *out)
{
    struct out *line = out_memory();

    out_plain(line, f->label);
    out_str(line, " · ");
    out_plain(line, f->module);
    out_str(line, " · blocked ");
    out_weight(line, s->p, b->sel.samples);
    out_str(line, " (");
    out_percent(line, b->sel.samples, s->sel->samples, 1);
    out_str(line, " %)\n");
    header_lines(out_text(line, NULL), s->options, "## ", out);
    out_close(line, NULL);
}

static void write_function(const struct subject *s, const struct rank_row *f,
                           struct out *out)
{
    struct blocked b = blocked_of(s, f->id);

    write_heading(s, f, &b, out);
    write_tree(s, f, &b, true, out);
    if (b.told < b.sel.samples) {
        out_char(out, '\n');
        out_weight(out, s->p, b.sel.samples - b.told);
        out_str(out, " (");
        out_percent(out, b.sel.samples - b.told, b.sel.samples, 1);
        out_str(out, " %) ended without a recorded wakeup\n");
    }
    write_tree(s, f, &b, false, out);
    blocked_release(&b);
}

static void write_text(const struct subject *s, struct out *out)
{
    size_t count = subject_functions_shown(s);

    header_text(s, NULL, out);
    for (size_t i = 0; i < count; i++) {
        if (i)
            out_char(out, '\n');
        write_function(s, &s->functions[i], out);
    }
    heading_rest(s, out);
}

/* ---- data ---- */

static struct value function(const void *rows, size_t row)
{
    (void)row;
    return value_text(((const struct waker_rows *)rows)->function->name);
}

static struct value function_owner(const void *rows, size_t row)
{
    (void)row;
    return value_text(((const struct waker_rows *)rows)->function->module);
}

/* CSV has all of them; JSON says elsewhere what the first two do. */
static const struct column data_columns[] = {
    {"function", NULL, false, function},
    {"function_module", NULL, false, function_owner},
    {"id", NULL, false, tree_id},
    {"parent", NULL, false, tree_parent},
    {"depth", NULL, false, tree_depth},
    {"blocked", NULL, false, tree_inclusive},
    {"function_percent", NULL, false, tree_inclusive_percent},
    {"woken_by", NULL, false, waker_label},
    {"process", NULL, false, tree_module},
};

enum {
    HEADED = 2,
    DATA_COLUMNS = sizeof(data_columns) / sizeof(data_columns[0])
};

/* The functions follow each other below one header. */
static void write_csv(const struct subject *s, struct out *out)
{
    size_t count = subject_functions_shown(s);

    for (size_t i = 0; i < count; i++) {
        struct blocked b = blocked_of(s, s->functions[i].id);
        struct waker_rows rows = collect(s, &s->functions[i], &b, true);
        struct table table = {.columns = data_columns,
                              .column_count = DATA_COLUMNS,
                              .rows = &rows,
                              .row_count = rows.tree.rows.len};
        struct out *lines = out_memory();

        table_write_chosen(&table, s->options->columns, FORMAT_CSV, 0, lines);
        out_str(out, i ? strchr(out_text(lines, NULL), '\n') + 1
                       : out_text(lines, NULL));
        out_close(lines, NULL);
        release(&rows);
        blocked_release(&b);
    }
}

static void write_json(const struct subject *s, struct out *out)
{
    size_t count = subject_functions_shown(s);
    struct json json = report_json("wakers", out);

    header_json(s->p, s->sel, &json);
    json_line(&json, 1);
    json_array(&json, "functions");
    for (size_t i = 0; i < count; i++) {
        struct blocked b = blocked_of(s, s->functions[i].id);
        struct waker_rows rows = collect(s, &s->functions[i], &b, true);
        struct table table = {.columns = data_columns + HEADED,
                              .column_count = DATA_COLUMNS - HEADED,
                              .rows = &rows,
                              .row_count = rows.tree.rows.len};

        heading_json(s, &s->functions[i], &json);
        json_weight(&json, "blocked", s->p, b.sel.samples);
        json_weight(&json, "without_wakeup", s->p, b.sel.samples - b.told);
        table_json(&table, &json, "wakers");
        json_end(&json);
        release(&rows);
        blocked_release(&b);
    }
    json_end(&json);
    json_u64(&json, "total_functions", s->function_count);
    report_json_end(&json);
}

static const struct column_set sets[] = {
    {shown_columns[0], 4},
    {shown_columns[1], 4},
    {data_columns, DATA_COLUMNS},
    {NULL, 0},
};

const struct report wakers_report = {
    .name = "wakers",
    .help = "threads that ended the waits of a function",
    .about = ABOUT_FUNCTIONS,
    .takes = TAKES_FUNCTIONS | TAKES_CALLERS | TAKES_COLUMNS,
    .event = "wakers",
    .columns = sets,
    .write = {[FORMAT_TEXT] = write_text,
              [FORMAT_JSON] = write_json,
              [FORMAT_CSV] = write_csv,
              [FORMAT_MARKDOWN] = write_text},
};
