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
    const struct diff *diff;
    struct arena *texts; /* that columns make */
};

static const struct gate_finding *finding_of(const void *rows, size_t row)
{
    return &((const struct rows *)rows)->gate->findings.data[row];
}

static struct value outcome(const void *rows, size_t row)
{
    return value_text(gate_outcome_name(finding_of(rows, row)->outcome));
}

/* The function or the glob that a finding is about. */
static const char *gate_subject(const struct gate_finding *f)
{
    return f->row ? f->row->name : f->glob;
}

static struct value name(const void *rows, size_t row)
{
    return value_text(gate_subject(finding_of(rows, row)));
}

/* Its label, which reports show. */
static const char *gate_subject_label(const struct gate_finding *f)
{
    return f->row ? f->row->label : f->glob;
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

/* A number of the row, or none for a rule that no function meets. */
static struct value number(const void *rows, size_t row, double value,
                           bool sign)
{
    return finding_of(rows, row)->row
               ? value_diff(((const struct rows *)rows)->diff, value, sign)
               : value_none();
}

static const struct diff_row *row_or_none(const void *rows, size_t row)
{
    static const struct diff_row none = {.name = ""};
    const struct diff_row *r = finding_of(rows, row)->row;

    return r ? r : &none;
}

static struct value before(const void *rows, size_t row)
{
    return number(rows, row, row_or_none(rows, row)->value[0], false);
}

static struct value after(const void *rows, size_t row)
{
    return number(rows, row, row_or_none(rows, row)->value[1], false);
}

static struct value change(const void *rows, size_t row)
{
    return number(rows, row, row_or_none(rows, row)->change, true);
}

static struct value limit(const void *rows, size_t row)
{
    return number(rows, row, finding_of(rows, row)->allowed, true);
}

/* In percent of itself, as people read it. */
static struct value percent_of_itself(const void *rows, size_t row, double x)
{
    double whole = row_or_none(rows, row)->value[0];

    return whole > 0 ? value_real(100 * x / whole, 1, true) : value_none();
}

static struct value change_shown(const void *rows, size_t row)
{
    return percent_of_itself(rows, row, row_or_none(rows, row)->change);
}

static struct value limit_shown(const void *rows, size_t row)
{
    return percent_of_itself(rows, row, finding_of(rows, row)->allowed);
}

static void gate_reason(const struct gate_finding *finding,
                        const struct diff *d, struct out *out);

static struct value reason(const void *rows, size_t row)
{
    const struct rows *r = rows;
    struct out *text = out_memory();

    gate_reason(finding_of(rows, row), r->diff, text);
    return value_text(out_close_to(text, r->texts));
}

/* The outcome; for a rule that no function meets, the reason, too. */
static struct value verdict(const void *rows, size_t row)
{
    const struct gate_finding *f = finding_of(rows, row);
    const char *outcome = gate_outcome_name(f->outcome);

    return value_text(f->row ? outcome
                             : arena_fmt(((const struct rows *)rows)->texts,
                                         "%s: %s", outcome,
                                         reason(rows, row).text));
}

static struct value rule(const void *rows, size_t row)
{
    return value_text(finding_of(rows, row)->glob);
}

static const struct column columns[] = {
    {"outcome", "outcome", false, outcome}, {"name", NULL, false, name},
    {"label", "function", true, label},     {"module", "module", false, module},
    {"before", "before", false, before},    {"after", "after", false, after},
    {"change", NULL, false, change},        {"limit", NULL, false, limit},
    {NULL, "change %", false, change_shown},
    {NULL, "limit %", false, limit_shown},
    {NULL, "verdict", false, verdict},
    {"rule", "rule", false, rule},
    {"reason", "reason", false, reason},
};

enum { COLUMNS = sizeof(columns) / sizeof(*columns) };

static const struct column_set gate_columns[] = {{columns, COLUMNS}, {NULL, 0}};

static const char in_markdown[] =
    "function,module,before,after,change %,limit %,verdict";

/* A row a finding: CSV, Markdown, and text where columns are chosen. */
static void gate_table(const struct subject *s, struct out *out)
{
    const struct report_options *o = s->options;
    size_t n = s->gate->findings.len;
    struct arena arena = {0};
    struct rows rows = {.gate = s->gate, .diff = s->diff, .texts = &arena};
    struct table table = {.columns = columns,
                          .column_count = COLUMNS,
                          .rows = &rows,
                          .row_count = n,
                          .total = n};

    table_write_chosen(&table,
                       o->columns || o->format != FORMAT_MARKDOWN
                           ? o->columns
                           : in_markdown,
                       o->format, o->format == FORMAT_TEXT ? o->width : 0, out);
    arena_release(&arena);
}

/* JUnit XML and SARIF: what build servers read. */

/* The source position of a function, in AFTER if that knows it. */
struct source_place {
    const char *file; /* NULL: not known */
    uint32_t line;    /* the first that was sampled; 0: not known */
};

static void find_in(const struct diff *d, size_t input, uint32_t unit,
                    struct source_place *place)
{
    const struct profile *p = d->inputs[input].p;

    for (size_t i = 0; i < p->frames.len; i++) {
        const struct frame *f = &p->frames.data[i];
        const char *file = strings_get(p->strings, f->file);

        if (!*file || d->pairs->unit_of[input][f->function] != unit ||
            (place->file && strcmp(place->file, file) != 0))
            continue;
        place->file = file;
        if (f->line && (!place->line || f->line < place->line))
            place->line = f->line;
    }
}

static struct source_place place_of(const struct diff *d,
                                    const struct diff_row *row)
{
    struct source_place place = {NULL, 0};

    for (int after = 1; after >= 0 && row && row != &d->total; after--)
        for (size_t i = 0; i < d->input_count && !place.file; i++)
            if (d->inputs[i].after == (after == 1))
                find_in(d, i, row->unit, &place);
    return place;
}

/* "module!function", which no two functions share, or the rule of a limit that
 * no function meets; behind it a number where two rules are alike. */
static const char *test_name(const struct gate *gate, size_t i,
                             struct arena *arena)
{
    const struct gate_finding *f = &gate->findings.data[i];
    struct out *out = out_memory();
    size_t same = 1;

    if (f->row && *f->row->module)
        out_fmt(out, "%s!", f->row->module);
    out_str(out, gate_subject(f));
    for (size_t k = 0; k < i; k++) {
        const struct gate_finding *other = &gate->findings.data[k];

        same += !other->row == !f->row &&
                !strcmp(gate_subject(other), gate_subject(f)) &&
                (!f->row || !strcmp(other->row->module, f->row->module));
    }
    if (same > 1)
        out_fmt(out, " (%zu)", same);
    return out_close_to(out, arena);
}

static void junit_case(const struct subject *s, size_t i, struct out *out)
{
    const struct gate_finding *f = &s->gate->findings.data[i];
    struct source_place place = place_of(s->diff, f->row);
    struct out *reason = out_memory();
    struct arena arena = {0};

    gate_reason(f, s->diff, reason);
    out_str(out, "    <testcase name=\"");
    xml_text(out, test_name(s->gate, i, &arena));
    out_str(out, "\" classname=\"");
    xml_text(out, f->row && *f->row->module ? f->row->module : "topfn.gate");
    out_str(out, "\" time=\"0\"");
    if (place.file) {
        out_str(out, " file=\"");
        xml_text(out, place.file);
        out_char(out, '"');
    }
    if (place.line)
        out_fmt(out, " line=\"%u\"", (unsigned)place.line);
    if (f->outcome == GATE_PASS) {
        out_str(out, "/>\n");
    } else {
        out_str(out, f->outcome == GATE_FAIL
                         ? "><failure type=\"regression\" message=\""
                         : "><skipped message=\"inconclusive: ");
        xml_text(out, out_text(reason, NULL));
        out_str(out, "\"/></testcase>\n");
    }
    out_close(reason, NULL);
    arena_release(&arena);
}

void gate_junit(const struct subject *s, struct out *out)
{
    const struct gate *gate = s->gate;
    size_t failed = 0, skipped = 0;

    for (size_t i = 0; i < gate->findings.len; i++) {
        failed += gate->findings.data[i].outcome == GATE_FAIL;
        skipped += gate->findings.data[i].outcome == GATE_INCONCLUSIVE;
    }
    out_str(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    for (int suites = 1; suites >= 0; suites--)
        out_fmt(out,
                "%s name=\"topfn gate\" tests=\"%zu\" failures=\"%zu\""
                " errors=\"0\" skipped=\"%zu\" time=\"0\">\n",
                suites ? "<testsuites" : "  <testsuite",
                gate->findings.len + 1, failed, skipped);
    for (size_t i = 0; i < gate->findings.len; i++)
        junit_case(s, i, out);
    out_fmt(out,
            "    <testcase name=\"%zu within their limits\""
            " classname=\"topfn.gate\" time=\"0\"/>\n"
            "  </testsuite>\n</testsuites>\n",
            gate->counts[GATE_PASS]);
}

static const struct {
    const char *id, *text;
} sarif_rules[] = {
    {"topfn-regression", "A function grew beyond its limit"},
    {"topfn-function-missing", "A function that a rule names has no samples"},
    {"topfn-inconclusive", "These recordings cannot decide about a limit"},
};

static const char *sarif_rule_of(const struct gate_finding *f)
{
    if (f->outcome == GATE_INCONCLUSIVE)
        return sarif_rules[2].id;
    return sarif_rules[f->row ? 0 : 1].id;
}

/* The path of a source file as a URI: a relative one, or file:///. */
static void sarif_uri(struct json *json, const char *path)
{
    static const char kept[] = "abcdefghijklmnopqrstuvwxyz"
                               "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/:";
    struct out *uri = out_memory();
    bool drive = path[0] && path[1] == ':';

    if (drive || *path == '/' || *path == '\\')
        out_str(uri, drive ? "file:///" : "file://");
    for (; *path; path++) {
        if (*path == '\\')
            out_char(uri, '/');
        else if (strchr(kept, *path))
            out_char(uri, *path);
        else
            out_fmt(uri, "%%%02X", (unsigned)(unsigned char)*path);
    }
    json_text(json, "uri", out_text(uri, NULL));
    out_close(uri, NULL);
}

static void sarif_location(struct json *json, const char *name,
                           struct source_place place)
{
    json_array(json, "locations");
    json_object(json, NULL);
    if (place.file) {
        json_object(json, "physicalLocation");
        json_object(json, "artifactLocation");
        sarif_uri(json, place.file);
        json_end(json);
        if (place.line) {
            json_object(json, "region");
            json_u64(json, "startLine", place.line);
            json_end(json);
        }
        json_end(json);
    }
    json_array(json, "logicalLocations");
    json_object(json, NULL);
    json_text(json, "fullyQualifiedName", name);
    json_text(json, "kind", "function");
    json_end(json);
    json_end(json);
    json_end(json);
    json_end(json);
}

/* A result without `kind` has the level that it says: one that cannot be
 * decided is a note. */
static void sarif_result(struct json *json, const struct subject *s, size_t i)
{
    const struct gate_finding *f = &s->gate->findings.data[i];
    struct out *text = out_memory();
    struct arena arena = {0};
    const char *name = test_name(s->gate, i, &arena);

    out_fmt(text, "%s: ", name);
    gate_reason(f, s->diff, text);
    json_line(json, 4);
    json_object(json, NULL);
    json_text(json, "ruleId", sarif_rule_of(f));
    json_text(json, "level", f->outcome == GATE_FAIL ? "error" : "note");
    json_object(json, "message");
    json_text(json, "text", out_text(text, NULL));
    json_end(json);
    sarif_location(json, name, place_of(s->diff, f->row));
    json_object(json, "partialFingerprints");
    json_text(json, "topfn/v1", name);
    json_end(json);
    json_end(json);
    out_close(text, NULL);
    arena_release(&arena);
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
    for (size_t i = 0; i < sizeof(sarif_rules) / sizeof(*sarif_rules); i++) {
        json_line(&json, 4);
        json_object(&json, NULL);
        json_text(&json, "id", sarif_rules[i].id);
        json_object(&json, "shortDescription");
        json_text(&json, "text", sarif_rules[i].text);
        json_end(&json);
        json_end(&json);
    }
    json_end(&json);
    json_end(&json);
    json_end(&json);
    json_line(&json, 2);
    json_array(&json, "results");
    for (size_t i = 0; i < s->gate->findings.len; i++)
        if (s->gate->findings.data[i].outcome != GATE_PASS)
            sarif_result(&json, s, i);
    json_end(&json);
    json_end(&json);
    json_end(&json);
    json_end(&json);
    out_char(out, '\n');
}

/* ", over the limit of +10 %"; --relevant may have raised it. */
static void print_limit(const struct gate_finding *f, const struct diff *d,
                        struct out *out)
{
    double percent = 100 * f->allowed / f->row->value[0];

    out_str(out, f->beyond ? ", over the limit of " : ", limit ");
    out_real(out, percent, percent < 10 ? 1 : 0, true);
    out_str(out, " %");
    if (percent > f->max * 1.001 && f->row != &d->total) {
        out_str(out, " (at least ");
        out_diff(out, d, diff_relevant(d), true, true);
        out_char(out, ')');
    }
}

/* A function that is new has no percentage. */
static void print_new_row(const struct gate_finding *f, const struct diff *d,
                          struct out *out)
{
    out_diff(out, d, f->row->change, true, true);
    out_str(out, " (");
    out_diff(out, d, f->row->low, true, false);
    out_str(out, " to ");
    out_diff(out, d, f->row->high, true, false);
    out_str(out, "), from none");
    out_str(out, f->beyond ? ", over the limit of " : ", limit ");
    out_diff(out, d, f->allowed, true, true);
}

static void print_row(const struct gate_finding *f, const struct diff *d,
                      struct out *out)
{
    struct diff_growth g = diff_growth_of(f->row);

    out_real(out, g.change, g.decimals, true);
    out_str(out, " % (");
    diff_print_interval(&g, out);
    out_str(out, "), from ");
    out_diff(out, d, f->row->value[0], false, false);
    out_str(out, " to ");
    out_diff(out, d, f->row->value[1], false, true);
    print_limit(f, d, out);
}

static void print_row_reason(const struct gate_finding *f, const struct diff *d,
                             struct out *out)
{
    bool known = f->row->value[0] > 0;

    if (f->row == &d->total) {
        diff_print_total_change(d, out);
        if (known)
            print_limit(f, d, out);
    } else if (known) {
        print_row(f, d, out);
    } else {
        print_new_row(f, d, out);
    }
    if (f->beyond && f->outcome != GATE_FAIL)
        out_str(out, " in these two recordings");
}

/* Why, in one line without an end: "+21 % (+10 to +31 %), ...". */
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

static void print_subject(const struct gate_finding *f, struct out *out)
{
    if (f->row && !strcmp(f->row->name, NAME_NO_SYMBOLS)) {
        out_plain(out, f->row->module);
        out_char(out, ' ');
    }
    out_plain(out, gate_subject_label(f));
}

enum { MANY_RUNS = 100 /* more than anybody records */ };

/* No number of runs can decide about a change as large as its limit. */
static void print_runs_to_tell(const struct gate *gate, const struct diff *d,
                               struct out *out)
{
    if (gate->outcome != GATE_INCONCLUSIVE ||
        (gate->runs_to_tell <= (double)d->sides[0].runs &&
         gate->runs_to_tell <= (double)d->sides[1].runs))
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

/* By how much of itself a function of this share must grow to be seen. */
static void print_growth(const struct diff *d, int which, double share,
                         struct out *out)
{
    double whole = fmax(d->whole[0], d->whole[1]);

    out_real(out, whole > 0 ? 100 * d->detectable[which] / (share * whole) : 0,
             0, true);
    out_str(out, " %");
}

/* Says what would decide the gate. */
static void print_advice(const struct gate *gate, const struct diff *d,
                         struct out *out)
{
    if (gate->too_few_runs)
        out_str(out, "not enough recordings: two runs of one program differ, "
                     "too; record 3 or more per side, or add --history; "
                     "--single decides anyway\n");
    print_runs_to_tell(gate, d, out);
}

/* "gate: fail · 1 over limit, 0 undecided, 6 within limit"; behind a pass what
 * it may have missed. */
static void print_outcome(const struct gate *gate, const struct diff *d,
                          struct out *out)
{
    out_fmt(out, "gate: %s · ", gate_outcome_name(gate->outcome));
    out_grouped(out, gate->counts[GATE_FAIL]);
    out_str(out, " over limit, ");
    out_grouped(out, gate->counts[GATE_INCONCLUSIVE]);
    out_str(out, " undecided, ");
    out_grouped(out, gate->counts[GATE_PASS]);
    out_str(out, " within limit");
    if (gate->outcome != GATE_PASS || !gate->missed)
        return;
    out_str(out, "; detection limit: ");
    print_growth(d, 0, 0.01, out);
    out_str(out, " for a function at 1 % of the samples, ");
    print_growth(d, 1, 0.1, out);
    out_str(out, " for one at 10 %");
}

static void write_text(const struct subject *s, struct out *out)
{
    struct out *lines = out_memory();

    print_outcome(s->gate, s->diff, lines);
    out_char(lines, '\n');
    print_advice(s->gate, s->diff, lines);
    for (size_t i = 0; !s->options->columns && i < s->gate->findings.len; i++) {
        /* Numbers before names. */
        out_fmt(lines, "%-12s  ",
                gate_outcome_name(s->gate->findings.data[i].outcome));
        gate_reason(&s->gate->findings.data[i], s->diff, lines);
        out_str(lines, ": ");
        print_subject(&s->gate->findings.data[i], lines);
        out_char(lines, '\n');
    }
    wrap(out_text(lines, NULL), s->options->width, out);
    out_close(lines, NULL);
    if (s->options->columns && s->gate->findings.len) {
        out_char(out, '\n');
        gate_table(s, out);
    }
}

/* For a pull request: the outcome and the total in one sentence, then a table,
 * then the unit of its numbers and what would decide. */
static void write_markdown(const struct subject *s, struct out *out)
{
    print_outcome(s->gate, s->diff, out);
    if (s->diff->has_total) {
        out_str(out, " · total ");
        diff_print_total_change(s->diff, out);
    }
    out_str(out, "\n\n");
    if (s->gate->findings.len) {
        gate_table(s, out);
        out_char(out, '\n');
    }
    diff_print_unit(s->diff, out);
    out_str(out, "\n\n");
    print_advice(s->gate, s->diff, out);
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
        const struct gate_finding *f = &gate->findings.data[i];
        struct out *reason = out_memory();

        gate_reason(f, s->diff, reason);
        json_line(&json, 2);
        json_object(&json, NULL);
        json_text(&json, "outcome", gate_outcome_name(f->outcome));
        json_text(&json, "name", gate_subject(f));
        json_text(&json, "label", gate_subject_label(f));
        json_text(&json, "module", f->row ? f->row->module : "");
        json_text(&json, "rule", f->glob);
        json_real(&json, "allowed", f->allowed, 6);
        if (f->row) {
            json_real(&json, "change", f->row->change, 6);
            json_array(&json, "interval");
            json_real(&json, NULL, f->row->low, 6);
            json_real(&json, NULL, f->row->high, 6);
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
              [FORMAT_MARKDOWN] = write_markdown},
};
