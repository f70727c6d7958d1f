#include "tests/support/full_profile.h"

#include <assert.h>

uint32_t random_below(uint64_t *state, uint32_t below)
{
    assert(below);
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (uint32_t)(((*state * 0x2545F4914F6CDD1Du) >> 32) % below);
}

struct maker {
    struct profile *p;
    uint64_t state;
};

static uint32_t below(struct maker *m, uint32_t n)
{
    return random_below(&m->state, n);
}

static bool one_in(struct maker *m, uint32_t n)
{
    return below(m, n) == 0;
}

/* "" now and then; some with a quote, a control character or UTF-8. */
static uint32_t text(struct maker *m, const char *stem)
{
    static const char *const tails[] = {"", "'s", "\n", "\xC3\xA4", "%s", "x"};

    if (one_in(m, 8))
        return 0;
    return strings_addf(m->p->strings, "%s%u%s", stem, below(m, 1000),
                        tails[below(m, 6)]);
}

static int64_t start(struct maker *m)
{
    return one_in(m, 2) ? TIME_MIN : (int64_t)below(m, 1000000) - 500;
}

static int64_t end(struct maker *m)
{
    return one_in(m, 2) ? TIME_MAX : (int64_t)below(m, 1000000) + 1000;
}

static uint64_t address(struct maker *m)
{
    uint64_t kernel = one_in(m, 2) ? 0xfffff80000000000u : 0;

    return kernel + below(m, UINT32_MAX);
}

static void add_trace(struct maker *m)
{
    struct trace_info *t = &m->p->trace;

    *vec_add(&t->files) = text(m, "file");
    *vec_add(&t->files) = text(m, "file");
    t->format = text(m, "etl");
    profile_set_metric(m->p, METRIC_CPU_SAMPLES);
    t->interval_ns = 1000000;
    t->start_unix_ns = -5;
    t->duration_ns = INT64_MAX;
    t->cpus = below(m, 64);
    t->pointer_size = 8;
    t->os = text(m, "Windows");
    t->machine = text(m, "host");
    for (unsigned i = 0; i < 5; i++)
        profile_count_event(m->p, "Image/Load", below(m, 1000));
    profile_count_event(m->p, "PerfInfo/SampleProf", below(m, 1000));
    profile_fact(m->p, "type", "%s", one_in(m, 2) ? "1 (contention)" : "4");
    *vec_add(&m->p->trace.contents) = (struct trace_content){
        text(m, "a.zip!b.etl"), text(m, "trace"), below(m, UINT32_MAX),
        one_in(m, 2),           text(m, "note"),
    };
}

static void add_quality(struct maker *m)
{
    struct quality *q = &m->p->quality;

    q->lost_events = below(m, 9);
    q->lost_buffers = UINT64_MAX;
    q->malformed = below(m, 9);
    q->event_stacks = below(m, 9);
    q->undefined_keys = below(m, 9);
    q->cut_stacks = below(m, 9);
    profile_skip(m->p, "file", 100, 50, "damaged");
    profile_skip(m->p, "file", 1000, 50, "late");
    profile_warn(m->p, "something %u", below(m, 9));
    profile_warn(m->p, "something else");
}

static void add_processes(struct maker *m, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        *vec_add(&m->p->processes) = (struct process){
            below(m, 5000), below(m, 5000),     start(m),
            end(m),         text(m, "app.exe"), text(m, "app.exe --flag "),
        };
    for (uint32_t i = 0; i < 2 * n; i++)
        *vec_add(&m->p->threads) = (struct thread){
            below(m, 9000), below(m, n), start(m), end(m), text(m, "worker"),
        };
}

static struct identity identity(struct maker *m)
{
    struct identity id = {.age = below(m, 5), .pdb_name = text(m, "a.pdb")};

    for (unsigned i = 0; i < 16; i++)
        id.guid[i] = (uint8_t)below(m, 256);
    id.timestamp = below(m, UINT32_MAX);
    id.image_size = below(m, UINT32_MAX);
    id.build_id_size = (uint8_t)below(m, 33);
    for (unsigned i = 0; i < id.build_id_size; i++)
        id.build_id[i] = (uint8_t)below(m, 256);
    return id;
}

static void add_modules(struct maker *m, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        *vec_add(&m->p->modules) = (struct module){
            .path = text(m, "C:\\"),
            .name = text(m, "a.dll"),
            .managed = one_in(m, 2),
            .by_file_offset = one_in(m, 2),
            .area = text(m, "a.ni.dll"),
            .identity = identity(m),
            .version = text(m, "1.2.3."),
            .symbols = text(m, "a.pdb"),
        };
    for (uint32_t i = 0; i < 2 * n; i++)
        *vec_add(&m->p->mappings) = (struct mapping){
            one_in(m, 3) ? NO_ID : below(m, (uint32_t)m->p->processes.len),
            below(m, n),
            address(m),
            below(m, 1 << 30),
            address(m),
            start(m),
            end(m),
        };
}

static void add_methods(struct maker *m, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        struct method one = {
            .process = below(m, (uint32_t)m->p->processes.len),
            .start = address(m),
            .size = below(m, 9999),
            .from = start(m),
            .to = end(m),
            .space = text(m, "System.Space"),
            .name = text(m, "Get"),
            .signature = text(m, "int32 "),
            .full_name = strings_addf(m->p->strings, "Space.Get%u", i),
            .module =
                one_in(m, 2) ? NO_ID : below(m, (uint32_t)m->p->modules.len),
            .token = below(m, UINT32_MAX),
            .tier = (uint8_t)below(m, 8),
        };

        methods_add(&m->p->methods, &one);
    }
}

static void add_locations(struct maker *m, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        struct location l = {
            .address = address(m),
            .module =
                one_in(m, 3) ? NO_ID : below(m, (uint32_t)m->p->modules.len),
            .method =
                one_in(m, 2) ? NO_ID : below(m, (uint32_t)m->p->methods.len),
            .kind = (uint8_t)below(m, CODE_KINDS),
            .cause = (uint8_t)below(m, CAUSE_KINDS),
            .caller = one_in(m, 2),
        };

        profile_location(m->p, &l);
    }
}

/* Some functions are inlined, and few enough that stacks meet recursion. */
static void add_frames(struct maker *m, uint32_t functions)
{
    struct profile *p = m->p;

    for (size_t i = 0; i < p->locations.len; i++) {
        uint32_t n = 1 + (one_in(m, 4) ? below(m, 3) : 0);

        *vec_add(&p->frame_start) = (uint32_t)p->frames.len;
        while (n--) {
            struct function f = {
                .name = one_in(m, 3) ? 0 : text(m, "function"),
                .module = one_in(m, 4) ? 0 : text(m, "mod"),
                .address = below(m, 2) ? below(m, functions) : address(m),
                .kind = (uint8_t)below(m, CODE_KINDS),
            };

            if (!f.name)
                f.cause = (uint8_t)(1 + below(m, CAUSE_KINDS - 1));
            *vec_add(&p->frames) = (struct frame){
                profile_function(p, &f), text(m, "a.c"), below(m, 500), n > 0};
        }
    }
    *vec_add(&p->frame_start) = (uint32_t)p->frames.len;
}

static void add_samples(struct maker *m, uint32_t stacks, uint32_t samples)
{
    struct profile *p = m->p;
    int64_t time = -20;

    for (uint32_t i = 0; i < stacks; i++)
        profile_stack(p, below(m, (uint32_t)p->stacks.len),
                      below(m, (uint32_t)p->locations.len));
    for (uint32_t i = 0; i < samples; i++) {
        time += below(m, 200000);
        profile_sample(p,
                       &(struct sample){
                           .time = time,
                           .thread = below(m, (uint32_t)p->threads.len),
                           .stack = 1 + below(m, (uint32_t)p->stacks.len - 1),
                           .weight = 1,
                           .cpu = (uint16_t)below(m, 8),
                           .flags = (uint8_t)below(m, 64),
                       });
    }
}

struct profile *full_profile(uint64_t seed, uint32_t size)
{
    struct maker m = {profile_new(), seed * 2 + 1};

    add_trace(&m);
    add_quality(&m);
    add_processes(&m, 1 + size / 10);
    add_modules(&m, 1 + size / 10);
    add_methods(&m, 1 + size / 4);
    add_locations(&m, 1 + size / 2);
    add_frames(&m, 1 + size / 4);
    add_samples(&m, 1 + size, 10 * size);
    return m.p;
}
