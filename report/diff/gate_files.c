#include "report/diff/gate.h"
#include "report/table/xml.h"

/* JUnit XML and SARIF: what build servers read. */

/* XML 1.0 has no way to write control characters, not even escaped. */
static void junit_case(const struct gate_finding *f, const struct diff *d,
                       struct out *out)
{
    struct out *reason = out_memory();
    const char *tag = f->outcome == GATE_FAIL ? "failure" : "skipped";

    gate_reason(f, d, reason);
    out_str(out, "  <testcase classname=\"topfn.gate\" name=\"");
    xml_text(out, gate_subject(f));
    if (f->outcome == GATE_PASS) {
        out_str(out, "\"/>\n");
    } else {
        out_fmt(out, "\"><%s message=\"%s", tag,
                f->outcome == GATE_FAIL ? "" : "inconclusive: ");
        xml_text(out, out_text(reason, NULL));
        out_str(out, "\"/></testcase>\n");
    }
    out_close(reason, NULL);
}

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
    for (size_t i = 0; i < gate->findings.len; i++)
        junit_case(&gate->findings.data[i], s->diff, out);
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

static void sarif_tool(struct json *json)
{
    json_object(json, "tool");
    json_object(json, "driver");
    json_text(json, "name", "topfn");
    json_array(json, "rules");
    sarif_rule(json, "topfn-regression",
               "A function became slower than its limit");
    sarif_rule(json, "topfn-function-missing",
               "A function that a rule names has no samples");
    json_end(json);
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

static void sarif_result(const struct gate_finding *f, const struct diff *d,
                         struct json *json)
{
    struct out *text = out_memory();

    out_str(text, gate_subject(f));
    out_str(text, ": ");
    gate_reason(f, d, text);
    json_line(json, 4);
    json_object(json, NULL);
    json_text(json, "ruleId",
              f->row ? "topfn-regression" : "topfn-function-missing");
    json_text(json, "level", f->outcome == GATE_FAIL ? "error" : "warning");
    json_text(json, "kind", "fail");
    json_object(json, "message");
    json_text(json, "text", out_text(text, NULL));
    json_end(json);
    sarif_location(json, gate_subject(f));
    json_end(json);
    out_close(text, NULL);
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
    sarif_tool(&json);
    json_line(&json, 2);
    json_array(&json, "results");
    for (size_t i = 0; i < s->gate->findings.len; i++)
        if (s->gate->findings.data[i].outcome != GATE_PASS)
            sarif_result(&s->gate->findings.data[i], s->diff, &json);
    json_end(&json);
    json_end(&json);
    json_end(&json);
    json_end(&json);
    out_char(out, '\n');
}
