#include "engine/store/merge.h"

#include <string.h>

#include "engine/store/schema.h"

/*
 * The schema of the database says of every column what it is: a text, a time, a
 * reference. Rows are copied column by column, by the same table that writes
 * and reads databases, so a new column needs no line here. Functions and single
 * values are joined by hand.
 */
struct merging {
    struct profile *to;
    const struct profile *from;
    struct weight_scale scale; /* of the weights of both */
    int64_t shift;             /* of times of this input */
    size_t base[STORE_TABLES]; /* added to references to a table */
    uint32_t *function_of;     /* by the input's function */
};

static uint32_t text(struct merging *m, uint32_t id)
{
    const struct strings *s = m->from->strings;

    return strings_add(m->to->strings, strings_get(s, id), strings_len(s, id));
}

static uint32_t reference(const struct merging *m, enum store_table_id table,
                          uint32_t id)
{
    if (table == TABLE_FUNCTIONS)
        return m->function_of[id];
    return mem_next_id(id + m->base[table]);
}

static void copy_identity(void *to, const void *from)
{
    const struct identity *source = from;
    struct identity *target = to;

    memcpy(target->build_id, source->build_id, sizeof(target->build_id));
    target->build_id_size = source->build_id_size;
}

static void copy_value(struct merging *m, const struct store_column *c,
                       void *to, const void *from)
{
    const struct store_kind *kind = &store_kinds[c->kind];
    int64_t n = kind->bytes ? store_number(c->kind, from) : 0;
    bool none = kind->null && n == kind->none;

    switch (c->kind) {
    case COLUMN_GUID:
        memcpy(to, from, sizeof(((struct identity *)0)->guid));
        return;
    case COLUMN_BUILD_ID:
        copy_identity(to, from);
        return;
    case COLUMN_LOCATION: /* see add_frame_starts */
        return;
    case COLUMN_TEXT:
        n = text(m, (uint32_t)n);
        break;
    case COLUMN_REF:
    case COLUMN_REF_OR_NONE:
    case COLUMN_PARENT:
        n = none ? n : reference(m, c->refers, (uint32_t)n);
        break;
    case COLUMN_START:
    case COLUMN_END:
        n = none ? n : n + m->shift;
        break;
    default:
        break;
    }
    store_set_number(c->kind, to, n);
}

static void append_table(struct merging *m, enum store_table_id id)
{
    const struct store_table *t = &store_tables[id];
    struct method read, made;

    m->base[id] = t->count(m->to) - t->first;
    for (size_t i = t->first; i < t->count(m->from); i++) {
        const char *from = t->row(m->from, i, &read);
        char *to = t->add(m->to, &made);

        for (size_t c = 0; c < t->width; c++)
            copy_value(m, &t->columns[c], to + t->columns[c].offset,
                       from + t->columns[c].offset);
        if (t->end)
            t->end(m->to, &made);
    }
}

static void join_functions(struct merging *m)
{
    const struct profile *p = m->from;

    m->function_of = mem_new(p->functions.len, sizeof(*m->function_of));
    for (size_t i = 0; i < p->functions.len; i++) {
        struct function f = p->functions.data[i];

        f.name = text(m, f.name);
        f.module = text(m, f.module);
        m->function_of[i] = profile_function(m->to, &f);
    }
}

static void add_frame_starts(struct merging *m)
{
    uint32_t base = (uint32_t)m->to->frames.len;

    for (size_t i = 0; i < m->from->locations.len; i++)
        *vec_add(&m->to->frame_start) =
            mem_next_id(base + (size_t)m->from->frame_start.data[i]);
}

static void join_events(struct merging *m)
{
    const struct trace_info *from = &m->from->trace;
    struct trace_info *to = &m->to->trace;
    struct map ids = {0}; /* of names, to counts */

    for (uint32_t i = 0; i < to->event_counts.len; i++)
        map_set(&ids, to->event_counts.data[i].name, 0, i);
    for (size_t i = 0; i < from->event_counts.len; i++) {
        uint32_t name = text(m, from->event_counts.data[i].name);
        uint32_t fresh = (uint32_t)to->event_counts.len;
        uint32_t id = map_add(&ids, name, 0, fresh);

        if (id == fresh)
            *vec_add(&to->event_counts) = (struct event_count){name, 0};
        to->event_counts.data[id].count += from->event_counts.data[i].count;
    }
    to->events += from->events;
    map_release(&ids);
}

/* Samples keep their periods while all inputs have those of one event: what has
 * none cannot be added to what has. */
static void join_periods(struct merging *m)
{
    uint32_t of =
        m->from->samples.period ? text(m, m->from->trace.period_of) : 0;

    if (!m->to->trace.inputs.len)
        m->to->trace.period_of = of;
    if (of && of == m->to->trace.period_of)
        return;
    m->to->trace.period_of = 0;
    free(m->to->samples.period);
    m->to->samples.period = NULL;
}

static void append_samples(struct merging *m)
{
    const struct samples *s = &m->from->samples;
    bool periods = m->to->trace.period_of;

    for (size_t i = 0; i < s->len; i++)
        profile_sample(m->to,
                       &(struct sample){
                           .time = s->time[i] + m->shift,
                           .thread = reference(m, TABLE_THREADS, s->thread[i]),
                           .stack = reference(m, TABLE_STACKS, s->stack[i]),
                           .weight = weight_in(m->from, &m->scale,
                                               s->weight ? s->weight[i] : 1),
                           .period = periods ? s->period[i] : 0,
                           .cpu = s->cpu[i],
                           .flags = s->flags[i],
                       });
}

/* The time that an input takes up: to its last event or sample. */
static int64_t span_of(const struct profile *p)
{
    const struct samples *s = &p->samples;
    int64_t last = s->len ? s->time[s->len - 1] + 1 : 0;

    return last > p->trace.duration_ns ? last : p->trace.duration_ns;
}

static void add_inputs(struct merging *m, int64_t span)
{
    const struct trace_info *t = &m->from->trace;

    for (size_t i = 0; i < t->inputs.len; i++) {
        const struct trace_input *in = &t->inputs.data[i];

        *vec_add(&m->to->trace.inputs) = (struct trace_input){
            text(m, in->name), in->from + m->shift, in->to + m->shift};
    }
    if (!t->inputs.len)
        *vec_add(&m->to->trace.inputs) =
            (struct trace_input){t->files.len ? text(m, t->files.data[0]) : 0,
                                 m->shift, m->shift + span};
}

/* Values of a whole trace: the first input's, sums, or unknown if they differ.
 */
static void join_trace(struct merging *m)
{
    struct trace_info *to = &m->to->trace;
    const struct trace_info *from = &m->from->trace;

    if (!to->inputs.len) {
        to->format = text(m, from->format);
        profile_set_metric_word(m->to, profile_metric_word(m->from));
        profile_set_unit(m->to, m->scale.unit, m->scale.decimals);
        to->adds_up = from->adds_up;
        to->os = text(m, from->os);
        to->machine = text(m, from->machine);
        to->interval_ns = from->interval_ns;
        to->start_unix_ns = from->start_unix_ns;
        to->cpus = from->cpus;
        to->pointer_size = from->pointer_size;
        return;
    }
    to->adds_up &= from->adds_up;
    if (to->interval_ns != from->interval_ns)
        to->interval_ns = 0;
    if (to->cpus < from->cpus)
        to->cpus = from->cpus;
    if (to->format != text(m, from->format))
        to->format = strings_add(m->to->strings, "mixed", 5);
}

static void join_quality(struct merging *m)
{
    struct quality *to = &m->to->quality;
    const struct quality *from = &m->from->quality;

    to->lost_events += from->lost_events;
    to->lost_buffers += from->lost_buffers;
    to->skipped_bytes += from->skipped_bytes;
    to->skipped_ranges += from->skipped_ranges;
    to->malformed += from->malformed;
    to->undefined_keys += from->undefined_keys;
    to->event_stacks += from->event_stacks;
    to->cut_stacks += from->cut_stacks;
    to->negative_values += from->negative_values;
}

/* Tables after those that their columns refer to. */
static const enum store_table_id appended[] = {
    TABLE_TRACE_FILES, TABLE_TRACE_FACTS, TABLE_TRACE_CONTENTS, TABLE_SKIPPED,
    TABLE_WARNINGS,    TABLE_PROCESSES,   TABLE_THREADS,        TABLE_MODULES,
    TABLE_MAPPINGS,    TABLE_METHODS,     TABLE_LOCATIONS,      TABLE_FRAMES,
    TABLE_STACKS,
};

enum err_code merge_add(struct profile *to, const struct profile *from,
                        struct err *err)
{
    struct merging m = {.to = to, .from = from, .shift = to->trace.duration_ns};
    const struct profile *const both[] = {from, to};
    size_t count = to->trace.inputs.len ? 2 : 1;
    int64_t span = span_of(from);

    if (count > 1 && !profile_same_metric(from, to))
        return err_set(err, ERR_USAGE,
                       "%s has %s, %s has %s: their samples cannot be added up",
                       profile_file(from), profile_metric_beside(from, to),
                       profile_file(to), profile_metric_beside(to, from));
    m.scale = weight_scale_of(both, count);
    if (count > 1)
        profile_scale_weights(to, &m.scale);
    join_periods(&m);
    join_trace(&m);
    join_quality(&m);
    join_events(&m);
    join_functions(&m);
    add_frame_starts(&m);
    for (size_t i = 0; i < sizeof(appended) / sizeof(*appended); i++)
        append_table(&m, appended[i]);
    append_samples(&m);
    add_inputs(&m, span);
    to->trace.duration_ns += span;
    free(m.function_of);
    return ERR_NONE;
}

void merge_end(struct profile *to)
{
    *vec_add(&to->frame_start) = mem_next_id(to->frames.len);
    profile_fit_weights(to, to->samples.weight, &to->samples.len);
}
