#include "report/gate.h"

/* JUnit XML and SARIF: what build servers read. */

/* XML 1.0 has no way to write control characters, not even escaped. */
static void xml(struct out *out, const char *text)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;

        if (c == '&')
            out_str(out, "&amp;");
        else if (c == '<')
            out_str(out, "&lt;");
        else if (c == '>')
            out_str(out, "&gt;");
        else if (c == '"')
            out_str(out, "&quot;");
        else if (c < ' ' || c == 0x7F)
            out_fmt(out, "\\x%02x", c);
        else
            out_char(out, (char)c);
    }
}

static void junit_case(const struct gate_finding *f, const struct diff *d,
                       struct out *out)
{
    struct out *reason = out_memory();
    const char *tag = f->outcome == GATE_FAIL ? "failure" : "skipped";

    gate_reason(f, d, reason);
    out_str(out, "  <testcase classname=\"topfn.gate\" name=\"");
    xml(out, gate_subject(f));
    if (f->outcome == GATE_PASS) {
        out_str(out, "\"/>\n");
    } else {
        out_fmt(out, "\"><%s message=\"%s", tag,
                f->outcome == GATE_FAIL ? "" : "inconclusive: ");
        xml(out, out_text(reason, NULL));
        out_str(out, "\"/></testcase>\n");
    }
    out_close(reason, NULL);
}

void gate_junit(const struct gate *gate, const struct diff *d,
                struct out *out)
{
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
    for (size_t i = 0; i < gate->findings.len; i++)
        junit_case(&gate->findings.data[i], d, out);
    out_fmt(out,
            "  <testcase classname=\"topfn.gate\" name=\"%zu within their"
            " limits\"/>\n</testsuite>\n",
            gate->counts[GATE_PASS]);
}

static void sarif_result(const struct gate_finding *f, const struct diff *d,
                         struct out *out)
{
    bool failed = f->outcome == GATE_FAIL;
    struct out *text = out_memory();

    out_str(text, gate_subject(f));
    out_str(text, ": ");
    gate_reason(f, d, text);
    out_fmt(out, "{\"ruleId\":\"%s\",\"level\":\"%s\",\"kind\":\"%s\",",
            f->row ? "topfn-regression" : "topfn-function-missing",
            failed ? "error" : "warning", "fail");
    out_str(out, "\"message\":{\"text\":");
    out_json(out, out_text(text, NULL));
    out_str(out, "},\"locations\":[{\"logicalLocations\":[{"
                 "\"fullyQualifiedName\":");
    out_json(out, gate_subject(f));
    out_str(out, ",\"kind\":\"function\"}]}]}");
    out_close(text, NULL);
}

void gate_sarif(const struct gate *gate, const struct diff *d,
                struct out *out)
{
    const char *between = "\n    ";

    out_str(out,
            "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\n"
            " \"version\":\"2.1.0\",\n \"runs\":[{\"tool\":{\"driver\":{"
            "\"name\":\"topfn\",\"rules\":[\n"
            "    {\"id\":\"topfn-regression\",\"shortDescription\":{"
            "\"text\":\"A function became slower than its limit\"}},\n"
            "    {\"id\":\"topfn-function-missing\",\"shortDescription\":{"
            "\"text\":\"A function that a rule names has no samples\"}}]}},\n"
            "  \"results\":[");
    for (size_t i = 0; i < gate->findings.len; i++) {
        if (gate->findings.data[i].outcome == GATE_PASS)
            continue;
        out_str(out, between);
        sarif_result(&gate->findings.data[i], d, out);
        between = ",\n    ";
    }
    out_str(out, "]}]}\n");
}
