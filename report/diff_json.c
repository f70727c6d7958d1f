#include "engine/diff/explain.h"
#include "engine/analysis/waits.h"
#include "report/diff.h"
#include "report/header.h"

/* topfn.diff/1: numbers have six decimals, q-values too. */

static void number(struct out *out, const char *before, const char *key,
                   double value)
{
    out_fmt(out, "%s\"%s\":", before, key);
    print_real(out, value, 6, false);
}

static void string(struct out *out, const char *before, const char *key,
                   const char *value)
{
    out_fmt(out, "%s\"%s\":", before, key);
    out_json(out, value);
}

static void json_traces(const struct diff *d, bool after, struct out *out)
{
    const char *between = "";

    out_fmt(out, ",\n \"%s\":[", after ? "after" : "before");
    for (size_t i = 0; i < d->input_count; i++) {
        if (d->inputs[i].after != after)
            continue;
        out_str(out, between);
        header_json_trace(d->inputs[i].p, d->inputs[i].sel, out);
        between = ",\n  ";
    }
    out_char(out, ']');
}

static void json_sides(const struct diff *d, struct out *out)
{
    static const char *const names[2] = {"before", "after"};

    out_str(out, ",\n \"uncertainty\":{");
    for (int i = 0; i < 2; i++) {
        const struct diff_side *s = &d->sides[i];

        out_fmt(out, "%s\"%s\":{\"samples\":", i ? "," : "", names[i]);
        out_u64(out, s->total);
        out_fmt(out, ",\"runs\":%zu,\"blocks\":%u", s->runs, s->blocks);
        number(out, ",", "dispersion", s->common);
        out_char(out, '}');
    }
    out_str(out, "},\n \"detectable\":{");
    number(out, "", "of_1_percent", d->detectable[0]);
    number(out, ",", "of_10_percent", d->detectable[1]);
    out_char(out, '}');
}

static void json_settings(const struct diff *d, struct out *out)
{
    const struct diff_options *o = &d->options;

    string(out, ",\n ", "normalize", diff_normalize_name(o->normalize));
    string(out, ",", "unit", diff_unit_name(o->normalize));
    string(out, ",", "count", o->inclusive ? "inclusive" : "exclusive");
    string(out, ",", "by", o->paths ? "path" : "function");
    number(out, ",", "q", o->q);
    number(out, ",", "relevant_percent", o->relevant);
    out_str(out, ",\n \"verdicts\":{");
    for (int v = 0; v < DIFF_VERDICTS; v++)
        out_fmt(out, "%s\"%s\":%zu", v ? "," : "",
                diff_verdict_name((enum diff_verdict)v), d->by_verdict[v]);
    out_char(out, '}');
}

static void json_path(const struct diff *d, const struct diff_row *row,
                      struct out *out)
{
    struct arena arena = {0};

    if (d->options.paths)
        string(out, ",", "path", diff_label(d, row, &arena));
    arena_release(&arena);
}

static void json_row(const struct diff *d, const struct diff_row *row,
                     struct out *out)
{
    string(out, "{", "name", row->name);
    string(out, ",", "module", row->module);
    json_path(d, row, out);
    string(out, ",", "verdict",
           diff_verdict_name((enum diff_verdict)row->verdict));
    number(out, ",", "before", row->value[0]);
    number(out, ",", "after", row->value[1]);
    number(out, ",", "change", row->change);
    out_str(out, ",\"interval\":[");
    print_real(out, row->low, 6, false);
    out_char(out, ',');
    print_real(out, row->high, 6, false);
    out_str(out, "],\"ratio\":");
    if (row->samples[0])
        print_real(out, row->value[1] / row->value[0], 6, false);
    else
        out_str(out, "null");
    number(out, ",", "p", row->p);
    number(out, ",", "q", row->q);
    number(out, ",", "detectable", row->detectable);
    out_str(out, ",\"samples\":[");
    out_u64(out, row->samples[0]);
    out_char(out, ',');
    out_u64(out, row->samples[1]);
    string(out, "],", "pairing", diff_rule_name((enum diff_rule)row->rule));
    if (diff_measures_waits(d))
        out_fmt(out, ",\"waits\":%s",
                only_waits(row->name) ? "true" : "false");
    out_char(out, '}');
}

static void json_total(const struct diff *d, struct out *out)
{
    if (!d->has_total)
        return;
    out_str(out, ",\n \"total\":");
    json_row(d, &d->total, out);
}

static void json_part(const struct diff *d, const struct diff_part *part,
                      struct out *out)
{
    string(out, "{", "kind", diff_part_name((enum diff_part_kind)part->kind));
    if (part->function != NO_ID) {
        const struct diff_name *n = &d->pairs->names.data[part->function];

        string(out, ",", "name", n->name);
        string(out, ",", "module", n->module);
    }
    number(out, ",", "before", part->value[0]);
    number(out, ",", "after", part->value[1]);
    number(out, ",", "change", part->change);
    out_fmt(out, ",\"edges\":%zu}", part->edges);
}

static void json_parts(const struct diff *d, const struct diff_row *row,
                       enum diff_direction direction, struct out *out)
{
    struct diff_explanation e = {0};

    diff_explain(&e, d, row, direction);
    out_fmt(out, ",\"%s\":[",
            direction == DIFF_INSIDE ? "inside" : "callers");
    for (size_t i = 0; i < e.parts.len; i++) {
        out_str(out, i ? ",\n    " : "\n    ");
        json_part(d, &e.parts.data[i], out);
    }
    out_char(out, ']');
    diff_explanation_release(&e);
}

static void json_explain(const struct diff *d, const struct diff_shown *shown,
                         struct out *out)
{
    out_str(out, ",\n \"explain\":[");
    for (size_t i = 0; i < d->len && i < shown->explain; i++) {
        const struct diff_row *row = &d->rows[i];

        if (d->options.paths || !diff_is_real(row))
            break;
        string(out, i ? ",\n  {" : "\n  {", "name", row->name);
        string(out, ",", "module", row->module);
        number(out, ",", "change", row->change);
        if (d->options.inclusive)
            json_parts(d, row, DIFF_INSIDE, out);
        json_parts(d, row, DIFF_FROM_CALLERS, out);
        out_char(out, '}');
    }
    out_char(out, ']');
}

static void json_pairs(const struct diff *d, struct out *out)
{
    const struct diff_name *names = d->pairs->names.data;
    const char *between = "\n  ";

    out_str(out, ",\n \"pairs\":[");
    for (size_t i = 0; i < d->pairs->names.len; i++) {
        const struct diff_name *unit = &names[names[i].unit];

        if (names[i].unit == i)
            continue;
        out_str(out, between);
        string(out, "{", "name", names[i].name);
        string(out, ",", "module", names[i].module);
        string(out, ",", "as", unit->name);
        string(out, ",", "as_module", unit->module);
        string(out, ",", "rule",
               diff_rule_name((enum diff_rule)names[i].rule));
        out_char(out, '}');
        between = ",\n  ";
    }
    out_char(out, ']');
}

void diff_json(const struct diff *d, const struct diff_shown *shown,
               size_t rows, size_t total, struct out *out)
{
    out_str(out, "{\"schema\":\"topfn.diff/1\"");
    json_traces(d, false, out);
    json_traces(d, true, out);
    json_settings(d, out);
    json_sides(d, out);
    json_total(d, out);
    out_str(out, ",\n \"rows\":[");
    for (size_t i = 0; i < rows; i++) {
        out_str(out, i ? ",\n  " : "\n  ");
        json_row(d, &d->rows[i], out);
    }
    out_fmt(out, "],\"total_rows\":%zu", total);
    json_explain(d, shown, out);
    json_pairs(d, out);
    out_str(out, "}\n");
}
