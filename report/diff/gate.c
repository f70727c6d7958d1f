#include <math.h>
#include <string.h>

#include "engine/base/arena.h"
#include "engine/model/profile.h"
#include "report/diff/diff.h"
#include "report/header/header.h"
#include "report/table/text.h"
#include "report/table/table.h"

/* The findings of a gate as rows: for CSV, and for --columns. */

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

static const char *gate_subject(const struct gate_finding *finding);

static struct value name(const void *rows, size_t row)
{
    return value_text(gate_subject(finding_of(rows, row)));
}

static const char *gate_subject_label(const struct gate_finding *finding);

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

static const struct column_set gate_columns[] = {{columns, COLUMNS}, {NULL, 0}};

static void gate_reason(const struct gate_finding *finding,
                        const struct diff *d, struct out *out);

/* A row a finding: CSV, and text and Markdown where columns are chosen. */
static void gate_table(const struct subject *s, struct out *out)
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

/* JUnit XML and SARIF: what build servers read. */

void gate_junit(const struct subject *s, struct out *out)
{
    const struct gate *gate = s->gate;
    size_t skipped = 0, failed = 0;

    for (size_t i = 0; i < gate->findings.len; i++) {
        failed += gate->findings.data[i].outcome == GATE_FAIL;
        skipped += gate->findings.data[i].outcome == GATE_INCONCLUSIVE;
    }
    out_str(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    out_fmt(out,
            "<testsuite name=\"topfn gate\" tests=\"%zu\" failures=\"%zu\""
            " errors=\"0\" skipped=\"%zu\">\n",
            gate->findings.len + 1, failed, skipped);
    for (size_t i = 0; i < gate->findings.len; i++) {
        /* XML 1.0 has no way to write control characters, not even escaped. */
        struct out *reason = out_memory();
        const char *tag =
            gate->findings.data[i].outcome == GATE_FAIL ? "failure" : "skipped";

        gate_reason(&gate->findings.data[i], s->diff, reason);
        out_str(out, "  <testcase classname=\"topfn.gate\" name=\"");
        xml_text(out, gate_subject(&gate->findings.data[i]));
        if (gate->findings.data[i].outcome == GATE_PASS) {
            out_str(out, "\"/>\n");
        } else {
            out_fmt(out, "\"><%s message=\"%s", tag,
                    gate->findings.data[i].outcome == GATE_FAIL
                        ? ""
                        : "inconclusive: ");
            xml_text(out, out_text(reason, NULL));
            out_str(out, "\"/></testcase>\n");
        }
        out_close(reason, NULL);
    }
    out_fmt(out,
            "  <testcase classname=\"topfn.gate\" name=\"%zu within their"
            " limits\"/>\n</testsuite>\n",
            gate->counts[GATE_PASS]);
}

static void sarif_rule(struct json *json, const char *id, const char *text)
{
    json_line(json, 4);
    json_object(json, NULL);
    json_text(json, "id", id);
    json_object(json, "shortDescription");
    json_text(json, "text", text);
    json_end(json);
    json_end(json);
}

static void sarif_location(struct json *json, const char *function)
{
    json_array(json, "locations");
    json_object(json, NULL);
    json_array(json, "logicalLocations");
    json_object(json, NULL);
    json_text(json, "fullyQualifiedName", function);
    json_text(json, "kind", "function");
    json_end(json);
    json_end(json);
    json_end(json);
    json_end(json);
}

void gate_sarif(const struct subject *s, struct out *out)
{
    struct json json = json_to(out);

    json_object(&json, NULL);
    json_text(&json, "$schema",
              "https://json.schemastore.org/sarif-2.1.0.json");
    json_line(&json, 1);
    json_text(&json, "version", "2.1.0");
    json_line(&json, 1);
    json_array(&json, "runs");
    json_object(&json, NULL);
    json_object(&json, "tool");
    json_object(&json, "driver");
    json_text(&json, "name", "topfn");
    json_array(&json, "rules");
    sarif_rule(&json, "topfn-regression",
               "A function became slower than its limit");
    sarif_rule(&json, "topfn-function-missing",
               "A function that a rule names has no samples");
    json_end(&json);
    json_end(&json);
    json_end(&json);
    json_line(&json, 2);
    json_array(&json, "results");
    for (size_t i = 0; i < s->gate->findings.len; i++)
        if (s->gate->findings.data[i].outcome != GATE_PASS) {
            struct out *text = out_memory();

            out_str(text, gate_subject(&s->gate->findings.data[i]));
            out_str(text, ": ");
            gate_reason(&s->gate->findings.data[i], s->diff, text);
            json_line(&json, 4);
            json_object(&json, NULL);
            json_text(&json, "ruleId",
                      s->gate->findings.data[i].row ? "topfn-regression"
                                                    : "topfn-function-missing");
            json_text(&json, "level",
                      s->gate->findings.data[i].outcome == GATE_FAIL
                          ? "error"
                          : "warning");
            json_text(&json, "kind", "fail");
            json_object(&json, "message");
            json_text(&json, "text", out_text(text, NULL));
            json_end(&json);
            sarif_location(&json, gate_subject(&s->gate->findings.data[i]));
            json_end(&json);
            out_close(text, NULL);
        }
    json_end(&json);
    json_end(&json);
    json_end(&json);
    json_end(&json);
    out_char(out, '\n');
}

/* The function or the glob that a finding is about. */
static const char *gate_subject(const struct gate_finding *f)
{
    return f->row ? f->row->name : f->glob;
}

static void print_row_reason(const struct gate_finding *f, const struct diff *d,
                             struct out *out)
{
    const struct diff_row *row = f->row;

    out_diff(out, d, row->change, true, true);
    out_str(out, " (");
    out_diff(out, d, row->low, true, false);
    out_str(out, " to ");
    out_diff(out, d, row->high, true, false);
    out_str(out, "), from ");
    out_diff(out, d, row->value[0], false, false);
    out_str(out, " to ");
    out_diff(out, d, row->value[1], false, false);
    out_str(out, f->beyond ? ", over the limit of " : ", limit ");
    out_diff(out, d, f->allowed, true, false);
    out_str(out, " (");
    out_real(out, f->max, 2, false);
    out_str(out, " %)");
    if (f->beyond && f->outcome != GATE_FAIL)
        out_str(out, " in these two recordings");
}

/* Why, in one line without an end: "+2.10 % (11.00 to 13.10), ...". */
static void gate_reason(const struct gate_finding *f, const struct diff *d,
                        struct out *out)
{
    if (f->row)
        print_row_reason(f, d, out);
    else if (f->outcome == GATE_PASS)
        out_str(out, "required, and AFTER has samples of it");
    else if (f->outcome == GATE_FAIL)
        out_str(out, "required, but AFTER has no sample of it");
    else
        out_str(out, "no function of this name has samples");
}

/* Its label, which reports show. */
static const char *gate_subject_label(const struct gate_finding *f)
{
    return f->row ? f->row->label : f->glob;
}

static void print_subject(const struct gate_finding *f, enum format format,
                          struct out *out)
{
    void (*print)(struct out *, const char *) =
        format == FORMAT_MARKDOWN ? out_markdown : out_plain;

    if (f->row && !strcmp(f->row->name, NAME_NO_SYMBOLS)) {
        print(out, f->row->module);
        out_char(out, ' ');
    }
    print(out, gate_subject_label(f));
}

static bool is_beyond_in_one(const struct gate *gate)
{
    for (size_t i = 0; i < gate->findings.len; i++)
        if (gate->findings.data[i].beyond &&
            gate->findings.data[i].outcome != GATE_FAIL)
            return true;
    return false;
}

enum { MANY_RUNS = 100 /* more than anybody records */ };

/* A change as large as its limit is told by no number of runs. */
static void print_runs_to_tell(const struct gate *gate, const struct diff *d,
                               struct out *out)
{
    if (gate->runs_to_tell <= (double)d->sides[0].runs &&
        gate->runs_to_tell <= (double)d->sides[1].runs)
        return;
    if (gate->runs_to_tell > MANY_RUNS)
        out_fmt(out,
                "more than %d recordings per side would be needed to decide: "
                "record longer, or raise the limit\n",
                MANY_RUNS);
    else
        out_fmt(out, "about %.0f recordings per side should be enough to decide\n",
                gate->runs_to_tell);
}

/* Says what would decide the gate, or what a pass may have missed. */
static void print_outlook(const struct gate *gate, const struct diff *d,
                          enum format format, struct out *out)
{
    const struct diff_row *row = gate->missed;
    const struct gate_finding missed = {.row = row};

    if (is_beyond_in_one(gate))
        out_str(out, "with one recording per side, a real change and the "
                     "difference between two runs look the same: use several, "
                     "--history or --single\n");
    print_runs_to_tell(gate, d, out);
    if (gate->outcome != GATE_PASS || !row || !(row->most > 0))
        return;
    out_str(out, "detection limit: ");
    out_diff(out, d, row->most, true, true);
    if (row->value[0] > 0) {
        out_str(out, " (");
        out_real(out, 100 * row->most / row->value[0], 1, true);
        out_str(out, " % of itself)");
    }
    out_str(out, " for ");
    print_subject(&missed, format, out);
    out_char(out, '\n');
}

static void write_text(const struct subject *s, struct out *out)
{
    enum format format = s->options->format;
    struct out *lines = out_memory();

    if (s->options->columns)
        gate_table(s, out);
    for (size_t i = 0; !s->options->columns && i < s->gate->findings.len; i++) {
        /* Numbers before names. */
        out_fmt(lines, format == FORMAT_MARKDOWN ? "- **%s** " : "%-12s  ",
                gate_outcome_name(s->gate->findings.data[i].outcome));
        gate_reason(&s->gate->findings.data[i], s->diff, lines);
        out_str(lines, ": ");
        print_subject(&s->gate->findings.data[i], format, lines);
        out_char(lines, '\n');
    }
    if (s->options->columns || format == FORMAT_MARKDOWN)
        out_char(lines, '\n');
    out_fmt(lines, "gate: %s · ", gate_outcome_name(s->gate->outcome));
    out_grouped(lines, s->gate->counts[GATE_FAIL]);
    out_str(lines, " over limit, ");
    out_grouped(lines, s->gate->counts[GATE_INCONCLUSIVE]);
    out_str(lines, " undecided, ");
    out_grouped(lines, s->gate->counts[GATE_PASS]);
    out_str(lines, " within limit\n");
    if (format == FORMAT_MARKDOWN)
        out_char(lines, '\n');
    print_outlook(s->gate, s->diff, format, lines);
    wrap(out_text(lines, NULL), format == FORMAT_TEXT ? s->options->width : 0,
         out);
    out_close(lines, NULL);
}

static void write_json(const struct subject *s, struct out *out)
{
    struct json json = report_json("gate", out);
    const struct gate *gate = s->gate;

    json_text(&json, "outcome", gate_outcome_name(gate->outcome));
    json_u64(&json, "failed", gate->counts[GATE_FAIL]);
    json_u64(&json, "inconclusive", gate->counts[GATE_INCONCLUSIVE]);
    json_u64(&json, "passed", gate->counts[GATE_PASS]);
    json_real(&json, "runs_to_tell", gate->runs_to_tell, 0);
    if (gate->missed && gate->missed->most > 0) {
        json_line(&json, 1);
        json_object(&json, "could_have_missed");
        json_text(&json, "name", gate->missed->name);
        json_text(&json, "module", gate->missed->module);
        json_real(&json, "at_most", gate->missed->most, 6);
        json_end(&json);
    }
    json_line(&json, 1);
    json_array(&json, "findings");
    for (size_t i = 0; i < gate->findings.len; i++) {
        struct out *reason = out_memory();

        gate_reason(&gate->findings.data[i], s->diff, reason);
        json_line(&json, 2);
        json_object(&json, NULL);
        json_text(&json, "outcome",
                  gate_outcome_name(gate->findings.data[i].outcome));
        json_text(&json, "name", gate_subject(&gate->findings.data[i]));
        json_text(&json, "label", gate_subject_label(&gate->findings.data[i]));
        json_text(&json, "module",
                  gate->findings.data[i].row
                      ? gate->findings.data[i].row->module
                      : "");
        json_text(&json, "rule", gate->findings.data[i].glob);
        json_real(&json, "allowed", gate->findings.data[i].allowed, 6);
        if (gate->findings.data[i].row) {
            json_real(&json, "change", gate->findings.data[i].row->change, 6);
            json_array(&json, "interval");
            json_real(&json, NULL, gate->findings.data[i].row->low, 6);
            json_real(&json, NULL, gate->findings.data[i].row->high, 6);
            json_end(&json);
        }
        json_text(&json, "reason", out_text(reason, NULL));
        json_end(&json);
        out_close(reason, NULL);
    }
    json_end(&json);
    report_json_end(&json);
}

const struct report gate_report = {
    .name = "gate",
    .help = "fail when a function became too slow: 0 pass, 1 fail, 2 undecided",
    .about = ABOUT_LIMITS,
    .takes = TAKES_GATE | TAKES_COLUMNS,
    .columns = gate_columns,
    .write = {[FORMAT_TEXT] = write_text,
              [FORMAT_JSON] = write_json,
              [FORMAT_CSV] = gate_table,
              [FORMAT_MARKDOWN] = write_text},
};
