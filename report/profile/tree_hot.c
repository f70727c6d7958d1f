#include "report/profile/tree_hot.h"

#include <stdio.h>
#include <string.h>

#include "engine/analysis/hot_path.h"
#include "engine/model/titles.h"
#include "report/header/header.h"
#include "report/table/weight.h"

struct hot_rows {
    const struct subject *subject;
    struct hot_path path;
    const char **names, **labels; /* by step */
    const char **runs;            /* "Fibonacci.Of ×16" */
    struct arena arena;
};

static const struct hot_step *step_of(const void *rows, size_t row)
{
    return &((const struct hot_rows *)rows)->path.steps.data[row];
}

static const struct subject *subject_of(const void *rows)
{
    return ((const struct hot_rows *)rows)->subject;
}

static struct value depth(const void *rows, size_t row)
{
    (void)rows;
    return value_id(row + 1);
}

static struct value inclusive(const void *rows, size_t row)
{
    return value_weight(subject_of(rows)->p, step_of(rows, row)->samples);
}

static struct value inclusive_percent(const void *rows, size_t row)
{
    return value_percent(step_of(rows, row)->samples,
                         subject_of(rows)->sel->samples);
}

static struct value recursion(const void *rows, size_t row)
{
    return value_id(step_of(rows, row)->depth);
}

static struct value name(const void *rows, size_t row)
{
    return value_text(((const struct hot_rows *)rows)->names[row]);
}

static struct value label(const void *rows, size_t row)
{
    return value_text(((const struct hot_rows *)rows)->labels[row]);
}

static struct value shown_label(const void *rows, size_t row)
{
    return value_name(((const struct hot_rows *)rows)->runs[row]);
}

static struct value module(const void *rows, size_t row)
{
    return value_module(
        function_module(subject_of(rows)->p, step_of(rows, row)->function));
}

static struct value kind(const void *rows, size_t row)
{
    uint32_t function = step_of(rows, row)->function;

    return value_text(code_kind_name(
        (enum code_kind)subject_of(rows)->p->functions.data[function].kind));
}

static const struct column columns[] = {
    {"depth", NULL, false, depth},
    {"inclusive", "inclusive", false, inclusive},
    {"inclusive_percent", "", false, inclusive_percent},
    {"recursion", NULL, false, recursion},
    {NULL, "module", false, module},
    {NULL, "function", true, shown_label},
    {"name", NULL, false, name},
    {"label", NULL, false, label},
    {"module", NULL, false, module},
    {"kind", NULL, false, kind},
};

static const char *run_label(struct hot_rows *r, const struct hot_step *step,
                             const char *text)
{
    size_t size = strlen(text) + sizeof(" ×4294967295");
    char *label;

    if (step->depth == 1 ||
        r->subject->p->functions.data[step->function].cause != CAUSE_NONE)
        return text;
    label = arena_new(&r->arena, char, size);
    snprintf(label, size, "%s ×%u", text, (unsigned)step->depth);
    return label;
}

void tree_hot(const struct subject *s, struct out *out)
{
    struct hot_rows r = {.subject = s};
    struct table table = {.columns = columns,
                          .column_count = sizeof(columns) / sizeof(*columns),
                          .rows = &r};

    hot_path_find(&r.path, s->p, s->sel);
    table.row_count = table.total = r.path.steps.len;
    r.names = arena_new(&r.arena, const char *, r.path.steps.len);
    r.labels = arena_new(&r.arena, const char *, r.path.steps.len);
    r.runs = arena_new(&r.arena, const char *, r.path.steps.len);
    for (size_t i = 0; i < r.path.steps.len; i++) {
        const struct hot_step *step = &r.path.steps.data[i];

        r.names[i] = function_name(s->p, step->function, &r.arena);
        r.labels[i] = function_label(s->p, step->function, &r.arena);
        r.runs[i] = run_label(&r, step, r.labels[i]);
    }
    report_table(s, "tree", &table, out);
    hot_path_release(&r.path);
    arena_release(&r.arena);
}
