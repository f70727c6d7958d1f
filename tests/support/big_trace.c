/*
 * Time is one cursor for all CPUs that moves a little with every event: stamps
 * are unique, and a key's definition stands after all its uses.
 */
#include "tests/support/big_trace.h"

#include <stdlib.h>

#include "tests/support/big_run.h"

static struct big_thread *thread_of(struct big_run *r, unsigned cpu)
{
    return &r->world->threads[r->running[cpu]];
}

static uint64_t slot_key(uint32_t slot)
{
    return 0xFFFFFA8303000000u + slot * 0x1D0u;
}

static void define(struct big_run *r, unsigned cpu, uint32_t slot,
                   enum etl_key_event event)
{
    uint64_t frames[MOST_FRAMES];
    size_t n = big_addresses(r->world, r->slots[slot], frames);

    etl_key_definition(r->w, big_next(r, cpu), event, slot_key(slot), frames,
                       n);
    r->world->nodes[r->slots[slot]].slot = 0;
    r->slots[slot] = 0;
    r->waiting--;
}

/* A new stack takes the oldest slot, and with it the old one's key. */
static uint64_t key_of(struct big_run *r, unsigned cpu, uint32_t node)
{
    struct big_node *n = &r->world->nodes[node];

    if (!n->slot) {
        if (r->slots[r->next_slot])
            define(r, cpu, r->next_slot, ETL_KEY_DELETE);
        r->slots[r->next_slot] = node;
        n->slot = r->next_slot + 1;
        r->waiting++;
        r->next_slot = (r->next_slot + 1) % SLOTS;
    }
    return slot_key(n->slot - 1);
}

/* Short stacks and some that the cache has no room for are inline. */
static void put_stack(struct big_run *r, unsigned cpu,
                      const struct big_thread *t, uint64_t stamp,
                      uint32_t node, bool user)
{
    uint32_t pid = r->world->processes[t->process].pid;
    uint64_t frames[MOST_FRAMES];

    if (r->world->nodes[node].depth >= MIN_CACHED && big_chance(r, 100) < 60) {
        uint64_t key = key_of(r, cpu, node);
        etl_stack_key(r->w, big_next(r, cpu), stamp, pid, t->tid, key, user);
        return;
    }
    etl_stack(r->w, big_next(r, cpu), stamp, pid, t->tid, frames,
              big_addresses(r->world, node, frames));
}

static uint64_t leaf_address(const struct big_run *r, uint32_t node)
{
    return r->world->sites[r->world->nodes[node].site].address;
}

/* Counts a sample with these stacks; 0 stands for none. */
static void count(struct big_run *r, const struct big_thread *t,
                  uint32_t kernel, uint32_t user, enum answer_stack stack)
{
    uint32_t frames[2 * MOST_FRAMES];
    size_t n = kernel ? big_frames(r->world, r->answer, kernel, frames) : 0;

    if (user)
        n += big_frames(r->world, r->answer, user, frames + n);
    if (stack == ANSWER_NONE)
        n = 1;
    answer_sample(r->answer, r->world->processes[t->process].row, t->row,
                  stack, frames, n);
}

static uint64_t put_sample(struct big_run *r, unsigned cpu,
                           const struct big_thread *t, uint64_t ip,
                           unsigned bits)
{
    struct etl_at at = big_next(r, cpu);

    etl_sampled_profile(r->w, at, ip, t->tid, bits | 8u << 3);
    return at.tick;
}

static void sample_user(struct big_run *r, unsigned cpu, struct big_thread *t)
{
    uint32_t user = big_user_stack(r->world, t->process, r->now);
    uint64_t stamp = put_sample(r, cpu, t, leaf_address(r, user),
                                big_chance(r, 100) == 0);

    if (big_chance(r, 200) == 0) { /* the unwinder gave up */
        count(r, t, 0, user, ANSWER_NONE);
        return;
    }
    put_stack(r, cpu, t, stamp, user, true);
    count(r, t, 0, user, ANSWER_USER_ONLY);
}

/* System threads, and interrupts of the idle one. */
static void sample_kernel(struct big_run *r, unsigned cpu,
                          struct big_thread *t, unsigned bits)
{
    uint32_t kernel = big_kernel_stack(r->world);
    uint64_t stamp = put_sample(r, cpu, t, leaf_address(r, kernel), bits);

    put_stack(r, cpu, t, stamp, kernel, false);
    count(r, t, kernel, 0, ANSWER_KERNEL_ONLY);
}

static void sample_stay(struct big_run *r, unsigned cpu, struct big_thread *t)
{
    uint32_t kernel = big_kernel_stack(r->world);
    uint64_t stamp = put_sample(r, cpu, t, leaf_address(r, kernel), 0);

    if (!t->stay_stamp) {
        t->stay_stamp = stamp;
        t->stay_left = 1 + big_skewed(r->world, 8);
        t->stay_user = big_user_stack(r->world, t->process, r->now);
    }
    t->stay_left--;
    put_stack(r, cpu, t, stamp, kernel, false);
    count(r, t, kernel, t->stay_user, ANSWER_FULL);
}

/* Back to user mode: one fragment for all samples of the stay. */
static void end_stay(struct big_run *r, unsigned cpu, struct big_thread *t)
{
    if (!t->stay_stamp)
        return;
    put_stack(r, cpu, t, t->stay_stamp, t->stay_user, true);
    t->stay_stamp = 0;
}

static void sample_idle(struct big_run *r, unsigned cpu)
{
    struct big_thread *idle = &r->world->threads[0];

    if (big_chance(r, 50) == 0) {
        sample_kernel(r, cpu, idle, ETL_IN_DPC);
        return;
    }
    etl_sampled_profile(r->w, big_next(r, cpu), leaf_address(r,
                        r->world->kernel_root), 0, 0);
    answer_idle(r->answer, 1);
}

static void sample(struct big_run *r, unsigned cpu)
{
    struct big_thread *t = thread_of(r, cpu);

    if (t->stay_stamp && t->stay_left == 0)
        end_stay(r, cpu, t);
    if (t->process == 0)
        sample_idle(r, cpu);
    else if (t->process == 1)
        sample_kernel(r, cpu, t, 0);
    else if (t->stay_stamp || big_chance(r, 100) < 8)
        sample_stay(r, cpu, t);
    else
        sample_user(r, cpu, t);
}

/* A few threads do most of the work; they are spread over the processes. */
static uint32_t busy_thread(struct big_run *r)
{
    uint32_t others = r->world->thread_count - 1;

    return 1 + big_skewed(r->world, others) * 197u % others;
}

/* A thread blocked in the kernel keeps its stay until it runs again. */
static void switch_thread(struct big_run *r, unsigned cpu)
{
    struct big_thread *old = thread_of(r, cpu), *t;
    uint32_t old_tid = old->tid, picked = 0;

    old->running = false;
    if (big_chance(r, 100) >= 15)
        do
            picked = busy_thread(r);
        while (r->world->threads[picked].running);
    t = &r->world->threads[picked];
    t->running = picked != 0;
    r->running[cpu] = picked;
    r->left[cpu] = 1 + big_chance(r, 24);
    etl_context_switch(r->w, big_next(r, cpu), t->tid, old_tid);
    end_stay(r, cpu, t);
}

static void put_fault(struct big_run *r, unsigned cpu, struct big_thread *t)
{
    struct etl_at at = big_next(r, cpu);

    etl_hard_fault(r->w, at, 0x20000000u + big_chance(r, 1u << 28), t->tid);
    put_stack(r, cpu, t, at.tick, big_kernel_stack(r->world), false);
    put_stack(r, cpu, t, at.tick,
              big_user_stack(r->world, t->process, r->now), true);
}

static void put_note(struct big_run *r, unsigned cpu,
                     const struct big_thread *t)
{
    static const char text[] =
        "checkpoint of the order journal finished; pages written, log "
        "truncated, replicas acknowledged, next checkpoint scheduled after "
        "the usual interval unless the log grows faster than expected; "
        "slowest replica noted, retry budget unchanged; cache warm, index "
        "rebuilt in the background, two readers waited for the snapshot, "
        "none timed out; statistics of the last minute are kept for the "
        "next report and dropped after it; no operator action is needed";

    etl_tracelogging(r->w, big_next_in(r, cpu, t->process, t->tid), r->now,
                     text + big_chance(r, 100));
}

/* What else happens, where the thread is not inside a kernel stay. */
static void other_events(struct big_run *r, unsigned cpu)
{
    struct big_thread *t = thread_of(r, cpu);

    if (t->process < 2 || t->stay_stamp)
        return;
    if (big_chance(r, 100) < 9)
        put_fault(r, cpu, t);
    if (big_chance(r, 100) < 5)
        etl_disk_read(r->w, big_next(r, cpu), 4096u << big_chance(r, 4),
                      (uint64_t)big_chance(r, 1u << 30) * 512, t->tid);
    if (big_chance(r, 100) < 12)
        put_note(r, cpu, t);
}

static void put_stop(struct big_run *r)
{
    for (uint32_t i = 0; i < r->world->thread_count; i++)
        end_stay(r, i % CPUS, &r->world->threads[i]);
    for (uint32_t i = 0; i < SLOTS; i++)
        if (r->slots[i])
            define(r, 0, i, ETL_KEY_RUNDOWN);
    big_put_system(r, ETL_DC_END);
    for (uint32_t i = 0; i < r->world->method_count; i++)
        if (r->world->methods[i].load_ms <= r->now)
            big_put_method(r, 1, i, ETL_METHOD_DC_END);
    etl_interval(r->w, big_next(r, 0), 74, 10000);
}

static void millisecond(struct big_run *r)
{
    uint64_t start = etl_writer_options(r->w)->t0 +
                     (uint64_t)++r->now * TICKS_PER_MS;

    big_load_methods(r);
    for (unsigned cpu = 0; cpu < CPUS; cpu++) {
        uint64_t due = start + cpu * (TICKS_PER_MS / CPUS);
        if (r->tick < due)
            r->tick = due;
        if (r->left[cpu]-- == 0)
            switch_thread(r, cpu);
        sample(r, cpu);
        other_events(r, cpu);
    }
}

static void add_rows(struct big_run *r)
{
    struct big_world *w = r->world;

    for (uint32_t i = 0; i < BIG_PROCESSES; i++)
        w->processes[i].row = answer_process(r->answer, w->processes[i].pid,
                                             w->processes[i].name);
    for (uint32_t i = 0; i < w->thread_count; i++) {
        struct big_thread *t = &w->threads[i];
        t->row = answer_thread(r->answer, w->processes[t->process].pid,
                               t->tid);
    }
}

static struct big_run *new_run(const struct big_trace *b, FILE *file,
                           struct answer *answer)
{
    struct etl_options opt = { .cpus = CPUS, .compressed = b->compressed,
                               .live = b->live };
    struct big_run *r = calloc(1, sizeof(*r));
    uint64_t target = (uint64_t)b->megabytes * 1000000;
    uint32_t methods = MOST_METHODS, length;

    if (!r)
        abort();
    if (b->megabytes * 100 < methods)
        methods = (uint32_t)b->megabytes * 100;
    length = (uint32_t)(target / SAMPLE_BYTES / CPUS);
    r->target = target > 1000000 ? target - methods * METHOD_BYTES - 250000 : 0;
    r->world = big_world_new(b->seed, methods, length / 4 + 1);
    r->answer = answer;
    r->w = etl_writer_new(&opt, file);
    r->tick = etl_writer_options(r->w)->t0;
    big_sort_methods(r, length / 4 + 1);
    return r;
}

bool big_trace_write(const struct big_trace *b, FILE *file,
                     struct answer *answer)
{
    struct big_run *r = new_run(b, file, answer);
    bool ok;

    add_rows(r);
    etl_interval(r->w, big_next(r, 0), 73, 10000);
    big_put_system(r, ETL_DC_START);
    while (etl_writer_record_bytes(r->w) + r->waiting * KEY_BYTES < r->target)
        millisecond(r);
    put_stop(r);
    ok = etl_writer_finish(r->w);
    etl_writer_free(r->w);
    big_world_free(r->world);
    free(r->load_order);
    free(r);
    return ok;
}

unsigned long big_trace_megabytes(void)
{
    const char *size = getenv("TOPFN_BENCH_MB");

    return size ? strtoul(size, NULL, 10) : 940;
}

void big_trace_make(const struct big_trace *b, const char *path)
{
    struct answer *answer = answer_new();
    FILE *file = fopen(path, "w+b");

    if (!file || !big_trace_write(b, file, answer) || fclose(file)) {
        perror(path);
        exit(1);
    }
    answer_free(answer);
}
