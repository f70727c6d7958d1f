#include "report/profile/tree_rows.h"

#include <stdio.h>
#include <string.h>

#include "engine/model/labels.h"
#include "engine/model/waits.h"
#include "report/header/header.h"
#include "report/table/table.h"

/*
 * tree - the call tree, drawn or as flat rows with id, parent and depth.
 *
 * People see processes and threads above the code, a run of recursion as one
 * node and start-up frames as another; data has every function as it was
 * called.
 */

enum { INDENT_MAX = 60, INDENT_PART = 4 /* of the width */ };

static const struct tree_row *row_of(const void *rows, size_t row)
{
    return &((const struct tree_rows *)rows)->rows.data[row];
}

static const struct calltree *tree_of(const void *rows)
{
    return ((const struct tree_rows *)rows)->tree;
}

/* NULL: a row of others. */
static const struct calltree_node *node_of(const void *rows, size_t row)
{
    uint32_t node = row_of(rows, row)->node;

    return node == NO_ID ? NULL : &tree_of(rows)->nodes[node];
}

/* The function of a row that is one. */
static uint32_t function_of(const void *rows, size_t row)
{
    const struct calltree_node *node = node_of(rows, row);

    return node && node->kind == CALLTREE_CODE ? node->function : NO_ID;
}

static const struct profile *profile_of(const void *rows)
{
    return ((const struct tree_rows *)rows)->p;
}

static uint64_t total_of(const void *rows)
{
    return ((const struct tree_rows *)rows)->samples;
}

static uint64_t inclusive_of(const void *rows, size_t row)
{
    const struct calltree_node *node = node_of(rows, row);

    return node ? node->inclusive : row_of(rows, row)->others;
}

static struct value weight(const void *rows, uint64_t n)
{
    return value_weight(profile_of(rows), n);
}

struct value tree_id(const void *rows, size_t row)
{
    (void)rows;
    return value_id(row);
}

struct value tree_parent(const void *rows, size_t row)
{
    uint32_t up = row_of(rows, row)->parent;

    return up == NO_ID ? value_none() : value_id(up);
}

struct value tree_depth(const void *rows, size_t row)
{
    return value_id(row_of(rows, row)->depth);
}

struct value tree_inclusive(const void *rows, size_t row)
{
    return weight(rows, inclusive_of(rows, row));
}

struct value tree_inclusive_percent(const void *rows, size_t row)
{
    return value_percent(inclusive_of(rows, row), total_of(rows));
}

static uint64_t exclusive_of(const void *rows, size_t row)
{
    return calltree_exclusive(tree_of(rows), row_of(rows, row)->node);
}

static struct calltree_inlined inlined_of(const void *rows, size_t row)
{
    return calltree_inlined(tree_of(rows), row_of(rows, row)->node);
}

/* Others have some, too, but not as one. */
static struct value exclusive(const void *rows, size_t row)
{
    return node_of(rows, row) ? weight(rows, exclusive_of(rows, row))
                              : value_none();
}

static struct value exclusive_percent(const void *rows, size_t row)
{
    return node_of(rows, row)
               ? value_percent(exclusive_of(rows, row), total_of(rows))
               : value_none();
}

static struct value inlined_exclusive(const void *rows, size_t row)
{
    return node_of(rows, row) ? weight(rows, inlined_of(rows, row).exclusive)
                              : value_none();
}

static struct value inlined_inclusive(const void *rows, size_t row)
{
    return node_of(rows, row) ? weight(rows, inlined_of(rows, row).inclusive)
                              : value_none();
}

static struct value name(const void *rows, size_t row)
{
    return value_maybe(row_of(rows, row)->name);
}

static struct value label(const void *rows, size_t row)
{
    return value_text(row_of(rows, row)->label);
}

struct value tree_label(const void *rows, size_t row)
{
    const struct tree_row *r = row_of(rows, row);
    /* "… 3 more below 0.5 %" is no name that could lose its front. */
    struct value v = strncmp(r->label, "…", strlen("…")) != 0
                         ? value_name(r->label)
                         : value_text(r->label);

    v.prefix = r->draw;
    if (function_of(rows, row) == NO_ID)
        v.style = r->node == NO_ID ? STYLE_DIM : STYLE_STRONG;
    return v;
}

struct value tree_module(const void *rows, size_t row)
{
    uint32_t function = function_of(rows, row);

    return value_module(
        function == NO_ID ? "" : function_module(profile_of(rows), function));
}

static struct value kind(const void *rows, size_t row)
{
    const struct profile *p = profile_of(rows);
    uint32_t function = function_of(rows, row);

    if (function == NO_ID)
        return value_none();
    return value_text(
        code_kind_name((enum code_kind)p->functions.data[function].kind));
}

static struct value waits(const void *rows, size_t row)
{
    const struct profile *p = profile_of(rows);
    uint32_t function = function_of(rows, row);

    return value_flag(
        function != NO_ID &&
        only_waits(strings_get(p->strings, p->functions.data[function].name)));
}

/* Text shows what has something in it; JSON and CSV have all their columns. */
static const struct column columns[] = {
    {"id", NULL, false, tree_id},
    {"parent", NULL, false, tree_parent},
    {"depth", NULL, false, tree_depth},
    {"inclusive", NULL, false, tree_inclusive},
    {"inclusive_percent", NULL, false, tree_inclusive_percent},
    {"exclusive", NULL, false, exclusive},
    {"exclusive_percent", NULL, false, exclusive_percent},
    {"inlined_exclusive", NULL, false, inlined_exclusive},
    {"inlined_inclusive", NULL, false, inlined_inclusive},
    {NULL, "inclusive", false, tree_inclusive},
    {NULL, "", false, tree_inclusive_percent},
    {NULL, "exclusive", false, exclusive},
    {NULL, "", false, exclusive_percent},
    {NULL, "inlined", false, inlined_inclusive},
    {NULL, "waits", false, waits},
    {NULL, "module", false, tree_module},
    {NULL, "function", true, tree_label},
    {"name", NULL, false, name},
    {"label", NULL, false, label},
    {"module", NULL, false, tree_module},
    {"kind", NULL, false, kind},
    {"waits", NULL, false, waits},
};

enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

static size_t choose_columns(const struct tree_rows *rows,
                             struct column chosen[COLUMNS])
{
    size_t n = 0;

    for (size_t i = 0; i < COLUMNS; i++) {
        const struct column *c = &columns[i];

        if (c->value == waits && !measures_wall_clock(rows->p))
            continue;
        if (c->key || !column_is_blank(c, rows, rows->rows.len))
            chosen[n++] = *c;
    }
    return n;
}

/* ---- what is said beside the rows ---- */

static void print_cut(const struct tree_cut *cut, uint64_t samples,
                      const char *what, struct out *out)
{
    if (!cut->branches)
        return;
    out_grouped(out, cut->branches);
    out_fmt(out, " branch%s ", cut->branches == 1 ? "" : "es");
    out_str(out, what);
    out_str(out, " not shown: ");
    out_percent(out, cut->samples, samples, 1);
    out_str(out, " % of the samples\n");
}

static void print_cuts(const struct tree_rows *rows,
                       const struct report_options *o, struct out *out)
{
    struct out *lines = out_memory();
    char what[64];

    snprintf(what, sizeof(what), "below %u.%02u %% (--min)", o->min / 100,
             o->min % 100);
    print_cut(&rows->small, total_of(rows), what, lines);
    snprintf(what, sizeof(what), "deeper than %zu (--depth)", o->depth);
    print_cut(&rows->deep, total_of(rows), what, lines);
    if (rows->small.branches || rows->deep.branches) {
        out_char(out, '\n');
        header_lines(out_text(lines, NULL), o, "", out);
    }
    out_close(lines, NULL);
}

/* The processes and threads that selected samples belong to. */
struct lives {
    uint32_t processes, threads; /* how many */
    uint32_t process, thread;    /* one of them */
};

static struct lives lives_of(const struct subject *s)
{
    const struct profile *p = s->p;
    struct lives l = {0};

    for (uint32_t i = 0; i < p->threads.len; i++) {
        if (!s->sel->thread_counts[i])
            continue;
        if (!l.threads++ || p->threads.data[i].process != l.process)
            l.processes++;
        l.process = p->threads.data[i].process;
        l.thread = i;
    }
    return l;
}

/* A level that would have one member is said in the head. */
static void choose_levels(struct calltree_options *options,
                          const struct report_options *o,
                          const struct lives *lives)
{
    if (!format_is_for_people(o->format) || o->bottom_up || options->root)
        return;
    options->processes = !o->no_processes && lives->processes > 1;
    options->threads = !o->no_threads && lives->threads > 1;
}

static void say_lives(struct tree_rows *rows, const struct lives *lives,
                      struct out *out)
{
    if (lives->processes != 1)
        return;
    out_str(out, "process ");
    out_plain(out, process_title(rows->p, lives->process, &rows->arena));
    if (lives->threads == 1) {
        out_str(out, " · ");
        if (rows->p->threads.data[lives->thread].name)
            out_str(out, "thread ");
        out_plain(out, tree_thread_label(rows, lives->thread));
    }
    out_char(out, '\n');
}

enum { MODULES_NAMED = 6 };

static void write_rows(const struct subject *s, struct tree_rows *rows,
                       const struct table *table, const struct lives *lives,
                       struct out *out)
{
    const struct report_options *o = s->options;
    struct out *more;
    const struct calltree *tree;
    const struct strings *strings;

    if (!format_is_for_people(o->format)) {
        report_table(s, "tree", table, out);
        return;
    }
    more = out_memory();
    say_lives(rows, lives, more);
    if (o->root) {
        out_str(more, o->bottom_up ? "who called " : "below ");
        out_plain(more, o->root);
        out_str(more, o->bottom_up ? "\n" : ", wherever it was called\n");
    }
    tree = rows->tree;
    strings = rows->p->strings;
    for (size_t i = 0; i < tree->folded.len && i < MODULES_NAMED; i++) {
        out_str(more, i ? ", " : "start-up frames folded: ");
        out_plain(more, strings_get(strings, tree->folded.data[i]));
    }
    if (tree->folded.len > MODULES_NAMED)
        out_str(more, ", …");
    if (tree->folded.len)
        out_str(more, "; --startup shows them\n");
    header_text(s, out_text(more, NULL), out);
    table_write_chosen(table, o->columns, o->format, o->width, out);
    print_cuts(rows, o, out);
    out_close(more, NULL);
}

/* ---- the report ---- */

struct tree_rows tree_rows_of(const struct subject *s, size_t depth,
                              uint64_t samples)
{
    const struct report_options *o = s->options;
    struct tree_rows rows = {.p = s->p,
                             .samples = samples,
                             .min = o->min,
                             .depth = depth,
                             .others = format_is_for_people(o->format)};

    rows.least = tree_rows_least(o->min, samples);
    rows.indent = INDENT_MAX;
    if (o->width && o->width / INDENT_PART < INDENT_MAX)
        rows.indent = o->width / INDENT_PART;
    return rows;
}

static void run(const struct subject *s, struct out *out)
{
    const struct report_options *o = s->options;
    struct tree_rows rows = tree_rows_of(s, o->depth, s->sel->samples);
    struct calltree_options options = {
        .direction = o->bottom_up ? CALLTREE_BOTTOM_UP : CALLTREE_TOP_DOWN,
        .least = rows.least,
        .deepest = rows.depth,
        .fold_recursion = format_is_for_people(o->format),
        .fold_startup = format_is_for_people(o->format) && !o->startup,
        .root = s->root,
    };
    struct column chosen[COLUMNS];
    struct table table = {.columns = chosen, .rows = &rows};
    struct lives lives = lives_of(s);
    struct calltree *tree;

    choose_levels(&options, o, &lives);
    rows.tree = tree = calltree_build(s->p, s->sel, &options);
    tree_rows_collect(&rows);
    table.column_count = choose_columns(&rows, chosen);
    table.row_count = table.total = rows.rows.len;
    write_rows(s, &rows, &table, &lives, out);
    tree_rows_release(&rows);
    calltree_free(tree);
}

static const struct column_set sets[] = {
    {columns, COLUMNS},
    {NULL, 0},
};

const struct report tree_report = {
    .name = "tree",
    .help = "the call tree, from the root down",
    .takes = TAKES_TREE | TAKES_COLUMNS,
    .columns = sets,
    .ranks_functions = true,
    .write = IN_EVERY_FORMAT(run),
};
