#include "cli/commands/module_names.h"
#include "report/table/weight.h"

static const struct module_names *names_of(const void *rows)
{
    return rows;
}

static const struct module_row *row_of(const void *rows, size_t row)
{
    return &names_of(rows)->rows[row];
}

static const struct module *module_of(const void *rows, size_t row)
{
    return names_module(names_of(rows), row_of(rows, row));
}

static struct value samples(const void *rows, size_t row)
{
    return value_weight(names_of(rows)->p, row_of(rows, row)->samples);
}

static struct value unnamed(const void *rows, size_t row)
{
    return value_weight(names_of(rows)->p, row_of(rows, row)->unnamed);
}

static struct value name(const void *rows, size_t row)
{
    return value_text(names_string(names_of(rows), module_of(rows, row)->name));
}

static struct value path(const void *rows, size_t row)
{
    return value_maybe(
        names_string(names_of(rows), module_of(rows, row)->path));
}

static struct value cause(const void *rows, size_t row)
{
    uint32_t cause = row_of(rows, row)->cause;

    return cause ? value_text(name_cause_name((enum name_cause)cause))
                 : value_none();
}

static struct value used(const void *rows, size_t row)
{
    return value_maybe(
        names_string(names_of(rows), module_of(rows, row)->symbols));
}

/* The words of JSON. */
static const struct column columns[] = {
    {"module", "module", true, name},
    {"path", NULL, false, path},
    {"samples", "samples", false, samples},
    {"unnamed", "unnamed", false, unnamed},
    {"cause", "cause", false, cause},
    {"used", "names from", false, used},
};

enum { COLUMNS = sizeof(columns) / sizeof(*columns) };

const struct column_set module_names_columns[] = {{columns, COLUMNS},
                                                  {NULL, 0}};

void module_names_table(const struct subject *subject, struct out *out)
{
    const struct module_names *names = names_subject(subject)->names;
    const struct report_options *o = subject->options;
    struct table table = {.columns = columns,
                          .column_count = COLUMNS,
                          .rows = names,
                          .row_count = names->count,
                          .total = names->count};

    table_write_chosen(&table, o->columns, o->format,
                       o->format == FORMAT_TEXT ? o->width : 0, out);
}
