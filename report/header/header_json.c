#include <stdio.h>

#include "engine/analysis/trust.h"
#include "engine/model/waits.h"
#include "report/header/header.h"
#include "report/table/table.h"

static void text_member(const struct profile *p, struct json *json,
                        const char *key, uint32_t string)
{
    json_text(json, key, strings_get(p->strings, string));
}

/* Classes say which parts a stack has, the others whether it has all. */
static void json_stacks(const struct profile *p, const struct selection *sel,
                        struct json *json)
{
    struct trust trust = {0};

    trust_stacks(&trust, sel);
    json_object(json, "stacks");
    json_weight(json, "full", p, sel->by_class[STACK_FULL]);
    json_weight(json, "user_only", p, sel->by_class[STACK_USER]);
    json_weight(json, "kernel_only", p, sel->by_class[STACK_KERNEL]);
    json_weight(json, "none", p, sel->by_class[STACK_NONE]);
    json_weight(json, "complete", p, trust.complete);
    json_weight(json, "truncated", p, trust.truncated);
    json_weight(json, "unknown", p, trust.unknown);
    json_object(json, "by_cause");
    for (unsigned i = STACK_END_ROOT + 1; i < STACK_ENDS; i++)
        json_weight(json, stack_end_word((enum stack_end)i), p, sel->by_end[i]);
    json_end(json);
    json_end(json);
}

struct json report_json(const char *name, struct out *out)
{
    struct json json = json_to(out);
    char schema[64];

    snprintf(schema, sizeof(schema), "topfn.%s/1", name);
    json_object(&json, NULL);
    json_text(&json, "schema", schema);
    return json;
}

void report_json_end(struct json *json)
{
    json_end(json);
    out_char(json->out, '\n');
}

void header_json(const struct profile *p, const struct selection *sel,
                 struct json *json)
{
    json_line(json, 1);
    header_json_trace(p, sel, "trace", json);
}

void header_json_trace(const struct profile *p, const struct selection *sel,
                       const char *key, struct json *json)
{
    const struct trace_info *t = &p->trace;

    json_object(json, key);
    json_array(json, "files");
    for (size_t i = 0; i < p->trace.files.len; i++)
        text_member(p, json, NULL, p->trace.files.data[i]);
    json_end(json);
    text_member(p, json, "format", t->format);
    text_member(p, json, "metric", t->metric.word);
    json_text(json, "unit", profile_unit(p));
    json_i64(json, "interval_ns", t->interval_ns);
    if (trust_cpu_time(p, sel))
        json_u64(json, "cpu_time_ns", trust_cpu_time(p, sel));
    json_i64(json, "duration_ns", selection_duration(p, sel));
    if (t->recordings) {
        json_u64(json, "runs", t->recordings);
        json_u64(json, "hosts", t->hosts);
    }
    json_u64(json, "cpus", t->cpus);
    json_u64(json, "events", t->events);
    json_weight(json, "samples", p, sel->samples);
    json_weight(json, "idle_samples", p, sel->idle);
    if (measures_wall_clock(p)) {
        json_weight(json, "waiting_samples", p, sel->waiting);
        json_u64(json, "parked_threads", p->parked_threads);
    }
    json_stacks(p, sel, json);
    json_u64(json, "lost_events", p->quality.lost_events);
    json_u64(json, "lost_buffers", p->quality.lost_buffers);
    json_u64(json, "skipped_bytes", p->quality.skipped_bytes);
    json_u64(json, "malformed_records", p->quality.malformed);
    if (p->quality.negative_values)
        json_u64(json, "negative_values", p->quality.negative_values);
    json_u64(json, "cut_stacks", p->quality.cut_stacks);
    json_object(json, "unresolved");
    json_weight(json, "samples", p, sel->unresolved);
    json_object(json, "by_cause");
    for (size_t i = CAUSE_NONE + 1; i < CAUSE_KINDS; i++)
        json_weight(json, name_cause_name((enum name_cause)i), p,
                    sel->by_cause[i]);
    json_end(json);
    json_end(json);
    header_json_selected(p, sel, json);
    json_end(json);
}

void report_table(const struct subject *s, const char *name,
                  const struct table *table, struct out *out)
{
    const struct report_options *o = s->options;

    if (o->format == FORMAT_JSON) {
        struct json json = report_json(name, out);

        header_json(s->p, s->sel, &json);
        json_line(&json, 1);
        table_json(table, &json, "rows");
        json_u64(&json, "total_rows", table->total);
        report_json_end(&json);
        return;
    }
    if (o->format != FORMAT_CSV)
        header_text(s, NULL, out);
    table_write_chosen(table, o->columns, o->format, o->width, out);
}
