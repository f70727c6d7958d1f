#include "tests/support/nettrace_scenario.h"

enum {
    KIND_SAMPLE = 1,
    KIND_METHOD,
    KIND_MODULE,
    KIND_END,
    KIND_PROCESS,
    SAMPLER = 10,
    ROUND = 16,
    POINT_EVERY = 64, /* rounds */
    OTHER_EVENTS = 7,
    MS = 1000000,
};

static const uint64_t hot[] = {0x1010, 0x3010}, cold[] = {0x2010, 0x3020},
                      start[] = {0x3030};

static void define(struct nettrace_writer *w)
{
    nettrace_kind(w, KIND_SAMPLE, "Microsoft-DotNETCore-SampleProfiler", 0,
                  "", 0);
    nettrace_kind(w, KIND_METHOD, "Microsoft-Windows-DotNETRuntimeRundown",
                  144, "", 1);
    nettrace_kind(w, KIND_MODULE, "Microsoft-Windows-DotNETRuntimeRundown",
                  154, "", 1);
    nettrace_kind(w, KIND_END, "Microsoft-Windows-DotNETRuntimeRundown", 146,
                  "", 0);
    nettrace_kind(w, KIND_PROCESS, "Microsoft-DotNETCore-EventPipe", 1,
                  "ProcessInfo", 1);
}

/* Numbers of stacks and, in v6, of threads are good until the next point. */
static void define_stacks(struct nettrace_writer *w)
{
    if (w->version == 3)
        return;
    nettrace_stack(w, 1, hot, 2);
    nettrace_stack(w, 2, cold, 2);
    nettrace_stack(w, 3, start, 1);
    if (w->version == 6)
        for (uint64_t tid = SAMPLER; tid <= SAMPLER + 2; tid++)
            nettrace_thread(w, tid, 1234, tid);
}

static void put_sample(struct nettrace_writer *w, unsigned i,
                       struct nettrace_event *e)
{
    static const uint8_t external[4] = {1}, managed[4] = {2};
    unsigned turn = i % ROUND / 2;
    bool second = i % 2;

    e->kind = KIND_SAMPLE;
    e->thread = SAMPLER + 1 + second;
    e->stack = second ? 3 : turn < 6 ? 1 : 2;
    e->frames = second ? start : turn < 6 ? hot : cold;
    e->depth = second ? 1 : 2;
    e->payload = second && turn % 4 == 0 ? external : managed;
    e->size = 4;
    e->time = (uint64_t)(i + 1) * MS;
    e->sequence++;
    nettrace_event(w, e);
}

static void put_payload(struct nettrace_writer *w, uint32_t kind,
                        const byte_vec *payload, struct nettrace_event *e)
{
    e->kind = kind;
    e->thread = SAMPLER;
    e->stack = 0;
    e->depth = 0;
    e->payload = payload->data;
    e->size = payload->len;
    e->time += MS;
    e->sequence++;
    nettrace_event(w, e);
}

static void put_names(struct nettrace_writer *w, struct nettrace_event *e)
{
    byte_vec p[OTHER_EVENTS] = {0};

    put_utf16(&p[0], "/srv/bin/Start --fast");
    put_utf16(&p[0], "Linux");
    put_utf16(&p[0], "x64");
    put_method(&p[1], 0x1000, 0x100, 7, "App.Work", "Hot",
               "int32  (class System.String)");
    put_method(&p[2], 0x2000, 0x100, 7, "App.Work", "Cold", "void  ()");
    put_method(&p[3], 0x3000, 0x100, 8, "Start.Program", "Main", "void  ()");
    put_module(&p[4], 7, "/srv/bin/App.dll");
    put_module(&p[5], 8, "/srv/bin/Start.dll");
    put_number(&p[6], 0, 2);
    put_payload(w, KIND_PROCESS, &p[0], e);
    for (unsigned i = 1; i < 4; i++)
        put_payload(w, KIND_METHOD, &p[i], e);
    put_payload(w, KIND_MODULE, &p[4], e);
    put_payload(w, KIND_MODULE, &p[5], e);
    put_payload(w, KIND_END, &p[6], e);
    for (unsigned i = 0; i < OTHER_EVENTS; i++)
        vec_release(&p[i]);
}

static void put_point(struct nettrace_writer *w, uint32_t sequence)
{
    const uint64_t at[1][2] = {{SAMPLER, sequence}};

    if (w->version > 3)
        nettrace_sequence_point(w, 0, at, 1);
}

struct nettrace_writer *nettrace_scenario(unsigned version, bool compressed,
                                          unsigned rounds)
{
    struct nettrace_writer *w = nettrace_writer_new(version, compressed);
    struct nettrace_event e = {.capture_thread = SAMPLER, .processor = 1};

    define(w);
    for (unsigned i = 0; i < rounds * ROUND; i++) {
        if (i % (ROUND * POINT_EVERY) == 0) {
            if (i)
                put_point(w, e.sequence);
            if (i && version == 6)
                for (uint64_t tid = SAMPLER; tid <= SAMPLER + 2; tid++)
                    nettrace_remove_thread(
                        w, tid, tid == SAMPLER ? e.sequence : 0);
            if (version == 6)
                e.sequence = 0;
            define_stacks(w);
        }
        put_sample(w, i, &e);
    }
    if (version > 3)
        e.sequence += SCENARIO_LOST;
    put_names(w, &e);
    put_point(w, e.sequence);
    nettrace_end(w);
    return w;
}

struct nettrace_writer *nettrace_waiting(void)
{
    struct nettrace_writer *w = nettrace_writer_new(4, true);
    struct nettrace_event e = {.capture_thread = SAMPLER};
    byte_vec names[2] = {0};

    define(w);
    define_stacks(w);
    for (unsigned i = 0; i < 5; i++)
        put_sample(w, i, &e);
    put_method(&names[0], 0x1000, 0x100, 7, "System.Threading.Thread",
               "Sleep", "void  (int32)");
    put_method(&names[1], 0x3000, 0x100, 8, "Start.Program", "Main",
               "void  ()");
    for (unsigned i = 0; i < 2; i++) {
        put_payload(w, KIND_METHOD, &names[i], &e);
        vec_release(&names[i]);
    }
    nettrace_end(w);
    return w;
}

/* ---- what the runtime did beside ---- */

enum { COLLECTOR = SAMPLER + 3, BACKGROUND, US = 1000 };

/* Events of the runtime, by their ids, and the numbers that they begin with. */
static const struct runtime_event {
    uint64_t time; /* us */
    uint32_t thread, id;
    uint64_t numbers[6];
    uint32_t stack;
    const char *type; /* of an allocation of numbers[0] bytes */
} runtime_events[] = {
    {900, SAMPLER, 9, {0}, 0, NULL},
    {950, COLLECTOR, 9, {1}, 0, NULL},
    {960, SAMPLER, 3, {0}, 0, NULL},
    {970, COLLECTOR, 8, {0}, 0, NULL},
    {1000, COLLECTOR, 1, {1, 0, 0, 0}, 0, NULL},
    {1400, COLLECTOR, 204, {3000000}, 0, NULL},
    {1450, COLLECTOR, 2, {1, 0}, 0, NULL},
    {1460, COLLECTOR, 4, {800000, 0, 400000, 300000}, 0, NULL},
    {1500, COLLECTOR, 3, {0}, 0, NULL},
    {2000, COLLECTOR, 145, {77}, 0, NULL},
    {2300, COLLECTOR, 9, {1}, 0, NULL},
    {2310, COLLECTOR, 8, {0}, 0, NULL},
    {2400, COLLECTOR, 1, {2, 2, 1, 1}, 0, NULL},
    {2500, COLLECTOR, 1, {3, 1, 0, 0}, 0, NULL},
    {2700, COLLECTOR, 204, {2500000}, 0, NULL},
    {2750, COLLECTOR, 2, {3, 1}, 0, NULL},
    {2760, COLLECTOR, 4, {500000, 100000, 900000, 50000}, 0, NULL},
    {2800, COLLECTOR, 3, {0}, 0, NULL},
    {3300, BACKGROUND, 9, {6}, 0, NULL},
    {3310, BACKGROUND, 8, {0}, 0, NULL},
    {3400, BACKGROUND, 3, {0}, 0, NULL},
    {3900, BACKGROUND, 2, {2, 2}, 0, NULL},
    {3910, BACKGROUND, 204, {2600000}, 0, NULL},
    {3920, BACKGROUND, 4, {600000, 0, 700000, 250000}, 0, NULL},
    {4200, COLLECTOR, 143, {77}, 0, NULL},
    {5000, SAMPLER + 1, 10, {120000}, 1, "System.String"},
    {5100, SAMPLER + 2, 10, {108000}, 3, "Shop.Order[]"},
    {5200, SAMPLER + 1, 10, {104000}, 2, "System.String"},
    {5300, SAMPLER + 1, 81, {0}, 1, NULL},
    {5400, SAMPLER + 2, 81, {0}, 3, NULL},
    {5500, SAMPLER + 2, 81, {0}, 2, NULL}, /* inside the one before */
    {5600, SAMPLER + 2, 91, {0}, 0, NULL},
    {6000, SAMPLER + 1, 91, {0}, 0, NULL},
    {6400, SAMPLER + 2, 91, {0}, 0, NULL},
    {7000, SAMPLER + 2, 81, {0}, 3, NULL}, /* does not end */
};

enum { RUNTIME_EVENTS = sizeof(runtime_events) / sizeof(*runtime_events) };

static bool has_wide_numbers(uint32_t id)
{
    return id == 4 || id == 143 || id == 145 || id == 204;
}

/* What stands in front of the numbers, and the flags of a compiled method. */
static void put_runtime_payload(byte_vec *p, const struct runtime_event *e)
{
    enum { HISTORY_HEAD = 2 + 7 * 8 + 6 * 4, QUICK = 8 | 3 << 7 };

    if (e->id == 204) {
        for (int i = 0; i < HISTORY_HEAD; i++)
            put_number(p, 0, 1);
        put_number(p, 1, 4);
    }
    if (e->type) {
        put_number(p, e->numbers[0], 4);
        put_number(p, 0, 6);
        put_number(p, e->numbers[0], 8);
        put_number(p, 0, 8);
        put_utf16(p, e->type);
    }
    for (int i = 0; i < 6 && !e->type; i++)
        put_number(p, e->numbers[i], has_wide_numbers(e->id) ? 8 : 4);
    if (e->id == 143) {
        p->len = 32;
        put_number(p, QUICK, 4);
    }
    for (int i = 0; i < 5; i++)
        put_number(p, 0, 8);
}

struct nettrace_writer *nettrace_runtime(void)
{
    static const char provider[] = "Microsoft-Windows-DotNETRuntime";
    struct nettrace_writer *w = nettrace_writer_new(4, true);
    struct nettrace_event e = {.capture_thread = SAMPLER}, step = e;

    define(w);
    for (unsigned i = 0; i < RUNTIME_EVENTS; i++)
        nettrace_kind(w, SAMPLER + i, provider, runtime_events[i].id, "",
                      runtime_events[i].id == 204 || runtime_events[i].type
                          ? 3
                          : 1);
    define_stacks(w);
    for (unsigned i = 0; i < 8; i++)
        put_sample(w, i, &e);
    step.sequence = e.sequence;
    for (unsigned i = 0; i < RUNTIME_EVENTS; i++) {
        byte_vec payload = {0};

        put_runtime_payload(&payload, &runtime_events[i]);
        step.kind = SAMPLER + i;
        step.thread = runtime_events[i].thread;
        step.stack = runtime_events[i].stack;
        step.payload = payload.data;
        step.size = payload.len;
        step.time = runtime_events[i].time * US;
        step.sequence++;
        nettrace_event(w, &step);
        vec_release(&payload);
    }
    step.time = 9 * MS;
    put_names(w, &step);
    nettrace_end(w);
    return w;
}

uint64_t nettrace_scenario_events(unsigned rounds)
{
    return (uint64_t)rounds * ROUND + OTHER_EVENTS;
}
