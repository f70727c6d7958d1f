#include "report/gate.h"

#include <string.h>

const char *gate_subject(const struct gate_finding *f)
{
    return f->row ? f->row->name : f->glob;
}

static void print_row_reason(const struct gate_finding *f,
                             const struct diff *d, struct out *out)
{
    const char *unit = diff_unit_name(d->options.normalize);
    const struct diff_row *row = f->row;

    print_real(out, row->change, 2, true);
    out_fmt(out, " %s (", unit);
    print_real(out, row->value[0], 2, false);
    out_str(out, " to ");
    print_real(out, row->value[1], 2, false);
    out_str(out, "), 95 % interval ");
    print_real(out, row->low, 2, true);
    out_str(out, " to ");
    print_real(out, row->high, 2, true);
    out_str(out, f->outcome == GATE_FAIL ? ", beyond the allowed "
                                         : ", allowed ");
    print_real(out, f->allowed, 2, true);
    out_str(out, " (");
    print_real(out, f->max, 2, false);
    out_str(out, " %)");
}

void gate_reason(const struct gate_finding *f, const struct diff *d,
                 struct out *out)
{
    if (f->row)
        print_row_reason(f, d, out);
    else if (f->outcome == GATE_PASS)
        out_str(out, "required, and AFTER has samples of it");
    else if (f->outcome == GATE_FAIL)
        out_str(out, "required, but AFTER has no sample of it");
    else
        out_str(out, "no function of this name has a sample");
}

static void print_finding(const struct gate_finding *f, const struct diff *d,
                          enum format format, struct out *out)
{
    bool markdown = format == FORMAT_MARKDOWN;
    const char *outcome = gate_outcome_name(f->outcome);

    out_fmt(out, markdown ? "- **%s** " : "%-12s  ", outcome);
    if (markdown)
        out_markdown(out, gate_subject(f));
    else
        out_plain(out, gate_subject(f));
    out_str(out, ": ");
    gate_reason(f, d, out);
    out_char(out, '\n');
}

static void print_outcome(const struct gate *gate, struct out *out)
{
    out_fmt(out, "gate: %s · ", gate_outcome_name(gate->outcome));
    out_grouped(out, gate->counts[GATE_FAIL]);
    out_str(out, " beyond a limit, ");
    out_grouped(out, gate->counts[GATE_INCONCLUSIVE]);
    out_str(out, " that cannot be told, ");
    out_grouped(out, gate->counts[GATE_PASS]);
    out_str(out, " within\n");
}

static void json_finding(const struct gate_finding *f, const struct diff *d,
                         struct out *out)
{
    struct out *reason = out_memory();

    gate_reason(f, d, reason);
    out_str(out, "{\"outcome\":");
    out_json(out, gate_outcome_name(f->outcome));
    out_str(out, ",\"name\":");
    out_json(out, gate_subject(f));
    out_str(out, ",\"module\":");
    out_json(out, f->row ? f->row->module : "");
    out_str(out, ",\"rule\":");
    out_json(out, f->glob);
    out_str(out, ",\"allowed\":");
    print_real(out, f->allowed, 6, false);
    if (f->row) {
        out_str(out, ",\"change\":");
        print_real(out, f->row->change, 6, false);
        out_str(out, ",\"interval\":[");
        print_real(out, f->row->low, 6, false);
        out_char(out, ',');
        print_real(out, f->row->high, 6, false);
        out_char(out, ']');
    }
    out_str(out, ",\"reason\":");
    out_json(out, out_text(reason, NULL));
    out_char(out, '}');
    out_close(reason, NULL);
}

static void print_json(const struct gate *gate, const struct diff *d,
                       struct out *out)
{
    out_str(out, "{\"schema\":\"topfn.gate/1\",\"outcome\":");
    out_json(out, gate_outcome_name(gate->outcome));
    out_fmt(out, ",\"failed\":%zu,\"inconclusive\":%zu,\"passed\":%zu,",
            gate->counts[GATE_FAIL], gate->counts[GATE_INCONCLUSIVE],
            gate->counts[GATE_PASS]);
    out_str(out, "\n \"findings\":[");
    for (size_t i = 0; i < gate->findings.len; i++) {
        out_str(out, i ? ",\n  " : "\n  ");
        json_finding(&gate->findings.data[i], d, out);
    }
    out_str(out, "]}\n");
}

static void csv_finding(const struct gate_finding *f, const struct diff *d,
                        struct out *out)
{
    struct out *reason = out_memory();

    gate_reason(f, d, reason);
    out_fmt(out, "%s,", gate_outcome_name(f->outcome));
    out_csv(out, gate_subject(f));
    out_char(out, ',');
    out_csv(out, f->row ? f->row->module : "");
    out_char(out, ',');
    out_csv(out, f->glob);
    out_char(out, ',');
    out_csv(out, out_text(reason, NULL));
    out_str(out, "\r\n");
    out_close(reason, NULL);
}

void gate_report(const struct gate *gate, const struct diff *d,
                 enum format format, struct out *out)
{
    if (format == FORMAT_JSON) {
        print_json(gate, d, out);
        return;
    }
    if (format == FORMAT_CSV)
        out_str(out, "outcome,name,module,rule,reason\r\n");
    for (size_t i = 0; i < gate->findings.len; i++) {
        if (format == FORMAT_CSV)
            csv_finding(&gate->findings.data[i], d, out);
        else
            print_finding(&gate->findings.data[i], d, format, out);
    }
    if (format == FORMAT_MARKDOWN)
        out_char(out, '\n');
    if (format != FORMAT_CSV)
        print_outcome(gate, out);
}
