#include <stdio.h>
#include <string.h>

#include "engine/base/text.h"
#include "report/header/header.h"
#include "report/profile/info.h"
#include "report/table/table.h"

/* null when it is not known. */
static void string(const struct info *info, struct json *json, const char *key,
                   uint32_t id)
{
    json_maybe(json, key, strings_get(info->p->strings, id));
}

/* A time within the trace; null when before its start or after its end. */
static void instant(struct json *json, const char *key, int64_t time)
{
    if (time == TIME_MIN || time == TIME_MAX)
        json_null(json, key);
    else
        json_i64(json, key, time);
}

static void row(struct json *json)
{
    json_line(json, 2);
    json_object(json, NULL);
}

static void system_part(const struct info *info, struct json *json)
{
    const struct trace_info *t = &info->p->trace;
    char start[UTC_SIZE];

    json_line(json, 1);
    json_object(json, "system");
    string(info, json, "os", t->os);
    string(info, json, "machine", t->machine);
    json_u64(json, "pointer_size", t->pointer_size);
    json_maybe(json, "start", utc_time(t->start_unix_ns, start));
    json_end(json);
}

static void container_part(const struct info *info, struct json *json)
{
    const struct trace_info *t = &info->p->trace;

    json_line(json, 1);
    json_array(json, "container");
    for (size_t i = 0; i < t->contents.len; i++) {
        const struct trace_content *c = &t->contents.data[i];

        row(json);
        string(info, json, "name", c->name);
        string(info, json, "kind", c->kind);
        json_u64(json, "bytes", c->size);
        json_bool(json, "used", c->used);
        string(info, json, "note", c->note);
        json_end(json);
    }
    json_end(json);
}

static void header_part(const struct info *info, struct json *json)
{
    const struct trace_info *t = &info->p->trace;

    json_line(json, 1);
    json_array(json, "header");
    for (size_t i = 0; i < t->facts.len; i++) {
        row(json);
        string(info, json, "name", t->facts.data[i].name);
        string(info, json, "value", t->facts.data[i].value);
        json_end(json);
    }
    json_end(json);
}

static void field_value(const struct info *info, struct json *json,
                        const char *key, const struct trace_fact *fact)
{
    switch ((enum fact_type)fact->type) {
    case FACT_TEXT:
        json_text(json, key, strings_get(info->p->strings, fact->value));
        break;
    case FACT_NUMBER:
        json_u64(json, key, fact->number);
        break;
    case FACT_FLAG:
        json_bool(json, key, fact->number != 0);
        break;
    }
}

/* Fields by the names of the format. Neighbours with a name that ends in "[]"
 * are a list. If several inputs have a field, the first one counts. */
static void fields_part(const struct info *info, struct json *json)
{
    const struct trace_info *t = &info->p->trace;
    struct map known = {0};
    uint32_t list = 0;

    json_line(json, 1);
    json_object(json, "header_fields");
    for (size_t i = 0; i < t->facts.len; i++) {
        const struct trace_fact *fact = &t->facts.data[i];
        const char *name = strings_get(info->p->strings, fact->field);
        size_t n = strlen(name);
        bool listed = n > 2 && !strcmp(name + n - 2, "[]");
        bool goes_on = listed && fact->field == list;
        char key[220];

        if (!n || (!goes_on &&
                   map_add(&known, fact->field, 0, (uint32_t)i) != (uint32_t)i))
            continue;
        if (list && !goes_on)
            json_end(json);
        snprintf(key, sizeof(key), "%.*s", (int)(listed ? n - 2 : n), name);
        if (listed && !goes_on)
            json_array(json, key);
        list = listed ? fact->field : 0;
        field_value(info, json, listed ? NULL : key, fact);
    }
    if (list)
        json_end(json);
    json_end(json);
    map_release(&known);
}

static void contents_part(const struct info *info, struct json *json)
{
    const struct profile *p = info->p;

    json_line(json, 1);
    json_object(json, "contents");
    json_u64(json, "processes", info->process_count);
    json_u64(json, "threads", info->thread_count);
    json_u64(json, "modules", p->modules.len);
    json_u64(json, "methods", p->methods.len);
    json_u64(json, "stacks", info_stacks(p));
    json_u64(json, "addresses", profile_addresses(p));
    json_u64(json, "event_stacks", p->quality.event_stacks);
    json_end(json);
}

static void quality_part(const struct info *info, struct json *json)
{
    const struct quality *q = &info->p->quality;

    json_line(json, 1);
    json_object(json, "quality");
    json_u64(json, "skipped_ranges", q->skipped_ranges);
    json_u64(json, "undefined_stack_keys", q->undefined_keys);
    json_array(json, "skipped");
    for (size_t i = 0; i < q->skipped.len; i++) {
        const struct skipped *s = &q->skipped.data[i];

        row(json);
        string(info, json, "file", s->file);
        json_u64(json, "offset", s->offset);
        json_u64(json, "bytes", s->size);
        string(info, json, "reason", s->reason);
        json_end(json);
    }
    json_end(json);
    json_array(json, "warnings");
    for (size_t i = 0; i < q->warnings.len; i++) {
        json_line(json, 2);
        json_text(json, NULL,
                  strings_get(info->p->strings, q->warnings.data[i]));
    }
    json_end(json);
    json_end(json);
}

void info_json(const struct info *info, struct out *out)
{
    struct json json = report_json("info", out);

    header_json(info->p, info->sel, &json);
    system_part(info, &json);
    container_part(info, &json);
    header_part(info, &json);
    fields_part(info, &json);
    contents_part(info, &json);
    quality_part(info, &json);
    json_line(&json, 1);
    json_array(&json, "processes");
    for (size_t i = 0; i < info->processes.len; i++) {
        const struct counted *c = &info->processes.data[i];
        const struct process *process = &info->p->processes.data[c->id];

        row(&json);
        if (process->pid == NO_PID)
            json_null(&json, "pid");
        else
            json_u64(&json, "pid", process->pid);
        json_maybe(&json, "name", c->name);
        json_weight(&json, "samples", info->p, c->count);
        json_u64(&json, "parent_pid", process->parent_pid);
        instant(&json, "start_ns", process->start);
        instant(&json, "end_ns", process->end);
        string(info, &json, "command_line", process->command_line);
        json_end(&json);
    }
    json_end(&json);
    json_line(&json, 1);
    json_array(&json, "events");
    for (size_t i = 0; i < info->events.len; i++) {
        row(&json);
        json_maybe(&json, "name", info->events.data[i].name);
        json_u64(&json, "count", info->events.data[i].count);
        json_end(&json);
    }
    json_end(&json);
    if (info->all_processes || info->all_events) {
        json_line(&json, 1);
        json_u64(&json, "total_processes", info->all_processes);
        json_u64(&json, "total_events", info->all_events);
    }
    report_json_end(&json);
}
