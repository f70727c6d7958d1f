#include "report/profile/callers_tree.h"

#include "engine/model/labels.h"
#include "report/profile/tree_rows.h"
#include "report/table/weight.h"

enum { INDENT_MAX = 60, INDENT_PART = 4 /* of the width */ };

/* What the columns' functions get as rows. */
struct branch {
    struct tree_rows rows;
    uint64_t samples; /* of the function */
};

static const struct tree_row *row_of(const void *rows, size_t row)
{
    return &((const struct branch *)rows)->rows.rows.data[row];
}

static uint64_t samples_of(const void *rows, size_t row)
{
    const struct tree_row *r = row_of(rows, row);

    return r->node == NO_ID ? r->others
                            : ((const struct branch *)rows)
                                  ->rows.tree->nodes[r->node]
                                  .inclusive;
}

static struct value samples(const void *rows, size_t row)
{
    return value_weight(((const struct branch *)rows)->rows.p,
                        samples_of(rows, row));
}

static struct value percent(const void *rows, size_t row)
{
    return value_percent(samples_of(rows, row),
                         ((const struct branch *)rows)->samples);
}

static struct value module(const void *rows, size_t row)
{
    const struct tree_rows *r = &((const struct branch *)rows)->rows;
    uint32_t node = row_of(rows, row)->node;

    return value_module(
        node == NO_ID ? ""
                      : function_module(r->p, r->tree->nodes[node].function));
}

static struct value label(const void *rows, size_t row)
{
    const struct tree_row *r = row_of(rows, row);
    struct value v = value_name(r->label);

    v.prefix = r->draw;
    if (r->node == NO_ID)
        v.style = STYLE_DIM;
    return v;
}

void callers_tree(const struct subject *s, const struct rank_row *function,
                  bool callers, struct out *out)
{
    const struct report_options *o = s->options;
    const struct column columns[] = {
        {NULL, "samples", false, samples},
        {NULL, "", false, percent},
        {NULL, "module", false, module},
        {NULL, callers ? "called by" : "calls", true, label},
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
