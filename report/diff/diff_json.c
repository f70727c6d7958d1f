#include "engine/model/waits.h"
#include "engine/diff/explain.h"
#include "engine/diff/hints.h"
#include "report/diff/diff.h"
#include "report/header/header.h"
#include "report/table/columns.h"
#include "report/table/table.h"

/* topfn.diff/1: numbers have six decimals, q-values too. */

static void number(struct json *json, const char *key, double value)
{
    json_real(json, key, value, 6);
}

static void json_traces(const struct diff *d, bool after, struct json *json)
{
    bool is_first = true;

    json_line(json, 1);
    json_array(json, after ? "after" : "before");
    for (size_t i = 0; i < d->input_count; i++) {
        if (d->inputs[i].after != after)
            continue;
        if (!is_first)
            json_line(json, 2);
        header_json_trace(d->inputs[i].p, d->inputs[i].sel, NULL, json);
        is_first = false;
    }
    json_end(json);
}

static void json_sides(const struct diff *d, struct json *json)
{
    static const char *const names[2] = {"before", "after"};

    json_line(json, 1);
    json_object(json, "uncertainty");
    for (int i = 0; i < 2; i++) {
        const struct diff_side *s = &d->sides[i];

        json_object(json, names[i]);
        json_weight(json, "samples", d->inputs[0].p, s->total);
        json_u64(json, "runs", s->runs);
        json_u64(json, "blocks", s->blocks);
        number(json, "dispersion", s->common);
        json_end(json);
    }
    json_end(json);
    if (d->odd.len) {
        json_line(json, 1);
        json_array(json, "left_out");
        for (size_t i = 0; i < d->odd.len; i++) {
            json_object(json, NULL);
            json_text(json, "file", profile_file(d->odd.data[i].input->p));
            json_text(json, "side",
                      names[d->odd.data[i].input->after ? 1 : 0]);
            number(json, "distance", d->odd.data[i].distance);
            json_end(json);
        }
        json_end(json);
    }
    json_line(json, 1);
    json_object(json, "detectable");
    number(json, "of_1_percent", d->detectable[0]);
    number(json, "of_10_percent", d->detectable[1]);
    json_end(json);
}

static void json_summary(const struct diff *d, struct json *json)
{
    struct out *text = out_memory();

    diff_print_summary(d, text);
    json_line(json, 1);
    json_text(json, "summary", out_text(text, NULL));
    out_close(text, NULL);
}

static void json_settings(const struct diff *d, struct json *json)
{
    const struct diff_options *o = &d->options;

    json_line(json, 1);
    json_text(json, "normalize", diff_normalize_name(o->normalize));
    json_text(json, "unit", diff_unit_name(d, o->normalize));
    if (o->normalize == DIFF_OTHERS || d->too_few)
        json_u64(json, "common_functions", d->common);
    json_text(json, "count", o->inclusive ? "inclusive" : "exclusive");
    json_text(json, "by", o->paths ? "path" : rank_title(o->by, o->field));
    number(json, "q", o->q);
    number(json, "relevant_percent", o->relevant);
    if (o->half_known)
        json_text(json, "debug_information_on_some", o->half_known);
    json_line(json, 1);
    json_object(json, "verdicts");
    for (int v = 0; v < DIFF_VERDICTS; v++)
        json_u64(json, diff_verdict_name((enum diff_verdict)v),
                 d->by_verdict[v]);
    json_end(json);
}

static void json_path(const struct diff *d, const struct diff_row *row,
                      struct json *json)
{
    struct arena arena = {0};

    if (d->options.paths)
        json_text(json, "path", diff_path_text(d, row, false, &arena));
    arena_release(&arena);
}

static void json_hint(const struct diff *d, const struct diff_row *row,
                      struct json *json)
{
    struct out *text = out_memory();

    diff_hint_print(d, row, text);
    json_text(json, "hint", out_text(text, NULL));
    out_close(text, NULL);
}

static void json_row(const struct diff *d, const char *key,
                     const struct diff_row *row, struct json *json)
{
    json_object(json, key);
    json_text(json, "name", row->name);
    json_text(json, "label", row->label);
    json_text(json, "module", row->module);
    json_path(d, row, json);
    json_text(json, "verdict",
              diff_verdict_name((enum diff_verdict)row->verdict));
    number(json, "before", row->value[0]);
    number(json, "after", row->value[1]);
    number(json, "change", row->change);
    json_array(json, "interval");
    number(json, NULL, row->low);
    number(json, NULL, row->high);
    json_end(json);
    if (row->samples[0])
        number(json, "ratio", row->value[1] / row->value[0]);
    else
        json_null(json, "ratio");
    number(json, "p", row->p);
    number(json, "q", row->q);
    number(json, "detectable", row->detectable);
    json_array(json, "samples");
    json_weight(json, NULL, d->inputs[0].p, row->samples[0]);
    json_weight(json, NULL, d->inputs[0].p, row->samples[1]);
    json_end(json);
    json_text(json, "pairing", diff_rule_name((enum diff_rule)row->rule));
    if (row->hint)
        json_hint(d, row, json);
    if (diff_measures_waits(d))
        json_bool(json, "waits", only_waits(row->name));
    json_end(json);
}

/* Returns the number of rows. */
static size_t json_rows(const struct diff *d, const char *key,
                        const struct report_options *shown, struct json *json)
{
    size_t total, rows = diff_rows_shown(d, shown, &total);

    json_line(json, 1);
    json_array(json, key);
    for (size_t i = 0; i < rows; i++) {
        json_line(json, 2);
        json_row(d, NULL, &d->rows[i], json);
    }
    json_end(json);
    return total;
}

static void json_parts(const struct diff *d, const struct diff_row *row,
                       enum diff_direction direction, struct json *json)
{
    struct diff_explanation e = {0};

    diff_explain(&e, d, row, direction);
    json_array(json, direction == DIFF_INSIDE ? "inside" : "callers");
    for (size_t i = 0; i < e.parts.len; i++) {
        json_line(json, 4);
        json_object(json, NULL);
        json_text(json, "kind",
                  diff_part_name((enum diff_part_kind)e.parts.data[i].kind));
        if (e.parts.data[i].function != NO_ID) {
            const struct diff_name *n =
                &d->pairs->names.data[e.parts.data[i].function];

            json_text(json, "name", n->name);
            json_text(json, "label", n->label);
            json_text(json, "module", n->module);
        }
        number(json, "before", e.parts.data[i].value[0]);
        number(json, "after", e.parts.data[i].value[1]);
        number(json, "change", e.parts.data[i].change);
        json_u64(json, "edges", e.parts.data[i].edges);
        json_end(json);
    }
    json_end(json);
    diff_explanation_release(&e);
}

static void json_pairs(const struct diff *d, struct json *json)
{
    const struct diff_name *names = d->pairs->names.data;

    json_line(json, 1);
    json_array(json, "pairs");
    for (size_t i = 0; i < d->pairs->names.len; i++) {
        const struct diff_name *unit = &names[names[i].unit];

        if (names[i].unit == i)
            continue;
        json_line(json, 2);
        json_object(json, NULL);
        json_text(json, "name", names[i].name);
        json_text(json, "module", names[i].module);
        json_text(json, "as", unit->name);
        json_text(json, "as_module", unit->module);
        json_text(json, "rule", diff_rule_name((enum diff_rule)names[i].rule));
        json_end(json);
    }
    json_end(json);
}

void diff_json(const struct subject *s, struct out *out)
{
    struct json json = report_json("diff", out);
    const struct diff *d = s->diff;

    json_traces(d, false, &json);
    json_traces(d, true, &json);
    json_summary(d, &json);
    json_settings(d, &json);
    json_sides(d, &json);
    if (d->has_total) {
        json_line(&json, 1);
        json_text(&json, "total_unit", diff_unit_name(d, d->total_in));
        json_row(d, "total", &d->total, &json);
    }
    if (d->modules)
        json_rows(d->modules, "modules", s->options, &json);
    json_u64(&json, "total_rows", json_rows(d, "rows", s->options, &json));
    json_line(&json, 1);
    json_array(&json, "explain");
    for (size_t i = 0; i < d->len && i < s->options->explain; i++) {
        const struct diff_row *row = &d->rows[i];

        if (d->options.paths || d->options.by != RANK_FUNCTION ||
            !diff_is_real(row))
            break;
        json_line(&json, 2);
        json_object(&json, NULL);
        json_text(&json, "name", row->name);
        json_text(&json, "label", row->label);
        json_text(&json, "module", row->module);
        number(&json, "change", row->change);
        if (d->options.inclusive)
            json_parts(d, row, DIFF_INSIDE, &json);
        json_parts(d, row, DIFF_FROM_CALLERS, &json);
        json_end(&json);
    }
    json_end(&json);
    json_pairs(d, &json);
    report_json_end(&json);
}
