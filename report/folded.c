#include "report/diff.h"
#include "report/folded_tree.h"
#include "report/header.h"

/*
 * folded - one line per distinct stack: process;outermost;...;innermost COUNT
 *
 * What flame graph tools read. Lines are written as they are made
 * (folded_tree.h): all of them together can be far longer than the trace.
 * Functions go by their labels, in JSON and CSV by their recorded names.
 */

/* The lines alone: tools that read them know no trust line. */
static void print_lines(const struct folded_tree *tree, bool diff,
                        struct out *out)
{
    struct folded_lines lines = {.tree = tree};

    while (folded_lines_next(&lines)) {
        out_str(out, lines.text);
        out_char(out, ' ');
        out_u64(out, lines.node->count);
        if (diff) {
            out_char(out, ' ');
            out_u64(out, lines.node->after);
        }
        out_char(out, '\n');
    }
    folded_lines_release(&lines);
}

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
    return value_count(line_at(rows, row)->node->count);
}

static const struct column columns[] = {
    {"stack", "stack", true, stack_value},
    {"count", "count", false, count_value},
};

static void write_two_sides(const struct subject *s, struct out *out)
{
    struct folded_tree tree = {0};

    for (size_t i = 0; i < s->input_count; i++)
        folded_tree_add(&tree, s->inputs[i].p, s->inputs[i].sel,
                        s->inputs[i].after);
    print_lines(&tree, true, out);
    folded_tree_release(&tree);
}

static void write_lines(const struct subject *s, struct out *out)
{
    struct folded_tree tree = {0};

    folded_tree_add(&tree, s->p, s->sel, false);
    print_lines(&tree, false, out);
    folded_tree_release(&tree);
}

static void write_table(const struct subject *s, struct out *out)
{
    struct line_rows rows = {.next = 0}, *place = &rows;
    bool people = s->options->format == FORMAT_MARKDOWN;
    struct table table = {
        .columns = columns, .column_count = 2, .rows = &place};

    rows.tree.recorded = !people;
    folded_tree_add(&rows.tree, s->p, s->sel, false);
    rows.lines.tree = &rows.tree;
    table.row_count = table.total = rows.tree.lines;
    report_table(s, "folded", &table, out);
    folded_lines_release(&rows.lines);
    folded_tree_release(&rows.tree);
}

const struct report folded_report = {
    .name = "folded",
    .help = "one line per distinct stack, for flame graph tools",
    .takes = TAKES_FOLDED,
    .write = {[FORMAT_TEXT] = write_lines,
              [FORMAT_JSON] = write_table,
              [FORMAT_CSV] = write_table,
              [FORMAT_MARKDOWN] = write_table},
};

/* Two counts a line, as difffolded writes them; no format that is read by
 * other tools has room for them. */
const struct report folded_diff_report = {
    .name = "folded --diff",
    .about = ABOUT_SIDES,
    .write = {[FORMAT_TEXT] = write_two_sides},
};
