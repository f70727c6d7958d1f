#include <stdio.h>
#include <string.h>

#include "engine/analysis/calltree.h"
#include "engine/analysis/waits.h"
#include "report/header.h"

/*
 * tree - the call tree, drawn or as flat rows with id, parent and depth.
 *
 * Branches are drawn with lines; the only child of a node stands right below
 * it without another step to the right, so that long chains stay readable.
 */

enum { INDENT_MAX = 60 }; /* columns; deeper branches stay at this edge */

struct tree_row {
    uint32_t node;
    uint32_t parent; /* row, or NO_ID at the top */
    uint32_t depth;  /* 1 at the top */
    const char *name;
    const char *draw; /* before its own name */
    const char *below; /* before what hangs below it */
};

/* Whole branches left out. They share no sample, so their counts add up. */
struct cut {
    uint64_t branches, samples;
};

struct view {
    const struct profile *p;
    const struct calltree *tree;
    uint64_t least; /* samples a row needs */
    size_t depth;   /* 0: no limit */
    VEC(struct tree_row) rows;
    struct cut small, deep;
    struct arena scratch;
};

static const struct calltree_node *node_of(const void *rows, size_t row)
{
    const struct view *v = rows;

    return &v->tree->nodes[v->rows.data[row].node];
}

static uint64_t total_of(const void *rows)
{
    return ((const struct view *)rows)->tree->nodes[0].inclusive;
}

static struct value id(const void *rows, size_t row)
{
    (void)rows;
    return value_id(row);
}

static struct value parent(const void *rows, size_t row)
{
    uint32_t up = ((const struct view *)rows)->rows.data[row].parent;

    return up == NO_ID ? value_none() : value_id(up);
}

static struct value depth(const void *rows, size_t row)
{
    return value_id(((const struct view *)rows)->rows.data[row].depth);
}

static struct value inclusive(const void *rows, size_t row)
{
    return value_count(node_of(rows, row)->inclusive);
}

static struct value inclusive_percent(const void *rows, size_t row)
{
    return value_percent(node_of(rows, row)->inclusive, total_of(rows));
}

static struct value exclusive(const void *rows, size_t row)
{
    return value_count(node_of(rows, row)->exclusive);
}

static struct value exclusive_percent(const void *rows, size_t row)
{
    return value_percent(node_of(rows, row)->exclusive, total_of(rows));
}

static struct value inlined_exclusive(const void *rows, size_t row)
{
    return value_count(node_of(rows, row)->inlined_exclusive);
}

static struct value inlined_inclusive(const void *rows, size_t row)
{
    return value_count(node_of(rows, row)->inlined_inclusive);
}

static struct value name(const void *rows, size_t row)
{
    const struct tree_row *r = &((const struct view *)rows)->rows.data[row];
    struct value v = value_text(r->name);

    v.prefix = r->draw;
    return v;
}

static struct value module(const void *rows, size_t row)
{
    return value_text(function_module(((const struct view *)rows)->p,
                                      node_of(rows, row)->function));
}

static struct value kind(const void *rows, size_t row)
{
    const struct profile *p = ((const struct view *)rows)->p;
    uint32_t function = node_of(rows, row)->function;

    return value_text(
        code_kind_name((enum code_kind)p->functions.data[function].kind));
}

static struct value waits(const void *rows, size_t row)
{
    const struct profile *p = ((const struct view *)rows)->p;
    uint32_t function = node_of(rows, row)->function;

    return value_flag(only_waits(
        strings_get(p->strings, p->functions.data[function].name)));
}

static const struct column columns[] = {
    {"id", NULL, false, id},
    {"parent", NULL, false, parent},
    {"depth", NULL, false, depth},
    {"inclusive", "inclusive", false, inclusive},
    {"inclusive_percent", "", false, inclusive_percent},
    {"exclusive", "exclusive", false, exclusive},
    {"exclusive_percent", "", false, exclusive_percent},
    {"inlined_exclusive", NULL, false, inlined_exclusive},
    {"inlined_inclusive", NULL, false, inlined_inclusive},
    {NULL, "inlined", false, inlined_inclusive},
    {NULL, "waits", false, waits},
    {"name", "function", true, name},
    {"module", "module", false, module},
    {"kind", NULL, false, kind},
    {"waits", NULL, false, waits},
};

enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

/* As in a flat ranking (columns.h): what only text has stands where one of
 * the rows has something in it. */
static bool is_left_out(const struct column *c, const struct view *v)
{
    if (c->value == waits && !measures_wall_clock(v->p))
        return true;
    return !c->key && column_is_blank(c, v, v->rows.len);
}

static size_t columns_of_view(const struct view *v,
                              struct column chosen[COLUMNS])
{
    size_t n = 0;

    for (size_t i = 0; i < COLUMNS; i++)
        if (!is_left_out(&columns[i], v))
            chosen[n++] = columns[i];
    return n;
}

/* Counts the branch as left out, or says that it is to be shown. */
static bool visible(struct view *v, uint32_t node, uint32_t at_depth)
{
    uint64_t samples = v->tree->nodes[node].inclusive;
    struct cut *cut = samples < v->least               ? &v->small
                      : v->depth && at_depth > v->depth ? &v->deep
                                                        : NULL;

    if (!cut)
        return true;
    cut->branches++;
    cut->samples += samples;
    return false;
}

static const char *joined(struct view *v, const char *a, const char *b)
{
    size_t size = strlen(a) + strlen(b) + 1;
    char *text;

    if (out_columns(a) >= INDENT_MAX)
        return a;
    text = arena_new(&v->scratch, char, size);
    snprintf(text, size, "%s%s", a, b);
    return text;
}

static void draw(struct view *v, struct tree_row *row, const char *above,
                 bool only, bool last)
{
    row->draw = row->below = above;
    if (only)
        return;
    row->draw = joined(v, above, last ? "└─ " : "├─ ");
    row->below = joined(v, above, last ? "   " : "│  ");
}

/* A row waiting for its turn; only what is drawn above it is known yet. */
struct pending {
    uint32_t node, parent, depth;
    const char *above;
    bool only, last;
};

struct queue {
    VEC(struct pending) stack;
};

/* Children go on the stack last first, so that the largest comes off next. */
static void push_children(struct view *v, struct queue *q, uint32_t node,
                          const struct pending *child)
{
    size_t first = q->stack.len, n;

    for (uint32_t i = v->tree->nodes[node].first_child; i;
         i = v->tree->nodes[i].next_sibling) {
        if (!visible(v, i, child->depth))
            continue;
        *vec_add(&q->stack) = *child;
        q->stack.data[q->stack.len - 1].node = i;
    }
    n = q->stack.len - first;
    for (size_t i = 0; i < n / 2; i++) {
        struct pending swap = q->stack.data[first + i];

        q->stack.data[first + i] = q->stack.data[first + n - 1 - i];
        q->stack.data[first + n - 1 - i] = swap;
    }
    if (n)
        q->stack.data[first].last = true;
    if (n == 1)
        q->stack.data[first].only = true;
}

static void collect(struct view *v)
{
    struct pending top = {.parent = NO_ID, .depth = 1, .above = ""};
    struct queue q = {0};

    push_children(v, &q, 0, &top);
    while (q.stack.len) {
        struct pending at = q.stack.data[--q.stack.len];
        struct pending child = {.parent = (uint32_t)v->rows.len,
                                .depth = at.depth + 1};
        struct tree_row *row = vec_add(&v->rows);

        *row = (struct tree_row){
            .node = at.node, .parent = at.parent, .depth = at.depth};
        row->name =
            function_name(v->p, v->tree->nodes[at.node].function, &v->scratch);
        draw(v, row, at.above, at.only, at.last);
        child.above = row->below;
        push_children(v, &q, at.node, &child);
    }
    vec_release(&q.stack);
}

static void print_cut(const struct cut *cut, uint64_t samples,
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

static void print_cuts(const struct view *v,
                       const struct report_options *options, struct out *out)
{
    char what[64];

    if (v->small.branches || v->deep.branches)
        out_char(out, '\n');
    snprintf(what, sizeof(what), "below %u.%02u %% (--min)",
             options->min / 100, options->min % 100);
    print_cut(&v->small, total_of(v), what, out);
    snprintf(what, sizeof(what), "deeper than %zu (--depth)", options->depth);
    print_cut(&v->deep, total_of(v), what, out);
}

/* The smallest count that is at least `min` of `samples`, and never 0. */
static uint64_t least_count(uint32_t min, uint64_t samples)
{
    uint64_t least = (samples / 10000) * min +
                     (samples % 10000 * min + 9999) / 10000;

    return least ? least : 1;
}

static void run(const struct subject *s, struct out *out)
{
    const struct report_options *o = s->options;
    struct view v = {.p = s->p, .depth = o->depth};
    struct column chosen[COLUMNS];
    struct table table = {.columns = chosen, .rows = &v};
    struct calltree *tree;

    v.least = least_count(o->min, s->sel->samples);
    tree = calltree_new(s->p, s->sel,
                        o->bottom_up ? CALLTREE_BOTTOM_UP : CALLTREE_TOP_DOWN,
                        v.least);
    v.tree = tree;
    collect(&v);
    table.column_count = columns_of_view(&v, chosen);
    table.row_count = table.total = v.rows.len;
    report_table(s, "tree", &table, out);
    if (o->format == FORMAT_TEXT || o->format == FORMAT_MARKDOWN)
        print_cuts(&v, o, out);
    vec_release(&v.rows);
    arena_release(&v.scratch);
    calltree_free(tree);
}

const struct report tree_report = {
    .name = "tree",
    .help = "the call tree, from the outermost callers down",
    .takes = TAKES_TREE,
    .ranks_functions = true,
    .write = IN_EVERY_FORMAT(run),
};
