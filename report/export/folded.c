#include "report/diff/diff.h"
#include "report/export/folded_tree.h"
#include "report/header/header.h"
#include "report/table/weight.h"

/*
 * folded - one line per distinct stack: process;outermost;...;innermost COUNT
 *
 * What flame graph tools read. Lines are written as they are made
 * (folded_tree.h): all of them together can be far longer than the trace.
 * Functions go by their labels, in JSON and CSV by their recorded names.
 */

/* ---- other formats ---- */

/* Rows are asked for in order, so one line at a time is enough. */
struct line_rows {
    struct folded_tree tree;
    struct folded_lines lines;
    size_t next; /* row after the one that `lines` is at */
};

static const struct folded_lines *line_at(const void *rows, size_t row)
{
    /* The table is constant, where it stands is not. */
    struct line_rows *r = *(struct line_rows *const *)rows;

    if (row + 1 < r->next) {
        folded_lines_release(&r->lines);
        r->lines = (struct folded_lines){.tree = &r->tree};
        r->next = 0;
    }
    for (; r->next <= row; r->next++)
        folded_lines_next(&r->lines);
    return &r->lines;
}

static struct value stack_value(const void *rows, size_t row)
{
    return value_text(line_at(rows, row)->text);
}

static struct value count_value(const void *rows, size_t row)
{
    return value_weight(line_at(rows, row)->tree->p,
                        line_at(rows, row)->node->count);
}

static const struct column columns[] = {
    {"stack", "stack", true, stack_value},
    {"count", "count", false, count_value},
};

static void write_lines(const struct subject *s, struct out *out)
{
    struct folded_tree tree = folded_tree_of(s);

    folded_tree_print(&tree, s->input_count > 0, out);
    folded_tree_release(&tree);
}

static void write_table(const struct subject *s, struct out *out)
{
    struct line_rows rows = {.next = 0}, *place = &rows;
    struct table table = {
        .columns = columns, .column_count = 2, .rows = &place};

    rows.tree = folded_tree_of(s);
    rows.lines.tree = &rows.tree;
    table.row_count = table.total = rows.tree.lines;
    report_table(s, "folded", &table, out);
    folded_lines_release(&rows.lines);
    folded_tree_release(&rows.tree);
}

/* Two counts a line, as difffolded writes them; no format that is read by
 * other tools has room for them. */
static const struct report folded_diff_report = {
    .name = "folded --diff",
    .about = ABOUT_SIDES,
    .write = {[FORMAT_TEXT] = write_lines},
};

const struct report folded_report = {
    .name = "folded",
    .help = "one line per distinct stack, for flame graph tools",
    .takes = TAKES_FOLDED | TAKES_SIDES | TAKES_STACKS,
    .write = {[FORMAT_TEXT] = write_lines,
              [FORMAT_JSON] = write_table,
              [FORMAT_CSV] = write_table,
              [FORMAT_MARKDOWN] = write_table},
    .two_sides = &folded_diff_report,
};
