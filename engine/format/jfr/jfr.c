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

enum { NAMES_FREE = 1 << 17 /* bytes of composed names, whatever the size */ };

/* ---- what the recording says of itself ---- */

static uint32_t event_name(struct jfr_chunk *c, uint64_t type)
{
    const struct jfr_class *class = jfr_class_of(c, type);

    return class ? class->name : 0;
}

/* The JDK looks at a few threads in each period, however many run, so that
 * its samples do not add up to CPU time. async-profiler's do: each stands for
 * an interval of the clock that it chose for the whole recording. */
static void take_setting(struct jfr_recording *r, struct jfr_chunk *c,
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

static void take_process(struct jfr_recording *r, struct jfr_chunk *c,
                         const struct jfr_value *values,
                         struct jfr_chunk_place *place)
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
static void take_system(struct jfr_recording *r, const char *text)
{
    static const char name[] = "PRETTY_NAME=\"";
    size_t skipped = text_starts(text, name) ? sizeof(name) - 1 : 0;

    text += skipped;
    r->f.p->trace.os = strings_add(r->f.p->strings, text,
                                   strcspn(text, skipped ? "\"\n" : "\n"));
}

/* Reads the events that say something of the process and of the recorder. */
static void take_note(struct jfr_recording *r, struct jfr_chunk *c,
                      const struct jfr_class *class,
                      const struct jfr_value *values,
                      struct jfr_chunk_place *place)
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
        jfr_take_collection(r, c, values);
        break;
    case JFR_E_HEAP:
        jfr_take_heap(r, c, values);
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

static void count_events(struct jfr_recording *r, struct jfr_chunk *c)
{
    for (size_t i = 0; i < c->classes.len; i++) {
        const struct jfr_class *class = &c->classes.data[i];
        uint32_t fresh = mem_next_id(r->totals.len), at;

        if (!class->events)
            continue;
        at = map_add(&r->total_of, class->name, 0, fresh);
        if (at == fresh)
            *vec_add(&r->totals) = (struct jfr_event_total){
                .name = class->name, .has_stack = has_stack(c, class)};
        r->totals.data[at].count += class->events;
    }
}

/* The first time through a chunk: its events are counted. */
static void survey_chunk(struct jfr_recording *r, struct jfr_chunk *c,
                         struct jfr_chunk_place *place)
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

static void survey(struct jfr_recording *r)
{
    const struct entry *e = r->f.entry;

    for (size_t at = 0; at < e->size;) {
        struct jfr_chunk c;
        struct jfr_chunk_place place = {.at = at, .process = NO_ID};

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

/* ---- samples ---- */

/* The text of a field for --by: a class, a thread, a text or a number. */
static uint32_t value_text(struct jfr_chunk *c, const struct jfr_field *field,
                           const struct jfr_value *value)
{
    const struct jfr_class *class = jfr_class_of(c, field->class_id);
    struct profile *p = c->f->p;
    uint32_t word = class ? class->name : 0;

    if (field->is_array)
        return strings_addf(p->strings, "%llu elements",
                            (unsigned long long)value->number);
    if (word == JFR_C_CLASS)
        return jfr_class_text(c, value->number);
    if (word == JFR_C_THREAD)
        return p->threads.data[jfr_thread_of(c, value->number)].name;
    if (word == JFR_C_THREAD_STATE)
        return jfr_profile_text(
            c->f, jfr_constant_text(c, word, JFR_NAME, value->number));
    if (word == JFR_C_STRING)
        return jfr_profile_text(c->f, jfr_text(c, value));
    return strings_addf(p->strings, "%llu", (unsigned long long)value->number);
}

static void take_sample(struct jfr_recording *r, struct jfr_chunk *c,
                        const struct jfr_field *asked,
                        const struct jfr_value *values)
{
    uint64_t thread = values[JFR_SAMPLED_THREAD].number;
    uint32_t state = jfr_constant_text(c, JFR_C_THREAD_STATE, JFR_NAME,
                                       values[JFR_STATE].number);
    struct named_sample s = {
        .time = jfr_time(c, values[JFR_START_TIME].number),
        .weight = jfr_weight_of(r, c, values),
    };

    s.stack = jfr_stack_of(c, values[JFR_STACK_TRACE].number, &s.end);
    s.thread =
        jfr_thread_of(c, thread ? thread : values[JFR_EVENT_THREAD].number);
    r->waits |= state && state != JFR_S_RUNNABLE && state != JFR_S_DEFAULT;
    if (asked)
        s.value = value_text(c, asked, &values[r->f.value_place]);
    if (s.time > r->last_ns)
        r->last_ns = s.time;
    if (values[JFR_SAMPLING_PERIOD].number)
        r->f.p->trace.interval_ns =
            (int64_t)jfr_nanoseconds(c, values[JFR_SAMPLING_PERIOD].number);
    named_sample(&r->f.code, &s);
}

/* The second time through a chunk: its samples are read. */
static void read_samples(struct jfr_recording *r, struct jfr_chunk *c)
{
    struct jfr_value values[JFR_FIELDS] = {0};
    const struct jfr_class *met = NULL;
    const struct jfr_field *asked = NULL;
    struct reader at = jfr_events(c);
    struct jfr_event e;

    jfr_note_constants(c);
    while (!r->f.code.full && jfr_next(c, &at, &e)) {
        struct jfr_class *class = jfr_class_of(c, e.type);
        struct jfr_layout layout;

        if (!class || class->name != r->event)
            continue;
        if (met != class)
            asked = jfr_asked_field(r, c, class);
        met = class;
        if (jfr_layout_of(c, class, &layout))
            jfr_read(c, layout, &e.body, values);
        else
            e.body.failed = true;
        if (e.body.failed)
            r->f.p->quality.malformed++;
        else
            take_sample(r, c, asked, values);
    }
}

static void read_chunks(struct jfr_recording *r)
{
    if (!r->f.p->processes.len && r->chunks.len)
        named_process(&r->f.code, NO_PID, 0);
    for (size_t i = 0; i < r->chunks.len && r->event; i++) {
        const struct jfr_chunk_place *place = &r->chunks.data[i];
        struct jfr_chunk c;

        r->f.process = place->process == NO_ID ? 0 : place->process;
        if (jfr_chunk_open(&c, &r->f, place->at))
            read_samples(r, &c);
        jfr_chunk_close(&c);
    }
}

/* ---- the file ---- */

static void describe(struct jfr_recording *r)
{
    struct profile *p = r->f.p;
    int64_t length = r->end_ns - r->f.start_ns;

    p->trace.start_unix_ns = r->f.start_ns;
    p->trace.duration_ns = length > r->last_ns ? length : r->last_ns;
    for (size_t i = 0; i < r->totals.len; i++)
        profile_count_event(p, strings_get(r->f.texts, r->totals.data[i].name),
                            r->totals.data[i].count);
    jfr_state_collections(r);
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

static void release(struct jfr_recording *r)
{
    strings_free(r->f.texts);
    vec_release(&r->f.profile_texts);
    vec_release(&r->f.scratch);
    vec_release(&r->f.frames);
    map_release(&r->f.threads);
    map_release(&r->total_of);
    vec_release(&r->totals);
    vec_release(&r->chunks);
    vec_release(&r->collections);
    vec_release(&r->heaps);
}

static enum err_code jfr_read_file(const struct entry *e, size_t count,
                                   const struct read_options *options,
                                   struct observations *seen, struct err *err)
{
    struct profile *p = seen->profile;
    struct jfr_recording r = {
        .f = {.p = p,
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
        code = jfr_choose_event(&r, options, err);
    if (!code) {
        r.f.surveyed = true;
        read_chunks(&r);
        jfr_state_metric(&r);
        describe(&r);
        code = jfr_fields_found(&r, err);
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
    .how_to_record = "java -XX:StartFlightRecording=settings=profile,"
                     "filename=out.jfr Main",
    .named = true,
    .chooses_events = true,
    .weighs_events = true,
    .alone = true,
    .probe = jfr_probe,
    .read = jfr_read_file,
};
