/*
 * Samples, methods and processes, made of the events that matter.
 *
 *   ThreadSample (provider Microsoft-DotNETCore-SampleProfiler, id 0)
 *     0   4   1 external: in native code or waiting, 2 managed
 *
 * The sampler stops the runtime and samples every managed thread, running
 * or not: these samples measure wall-clock time.
 *
 * Method events are most of many files while few of their methods are ever
 * sampled. They are kept as they are until all samples are known; only those
 * whose code was sampled are decoded. (format.md, section 8)
 */
#include <string.h>

#include "engine/attribution/sampled_addresses.h"
#include "engine/attribution/thread_time.h"
#include "engine/format/nettrace/nettrace.h"

/* ---- weights ----
 *
 * The weights of `dotnet-trace report`: every event that it takes for a point
 * of a thread weighs the time to the thread's next point, so the last one
 * weighs nothing. Points are
 *
 *   - thread samples;
 *   - allocation ticks and sampled allocations (runtime, ids 10, 20, 32);
 *   - events of the task scheduler (ids 7, 8, 10, 11, 12);
 *   - every event of a provider whose id is a hash of its name, as those of
 *     an EventSource are: all but the few that had an id before that rule.
 *     Id 0xFFFE describes events and is none; of what the Linux recorder
 *     writes ("Universal.") only its CPU samples are.
 *
 * That tool puts a row of its own below the stack of every event of the last
 * sort; here its time is that of the function that wrote it.
 *
 * Weights are microseconds. A weight is the difference of two rounded times
 * and not a rounded difference: no error adds up however many there are.
 * (engine/attribution/clr-events.md, section 6)
 */

static const char sampler[] = "Microsoft-DotNETCore-SampleProfiler";
static const char tasks[] = "System.Threading.Tasks.TplEventSource";
static const char universal[] = "Universal.";
static const char runtime[] = "Microsoft-Windows-DotNETRuntime";

/* Points of the providers whose id is no hash. */
static const struct {
    const char *provider;
    uint32_t id;
} points[] = {
    {sampler, 0}, {runtime, 10}, {runtime, 20}, {runtime, 32}, {tasks, 7},
    {tasks, 8},   {tasks, 10},   {tasks, 11},   {tasks, 12},
};

static bool has_hashed_id(const char *provider)
{
    static const char *const others[] = {
        sampler,
        tasks,
        runtime,
        "Microsoft-Windows-DotNETRuntimePrivate",
        "Microsoft-Windows-DotNETRuntimeRundown",
        "Microsoft-Windows-DotNETRuntimeStress",
        "System.Diagnostics.Eventing.FrameworkEventSource",
    };

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (!strcmp(provider, others[i]))
            return false;
    return *provider;
}

bool nt_is_point(const struct nt_recording *rec, const struct nt_kind *kind)
{
    enum { MANIFEST = 0xFFFE };
    const char *provider = strings_get(rec->strings, kind->provider);

    if (!strncmp(provider, universal, sizeof(universal) - 1))
        return kind->source == NT_CPU_SAMPLE;
    if (has_hashed_id(provider))
        return kind->event_id != MANIFEST;
    for (size_t i = 0; i < sizeof(points) / sizeof(points[0]); i++)
        if (kind->event_id == points[i].id &&
            !strcmp(provider, points[i].provider))
            return true;
    return false;
}

/* Rounded down, before time 0 too. */
static int64_t microseconds(int64_t ns)
{
    return ns / 1000 - (ns % 1000 < 0);
}

/* ---- events ---- */

enum { TYPE_EXTERNAL = 1, TYPE_MANAGED = 2 };

/* The thread an event is about; its key is made when first asked for. */
static uint32_t thread_key(struct nt_file *f, uint64_t id)
{
    uint32_t at = nt_thread_index(f, id); /* may move the threads */
    struct nt_thread *t = &f->threads.data[at];

    if (t->key != NO_ID)
        return t->key;
    t->key = observe_thread_key(f->recording->seen, t->tid, t->pid);
    if (t->name.len)
        observe_thread(
            f->recording->seen,
            &(struct observed_thread){
                .event = SEEN_AT_START,
                .tid = t->tid,
                .pid = t->pid,
                .name = strings_add(f->recording->strings,
                                    (const char *)t->name.data, t->name.len),
            });
    return t->key;
}

static uint32_t event_pid(struct nt_file *f, const struct nt_event *e)
{
    uint32_t at = nt_thread_index(f, e->thread);

    return f->threads.data[at].pid;
}

/* External or managed, for thread samples; 0 for all others. */
static uint8_t sample_type(const struct nt_kind *kind, const struct nt_event *e)
{
    if (kind->source != NT_THREAD_SAMPLE || e->size < 4)
        return 0;
    switch (load_u32(e->payload)) {
    case TYPE_EXTERNAL:
        return SAMPLE_EXTERNAL;
    case TYPE_MANAGED:
        return SAMPLE_MANAGED;
    }
    return 0;
}

/* A label may say another version than the metadata. */
static uint8_t event_version(struct nt_file *f, const struct nt_kind *kind,
                             const struct nt_event *e)
{
    const struct nt_labels *l = nt_labels_of(f, e);

    if (l && l->version >= 0)
        return (uint8_t)l->version;
    return kind->version > UINT8_MAX ? UINT8_MAX : (uint8_t)kind->version;
}

static struct reader payload_reader(const struct nt_file *f,
                                    const struct nt_event *e)
{
    return reader_of(f->name, e->payload, e->size,
                     (uint64_t)(e->payload - f->data), NULL);
}

static uint64_t allocated_bytes(struct nt_file *f, const struct nt_kind *kind,
                                const struct nt_event *e)
{
    struct reader r = payload_reader(f, e);
    uint64_t n =
        clr_allocation_bytes((uint16_t)kind->event_id,
                             event_version(f, kind, e), f->pointer_size, &r);

    if (!n)
        return 1;
    return n < WEIGHTS_MOST ? n : WEIGHTS_MOST;
}

static void take_sample(struct nt_file *f, const struct nt_kind *kind,
                        const struct nt_event *e)
{
    struct nt_recording *rec = f->recording;
    uint32_t run = f->version == 3 ? nt_frames_run(f, e->frames, e->frames_size)
                                   : nt_stack_run(f, e->stack);
    struct observed_sample sample = {
        .time = nt_time(f, e->time),
        .thread_key = thread_key(f, e->thread),
        .outer = run,
        .weight = kind->in_bytes ? allocated_bytes(f, kind, e) : 1,
        .cpu = e->processor < NO_CPU ? (uint16_t)e->processor : NO_CPU,
        .flags = sample_type(kind, e),
        .leaf = kind->source, /* until samples are reported */
    };

    if (run)
        sample.flags |=
            SAMPLE_USER_PART | SAMPLE_KERNEL_PART | SAMPLE_HAS_STACK;
    observed_samples_add(&rec->samples, &sample);
}

/* A switch tells how long its thread is off the processor from now on. */
static void take_happening(struct nt_file *f, const struct nt_kind *kind,
                           const struct nt_event *e)
{
    static const uint8_t waits[] = {[NT_ROLE_SWITCH] = WAIT_BLOCKED,
                                    [NT_ROLE_LOCK] = WAIT_LOCK,
                                    [NT_ROLE_HANDLE] = WAIT_HANDLE,
                                    [NT_ROLE_LOCK_END] = WAIT_LOCK,
                                    [NT_ROLE_HANDLE_END] = WAIT_HANDLE};
    struct samples *s = &f->recording->samples;
    struct reader r = payload_reader(f, e);
    struct observed_sample row;

    take_sample(f, kind, e);
    if (kind->role == NT_ROLE_SAMPLE)
        return;
    row = observed_samples_get(s, s->len - 1);
    s->len--;
    if (kind->role == NT_ROLE_SWITCH) {
        row.period = thread_happening(HAPPENED_SWITCH_TO, WAIT_BLOCKED, 0);
        observed_samples_add(s, &row);
        row.time = nt_time(f, e->time + reader_uleb(&r));
        row.outer = 0;
        row.cpu = NO_CPU; /* where it comes in again is not told */
        row.period = thread_happening(HAPPENED_SWITCH_FROM, WAIT_BLOCKED, 0);
    } else {
        row.period = thread_happening(kind->role == NT_ROLE_LOCK_END ||
                                              kind->role == NT_ROLE_HANDLE_END
                                          ? HAPPENED_WAIT_END
                                          : HAPPENED_WAIT_BEGIN,
                                      waits[kind->role], 0);
    }
    observed_samples_add(s, &row);
}

static struct clr_event clr_event_of(struct nt_file *f,
                                     const struct nt_kind *kind,
                                     const struct nt_event *e)
{
    return (struct clr_event){
        .provider = kind->clr,
        .id = (uint16_t)kind->event_id,
        .version = event_version(f, kind, e),
        .width = (uint8_t)f->pointer_size,
        .pid = event_pid(f, e),
        .thread = e->thread,
        .time = nt_time(f, e->time),
        .without_images = true,
    };
}

static void keep_method(struct nt_file *f, const struct nt_kind *kind,
                        const struct nt_event *e)
{
    struct nt_recording *rec = f->recording;
    struct clr_event event = clr_event_of(f, kind, e);
    struct nt_method m = {
        .payload = e->payload,
        .time = event.time,
        .size = e->size,
        .pid = event.pid,
        .id = event.id,
        .version = event.version,
        .provider = kind->clr,
    };

    rec->runtime = true;
    if (kind->clr == CLR_RUNDOWN)
        rec->rundown = true;
    clr_method_met(rec->seen, &event, e->payload, e->size);
    if (clr_method_range(e->payload, e->size, &m.start, &m.length))
        *vec_add(&rec->methods) = m;
    else
        rec->profile->quality.malformed++;
}

static void take_module(struct nt_file *f, const struct nt_kind *kind,
                        const struct nt_event *e)
{
    enum { MODULE_UNLOAD = 153 };
    struct nt_recording *rec = f->recording;
    struct reader r = payload_reader(f, e);
    struct clr_event event = clr_event_of(f, kind, e);

    rec->runtime = true;
    if (event.provider == CLR_RUNTIME && event.id == MODULE_UNLOAD &&
        event.time > rec->last_unload)
        rec->last_unload = event.time;
    if (!clr_event_take(rec->seen, &event, &r))
        rec->profile->quality.malformed++;
}

/* Command line, operating system, architecture. The process is called as
 * its program is. */
static void take_process_info(struct nt_file *f, const struct nt_event *e)
{
    struct nt_recording *rec = f->recording;
    struct reader r = payload_reader(f, e);
    struct bytes line = reader_utf16(&r), os = reader_utf16(&r);
    struct observed_process fact = {
        .time = nt_time(f, e->time),
        .event = SEEN_AT_STOP,
        .pid = event_pid(f, e),
    };
    const char *text, *end, *base;
    bool quoted;

    fact.command_line =
        strings_add_utf16(rec->strings, line.data, line.len / 2);
    text = strings_get(rec->strings, fact.command_line);
    /* The program is in quotes where its path has spaces. */
    quoted = *text == '"';
    text += quoted;
    end = text + strcspn(text, quoted ? "\"" : " ");
    for (base = end; base > text && base[-1] != '/' && base[-1] != '\\';)
        base--;
    fact.name = strings_add(rec->strings, base, (size_t)(end - base));
    observe_process(rec->seen, &fact);
    if (os.len && !rec->profile->trace.os)
        rec->profile->trace.os =
            strings_add_utf16(rec->strings, os.data, os.len / 2);
}

void nt_take_event(struct nt_file *f, const struct nt_kind *kind,
                   const struct nt_event *e)
{
    struct clr_event clr;
    struct reader r;

    if (kind->sampled &&
        f->recording->samples.len >= f->recording->most_samples)
        f->recording->left_out++;
    else if (kind->sampled && kind->role)
        take_happening(f, kind, e);
    else if (kind->sampled)
        take_sample(f, kind, e);
    switch (kind->use) {
    case CLR_METHOD:
        keep_method(f, kind, e);
        break;
    case CLR_MODULE:
        take_module(f, kind, e);
        break;
    case CLR_IL_MAP:
        clr = clr_event_of(f, kind, e);
        if (!clr_il_map_take(f->recording->seen, &clr, e->payload, e->size))
            f->recording->profile->quality.malformed++;
        break;
    case CLR_COLLECTION:
        clr = clr_event_of(f, kind, e);
        r = payload_reader(f, e);
        clr_collection_take(f->recording->seen, &clr, &r);
        break;
    case CLR_JIT:
        clr = clr_event_of(f, kind, e);
        clr_jit_take(f->recording->seen, &clr, e->payload, e->size);
        break;
    case NT_RUNDOWN_END:
        f->recording->rundown = true;
        break;
    case NT_PROCESS_INFO:
        take_process_info(f, e);
        break;
    case NT_UNIVERSAL:
        r = payload_reader(f, e);
        nt_universal_event(f, kind, event_pid(f, e), nt_time(f, e->time), &r);
        break;
    }
}

/* ---- when all files are read ---- */

/* The runtime walks to the first managed frame, unless there are more than it
 * keeps. The machine-wide recorder of Linux does not say where a walk ended. */
static void state_ends(struct nt_recording *rec)
{
    enum { RUNTIME_KEEPS = 100 };

    if (!rec->machine_wide)
        rec->seen->whole_below = RUNTIME_KEEPS;
    observed_ends_state(rec->seen, &rec->samples);
}

/* Drops the samples that weigh nothing, as a database has no room for them,
 * and thread samples if `without_threads`. */
static void drop_samples(struct nt_recording *rec, bool without_threads)
{
    struct samples kept = {0};

    for (size_t i = 0; i < rec->samples.len; i++) {
        struct observed_sample s = observed_samples_get(&rec->samples, i);

        if (s.weight && !(without_threads && s.leaf == NT_THREAD_SAMPLE))
            observed_samples_add(&kept, &s);
    }
    samples_release(&rec->samples);
    rec->samples = kept;
}

/* The recorder walks the kernel part of the stack, too, so the stack is
 * complete. */
static void report_samples(struct nt_recording *rec)
{
    struct samples *s = &rec->samples;
    bool weighed = rec->options->thread_weights, without_threads;
    uint64_t of[] = {
        [NT_THREAD_SAMPLE] = 0, [NT_CPU_SAMPLE] = 0, [NT_OTHER_EVENT] = 0};

    for (size_t i = 0; i < s->len; i++)
        of[s->leaf[i]]++;
    /* Thread samples and CPU samples measure different things and are never
     * mixed: where both were recorded, and neither asked for, CPU samples. */
    without_threads = !weighed && of[NT_THREAD_SAMPLE] &&
                      of[NT_CPU_SAMPLE] + of[NT_OTHER_EVENT];
    if (without_threads)
        profile_warn(rec->profile,
                     "%llu thread samples are not counted beside the CPU "
                     "samples: --event thread shows them",
                     (unsigned long long)of[NT_THREAD_SAMPLE]);
    if (weighed)
        profile_set_metric(rec->profile, METRIC_THREAD_TIME);
    else if (rec->chosen && rec->chosen_metric == METRIC_EVENTS)
        profile_set_metric_word(rec->profile, rec->options->event);
    else if (rec->chosen)
        profile_set_metric(rec->profile, rec->chosen_metric);
    else
        profile_set_metric(rec->profile, of[NT_CPU_SAMPLE]
                                             ? METRIC_CPU_SAMPLES
                                             : METRIC_THREAD_SAMPLES);
    samples_sort(s, TIME_MIN);
    if (weighed) {
        /* Weighs every sample by the time to its thread's next one, in
         * microseconds; 0 where there is none. Samples are in order of time. */
        size_t threads = rec->seen->thread_keys.len;
        size_t *last = mem_new(threads, sizeof(*last)); /* + 1; 0: none yet */

        free(s->weight);
        s->weight = mem_new(s->cap, sizeof(*s->weight));
        for (size_t i = 0; i < s->len; i++) {
            size_t *at = &last[s->thread[i]];

            if (*at)
                s->weight[*at - 1] = (uint64_t)microseconds(s->time[i]) -
                                     (uint64_t)microseconds(s->time[*at - 1]);
            *at = i + 1;
        }
        free(last);
    }
    if (weighed || without_threads)
        drop_samples(rec, without_threads);
    for (size_t i = 0; i < s->len; i++)
        s->leaf[i] = 0;
    state_ends(rec);
    observe_samples(rec->seen, s);
    *s = (struct samples){0};
}

static void report_method(struct nt_recording *rec, const struct nt_method *m)
{
    struct reader r = reader_of("method", m->payload, m->size, 0, NULL);
    struct clr_event event = {
        .provider = m->provider,
        .id = m->id,
        .version = m->version,
        .pid = m->pid,
        .time = m->time,
    };

    if (!clr_event_take(rec->seen, &event, &r))
        rec->profile->quality.malformed++;
}

/* A method event also ends what was at its address before, so all events of
 * an address are taken if any of its methods was sampled. */
static void report_methods(struct nt_recording *rec)
{
    struct map known = {0}; /* (address, process) */
    struct sampled_addresses sampled;

    sampled_addresses_init(&sampled, &rec->seen->callchains);
    for (size_t i = 0; i < rec->methods.len; i++) {
        const struct nt_method *m = &rec->methods.data[i];

        if (sampled_addresses_within(&sampled, m->start, m->length))
            map_set(&known, m->start, m->pid, 1);
    }
    sampled_addresses_release(&sampled);
    for (size_t i = 0; known.used && i < rec->methods.len; i++) {
        const struct nt_method *m = &rec->methods.data[i];

        if (map_get(&known, m->start, m->pid) != MAP_NONE)
            report_method(rec, m);
    }
    map_release(&known);
}

/* Code that nobody described has no name. That of unloaded modules has no
 * events by default; which code that was is not known, only until when there
 * was such a module. */
void nt_finish_events(struct nt_recording *rec)
{
    if (rec->left_out)
        profile_warn(rec->profile,
                     "more samples than a file of this size may have: the last "
                     "%llu are left out",
                     (unsigned long long)rec->left_out);
    report_samples(rec);
    report_methods(rec);
    if (!rec->runtime)
        return;
    if (!rec->rundown)
        rec->seen->unknown_cause =
            rec->cut_off ? CAUSE_CUT_OFF : CAUSE_NO_RUNDOWN;
    rec->seen->last_unload = rec->last_unload;
}
