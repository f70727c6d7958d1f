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

/* As the options ask for. */
static struct folded_tree tree_of(const struct subject *s)
{
    const struct report_options *o = s->options;

    return (struct folded_tree){
        .style = {.module = o->with_module,
                  .lines = o->with_lines,
                  .marks = o->with_marks},
        .processes = o->with_process ? FOLDED_IDS : FOLDED_NAMES,
        .threads = o->with_thread,
    };
}

static void write_two_sides(const struct subject *s, struct out *out)
{
    struct folded_tree tree = tree_of(s);

    for (size_t i = 0; i < s->input_count; i++)
        folded_tree_add(&tree, s->inputs[i].p, s->inputs[i].sel,
                        s->inputs[i].after);
    folded_tree_print(&tree, true, out);
    folded_tree_release(&tree);
}

static void write_lines(const struct subject *s, struct out *out)
{
    struct folded_tree tree = tree_of(s);

    folded_tree_add(&tree, s->p, s->sel, false);
    folded_tree_print(&tree, false, out);
    folded_tree_release(&tree);
}

static void write_table(const struct subject *s, struct out *out)
{
    struct line_rows rows = {.next = 0}, *place = &rows;
    bool people = s->options->format == FORMAT_MARKDOWN;
    struct table table = {
        .columns = columns, .column_count = 2, .rows = &place};

    rows.tree = tree_of(s);
    rows.tree.style.recorded = !people;
    folded_tree_add(&rows.tree, s->p, s->sel, false);
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
    .write = {[FORMAT_TEXT] = write_two_sides},
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
