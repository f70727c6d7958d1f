#include <stdlib.h>
#include <string.h>

#include "engine/analysis/filter.h"
#include "engine/base/keysort.h"
#include "engine/base/out.h"
#include "engine/base/proto.h"
#include "engine/model/profile.h"
#include "report/export/code_tables.h"
#include "report/export/export.h"
#include "report/export/frames.h"
#include "report/table/table.h"

/*
 * otlp - a profile of OpenTelemetry as opentelemetry-proto has it from 1.10
 * on, in Protocol Buffers (engine/format/otlp/format.md).
 *
 * A sample has all times at which a thread had a stack. The whole is one
 * message, whose length stands in front of it, so it is built in memory.
 */

enum otlp_table {
    MAPPING_TABLE = 1,
    LOCATION_TABLE,
    FUNCTION_TABLE,
    LINK_TABLE,
    STRING_TABLE,
    ATTRIBUTE_TABLE,
    STACK_TABLE,
};

struct otlp_writing {
    const struct subject *s;
    const struct profile *p;
    struct code_tables t;
    struct proto dictionary, profile;
    struct proto message, part;   /* emptied after use */
    uint32_t *stacks, *locations; /* by id: the row; 0: none yet */
    VEC(uint32_t) location_ids;   /* by row, from 1 on */
    uint32_t stack_count, attribute_count;
    struct map attributes; /* (key, value) */
    bool times, ones;      /* samples have times, and each has a value of 1 */
};

/* Appends what was built as a row of a table. */
static void end_row(struct otlp_writing *w, enum otlp_table table)
{
    proto_message(&w->dictionary, table, &w->message);
}

/* ---- attributes ---- */

/* The row of "key": text or, without one, number. */
static uint32_t attribute_row(struct otlp_writing *w, const char *key,
                              const char *text, uint32_t number)
{
    enum { STRING_VALUE = 1, INT_VALUE = 3 };
    uint32_t fresh = w->attribute_count + 1, name = code_text(&w->t, key);
    uint32_t value = text ? code_text(&w->t, text) : number, row;
    struct proto attribute = {0};

    row = map_add(&w->attributes, (uint64_t)name << 1 | !text, value, fresh);
    if (row != fresh)
        return row;
    w->attribute_count++;
    if (text)
        proto_element(&w->part, STRING_VALUE, text, strlen(text));
    else
        proto_number(&w->part, INT_VALUE, number);
    proto_u64(&attribute, 1, name);
    proto_message(&attribute, 2, &w->part);
    proto_message(&w->dictionary, ATTRIBUTE_TABLE, &attribute);
    proto_release(&attribute);
    return row;
}

/* A list for one attribute of a row. */
static void put_attribute(struct otlp_writing *w, uint32_t field,
                          const char *key, const char *text)
{
    uint32_t row = attribute_row(w, key, text, 0);

    proto_varint(&w->part, row);
    proto_message(&w->message, field, &w->part);
}

static void put_thread(struct otlp_writing *w, uint32_t thread)
{
    enum { ATTRIBUTE_INDICES = 2 };
    const struct thread *t = &w->p->threads.data[thread];
    const struct process *process = &w->p->processes.data[t->process];
    struct proto list = {0};

    if (process->pid != NO_PID)
        proto_varint(&list,
                     attribute_row(w, "process.pid", NULL, process->pid));
    if (process->name)
        proto_varint(
            &list, attribute_row(w, "process.executable.name",
                                 strings_get(w->p->strings, process->name), 0));
    if (is_thread_id(process->pid, t->tid))
        proto_varint(&list, attribute_row(w, "thread.id", NULL, t->tid));
    if (t->name)
        proto_varint(&list,
                     attribute_row(w, "thread.name",
                                   strings_get(w->p->strings, t->name), 0));
    if (list.bytes.len)
        proto_message(&w->message, ATTRIBUTE_INDICES, &list);
    proto_release(&list);
}

/* ---- samples ---- */

static uint32_t location_row(struct otlp_writing *w, uint32_t location)
{
    if (!w->locations[location]) {
        *vec_add(&w->location_ids) = location;
        w->locations[location] = (uint32_t)w->location_ids.len;
    }
    return w->locations[location];
}

/* Innermost locations first, as a stack goes to its parents. */
static uint32_t stack_row(struct otlp_writing *w, uint32_t stack)
{
    if (w->stacks[stack])
        return w->stacks[stack];
    w->stacks[stack] = ++w->stack_count;
    for (uint32_t s = stack; s; s = w->p->stacks.data[s].parent)
        proto_varint(&w->part, location_row(w, w->p->stacks.data[s].location));
    proto_message(&w->message, 1, &w->part);
    end_row(w, STACK_TABLE);
    return w->stacks[stack];
}

/* The values of samples of one thread and stack: their sum where samples have
 * no times. Where each is 1 there are none, as all samples of a profile shall
 * have both values and times or one of them. */
static void put_values(struct otlp_writing *w, const struct keyed *rows,
                       size_t count)
{
    enum { VALUES = 4, TIMESTAMPS };
    const struct profile *p = w->p;
    uint64_t sum = 0;

    for (size_t i = 0; i < count && !w->ones; i++) {
        uint64_t weight = sample_weight(p, rows[i].value);

        sum += weight;
        if (w->times)
            proto_varint(&w->part, whole_weight(p, weight));
    }
    if (!w->times)
        proto_varint(&w->part, whole_weight(p, sum));
    if (!w->ones)
        proto_message(&w->message, VALUES, &w->part);
    for (size_t i = 0; w->times && i < count; i++)
        proto_eight(&w->part, (uint64_t)p->trace.start_unix_ns +
                                  (uint64_t)p->samples.time[rows[i].value]);
    if (w->times)
        proto_message(&w->message, TIMESTAMPS, &w->part);
}

/* Samples stand in order of time, and so do those of one thread and stack. */
static void put_samples(struct otlp_writing *w)
{
    enum { SAMPLES = 2, STACK_INDEX = 1 };
    const struct samples *s = &w->p->samples;
    struct keyed *rows = mem_new(s->len, sizeof(*rows));
    size_t count = 0, end;

    w->times = profile_has_times(w->p);
    w->ones = w->times && !w->p->trace.metric.decimals;
    for (size_t i = 0; i < s->len; i++) {
        if (!selection_has(w->p, w->s->sel, i))
            continue;
        w->ones &= sample_weight(w->p, i) == 1;
        rows[count++] = (struct keyed){
            (uint64_t)s->thread[i] << 32 | s->stack[i], (uint32_t)i};
    }
    keysort(rows, count);
    for (size_t i = 0; i < count; i = end) {
        uint32_t stack = stack_row(w, s->stack[rows[i].value]);

        for (end = i + 1; end < count && rows[end].key == rows[i].key;)
            end++;
        proto_number(&w->message, STACK_INDEX, stack);
        put_thread(w, s->thread[rows[i].value]);
        put_values(w, &rows[i], end - i);
        proto_message(&w->profile, SAMPLES, &w->message);
    }
    free(rows);
}

static void put_type(struct otlp_writing *w, uint32_t field, const char *type,
                     const char *unit)
{
    proto_u64(&w->message, 1, code_text(&w->t, type));
    proto_u64(&w->message, 2, code_text(&w->t, unit));
    proto_message(&w->profile, field, &w->message);
}

static void put_profile(struct otlp_writing *w)
{
    enum { TYPE = 1, TIME = 3, DURATION, PERIOD_TYPE, PERIOD };
    const struct profile *p = w->p;
    const struct filter *filter = &w->s->sel->filter;
    int64_t start = p->trace.start_unix_ns;
    char *unit;
    const char *type = code_sample_type(p, &unit);

    if (filter->has_time && filter->from > 0)
        start += filter->from;
    put_type(w, TYPE, type, unit);
    free(unit);
    if (start > 0)
        proto_fixed64(&w->profile, TIME, (uint64_t)start);
    proto_u64(&w->profile, DURATION,
              (uint64_t)selection_duration(p, w->s->sel));
    if (p->trace.interval_ns > 0 || p->trace.metric.id == METRIC_CPU_SAMPLES)
        put_type(w, PERIOD_TYPE, code_time_type(p), "nanoseconds");
    if (p->trace.interval_ns > 0)
        proto_u64(&w->profile, PERIOD, (uint64_t)p->trace.interval_ns);
    put_samples(w);
}

/* ---- what samples refer to ---- */

/* Code without a name in a module has no lines: names can be looked for. */
static void put_location(struct otlp_writing *w, uint32_t location)
{
    enum { MAPPING_INDEX = 1, ADDRESS, LINES, ATTRIBUTE_INDICES };
    const struct profile *p = w->p;
    const struct location *l = &p->locations.data[location];
    uint32_t first = p->frame_start.data[location];
    uint32_t end = p->frame_start.data[location + 1];
    bool unnamed = l->module != NO_ID && end == first + 1 &&
                   frame_function_is_unnamed(p, p->frames.data[first].function);

    proto_u64(&w->message, MAPPING_INDEX, code_mapping(&w->t, location));
    proto_u64(&w->message, ADDRESS, code_address(&w->t, l));
    for (uint32_t f = first; f < end && !unnamed; f++) {
        proto_u64(&w->part, 1, code_function(&w->t, &p->frames.data[f]));
        proto_u64(&w->part, 2, p->frames.data[f].line);
        proto_message(&w->message, LINES, &w->part);
    }
    if (code_is_native(l->kind))
        put_attribute(w, ATTRIBUTE_INDICES, "profile.frame.type",
                      l->kind == CODE_KERNEL ? "kernel" : "native");
    end_row(w, LOCATION_TABLE);
}

static void put_function(struct otlp_writing *w, const struct code_pair *f)
{
    enum { NAME = 1, SYSTEM_NAME, FILENAME };
    struct arena *a = &w->t.scratch;

    proto_u64(&w->message, NAME,
              code_text(&w->t, frame_function(w->p, f->a, false, a)));
    proto_u64(&w->message, SYSTEM_NAME,
              code_text(&w->t, frame_function(w->p, f->a, true, a)));
    proto_u64(&w->message, FILENAME,
              code_text(&w->t, strings_get(w->p->strings, f->b)));
    arena_reset(a);
    end_row(w, FUNCTION_TABLE);
}

static void put_mapping(struct otlp_writing *w, const struct code_pair *pair)
{
    enum { START = 1, LIMIT, OFFSET, FILENAME, ATTRIBUTE_INDICES };
    const struct mapping *m = code_mapped(&w->t, pair->a);
    const struct identity *id =
        pair->a == NO_ID ? NULL : &w->p->modules.data[pair->a].identity;
    char text[CODE_ID_SIZE];

    if (m) {
        proto_u64(&w->message, START, m->base);
        proto_u64(&w->message, LIMIT, m->base + m->size);
        proto_u64(&w->message, OFFSET, m->rva);
    }
    proto_u64(&w->message, FILENAME,
              code_text(&w->t, strings_get(w->p->strings, pair->b)));
    if (id && id->build_id_size) {
        code_id_text(id, text);
        put_attribute(w, ATTRIBUTE_INDICES, "process.executable.build_id.gnu",
                      text);
    }
    end_row(w, MAPPING_TABLE);
}

static void put_dictionary(struct otlp_writing *w)
{
    struct strings *strings = w->t.strings;

    for (size_t i = 0; i < w->location_ids.len; i++)
        put_location(w, w->location_ids.data[i]);
    for (size_t i = 0; i < w->t.functions.len; i++)
        put_function(w, &w->t.functions.data[i]);
    for (size_t i = 0; i < w->t.mappings.len; i++)
        put_mapping(w, &w->t.mappings.data[i]);
    for (uint32_t i = 0; i < strings_count(strings); i++)
        proto_element(&w->dictionary, STRING_TABLE, strings_get(strings, i),
                      strings_len(strings, i));
}

/* ---- the file ---- */

/* "host.name" of the machine, and who wrote the profile. */
static void put_resource(struct otlp_writing *w, struct proto *resource)
{
    struct proto scope = {0}, attribute = {0};
    const char *host = strings_get(w->p->strings, w->p->trace.machine);

    if (*host) {
        proto_element(&w->part, 1, host, strlen(host));
        proto_element(&attribute, 1, "host.name", strlen("host.name"));
        proto_message(&attribute, 2, &w->part);
        proto_message(&w->message, 1, &attribute);
        proto_message(resource, 1, &w->message);
    }
    proto_element(&w->message, 1, "topfn", strlen("topfn"));
    proto_message(&scope, 1, &w->message);
    proto_message(&scope, 2, &w->profile);
    proto_message(resource, 2, &scope);
    proto_release(&scope);
    proto_release(&attribute);
}

static void out_part(struct out *out, uint32_t field, struct proto *part)
{
    struct proto head = {0};

    proto_varint(&head, field << 3 | 2);
    proto_varint(&head, part->bytes.len);
    out_bytes(out, (const char *)head.bytes.data, head.bytes.len);
    out_bytes(out, (const char *)part->bytes.data, part->bytes.len);
    proto_release(&head);
    proto_release(part);
}

static void write_otlp(const struct subject *s, struct out *out)
{
    struct otlp_writing w = {
        .s = s,
        .p = s->p,
        .t = code_tables_of(s),
        .stacks = mem_new(s->p->stacks.len, sizeof(*w.stacks)),
        .locations = mem_new(s->p->locations.len, sizeof(*w.locations)),
    };
    struct proto resource = {0};

    /* Row 0 of each table stands for nothing. */
    for (uint32_t table = MAPPING_TABLE; table <= STACK_TABLE; table++)
        if (table != STRING_TABLE)
            end_row(&w, table);
    put_profile(&w);
    put_dictionary(&w);
    put_resource(&w, &resource);
    out_part(out, 1, &resource);
    out_part(out, 2, &w.dictionary);
    code_tables_release(&w.t);
    proto_release(&w.profile);
    proto_release(&w.message);
    proto_release(&w.part);
    free(w.stacks);
    free(w.locations);
    vec_release(&w.location_ids);
    map_release(&w.attributes);
}

const struct export_kind otlp_export = {
    .name = "otlp",
    .help = "OpenTelemetry collectors, Pyroscope and what else takes OTLP",
    .endings = {".otlp"},
    .binary = true,
    .write = write_otlp,
};
