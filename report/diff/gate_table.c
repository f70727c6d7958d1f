/* What a gate found as rows: CSV, and where columns were asked for. */
#include "engine/base/arena.h"
#include "report/diff/gate.h"

struct rows {
    const struct gate *gate;
    const char **reasons; /* by finding */
};

static const struct gate_finding *finding_of(const void *rows, size_t row)
{
    return &((const struct rows *)rows)->gate->findings.data[row];
}

static struct value outcome(const void *rows, size_t row)
{
    return value_text(gate_outcome_name(finding_of(rows, row)->outcome));
}

static struct value name(const void *rows, size_t row)
{
    return value_text(gate_subject(finding_of(rows, row)));
}

static struct value label(const void *rows, size_t row)
{
    return value_name(gate_subject_label(finding_of(rows, row)));
}

static struct value module(const void *rows, size_t row)
{
    const struct diff_row *r = finding_of(rows, row)->row;

    return r ? value_module(r->module) : value_none();
}

static struct value rule(const void *rows, size_t row)
{
    return value_text(finding_of(rows, row)->glob);
}

static struct value reason(const void *rows, size_t row)
{
    return value_text(((const struct rows *)rows)->reasons[row]);
}

static const struct column columns[] = {
    {"outcome", "outcome", false, outcome}, {"name", NULL, false, name},
    {"label", "function", true, label},     {"module", "module", false, module},
    {"rule", "rule", false, rule},          {"reason", "reason", false, reason},
};

enum { COLUMNS = sizeof(columns) / sizeof(*columns) };

const struct column_set gate_columns[] = {{columns, COLUMNS}, {NULL, 0}};

void gate_table(const struct subject *s, struct out *out)
{
    const struct report_options *o = s->options;
    size_t n = s->gate->findings.len;
    struct arena arena = {0};
    struct rows rows = {s->gate, mem_new(n, sizeof(*rows.reasons))};
    struct table table = {.columns = columns,
                          .column_count = COLUMNS,
                          .rows = &rows,
                          .row_count = n,
                          .total = n};

    for (size_t i = 0; i < n; i++) {
        struct out *text = out_memory();
        size_t size;

        gate_reason(&s->gate->findings.data[i], s->diff, text);
        rows.reasons[i] = out_text(text, &size);
        rows.reasons[i] = arena_strndup(&arena, rows.reasons[i], size);
        out_close(text, NULL);
    }
    table_write_chosen(&table, o->columns, o->format,
                       o->format == FORMAT_TEXT ? o->width : 0, out);
    free(rows.reasons);
    arena_release(&arena);
}
