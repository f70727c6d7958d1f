/*
 * The event that is counted, and what each of them weighs. (format.md,
 * section 6)
 */
#include <stdio.h>
#include <string.h>

#include "engine/base/text.h"
#include "engine/format/jfr/jfr.h"

/* The events that topfn knows how to weigh, in order of preference where
 * none is asked for. Other events with a stack weigh 1 each. */
static const struct jfr_counted counted[] = {
    {"jdk.ExecutionSample", "cpu", NULL, METRIC_CPU_SAMPLES, JFR_NO_WORD},
    {"jdk.CPUTimeSample", "cpu", NULL, METRIC_CPU_SAMPLES, JFR_NO_WORD},
    {"profiler.WallClockSample", "thread", NULL, METRIC_THREAD_SAMPLES,
     JFR_SAMPLES},
    {"jdk.NativeMethodSample", "thread", NULL, METRIC_THREAD_SAMPLES,
     JFR_NO_WORD},
    {"jdk.ObjectAllocationSample", "allocation", "bytes", METRIC_EVENTS,
     JFR_WEIGHT},
    {"jdk.ObjectAllocationInNewTLAB", "allocation", "bytes", METRIC_EVENTS,
     JFR_TLAB_SIZE},
    {"jdk.ObjectAllocationOutsideTLAB", "allocation", "bytes", METRIC_EVENTS,
     JFR_ALLOCATION_SIZE},
    {"profiler.Malloc", NULL, NULL, METRIC_HEAP, JFR_SIZE},
    {"profiler.LiveObject", NULL, "bytes", METRIC_EVENTS, JFR_ALLOCATION_SIZE},
    {"jdk.JavaMonitorEnter", "contention", NULL, METRIC_WAIT_TIME,
     JFR_DURATION},
    {"jdk.JavaMonitorWait", NULL, "nanoseconds", METRIC_EVENTS, JFR_DURATION},
    {"jdk.ThreadPark", NULL, "nanoseconds", METRIC_EVENTS, JFR_DURATION},
    {"jdk.ThreadSleep", NULL, "nanoseconds", METRIC_EVENTS, JFR_DURATION},
    {"jdk.SocketRead", NULL, "nanoseconds", METRIC_EVENTS, JFR_DURATION},
    {"jdk.SocketWrite", NULL, "nanoseconds", METRIC_EVENTS, JFR_DURATION},
    {"jdk.FileRead", NULL, "nanoseconds", METRIC_EVENTS, JFR_DURATION},
    {"jdk.FileWrite", NULL, "nanoseconds", METRIC_EVENTS, JFR_DURATION},
    {"jdk.JavaExceptionThrow", "exception", NULL, METRIC_EXCEPTIONS,
     JFR_NO_WORD},
};

enum {
    COUNTED = sizeof(counted) / sizeof(*counted),
    EVENTS_LISTED = 1000, /* that are looked at for the list of all */
};

/* "jdk.ExecutionSample", or what is behind the point. */
static bool is_called(const struct jfr_recording *r,
                      const struct jfr_event_total *t, const char *name)
{
    const char *text = strings_get(r->f.texts, t->name);
    const char *point = strrchr(text, '.');

    return ascii_same(text, name) || (point && ascii_same(point + 1, name));
}

static const struct jfr_event_total *find_event(const struct jfr_recording *r,
                                                const char *name)
{
    for (size_t i = 0; i < r->totals.len; i++)
        if (r->totals.data[i].has_stack &&
            is_called(r, &r->totals.data[i], name))
            return &r->totals.data[i];
    return NULL;
}

/* By its own name, or by one that all formats have: "allocation". */
static const struct jfr_event_total *asked_event(const struct jfr_recording *r,
                                                 const char *name)
{
    const struct jfr_event_total *found = find_event(r, name);

    for (size_t i = 0; i < COUNTED && !found; i++)
        if (counted[i].alias && ascii_same(counted[i].alias, name))
            found = find_event(r, counted[i].event);
    return found;
}

static const struct jfr_event_total *preferred_event(
    const struct jfr_recording *r)
{
    const struct jfr_event_total *found = NULL;

    for (size_t i = 0; i < COUNTED && !found; i++)
        found = find_event(r, counted[i].event);
    for (size_t i = 0; i < r->totals.len && !found; i++)
        if (r->totals.data[i].has_stack)
            found = &r->totals.data[i];
    return found;
}

/* Events that topfn does not know weigh 1 each. */
static const struct jfr_counted *counted_as(const struct jfr_recording *r,
                                            uint32_t event)
{
    static const struct jfr_counted other = {0};

    for (size_t i = 0; i < COUNTED; i++)
        if (!strcmp(strings_get(r->f.texts, event), counted[i].event))
            return &counted[i];
    return &other;
}

static void list_event(const struct jfr_recording *r, struct out *list,
                       const struct jfr_event_total *t)
{
    const char *name = strings_get(r->f.texts, t->name);

    if (t->has_stack && t->name != r->event && t->name != JFR_E_SETTING)
        out_also(list, text_starts(name, "jdk.") ? name + 4 : name, t->count);
}

/* The events that --event can choose instead: first those that people ask
 * for. */
static void list_others(struct jfr_recording *r)
{
    struct out *others = out_memory();

    for (size_t i = 0; i < COUNTED; i++) {
        const struct jfr_event_total *t = find_event(r, counted[i].event);

        if (t)
            list_event(r, others, t);
    }
    for (size_t i = 0; i < r->totals.len && i < EVENTS_LISTED; i++)
        if (!counted_as(r, r->totals.data[i].name)->event)
            list_event(r, others, &r->totals.data[i]);
    profile_also_recorded(r->f.p, others);
    out_close(others, NULL);
}

void jfr_state_metric(struct jfr_recording *r)
{
    struct profile *p = r->f.p;
    const char *event = strings_get(r->f.texts, r->event);
    bool sampled = r->event == JFR_E_EXECUTION_SAMPLE && !r->f.asked_weight;

    if (sampled && r->waits)
        profile_set_metric(p, METRIC_THREAD_SAMPLES);
    else if (sampled && r->other_clock)
        profile_set_metric(p, METRIC_EVENT_SAMPLES);
    else if (r->how.metric == METRIC_EVENTS)
        profile_set_metric_word(p, *event ? event : "events");
    else
        profile_set_metric(p, r->how.metric);
    list_others(r);
    if (r->how.unit)
        profile_set_unit(p, r->how.unit, 0);
    if (!sampled || r->other_clock || r->interval_ns > INT64_MAX)
        return;
    p->trace.interval_ns = (int64_t)r->interval_ns;
}

/* ---- what is asked for ---- */

/* Returns the place of the values of a field that a person named. */
static uint8_t asked_place(const char *name, uint8_t otherwise)
{
    for (unsigned i = JFR_NO_WORD + 1; i < JFR_ASKED_WEIGHT; i++)
        if (ascii_same(jfr_words[i], name))
            return (uint8_t)i;
    return otherwise;
}

/* "count", "time", "bytes" as the event has them, or a field. */
static enum err_code choose_weight(struct jfr_recording *r, const char *weight,
                                   struct err *err)
{
    struct jfr_counted *how = &r->how;
    bool bytes = how->metric == METRIC_HEAP ||
                 (how->unit && !strcmp(how->unit, "bytes"));

    if (ascii_same(weight, "bytes") && bytes)
        return ERR_NONE;
    if (ascii_same(weight, "bytes"))
        return err_set(err, ERR_USAGE,
                       "%s: %s has no weight in bytes; --weight takes count, "
                       "time or a field",
                       r->f.entry->name, strings_get(r->f.texts, r->event));
    *how = (struct jfr_counted){.event = how->event};
    if (ascii_same(weight, "count"))
        return ERR_NONE;
    r->f.asked_weight = ascii_same(weight, "time") ? "duration" : weight;
    how->weight = asked_place(r->f.asked_weight, JFR_ASKED_WEIGHT);
    how->unit = how->weight == JFR_DURATION ? "nanoseconds"
                : how->weight >= JFR_WEIGHT && how->weight <= JFR_SIZE ? "bytes"
                                                                       : weight;
    return ERR_NONE;
}

enum err_code jfr_choose_event(struct jfr_recording *r,
                               const struct read_options *options,
                               struct err *err)
{
    const struct jfr_event_total *first = preferred_event(r), *found = first;

    if (options->event)
        found = asked_event(r, options->event);
    if (options->event && !found)
        return err_set(err, ERR_USAGE,
                       "%s: no event \"%s\" with stacks%s%s; topfn info lists "
                       "all",
                       r->f.entry->name, options->event,
                       first ? "; the first one is " : "",
                       first ? strings_get(r->f.texts, first->name) : "");
    r->event = found ? found->name : 0;
    r->how = *counted_as(r, r->event);
    r->f.asked_value = options->value;
    if (options->value)
        r->f.value_place = asked_place(options->value, JFR_ASKED_VALUE);
    return options->weight ? choose_weight(r, options->weight, err) : ERR_NONE;
}

static const struct jfr_field *field_named(const struct jfr_chunk *c,
                                           const struct jfr_class *class,
                                           const char *name)
{
    for (uint32_t i = 0; i < class->field_count; i++) {
        const struct jfr_field *f = &c->fields.data[class->first_field + i];

        if (ascii_same(strings_get(c->f->texts, f->name), name))
            return f;
    }
    return NULL;
}

static void list_fields(struct jfr_recording *r, const struct jfr_chunk *c,
                        const struct jfr_class *class)
{
    size_t used = 0;

    for (uint32_t i = 0; i < class->field_count; i++) {
        const struct jfr_field *f = &c->fields.data[class->first_field + i];
        const char *name = strings_get(c->f->texts, f->name);

        if (strlen(name) + 3 > sizeof(r->fields) - used)
            break;
        used +=
            (size_t)sprintf(r->fields + used, "%s%s", used ? ", " : "", name);
    }
}

const struct jfr_field *jfr_asked_field(struct jfr_recording *r,
                                        const struct jfr_chunk *c,
                                        const struct jfr_class *class)
{
    const char *weight = r->f.asked_weight, *value = r->f.asked_value;
    const struct jfr_field *field = value ? field_named(c, class, value) : NULL;

    if (weight && !field_named(c, class, weight))
        r->missing_field = weight;
    else if (value && !field)
        r->missing_field = value;
    else
        r->has_field = true;
    if (r->missing_field && !*r->fields)
        list_fields(r, c, class);
    return field;
}

enum err_code jfr_fields_found(const struct jfr_recording *r, struct err *err)
{
    if (!r->missing_field || r->has_field)
        return ERR_NONE;
    return err_set(err, ERR_NOT_FOUND, "%s: no field \"%s\" in %s (%s)",
                   r->f.entry->name, r->missing_field,
                   strings_get(r->f.texts, r->event), r->fields);
}

uint64_t jfr_weight_of(const struct jfr_recording *r, const struct jfr_chunk *c,
                       const struct jfr_value *values)
{
    uint64_t value = values[r->how.weight].number;

    if (r->how.weight == JFR_NO_WORD)
        return 1;
    if (r->how.weight == JFR_DURATION)
        return jfr_nanoseconds(c, value);
    return value < WEIGHTS_MOST ? value : 0; /* a negative one */
}
