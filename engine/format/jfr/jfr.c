/*
 * Recordings of the JDK's Flight Recorder (.jfr), also those that
 * async-profiler writes.
 *
 * A recording has many kinds of events, and those with a stack can be counted:
 * --event says which. (format.md, section 6)
 */
#include "engine/format/jfr/jfr.h"

#include <string.h>

#include "engine/base/text.h"
#include "engine/format/named.h"

/* The events that topfn knows how to weigh, in order of preference where
 * none is asked for. Other events with a stack weigh 1 each. */
static const struct counted {
    const char *event;
    const char *alias;     /* what --event calls it in all formats; or NULL */
    const char *unit;      /* NULL: that of the metric */
    enum metric_id metric; /* METRIC_EVENTS: called as the event is */
    uint8_t weight;        /* field; JFR_NO_WORD: 1 each */
} counted[] = {
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
    NAMES_FREE = 1 << 17, /* bytes of composed names, whatever the size */
    EVENTS_LISTED = 1000, /* that are looked at for the list of all */
};

/* A kind of events, of all chunks. */
struct event_total {
    uint32_t name; /* text */
    bool has_stack;
    uint64_t count;
};

struct chunk_place {
    size_t at, size;
    uint32_t process; /* NO_ID: it does not say */
};

struct recording {
    struct jfr_file f;
    VEC(struct event_total) totals;
    struct map total_of; /* by text */
    VEC(struct chunk_place) chunks;
    int64_t end_ns;  /* of the last chunk, since 1970 */
    int64_t last_ns; /* of the last sample, since the start */
    bool unfinished;
    uint64_t collections, paused, lost_bytes;
    uint64_t lost_samples; /* of CPU time */
    /* What is counted. */
    uint32_t event; /* text; 0: there is none */
    struct counted how;
    uint64_t interval_ns;
    bool waits;       /* a sampled thread did not run */
    bool other_clock; /* samples were taken at events of another kind */
};

/* ---- what the recording says of itself ---- */

static uint32_t event_name(struct jfr_chunk *c, uint64_t type)
{
    const struct jfr_class *class = jfr_class_of(c, type);

    return class ? class->name : 0;
}

/* The JDK looks at a few threads in each period, however many run, so that
 * its samples do not add up to CPU time. async-profiler's do: each stands for
 * an interval of the clock that it chose for the whole recording. */
static void take_setting(struct recording *r, struct jfr_chunk *c,
                         const struct jfr_value *values)
{
    const struct strings *texts = r->f.texts;
    const char *name = strings_get(texts, jfr_text(c, &values[JFR_NAME]));
    const char *value = strings_get(texts, jfr_text(c, &values[JFR_VALUE]));
    uint32_t of = event_name(c, values[JFR_ID].number);

    if (of == JFR_E_EXECUTION_SAMPLE && !strcmp(name, "period") &&
        !profile_fact_named(r->f.p, "sampling period"))
        profile_fact(r->f.p, "sampling period", "%.32s", value);
    if (of == JFR_E_EXECUTION_SAMPLE && !strcmp(name, "interval"))
        r->interval_ns = strtoull(value, NULL, 10);
    if (of == JFR_E_ACTIVE_RECORDING && !strcmp(name, "event") && *value)
        r->other_clock = !strstr("cpu itimer ctimer wall", value);
}

static void take_process(struct recording *r, struct jfr_chunk *c,
                         const struct jfr_value *values,
                         struct chunk_place *place)
{
    struct profile *p = r->f.p;
    uint32_t pid = (uint32_t)values[JFR_PID].number;
    uint32_t arguments =
        jfr_profile_text(&r->f, jfr_text(c, &values[JFR_JAVA_ARGUMENTS]));
    const char *text = strings_get(p->strings, arguments);
    char *program = text_copy(text, strcspn(text, " "));
    const char *name = *program ? path_base_name(program) : "java";

    for (uint32_t i = 0; i < p->processes.len; i++)
        if (p->processes.data[i].pid == pid)
            place->process = i;
    if (place->process == NO_ID) {
        place->process = named_process(
            &r->f.code, pid, strings_add(p->strings, name, strlen(name)));
        p->processes.data[place->process].command_line = arguments;
    }
    free(program);
    text = strings_get(r->f.texts, jfr_text(c, &values[JFR_JVM_VERSION]));
    if (*text && !profile_fact_named(p, "JVM"))
        profile_fact(p, "JVM", "%.*s", (int)strcspn(text, "\n"), text);
}

/* The first line; on Linux, the name in it. */
static void take_system(struct recording *r, const char *text)
{
    static const char name[] = "PRETTY_NAME=\"";
    size_t skipped = text_starts(text, name) ? sizeof(name) - 1 : 0;

    text += skipped;
    r->f.p->trace.os = strings_add(r->f.p->strings, text,
                                   strcspn(text, skipped ? "\"\n" : "\n"));
}

/* Reads the events that say something of the process and of the recorder. */
static void take_note(struct recording *r, struct jfr_chunk *c,
                      const struct jfr_class *class,
                      const struct jfr_value *values, struct chunk_place *place)
{
    switch (class->name) {
    case JFR_E_JVM:
        take_process(r, c, values, place);
        break;
    case JFR_E_OS:
        take_system(
            r, strings_get(r->f.texts, jfr_text(c, &values[JFR_OS_VERSION])));
        break;
    case JFR_E_CPU:
        r->f.p->trace.cpus = (uint32_t)values[JFR_HW_THREADS].number;
        break;
    case JFR_E_SETTING:
        take_setting(r, c, values);
        break;
    case JFR_E_COLLECTION:
        r->collections++;
        r->paused += jfr_nanoseconds(c, values[JFR_SUM_OF_PAUSES].number);
        break;
    case JFR_E_DATA_LOSS:
        r->lost_bytes += values[JFR_AMOUNT].number;
        break;
    case JFR_E_SAMPLES_LOST:
        r->lost_samples += values[JFR_LOST_SAMPLES].number;
        break;
    }
}

static bool has_stack(const struct jfr_chunk *c, const struct jfr_class *class)
{
    for (uint32_t i = 0; i < class->field_count; i++)
        if (c->fields.data[class->first_field + i].name == JFR_STACK_TRACE)
            return true;
    return false;
}

static void count_events(struct recording *r, struct jfr_chunk *c)
{
    for (size_t i = 0; i < c->classes.len; i++) {
        const struct jfr_class *class = &c->classes.data[i];
        uint32_t fresh = mem_next_id(r->totals.len), at;

        if (!class->events)
            continue;
        at = map_add(&r->total_of, class->name, 0, fresh);
        if (at == fresh)
            *vec_add(&r->totals) = (struct event_total){
                .name = class->name, .has_stack = has_stack(c, class)};
        r->totals.data[at].count += class->events;
    }
}

/* The first time through a chunk: its events are counted. */
static void survey_chunk(struct recording *r, struct jfr_chunk *c,
                         struct chunk_place *place)
{
    struct reader at = jfr_events(c);
    struct jfr_event e;

    jfr_note_constants(c);
    while (jfr_next(c, &at, &e)) {
        struct jfr_value values[JFR_FIELDS];
        struct jfr_class *class = jfr_class_of(c, e.type);
        struct jfr_layout layout;

        if (!class)
            continue;
        class->events++;
        if (class->name < JFR_E_JVM || class->name > JFR_E_SAMPLES_LOST ||
            !jfr_layout_of(c, class, &layout))
            continue;
        memset(values, 0, sizeof(values));
        jfr_read(c, layout, &e.body, values);
        if (!e.body.failed)
            take_note(r, c, class, values, place);
    }
    count_events(r, c);
}

static void survey(struct recording *r)
{
    const struct entry *e = r->f.entry;

    for (size_t at = 0; at < e->size;) {
        struct jfr_chunk c;
        struct chunk_place place = {.at = at, .process = NO_ID};

        if (jfr_chunk_open(&c, &r->f, at)) {
            if (!r->chunks.len)
                r->f.start_ns = c.start_ns;
            survey_chunk(r, &c, &place);
            if (place.process == NO_ID && r->chunks.len)
                place.process = r->chunks.data[r->chunks.len - 1].process;
            *vec_add(&r->chunks) = place;
            r->unfinished |= c.unfinished;
            r->end_ns = c.start_ns + c.duration_ns;
        }
        at += c.bytes.len;
        jfr_chunk_close(&c);
    }
}

/* ---- what is counted ---- */

/* "jdk.ExecutionSample", or what is behind the point. */
static bool is_called(const struct recording *r, const struct event_total *t,
                      const char *name)
{
    const char *text = strings_get(r->f.texts, t->name);
    const char *point = strrchr(text, '.');

    return ascii_same(text, name) || (point && ascii_same(point + 1, name));
}

static const struct event_total *find_event(const struct recording *r,
                                            const char *name)
{
    for (size_t i = 0; i < r->totals.len; i++)
        if (r->totals.data[i].has_stack &&
            is_called(r, &r->totals.data[i], name))
            return &r->totals.data[i];
    return NULL;
}

/* By its own name, or by one that all formats have: "allocation". */
static const struct event_total *asked_event(const struct recording *r,
                                             const char *name)
{
    const struct event_total *found = find_event(r, name);

    for (size_t i = 0; i < COUNTED && !found; i++)
        if (counted[i].alias && ascii_same(counted[i].alias, name))
            found = find_event(r, counted[i].event);
    return found;
}

static const struct event_total *preferred_event(const struct recording *r)
{
    const struct event_total *found = NULL;

    for (size_t i = 0; i < COUNTED && !found; i++)
        found = find_event(r, counted[i].event);
    for (size_t i = 0; i < r->totals.len && !found; i++)
        if (r->totals.data[i].has_stack)
            found = &r->totals.data[i];
    return found;
}

/* Events that topfn does not know weigh 1 each. */
static const struct counted *counted_as(const struct recording *r,
                                        uint32_t event)
{
    static const struct counted other = {0};

    for (size_t i = 0; i < COUNTED; i++)
        if (!strcmp(strings_get(r->f.texts, event), counted[i].event))
            return &counted[i];
    return &other;
}

static void state_metric(struct recording *r)
{
    struct profile *p = r->f.p;
    const char *event = strings_get(r->f.texts, r->event);
    bool sampled = r->event == JFR_E_EXECUTION_SAMPLE;

    if (sampled && r->waits)
        profile_set_metric(p, METRIC_THREAD_SAMPLES);
    else if (sampled && r->other_clock)
        profile_set_metric(p, METRIC_EVENT_SAMPLES);
    else if (r->how.metric == METRIC_EVENTS)
        profile_set_metric_word(p, *event ? event : "events");
    else
        profile_set_metric(p, r->how.metric);
    if (r->how.unit)
        profile_set_unit(p, r->how.unit, 0);
    if (!sampled || r->other_clock || r->interval_ns > INT64_MAX)
        return;
    p->trace.interval_ns = (int64_t)r->interval_ns;
}

static void list_event(const struct recording *r, struct out *list,
                       const struct event_total *t)
{
    const char *name = strings_get(r->f.texts, t->name);

    if (t->has_stack && t->name != r->event && t->name != JFR_E_SETTING)
        out_also(list, text_starts(name, "jdk.") ? name + 4 : name, t->count);
}

/* The events that --event can choose instead: first those that people ask
 * for. */
static void list_others(struct recording *r)
{
    struct out *others = out_memory();

    for (size_t i = 0; i < COUNTED; i++) {
        const struct event_total *t = find_event(r, counted[i].event);

        if (t)
            list_event(r, others, t);
    }
    for (size_t i = 0; i < r->totals.len && i < EVENTS_LISTED; i++)
        if (!counted_as(r, r->totals.data[i].name)->event)
            list_event(r, others, &r->totals.data[i]);
    profile_also_recorded(r->f.p, others);
    out_close(others, NULL);
}

static enum err_code choose_event(struct recording *r, const char *asked,
                                  struct err *err)
{
    const struct event_total *found =
        asked ? asked_event(r, asked) : preferred_event(r);
    const struct event_total *first = preferred_event(r);

    if (asked && !found)
        return err_set(err, ERR_USAGE,
                       "%s: no event \"%s\" with stacks%s%s; topfn info lists "
                       "all",
                       r->f.entry->name, asked,
                       first ? "; the first one is " : "",
                       first ? strings_get(r->f.texts, first->name) : "");
    r->event = found ? found->name : 0;
    r->how = *counted_as(r, r->event);
    return ERR_NONE;
}

/* ---- samples ---- */

static uint64_t weight_of(const struct recording *r, const struct jfr_chunk *c,
                          const struct jfr_value *values)
{
    uint64_t value = values[r->how.weight].number;

    if (r->how.weight == JFR_NO_WORD)
        return 1;
    if (r->how.weight == JFR_DURATION)
        return jfr_nanoseconds(c, value);
    return value < WEIGHTS_MOST ? value : WEIGHTS_MOST;
}

static void take_sample(struct recording *r, struct jfr_chunk *c,
                        const struct jfr_value *values)
{
    uint64_t thread = values[JFR_SAMPLED_THREAD].number;
    uint32_t state = jfr_constant_text(c, JFR_C_THREAD_STATE, JFR_NAME,
                                       values[JFR_STATE].number);
    struct named_sample s = {
        .time = jfr_time(c, values[JFR_START_TIME].number),
        .weight = weight_of(r, c, values),
    };

    s.stack = jfr_stack_of(c, values[JFR_STACK_TRACE].number, &s.end);
    s.thread =
        jfr_thread_of(c, thread ? thread : values[JFR_EVENT_THREAD].number);
    r->waits |= state && state != JFR_S_RUNNABLE && state != JFR_S_DEFAULT;
    if (s.time > r->last_ns)
        r->last_ns = s.time;
    if (values[JFR_SAMPLING_PERIOD].number)
        r->f.p->trace.interval_ns =
            (int64_t)jfr_nanoseconds(c, values[JFR_SAMPLING_PERIOD].number);
    named_sample(&r->f.code, &s);
}

/* The second time through a chunk: its samples are read. */
static void read_samples(struct recording *r, struct jfr_chunk *c)
{
    struct jfr_value values[JFR_FIELDS] = {0};
    struct reader at = jfr_events(c);
    struct jfr_event e;

    jfr_note_constants(c);
    while (!r->f.code.full && jfr_next(c, &at, &e)) {
        struct jfr_class *class = jfr_class_of(c, e.type);
        struct jfr_layout layout;

        if (!class || class->name != r->event)
            continue;
        if (jfr_layout_of(c, class, &layout))
            jfr_read(c, layout, &e.body, values);
        else
            e.body.failed = true;
        if (e.body.failed)
            r->f.p->quality.malformed++;
        else
            take_sample(r, c, values);
    }
}

static void read_chunks(struct recording *r)
{
    if (!r->f.p->processes.len && r->chunks.len)
        named_process(&r->f.code, NO_PID, 0);
    for (size_t i = 0; i < r->chunks.len && r->event; i++) {
        const struct chunk_place *place = &r->chunks.data[i];
        struct jfr_chunk c;

        r->f.process = place->process == NO_ID ? 0 : place->process;
        if (jfr_chunk_open(&c, &r->f, place->at))
            read_samples(r, &c);
        jfr_chunk_close(&c);
    }
}

/* ---- the file ---- */

static void describe(struct recording *r)
{
    struct profile *p = r->f.p;
    int64_t length = r->end_ns - r->f.start_ns;

    p->trace.start_unix_ns = r->f.start_ns;
    p->trace.duration_ns = length > r->last_ns ? length : r->last_ns;
    for (size_t i = 0; i < r->totals.len; i++)
        profile_count_event(p, strings_get(r->f.texts, r->totals.data[i].name),
                            r->totals.data[i].count);
    if (r->collections) {
        profile_number(p, FACT_COLLECTIONS, r->collections, "%llu",
                       (unsigned long long)r->collections);
        profile_number(p, FACT_PAUSED, r->paused, "%llu ns",
                       (unsigned long long)r->paused);
    }
    if (r->unfinished)
        profile_warn(p, "the recording was still being written, or is "
                        "truncated: the end of its last chunk is missing");
    if (r->event == JFR_E_CPU_TIME_SAMPLE)
        p->quality.lost_events = r->lost_samples;
    if (r->lost_bytes)
        profile_warn(p, "the recorder lost %llu bytes of events",
                     (unsigned long long)r->lost_bytes);
    if (r->f.missing)
        profile_warn(p, "stacks or names that the file does not hold: %llu",
                     (unsigned long long)r->f.missing);
    if (r->f.names.cut)
        profile_warn(p, "names are longer than a file of this size may have: "
                        "the rest of its methods is shown without classes");
}

static void release(struct recording *r)
{
    strings_free(r->f.texts);
    vec_release(&r->f.profile_texts);
    vec_release(&r->f.scratch);
    vec_release(&r->f.frames);
    map_release(&r->f.threads);
    map_release(&r->total_of);
    vec_release(&r->totals);
    vec_release(&r->chunks);
}

static enum err_code jfr_read_file(const struct entry *e, size_t count,
                                   const struct read_options *options,
                                   struct observations *seen, struct err *err)
{
    struct profile *p = seen->profile;
    struct recording r = {.f = {.p = p,
                                .code = named_code_from(p, e),
                                .entry = e,
                                .texts = strings_new(),
                                .names = budget_of(e->size, 1, NAMES_FREE)}};
    enum err_code code;

    (void)count;
    for (unsigned i = 0; i < JFR_WORDS; i++)
        strings_add(r.f.texts, jfr_words[i], strlen(jfr_words[i]));
    survey(&r);
    if (!r.chunks.len)
        code = err_set(err, ERR_UNSUPPORTED,
                       "%s: nothing in it can be read (%s); topfn reads "
                       "versions 2.0 and 2.1",
                       e->name, r.f.unread);
    else
        code = choose_event(&r, options->event, err);
    if (!code) {
        read_chunks(&r);
        state_metric(&r);
        list_others(&r);
        describe(&r);
    }
    named_code_end(&r.f.code, "addresses, source files");
    release(&r);
    return code;
}

static enum format_probe jfr_probe(const uint8_t *data, size_t size)
{
    return size >= 4 && !memcmp(data, "FLR", 4) ? PROBE_YES : PROBE_NO;
}

const struct trace_format jfr_format = {
    .name = "jfr",
    .summary = "Java Flight Recorder recording",
    .recorders = "JDK Flight Recorder, async-profiler",
    .how_to_record = "java -XX:StartFlightRecording=settings=profile,"
                     "filename=out.jfr Main",
    .named = true,
    .chooses_events = true,
    .alone = true,
    .probe = jfr_probe,
    .read = jfr_read_file,
};
