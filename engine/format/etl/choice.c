#include "engine/format/etl/choice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/attribution/clr.h"
#include "engine/attribution/thread_time.h"
#include "engine/base/mem.h"
#include "engine/base/text.h"
#include "engine/format/etl/etl.h"
#include "engine/format/etl/guids.h"
#include "engine/format/etl/hooks.h"

enum {
    MOST_HOOKS = 6,
    SAMPLE = 0x0F2E,
    COUNTER = 0x0F2F,
    SWITCH = 0x0524,
    READY = 0x0532
};

static const char runtime[] = "Microsoft-Windows-DotNETRuntime";

/* Events of the runtime that begin and end a wait. */
static const struct wait_event {
    uint16_t id;
    enum thread_happening kind;
    unsigned wait;
} wait_events[] = {
    {81, HAPPENED_WAIT_BEGIN, WAIT_LOCK},
    {91, HAPPENED_WAIT_END, WAIT_LOCK},
    {301, HAPPENED_WAIT_BEGIN, WAIT_HANDLE},
    {302, HAPPENED_WAIT_END, WAIT_HANDLE},
};

enum { WAIT_EVENTS = sizeof(wait_events) / sizeof(*wait_events) };

/* The short names: of kernel events, or of one of the .NET runtime. */
static const struct short_name {
    const char *name;
    enum metric_id metric;
    enum etl_weighing weighing;
    uint16_t clr_id;
    uint16_t hooks[MOST_HOOKS];
} short_names[] = {
    {"cpu", METRIC_CPU_SAMPLES, WEIGH_ONE, 0, {SAMPLE}},
    {"pmc", METRIC_COUNTER, WEIGH_ONE, 0, {COUNTER}},
    {"cswitch", METRIC_CONTEXT_SWITCHES, WEIGH_ONE, 0, {0x0524}},
    {"ready-thread", METRIC_EVENTS, WEIGH_ONE, 0, {0x0532}},
    {"image-load", METRIC_EVENTS, WEIGH_ONE, 0, {0x030A}},
    {"process-start", METRIC_EVENTS, WEIGH_ONE, 0, {0x0301}},
    {"thread-start", METRIC_EVENTS, WEIGH_ONE, 0, {0x0501}},
    {"page-fault",
     METRIC_PAGE_FAULTS,
     WEIGH_ONE,
     0,
     {0x020A, 0x020B, 0x020C, 0x020D, 0x020E}},
    {"hard-fault", METRIC_FAULT_TIME, WEIGH_FAULT, 0, {0x0220}},
    {"virtual-alloc", METRIC_RESERVED, WEIGH_RESERVE, 0, {0x0262}},
    {"heap-alloc", METRIC_HEAP, WEIGH_HEAP, 0, {0x1021}},
    {"disk-io", METRIC_EVENTS, WEIGH_ONE, 0, {0x010C, 0x010D}},
    {"syscall", METRIC_EVENTS, WEIGH_ONE, 0, {0x0F33}},
    {"allocation", METRIC_ALLOCATED, WEIGH_TICK, 10, {0}},
    {"exception", METRIC_EXCEPTIONS, WEIGH_ONE, 80, {0}},
    {"contention", METRIC_CONTENTIONS, WEIGH_ONE, 81, {0}},
};

enum { SHORT_NAMES = sizeof(short_names) / sizeof(*short_names) };

/* KPROFILE_SOURCE; a machine's own begin behind them. */
static const char *const sources[] = {
    "Timer",           "AlignmentFixup",     "TotalIssues",
    "PipelineDry",     "LoadInstructions",   "PipelineFrozen",
    "BranchInstructions", "TotalNonissues",  "DcacheMisses",
    "IcacheMisses",    "CacheMisses",        "BranchMispredictions",
    "StoreInstructions", "FpInstructions",   "IntegerInstructions",
    "2Issue",          "3Issue",             "4Issue",
    "SpecialInstructions", "TotalCycles",    "IcacheIssues",
    "DcacheAccesses",  "MemoryBarrierCycles", "LoadLinkedIssues",
};

enum { SOURCES = sizeof(sources) / sizeof(*sources) };

const char *etl_source_name(uint32_t source)
{
    return source < SOURCES ? sources[source] : NULL;
}

static void take_hook(struct etl_choice *choice, uint16_t hook)
{
    if (!choice->hooks)
        choice->hooks = mem_new(ETL_HOOKS / 8, 1);
    choice->hooks[hook / 8] |= (uint8_t)(1u << hook % 8);
}

static bool take_short(struct etl_choice *choice, const char *name)
{
    for (size_t i = 0; i < SHORT_NAMES; i++) {
        const struct short_name *s = &short_names[i];

        if (!ascii_same(s->name, name))
            continue;
        choice->metric = s->metric;
        choice->weighing = s->weighing;
        for (size_t h = 0; h < MOST_HOOKS && s->hooks[h]; h++)
            take_hook(choice, s->hooks[h]);
        if (s->clr_id) {
            choice->provider = true;
            choice->id = s->clr_id;
            etl_provider_guid(runtime, choice->guid);
        }
        return true;
    }
    return false;
}

/* "10", "CacheMisses". */
static bool read_source(const char *text, uint32_t *source)
{
    char *end;
    unsigned long number = strtoul(text, &end, 10);

    for (uint32_t i = 0; i < SOURCES; i++) {
        if (ascii_same(sources[i], text)) {
            *source = i;
            return true;
        }
    }
    if (end == text || *end || number > UINT16_MAX)
        return false;
    *source = (uint32_t)number;
    return true;
}

static bool take_source(struct etl_choice *choice, const char *name)
{
    if (!ascii_same_n(name, "pmc:", 4) ||
        !read_source(name + 4, &choice->source))
        return false;
    choice->metric = METRIC_COUNTER;
    take_hook(choice, COUNTER);
    return true;
}

static bool take_hook_name(struct etl_choice *choice, const char *name)
{
    char own[ETL_NAME_SIZE];

    for (unsigned hook = 0; hook < ETL_HOOKS; hook++) {
        etl_hook_name((uint16_t)hook, own);
        if (ascii_same(own, name))
            take_hook(choice, (uint16_t)hook);
    }
    return choice->hooks;
}

/* "Provider/12", "Class#3", "Provider/0!Name": a known provider or its GUID. */
static bool take_provider(struct etl_choice *choice, const char *name)
{
    char text[ETL_NAME_SIZE], provider[ETL_NAME_SIZE], *end;
    size_t n = strcspn(name, "!");
    const char *mark, *digits;
    unsigned long id;

    choice->event = name[n] ? name + n + 1 : NULL;
    snprintf(text, sizeof(text), "%.*s", (int)n, name);
    name = text;
    mark = strrchr(name, '#');
    if (!mark)
        mark = strrchr(name, '/');
    if (!mark || mark == name || (size_t)(mark - name) >= sizeof(provider))
        return false;
    digits = mark + 1;
    id = strtoul(digits, &end, 10);
    if (end == digits || *end || id > UINT16_MAX)
        return false;
    snprintf(provider, sizeof(provider), "%.*s", (int)(mark - name), name);
    choice->provider = true;
    choice->classic = *mark == '#';
    choice->id = (uint16_t)id;
    return etl_provider_guid(provider, choice->guid);
}

static void take_wait_events(struct etl_choice *choice)
{
    for (size_t i = 0; i < WAIT_EVENTS; i++) {
        struct etl_choice *next = mem_new(1, sizeof(*next));

        next->provider = true;
        next->id = wait_events[i].id;
        etl_provider_guid(runtime, next->guid);
        next->next = choice->next;
        choice->next = next;
    }
}

bool etl_choice_make(struct etl_choice *choice, const char *name)
{
    size_t n;

    *choice = (struct etl_choice){.source = ANY_SOURCE};
    if (thread_time_states(name)) {
        choice->name = name;
        choice->weighing = WEIGH_HAPPENING;
        choice->with_cpu = true;
        take_hook(choice, SWITCH);
        take_hook(choice, READY);
        take_wait_events(choice);
        return true;
    }
    if (!name || ascii_same(name, "cpu") ||
        ascii_same(name, "PerfInfo/SampleProf"))
        return true;
    n = strcspn(name, "\n");
    if (name[n]) {
        choice->next = mem_new(1, sizeof(*choice->next));
        if (!etl_choice_make(choice->next, name + n + 1))
            return false;
        name = choice->text = text_copy(name, n);
    }
    choice->name = name;
    return take_short(choice, name) || take_source(choice, name) ||
           take_hook_name(choice, name) || take_provider(choice, name);
}

void etl_choice_release(struct etl_choice *choice)
{
    struct etl_choice *next;

    for (struct etl_choice *c = choice->next; c; c = next) {
        next = c->next;
        free(c->hooks);
        free(c->text);
        free(c);
    }
    free(choice->hooks);
    free(choice->text);
    *choice = (struct etl_choice){0};
}

/* u16 size, tags of 7 bits a byte, the name. */
static bool has_name(const struct etl_choice *choice, struct bytes tracelogging)
{
    struct reader r =
        reader_of("", tracelogging.data, tracelogging.len, 0, NULL);
    const char *event = choice->event;
    struct bytes name;
    size_t n;

    if (!event)
        return true;
    reader_skip(&r, 2);
    while (reader_u8(&r) & 0x80)
        continue;
    name = reader_cstr(&r);
    n = strcspn(event, "!");
    if (r.failed || name.len < n || memcmp(name.data, event, n) != 0)
        return false;
    return name.len == n ||
           (event[n] && name.len - n == strlen(event + n + 1) &&
            !memcmp(name.data + n, event + n + 1, name.len - n));
}

bool etl_choice_takes_provider(const struct etl_choice *choice,
                               const uint8_t guid[16])
{
    for (; choice; choice = choice->next)
        if (choice->provider &&
            !memcmp(choice->guid, guid, sizeof(choice->guid)))
            return true;
    return false;
}

bool etl_choice_takes_event(const struct etl_choice *choice,
                            const uint8_t guid[16], uint16_t id, bool classic,
                            struct bytes tracelogging)
{
    for (; choice; choice = choice->next)
        if (choice->provider && choice->classic == classic &&
            choice->id == id &&
            !memcmp(choice->guid, guid, sizeof(choice->guid)) &&
            has_name(choice, tracelogging))
            return true;
    return false;
}

/* ---- weights ---- */

static uint64_t at_least_one(uint64_t n)
{
    if (!n)
        return 1;
    return n < WEIGHTS_MOST ? n : WEIGHTS_MOST;
}

static uint64_t wait_event_of(uint16_t id)
{
    for (size_t i = 0; i < WAIT_EVENTS; i++)
        if (wait_events[i].id == id)
            return thread_happening(wait_events[i].kind, wait_events[i].wait,
                                    0);
    return 0;
}

/* Switch: u32 thread that comes in, u32 thread that goes out, 4 bytes, u8 wait
 * reason, u8, u8 state of the second. Wakeup: u32 thread, u8, u8, u8 flags.
 * (format.md, section 5.9) */
static uint64_t happening_of(const struct etl_event *e)
{
    enum { READY_STATE = 1, STANDBY = 3, TERMINATED, WAITING, DEFERRED = 7, IN_DPC = 1 };
    struct reader r =
        reader_of("", etl_payload(e), etl_payload_size(e), 0, NULL);
    uint32_t thread = reader_u32(&r), out;
    uint8_t reason, state;
    unsigned wait = WAIT_BLOCKED;

    if (e->hook != SWITCH && e->hook != READY)
        return wait_event_of(load_u16(e->at + 40));
    if (e->hook == READY) {
        reader_skip(&r, 2);
        return thread_happening(reader_u8(&r) & IN_DPC ? HAPPENED_INTERRUPT
                                                       : HAPPENED_WAKEUP,
                                WAIT_NONE, thread);
    }
    out = reader_u32(&r);
    reader_skip(&r, 4);
    reason = reader_u8(&r);
    reader_skip(&r, 1);
    state = reader_u8(&r);
    if (state == READY_STATE || state == STANDBY || state == DEFERRED)
        wait = WAIT_PREEMPTED;
    else if (state == TERMINATED)
        wait = WAIT_EXIT;
    else if (state == WAITING && !r.failed)
        wait = thread_wait_of_windows(reason);
    return thread_happening(HAPPENED_SWITCH_FROM, wait, out);
}

uint64_t etl_choice_weight(const struct etl_choice *choice,
                           const struct etl_event *e, uint64_t frequency)
{
    struct reader r =
        reader_of("", etl_payload(e), etl_payload_size(e), 0, NULL);
    uint64_t from;

    switch (choice->weighing) {
    case WEIGH_ONE:
        break;
    case WEIGH_HAPPENING:
        return happening_of(e);
    case WEIGH_TICK:
        return at_least_one(
            clr_allocation_bytes(choice->id, e->at[42], e->width, &r));
    case WEIGH_HEAP:
    case WEIGH_RESERVE: /* a heap or an address, then the size */
        reader_skip(&r, e->width);
        return at_least_one(reader_ptr(&r, e->width));
    case WEIGH_FAULT:
        from = reader_u64(&r);
        return !frequency || from > e->time
                   ? 1
                   : at_least_one((uint64_t)((double)(e->time - from) * 1e9 /
                                                 (double)frequency +
                                             0.5));
    }
    return 1;
}

/* ---- what there is to choose ---- */

static uint64_t count_met(struct etl_counts *const *counts, size_t n,
                          const struct short_name *s)
{
    uint64_t met = 0;

    for (size_t i = 0; i < n; i++) {
        for (size_t h = 0; h < MOST_HOOKS && s->hooks[h]; h++)
            met += counts[i]->hooks[s->hooks[h]];
        for (size_t k = 0; s->clr_id && k < counts[i]->entries.len; k++) {
            const struct etl_provider_count *p = &counts[i]->entries.data[k];

            if (p->id == s->clr_id && !p->classic &&
                etl_provider_of(p->guid) == PROVIDER_CLR_RUNTIME)
                met += p->count;
        }
    }
    return met;
}

static void list_sources(struct etl_counts *const *counts, size_t n,
                         struct out *out)
{
    for (uint32_t source = 0; source < ETL_SOURCES; source++) {
        bool met = false;

        for (size_t i = 0; i < n; i++)
            met |= counts[i]->sources >> source & 1;
        if (!met)
            continue;
        if (etl_source_name(source))
            out_fmt(out, ", pmc:%s", etl_source_name(source));
        else
            out_fmt(out, ", pmc:%u", source);
    }
}

void etl_choice_list(struct etl_counts *const *counts, size_t n,
                     struct out *out)
{
    const char *between = "";

    for (size_t i = 0; i < SHORT_NAMES; i++) {
        if (!count_met(counts, n, &short_names[i]))
            continue;
        out_str(out, between);
        out_str(out, short_names[i].name);
        between = ", ";
        if (short_names[i].metric == METRIC_COUNTER)
            list_sources(counts, n, out);
    }
}

/* Starts and loads are in every log and rarely what a reader looks for. */
static bool is_worth_counting(const struct short_name *s)
{
    size_t n = strlen(s->name);

    return strcmp(s->name, "image-load") != 0 &&
           (n < 6 || strcmp(s->name + n - 6, "-start") != 0);
}

void etl_choice_list_others(const struct etl_choice *choice,
                            struct etl_counts *const *counts, size_t n,
                            struct out *out)
{
    const char *chosen = choice && choice->name ? choice->name : "cpu";

    for (size_t i = 0; i < SHORT_NAMES; i++) {
        const struct short_name *s = &short_names[i];
        uint64_t met = count_met(counts, n, s);

        if (met && is_worth_counting(s) && !ascii_same(s->name, chosen))
            out_also(out, s->name, met);
    }
}
