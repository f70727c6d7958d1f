#include "report/header.h"

static void member(struct out *out, const char *key, uint64_t value)
{
    out_fmt(out, ",\"%s\":", key);
    out_u64(out, value);
}

static void string_member(const struct profile *p, struct out *out,
                          const char *key, uint32_t string)
{
    out_fmt(out, ",\"%s\":", key);
    out_json(out, strings_get(p->strings, string));
}

static void json_files(const struct profile *p, struct out *out)
{
    out_str(out, "\"files\":[");
    for (size_t i = 0; i < p->trace.files.len; i++) {
        if (i)
            out_char(out, ',');
        out_json(out, strings_get(p->strings, p->trace.files.data[i]));
    }
    out_char(out, ']');
}

static void json_stacks(const struct selection *sel, struct out *out)
{
    out_str(out, ",\"stacks\":{\"full\":");
    out_u64(out, sel->by_class[STACK_FULL]);
    member(out, "user_only", sel->by_class[STACK_USER]);
    member(out, "kernel_only", sel->by_class[STACK_KERNEL]);
    member(out, "none", sel->by_class[STACK_NONE]);
    out_char(out, '}');
}

static void json_unresolved(const struct selection *sel, struct out *out)
{
    out_str(out, ",\"unresolved\":{\"samples\":");
    out_u64(out, sel->unresolved);
    out_str(out, ",\"by_cause\":{");
    for (size_t i = CAUSE_NONE + 1; i < CAUSE_KINDS; i++) {
        if (i > CAUSE_NONE + 1)
            out_char(out, ',');
        out_fmt(out, "\"%s\":", name_cause_name((enum name_cause)i));
        out_u64(out, sel->by_cause[i]);
    }
    out_str(out, "}}");
}

void header_json(const struct profile *p, const struct selection *sel,
                 const char *name, struct out *out)
{
    out_fmt(out, "\"schema\":\"topfn.%s/1\",\n \"trace\":", name);
    header_json_trace(p, sel, out);
}

void header_json_trace(const struct profile *p, const struct selection *sel,
                       struct out *out)
{
    const struct trace_info *t = &p->trace;

    out_char(out, '{');
    json_files(p, out);
    string_member(p, out, "format", t->format);
    string_member(p, out, "metric", t->metric);
    out_str(out, ",\"interval_ns\":");
    out_i64(out, t->interval_ns);
    out_str(out, ",\"duration_ns\":");
    out_i64(out, t->duration_ns);
    member(out, "cpus", t->cpus);
    member(out, "events", t->events);
    member(out, "samples", sel->samples);
    member(out, "idle_samples", sel->idle);
    json_stacks(sel, out);
    member(out, "lost_events", p->quality.lost_events);
    member(out, "lost_buffers", p->quality.lost_buffers);
    member(out, "skipped_bytes", p->quality.skipped_bytes);
    member(out, "malformed_records", p->quality.malformed);
    json_unresolved(sel, out);
    out_char(out, '}');
}

void report_table(const struct profile *p, const struct selection *sel,
                  const struct report_options *options, const char *name,
                  const struct table *table, struct out *out)
{
    if (options->format == FORMAT_JSON) {
        out_char(out, '{');
        header_json(p, sel, name, out);
        out_str(out, ",\n \"rows\":");
    } else if (options->format != FORMAT_CSV) {
        header_text(p, sel, options->format, out);
    }
    table_write(table, options->format, options->width, out);
    if (options->format == FORMAT_JSON) {
        member(out, "total_rows", table->total);
        out_str(out, "}\n");
    }
}
