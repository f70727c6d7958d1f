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

uint64_t nettrace_scenario_events(unsigned rounds)
{
    return (uint64_t)rounds * ROUND + OTHER_EVENTS;
}
