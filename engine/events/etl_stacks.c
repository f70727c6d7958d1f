/*
 * The stacks of kernel events, which a log tells apart from them: by the time
 * of the event and its thread, in a kernel part and a user part, behind the
 * event in the log and perhaps by a key that is defined much later. So they are
 * collected before the events are walked, in memory that grows with them.
 *
 * The parts are sorted by thread and joined. A kernel part waits for the user
 * part, which is written when its thread leaves the kernel; so do the kernel
 * parts of all events of the same stay.
 *
 * The .NET runtime may walk a stack itself and writes it behind its event, as
 * an event of its own. It is used where the kernel wrote none.
 * (engine/format/etl/format.md, section 5)
 */

#include <stdlib.h>
#include <string.h>

#include "engine/base/map.h"
#include "engine/base/vec.h"
#include "engine/events/etl_events.h"
#include "engine/format/etl/guids.h"
#include "engine/format/etl/hooks.h"

/* Frames in one array of them all. */
struct run {
    size_t at;
    uint32_t count;
};

struct fragment {
    uint64_t time; /* of the event it belongs to */
    uint64_t written;
    uint64_t key;  /* 0: the frames are `run` */
    struct run run;
    uint32_t tid, number;
    uint16_t cpu;
    bool user;
};

struct definition {
    uint64_t key, written;
    struct run run;
    bool user;
};

struct joined {
    uint64_t time;
    uint32_t tid;
    uint16_t cpu;
    bool by_runtime;
    struct run kernel, user;
};

struct etl_stacks {
    VEC(uint64_t) frames;
    VEC(struct fragment) fragments;
    VEC(struct definition) definitions;
    VEC(struct joined) joined;
    struct map runtime_threads;  /* (thread, processor) -> index of: */
    VEC(uint64_t) runtime_times; /* its latest event of the runtime */
    uint64_t kernel_from;
};

static struct run keep_stack_frames(struct etl_stacks *s, const uint8_t *frames,
                                    uint32_t count, unsigned width)
{
    struct run run = {s->frames.len, count};

    for (uint32_t i = 0; i < count; i++)
        *vec_add(&s->frames) = load_ptr(frames + (size_t)i * width, width);
    return run;
}

static bool is_user(const struct etl_stacks *s, uint64_t frame)
{
    return frame < s->kernel_from;
}

static void add_fragment(struct etl_stacks *s, const struct etl_event *e,
                         uint16_t cpu, uint64_t key, struct run run, bool user)
{
    const uint8_t *p = etl_payload(e);

    *vec_add(&s->fragments) = (struct fragment){
        .time = load_u64(p),
        .written = e->time,
        .key = key,
        .run = run,
        .tid = load_u32(p + 12),
        .number = (uint32_t)s->fragments.len,
        .cpu = cpu,
        .user = user,
    };
}

/* One record may hold the kernel part and the user part behind it. */
static void take_frames(struct etl_stacks *s, const struct etl_event *e,
                        uint16_t cpu)
{
    uint32_t count = (etl_payload_size(e) - 16) / e->width, kernel = 0;
    struct run all = keep_stack_frames(s, etl_payload(e) + 16, count, e->width);

    if (!count)
        return;
    while (kernel < count && !is_user(s, s->frames.data[all.at + kernel]))
        kernel++;
    if (!is_user(s, s->frames.data[all.at + count - 1]))
        kernel = count;
    if (kernel)
        add_fragment(s, e, cpu, 0, (struct run){all.at, kernel}, false);
    if (kernel < count)
        add_fragment(s, e, cpu, 0,
                     (struct run){all.at + kernel, count - kernel}, true);
}

static void take_definition(struct etl_stacks *s, const struct etl_event *e)
{
    const uint8_t *p = etl_payload(e);
    uint32_t count = etl_payload_size(e) / e->width - 1;
    struct run run = keep_stack_frames(s, p + e->width, count, e->width);

    *vec_add(&s->definitions) = (struct definition){
        .key = load_ptr(p, e->width),
        .written = e->time,
        .run = run,
        .user = is_user(s, s->frames.data[run.at + count - 1]),
    };
}

/* The runtime writes a stack right behind its event, mostly on the same
 * processor. */
static void take_runtime_event(struct etl_stacks *s, const struct etl_event *e,
                               uint16_t cpu)
{
    uint32_t tid = load_u32(e->at + 8), count;
    uint32_t fresh = (uint32_t)s->runtime_times.len;
    uint32_t thread = map_add(&s->runtime_threads, tid, cpu, fresh);
    struct etl_event inner = *e;
    struct etl_items items;

    if (thread == fresh)
        *vec_add(&s->runtime_times) = 0;
    if (load_u16(e->at + 40) != CLR_STACK_WALK) {
        s->runtime_times.data[thread] = e->time;
        return;
    }
    if (!s->runtime_times.data[thread] || !etl_pass_items(&inner, &items))
        return;
    count = etl_clr_stack_count(&inner);
    *vec_add(&s->joined) = (struct joined){
        .time = s->runtime_times.data[thread],
        .tid = tid,
        .cpu = cpu,
        .by_runtime = true,
        .user = keep_stack_frames(s, etl_payload(&inner) + 8, count, e->width),
    };
    s->runtime_times.data[thread] = 0;
}

static void take_stack_record(void *context, struct etl_event *e,
                              const struct etl_buffer *b)
{
    struct etl_stacks *s = context;
    uint16_t cpu = b->cpu;
    uint32_t size = etl_payload_size(e);
    enum etl_use use = etl_hook_use(e->hook);

    if (e->family == FAMILY_HEADER &&
        etl_provider_of(e->at + 24) == PROVIDER_CLR_RUNTIME)
        take_runtime_event(s, e, cpu);
    switch (use) {
    case USE_STACK:
        if (size >= 16)
            take_frames(s, e, cpu);
        break;
    case USE_KERNEL_KEY:
    case USE_USER_KEY:
        if (size >= 16u + e->width)
            add_fragment(s, e, cpu, load_ptr(etl_payload(e) + 16, e->width),
                         (struct run){0, 0}, use == USE_USER_KEY);
        break;
    case USE_DEFINITION:
        if (size >= 2u * e->width)
            take_definition(s, e);
        break;
    default:
        break;
    }
}

#define COMPARE(a, b, field)                                                   \
    if ((a)->field != (b)->field)                                              \
        return (a)->field < (b)->field ? -1 : 1

static int compare_fragments(const void *a, const void *b)
{
    const struct fragment *x = a, *y = b;

    COMPARE(x, y, tid);
    COMPARE(x, y, written);
    COMPARE(x, y, number);
    return 0;
}

static int compare_definitions(const void *a, const void *b)
{
    const struct definition *x = a, *y = b;

    COMPARE(x, y, key);
    COMPARE(x, y, user);
    COMPARE(x, y, written);
    return 0;
}

static int compare_joined(const void *a, const void *b)
{
    const struct joined *x = a, *y = b;

    COMPARE(x, y, time);
    COMPARE(x, y, tid);
    COMPARE(x, y, cpu);
    COMPARE(x, y, by_runtime);
    COMPARE(x, y, kernel.at);
    return 0;
}

/* A key means what it is defined as next. */
static struct run resolve(const struct etl_stacks *s, const struct fragment *f)
{
    const struct definition wanted = {f->key, f->written, {0, 0}, f->user};
    size_t low = 0, high = s->definitions.len;

    if (!f->key)
        return f->run;
    while (low < high) {
        size_t mid = low + (high - low) / 2;

        if (compare_definitions(&s->definitions.data[mid], &wanted) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    if (low < s->definitions.len && s->definitions.data[low].key == f->key &&
        s->definitions.data[low].user == f->user)
        return s->definitions.data[low].run;
    return (struct run){0, 0};
}

/* Among the last of the thread's stacks, from `first` on, the one with this
 * time that has a kernel part; NULL. */
static struct joined *find_own(struct etl_stacks *s, size_t first,
                               uint64_t time)
{
    enum { LATELY = 64 };

    for (size_t i = s->joined.len, n = 0; i-- > first && n < LATELY; n++)
        if (s->joined.data[i].time == time && s->joined.data[i].kernel.count)
            return &s->joined.data[i];
    return NULL;
}

/* The fragments of one thread, in the order they were written. A user part is
 * that of the event which it names, and of all later ones of the stay that have
 * none of their own. */
static void join_thread(struct etl_stacks *s, const struct fragment *f,
                        size_t n)
{
    size_t first = s->joined.len, waiting = first;

    for (size_t i = 0; i < n; i++) {
        struct run run = resolve(s, &f[i]);
        struct joined *own = NULL;

        if (!f[i].user) {
            *vec_add(&s->joined) = (struct joined){
                .time = f[i].time,
                .tid = f[i].tid,
                .cpu = f[i].cpu,
                .kernel = run,
            };
            continue;
        }
        for (; waiting < s->joined.len; waiting++) {
            struct joined *j = &s->joined.data[waiting];

            if (j->time < f[i].time)
                continue; /* of an earlier stay */
            j->user = run;
            if (j->time == f[i].time)
                own = j;
        }
        if (!own)
            own = find_own(s, first, f[i].time);
        if (own)
            own->user = run;
        else
            *vec_add(&s->joined) = (struct joined){
                .time = f[i].time,
                .tid = f[i].tid,
                .cpu = f[i].cpu,
                .user = run,
            };
        waiting = s->joined.len;
    }
}

struct etl_stacks *etl_stacks_new(const struct etl_recording *r)
{
    struct etl_stacks *s = mem_new(1, sizeof(*s));
    const struct fragment *f;

    s->kernel_from = kernel_space_start(r->files[0].pointer_size);
    etl_each_record(r, take_stack_record, s);
    vec_sort(&s->fragments, compare_fragments);
    vec_sort(&s->definitions, compare_definitions);
    f = s->fragments.data;
    for (size_t i = 0, n; i < s->fragments.len; i += n) {
        for (n = 1; i + n < s->fragments.len && f[i + n].tid == f[i].tid;)
            n++;
        join_thread(s, f + i, n);
    }
    vec_sort(&s->joined, compare_joined);
    vec_release(&s->fragments);
    vec_release(&s->definitions);
    map_release(&s->runtime_threads);
    vec_release(&s->runtime_times);
    return s;
}

void etl_stacks_free(struct etl_stacks *s)
{
    if (!s)
        return;
    vec_release(&s->frames);
    vec_release(&s->fragments);
    vec_release(&s->definitions);
    vec_release(&s->joined);
    free(s);
}

static void append_run(const struct etl_stacks *s, struct run run,
                       uint64_t **frames, size_t *len, size_t *cap)
{
    if (*len + run.count > *cap)
        *frames = mem_grow(*frames, cap, *len + run.count, sizeof(**frames));
    if (run.count)
        memcpy(*frames + *len, s->frames.data + run.at,
               run.count * sizeof(**frames));
    *len += run.count;
}

void etl_stack_of(const struct etl_stacks *s, uint64_t time, uint32_t tid,
                  uint16_t cpu, uint64_t **frames, size_t *len, size_t *cap)
{
    size_t low = 0, high = s->joined.len;

    *len = 0;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        const struct joined *j = &s->joined.data[mid];

        if (j->time < time || (j->time == time && j->tid < tid))
            low = mid + 1;
        else
            high = mid;
    }
    for (; low < s->joined.len; low++) {
        const struct joined *j = &s->joined.data[low];

        if (j->time != time || j->tid != tid)
            return;
        /* Idle threads are one on every CPU. */
        if (!tid && j->cpu != cpu)
            continue;
        append_run(s, j->kernel, frames, len, cap);
        append_run(s, j->user, frames, len, cap);
        return;
    }
}
