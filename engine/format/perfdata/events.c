/*
 * The type and number of an event tell what it counts, or a name where the
 * recorder gave one. (format.md, section 2)
 */
#include "engine/format/perfdata/perfdata.h"

#include <stdio.h>
#include <string.h>

#include "engine/base/out.h"
#include "engine/base/text.h"

enum {
    HARDWARE = PD_HARDWARE,
    SOFTWARE = PD_SOFTWARE,
    CYCLES = 0,
    REFERENCE_CYCLES = 9,
    CPU_CLOCK = 0,
    TASK_CLOCK = 1,
    DUMMY = 9,
    NUMBER_MARK = '#',
};

void pd_name_event(struct pd_reading *r, struct pd_event *e)
{
    static const char *const hardware[] = {
        "cycles",
        "instructions",
        "cache-references",
        "cache-misses",
        "branches",
        "branch-misses",
        "bus-cycles",
        "stalled-cycles-frontend",
        "stalled-cycles-backend",
        "ref-cycles",
    };
    static const char *const software[] = {
        "cpu-clock",        "task-clock",   "page-faults",  "context-switches",
        "cpu-migrations",   "minor-faults", "major-faults", "alignment-faults",
        "emulation-faults", "dummy",        "bpf-output",   "cgroup-switches",
    };
    uint32_t number = (uint32_t)e->config; /* above: of the core's kind */
    const char *name = NULL;

    if (e->type == HARDWARE && number < sizeof(hardware) / sizeof(*hardware))
        name = hardware[number];
    if (e->type == SOFTWARE && number < sizeof(software) / sizeof(*software))
        name = software[number];
    e->name = name ? strings_add(r->strings, name, strlen(name))
                   : strings_addf(r->strings, "type %u event 0x%llx", e->type,
                                  (unsigned long long)e->config);
}

bool pd_take_events(struct pd_reading *r)
{
    bool said = r->events_visited.cut;
    bool taken = budget_take(&r->events_visited, r->events.len);

    if (!taken && !said)
        profile_warn(r->profile,
                     "%s: events are named or added too often for a file of "
                     "this size: later names and events are left out",
                     r->name);
    return taken;
}

void pd_name_events(struct pd_reading *r, uint32_t type, uint64_t config,
                    uint32_t name)
{
    if (!pd_take_events(r))
        return;
    for (size_t i = 0; i < r->events.len; i++) {
        struct pd_event *e = &r->events.data[i];

        if (e->type == type && e->config == config && name) {
            e->name = name;
            r->chose = false;
        }
    }
}

/* ---- which events are the samples ---- */

/* "cycles" of "cpu_core/cycles/P", "cycles:u", "cycles#2"; tracepoints stay
 * whole. */
static struct bytes plain_name(const char *name)
{
    const char *slash = strchr(name, '/');
    const char *from = slash ? slash + 1 : name;
    size_t n = strcspn(from, "/#");
    const char *colon = memchr(from, ':', n);

    if (colon && (size_t)(from + n - colon) <= 4)
        n = (size_t)(colon - from);
    return (struct bytes){(const uint8_t *)from, n};
}

bool pd_event_is_called(const char *event, const char *name)
{
    struct bytes plain = plain_name(event);

    return ascii_same(event, name) ||
           (plain.len == strlen(name) &&
            ascii_same_n((const char *)plain.data, name, plain.len));
}

static bool counts_cpu_time(const struct pd_reading *r,
                            const struct pd_event *e)
{
    const char *name = strings_get(r->strings, e->name);
    uint32_t number = (uint32_t)e->config;

    if (e->type == HARDWARE)
        return number == CYCLES || number == REFERENCE_CYCLES;
    if (e->type == SOFTWARE)
        return number == CPU_CLOCK || number == TASK_CLOCK;
    return pd_event_is_called(name, "cycles") ||
           pd_event_is_called(name, "cpu-cycles") ||
           pd_event_is_called(name, "cpu_cycles");
}

void pd_type_by_name(const struct pd_reading *r, struct pd_event *e)
{
    const char *name = strings_get(r->strings, e->name);

    e->type = PD_OTHER_TYPE;
    if (pd_event_is_called(name, "cpu-clock") ||
        pd_event_is_called(name, "task-clock")) {
        e->type = SOFTWARE;
        e->config =
            pd_event_is_called(name, "cpu-clock") ? CPU_CLOCK : TASK_CLOCK;
    }
}

/* Events that have several names, any of which they can be asked for by: perf
 * keeps the one that was typed. */
static const struct synonyms {
    enum metric_id metric;
    const char *names[5];
} several_names[] = {
    {METRIC_CONTEXT_SWITCHES,
     {"cswitch", "cs", "context-switches", "sched:sched_switch"}},
    {METRIC_PAGE_FAULTS, {"page-fault", "faults", "page-faults"}},
};

enum { SYNONYMS = sizeof(several_names) / sizeof(several_names[0]) };

static bool is_called_one_of(const struct synonyms *s, const char *event)
{
    for (const char *const *name = s->names; *name; name++)
        if (pd_event_is_called(event, *name))
            return true;
    return false;
}

static enum metric_id metric_of(const struct pd_reading *r,
                                const struct pd_event *e)
{
    const char *name = strings_get(r->strings, e->name);

    if (counts_cpu_time(r, e))
        return METRIC_CPU_SAMPLES;
    if (e->off_cpu)
        return METRIC_BLOCKED_TIME;
    for (size_t i = 0; i < SYNONYMS; i++)
        if (is_called_one_of(&several_names[i], name))
            return several_names[i].metric;
    return METRIC_EVENTS;
}

/* By another name than it has. */
static bool is_synonym(const struct pd_reading *r, const struct pd_event *e,
                       const char *wanted)
{
    const char *name = strings_get(r->strings, e->name);

    if (ascii_same(wanted, "cpu"))
        return counts_cpu_time(r, e);
    if (ascii_same(wanted, "blocked"))
        return e->off_cpu;
    for (size_t i = 0; i < SYNONYMS; i++)
        if (is_called_one_of(&several_names[i], wanted) &&
            is_called_one_of(&several_names[i], name))
            return true;
    return false;
}

/* The second of two events of one name has a number, and is meant by that
 * alone. */
static bool event_is_named(const struct pd_reading *r, const struct pd_event *e,
                           const char *wanted)
{
    const char *name = strings_get(r->strings, e->name);

    return strchr(name, NUMBER_MARK) ? ascii_same(name, wanted)
                                     : pd_event_is_called(name, wanted);
}

static bool has_name(const struct pd_reading *r, const char *wanted)
{
    for (size_t i = 0; i < r->events.len; i++)
        if (event_is_named(r, &r->events.data[i], wanted))
            return true;
    return false;
}

static bool takes_samples(const struct pd_event *e)
{
    return e->period && !(e->type == SOFTWARE && e->config == DUMMY);
}

static bool took_samples(const struct pd_event *e)
{
    return e->count && !(e->type == SOFTWARE && e->config == DUMMY);
}

/* The first one of CPU time, else the first at all. Once samples are counted,
 * of those that have some. */
const struct pd_event *pd_first_event(const struct pd_reading *r)
{
    bool (*counts)(const struct pd_event *) = takes_samples;
    const struct pd_event *first = NULL;

    for (size_t i = 0; i < r->events.len; i++)
        if (took_samples(&r->events.data[i]))
            counts = took_samples;
    for (size_t i = 0; i < r->events.len; i++) {
        const struct pd_event *e = &r->events.data[i];

        if (counts(e) && counts_cpu_time(r, e))
            return e;
        if (!first && counts(e))
            first = e;
    }
    return first ? first : r->events.data;
}

/* Processors with two kinds of cores have an event for each. */
static bool is_other_core(const struct pd_event *a, const struct pd_event *b)
{
    return a->type == HARDWARE && b->type == HARDWARE &&
           (uint32_t)a->config == (uint32_t)b->config &&
           a->config >> 32 != b->config >> 32;
}

/* Samples of two events of one name would be counted twice: the second is
 * called "cycles#2". */
static void number_events(struct pd_reading *r)
{
    enum { MOST_NUMBERED = 256 }; /* bytes of a name that thousands may have */
    struct map first = {0}, counts = {0};

    for (uint32_t i = 0; i < r->events.len; i++) {
        struct pd_event *e = &r->events.data[i];
        uint32_t name = e->name, count;

        if (is_other_core(e, &r->events.data[map_add(&first, name, 0, i)]) ||
            map_get(&first, name, 0) == i)
            continue;
        count = map_get(&counts, name, 0);
        count = count == MAP_NONE ? 2 : count + 1;
        map_set(&counts, name, 0, count);
        e->name =
            strings_addf(r->strings, "%.*s%c%u", MOST_NUMBERED,
                         strings_get(r->strings, name), NUMBER_MARK, count);
    }
    map_release(&first);
    map_release(&counts);
}

void pd_choose_events(struct pd_reading *r)
{
    const char *wanted = r->options->event;
    const struct pd_event *first;
    bool as_named;

    number_events(r);
    pd_find_off_cpu(r);
    if (r->seen->thread_states) {
        pd_choose_sched(r);
        r->chose = true;
        return;
    }
    first = wanted ? NULL : pd_first_event(r);
    as_named = wanted && has_name(r, wanted);
    for (size_t i = 0; i < r->events.len; i++) {
        struct pd_event *e = &r->events.data[i];

        if (!wanted)
            e->chosen = e == first || is_other_core(e, first);
        else if (as_named)
            e->chosen = event_is_named(r, e, wanted);
        else
            e->chosen = is_synonym(r, e, wanted);
    }
    r->chose = true;
}

static const struct pd_event *chosen_event(const struct pd_reading *r)
{
    for (size_t i = 0; i < r->events.len; i++)
        if (r->events.data[i].chosen)
            return &r->events.data[i];
    return NULL;
}

static bool keeps_samples(const struct pd_reading *r)
{
    for (size_t i = 0; i < r->events.len; i++)
        if (r->events.data[i].chosen && r->events.data[i].count)
            return true;
    return false;
}

bool pd_choose_others(struct pd_reading *r)
{
    const struct pd_event *before = chosen_event(r), *e;
    struct out *others;
    bool more = false;

    if (r->options->event || keeps_samples(r))
        return false;
    pd_choose_events(r);
    e = chosen_event(r);
    if (!e || !e->count)
        return false;
    others = out_memory();
    for (size_t i = 0; i < r->events.len; i++) {
        const struct pd_event *other = &r->events.data[i];

        if (other->chosen || !took_samples(other))
            continue;
        out_str(others, more ? ", " : "; --event shows those of ");
        out_str(others, strings_get(r->strings, other->name));
        more = true;
    }
    profile_warn(r->profile,
                 "%s: %s took no samples; these are the samples of %s%s",
                 r->name, before ? strings_get(r->strings, before->name) : "",
                 strings_get(r->strings, e->name), out_text(others, NULL));
    out_close(others, NULL);
    return true;
}

bool pd_state_metric(struct pd_reading *r)
{
    const struct pd_event *e = chosen_event(r);
    enum metric_id metric = e ? metric_of(r, e) : METRIC_EVENTS;

    if (e && metric == METRIC_EVENTS)
        profile_set_metric_word(r->profile, strings_get(r->strings, e->name));
    else if (e)
        profile_set_metric(r->profile, metric);
    return e;
}

uint32_t pd_period_of(const struct pd_reading *r)
{
    const struct pd_event *e = chosen_event(r);
    struct bytes name = {0};

    if (e)
        name = plain_name(strings_get(r->strings, e->name));
    return strings_add(r->strings, (const char *)name.data, name.len);
}

bool pd_clock_is_monotonic(const struct pd_reading *r)
{
    return r->events.len && r->events.data[0].monotonic && !r->untimed;
}

/* Nanoseconds between samples, where the event says so. The kernel's clocks
 * wait for 10 us, whatever the recorder asked for. */
int64_t pd_interval(const struct pd_reading *r)
{
    enum { NS_PER_SECOND = 1000000000, LEAST_OF_CLOCKS = 10000 };
    const struct pd_event *e = chosen_event(r);
    int64_t interval;

    if (!e || !e->period || e->period > INT64_MAX || !counts_cpu_time(r, e) ||
        !(e->frequency || e->type == SOFTWARE))
        return 0;
    interval = (int64_t)e->period;
    if (e->frequency)
        interval = NS_PER_SECOND / interval;
    return e->type == SOFTWARE && interval < LEAST_OF_CLOCKS ? LEAST_OF_CLOCKS
                                                             : interval;
}

uint32_t pd_event_of(const struct pd_reading *r, uint64_t id)
{
    uint32_t index;

    if (!r->events.len)
        return NO_ID;
    /* Samples that the tool made up itself have no counter. */
    if (r->events.len == 1 || !id)
        return 0;
    index = map_get(&r->event_ids, id, 0);
    return index < r->events.len ? index : NO_ID;
}

/* perf's own records are the file's form and nothing that happened. */
static bool is_form(uint32_t type)
{
    return type >= PD_RECORD_HEADER_ATTR && type < PD_SIMPLEPERF_TYPES &&
           pd_record_name(type);
}

bool pd_knows_no_record(const struct pd_reading *r)
{
    bool any = false;

    for (uint32_t type = 0; type < PD_RECORD_TYPES; type++) {
        if (!r->record_counts[type] || is_form(type))
            continue;
        if (pd_record_name(type))
            return false;
        any = true;
    }
    return any;
}

static void count_records(struct pd_reading *r)
{
    uint64_t unknown = 0;
    uint32_t last = 0;

    for (uint32_t type = 0; type < PD_RECORD_TYPES; type++) {
        const char *name = pd_record_name(type);
        char number[32];

        if (!r->record_counts[type] || is_form(type))
            continue;
        if (!name) {
            unknown += r->record_counts[type];
            last = type;
            snprintf(number, sizeof(number), "record type %u", type);
        }
        profile_count_event(r->profile, name ? name : number,
                            r->record_counts[type]);
    }
    if (unknown)
        profile_warn(r->profile,
                     "%s: %llu records of unknown types (up to type %u) "
                     "skipped; a newer recorder wrote them",
                     r->name, (unsigned long long)unknown, last);
}

void pd_count_events(struct pd_reading *r)
{
    struct trace_info *trace = &r->profile->trace;
    struct out *others = out_memory();
    struct map ids = {0};

    for (size_t i = 0; i < r->events.len; i++) {
        const struct pd_event *e = &r->events.data[i];
        uint32_t fresh = (uint32_t)trace->event_counts.len, at;

        at = map_add(&ids, e->name, 0, fresh);
        if (at == fresh)
            *vec_add(&trace->event_counts) = (struct event_count){e->name, 0};
        trace->event_counts.data[at].count += e->count;
        trace->events += e->count;
        if (took_samples(e) && !e->chosen)
            out_also(others, strings_get(r->strings, e->name), e->count);
    }
    profile_also_recorded(r->profile, others);
    out_close(others, NULL);
    map_release(&ids);
    count_records(r);
}
