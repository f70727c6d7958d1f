#include "report/header.h"
#include "report/info.h"

static void number(struct out *out, const char *key, uint64_t value)
{
    out_fmt(out, "\"%s\":", key);
    out_u64(out, value);
}

/* null when it is not known. */
static void text(struct out *out, const char *key, const char *value)
{
    out_fmt(out, "\"%s\":", key);
    if (value && *value)
        out_json(out, value);
    else
        out_str(out, "null");
}

static void string(const struct info *info, struct out *out, const char *key,
                   uint32_t id)
{
    text(out, key, strings_get(info->p->strings, id));
}

/* A time within the trace; null when before its start or after its end. */
static void instant(struct out *out, const char *key, int64_t time)
{
    out_fmt(out, "\"%s\":", key);
    if (time == TIME_MIN || time == TIME_MAX)
        out_str(out, "null");
    else
        out_i64(out, time);
}

static void system_part(const struct info *info, struct out *out)
{
    const struct trace_info *t = &info->p->trace;
    char start[UTC_SIZE];

    out_str(out, ",\n \"system\":{");
    string(info, out, "os", t->os);
    out_char(out, ',');
    string(info, out, "machine", t->machine);
    out_char(out, ',');
    number(out, "pointer_size", t->pointer_size);
    out_char(out, ',');
    text(out, "start", utc_time(t->start_unix_ns, start));
    out_char(out, '}');
}

static void container_part(const struct info *info, struct out *out)
{
    const struct trace_info *t = &info->p->trace;

    out_str(out, ",\n \"container\":[");
    for (size_t i = 0; i < t->contents.len; i++) {
        const struct trace_content *c = &t->contents.data[i];

        out_str(out, i ? ",\n  {" : "\n  {");
        string(info, out, "name", c->name);
        out_char(out, ',');
        string(info, out, "kind", c->kind);
        out_char(out, ',');
        number(out, "bytes", c->size);
        out_fmt(out, ",\"used\":%s,", c->used ? "true" : "false");
        string(info, out, "note", c->note);
        out_char(out, '}');
    }
    out_char(out, ']');
}

static void header_part(const struct info *info, struct out *out)
{
    const struct trace_info *t = &info->p->trace;

    out_str(out, ",\n \"header\":[");
    for (size_t i = 0; i < t->facts.len; i++) {
        out_str(out, i ? ",\n  {" : "\n  {");
        string(info, out, "name", t->facts.data[i].name);
        out_char(out, ',');
        string(info, out, "value", t->facts.data[i].value);
        out_char(out, '}');
    }
    out_char(out, ']');
}

static void contents_part(const struct info *info, struct out *out)
{
    const struct profile *p = info->p;

    out_str(out, ",\n \"contents\":{");
    number(out, "processes", p->processes.len);
    out_char(out, ',');
    number(out, "threads", p->threads.len);
    out_char(out, ',');
    number(out, "modules", p->modules.len);
    out_char(out, ',');
    number(out, "methods", p->methods.len);
    out_char(out, ',');
    number(out, "stacks", p->stacks.len - 1);
    out_char(out, ',');
    number(out, "addresses", p->locations.len);
    out_char(out, ',');
    number(out, "event_stacks", p->quality.event_stacks);
    out_char(out, '}');
}

static void skipped_part(const struct info *info, struct out *out)
{
    const struct quality *q = &info->p->quality;

    out_str(out, "\"skipped\":[");
    for (size_t i = 0; i < q->skipped.len; i++) {
        const struct skipped *s = &q->skipped.data[i];

        out_str(out, i ? ",\n  {" : "\n  {");
        string(info, out, "file", s->file);
        out_char(out, ',');
        number(out, "offset", s->offset);
        out_char(out, ',');
        number(out, "bytes", s->size);
        out_char(out, ',');
        string(info, out, "reason", s->reason);
        out_char(out, '}');
    }
    out_char(out, ']');
}

static void warnings_part(const struct info *info, struct out *out)
{
    const struct quality *q = &info->p->quality;

    out_str(out, "\"warnings\":[");
    for (size_t i = 0; i < q->warnings.len; i++) {
        out_str(out, i ? ",\n  " : "\n  ");
        out_json(out, strings_get(info->p->strings, q->warnings.data[i]));
    }
    out_char(out, ']');
}

static void quality_part(const struct info *info, struct out *out)
{
    const struct quality *q = &info->p->quality;

    out_str(out, ",\n \"quality\":{");
    number(out, "skipped_ranges", q->skipped_ranges);
    out_char(out, ',');
    number(out, "undefined_stack_keys", q->undefined_keys);
    out_char(out, ',');
    skipped_part(info, out);
    out_char(out, ',');
    warnings_part(info, out);
    out_char(out, '}');
}

static void processes_part(const struct info *info, struct out *out)
{
    out_str(out, ",\n \"processes\":[");
    for (size_t i = 0; i < info->processes.len; i++) {
        const struct counted *c = &info->processes.data[i];
        const struct process *process = &info->p->processes.data[c->id];

        out_str(out, i ? ",\n  {" : "\n  {");
        number(out, "pid", process->pid);
        out_char(out, ',');
        text(out, "name", c->name);
        out_char(out, ',');
        number(out, "samples", c->count);
        out_char(out, ',');
        number(out, "parent_pid", process->parent_pid);
        out_char(out, ',');
        instant(out, "start_ns", process->start);
        out_char(out, ',');
        instant(out, "end_ns", process->end);
        out_char(out, ',');
        string(info, out, "command_line", process->command_line);
        out_char(out, '}');
    }
    out_char(out, ']');
}

static void events_part(const struct info *info, struct out *out)
{
    out_str(out, ",\n \"events\":[");
    for (size_t i = 0; i < info->events.len; i++) {
        out_str(out, i ? ",\n  {" : "\n  {");
        text(out, "name", info->events.data[i].name);
        out_char(out, ',');
        number(out, "count", info->events.data[i].count);
        out_char(out, '}');
    }
    out_char(out, ']');
}

void info_json(const struct info *info, struct out *out)
{
    out_char(out, '{');
    header_json(info->p, info->sel, "info", out);
    system_part(info, out);
    container_part(info, out);
    header_part(info, out);
    contents_part(info, out);
    quality_part(info, out);
    processes_part(info, out);
    events_part(info, out);
    out_str(out, "}\n");
}
