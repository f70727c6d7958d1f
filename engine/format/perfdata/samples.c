/*
 * Samples: which runs of addresses their stacks are, user parts that come
 * later, counters that they read, and their order in time. The observations
 * get them sorted. (format.md, section 5.2)
 *
 * A call chain has addresses of several modes, told apart by marks that are no
 * addresses.
 */
#include "engine/format/perfdata/perfdata.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/keysort.h"
#include "engine/model/thread_states.h"

/* Addresses that are none: what follows is of that mode. */
#define CONTEXT_LEAST      ((uint64_t)-4095)
#define CONTEXT_HYPERVISOR ((uint64_t)-32)
#define CONTEXT_KERNEL     ((uint64_t)-128)
#define CONTEXT_USER       ((uint64_t)-512)
#define CONTEXT_DEFERRED   ((uint64_t)-640)

/* ---- call chains ---- */

/* The addresses of each mode, or none. They lie in the record or, until the
 * next sample, in `words` of the reading. */
struct chain_parts {
    struct callchain kernel, user;
    bool guest;    /* there were addresses of a guest, too */
    bool calls;    /* the user part is of recorded branches */
    bool deferred; /* the user part comes later, under this cookie: */
    uint64_t cookie;
};

static void end_part(struct chain_parts *parts, uint64_t context,
                     const uint8_t *from, const uint8_t *to)
{
    struct callchain part = {from, (uint32_t)((to - from) / 8), 8, NULL};

    if (from == to)
        return;
    if (context == CONTEXT_USER) {
        if (!parts->user.count)
            parts->user = part;
    } else if (context == CONTEXT_KERNEL || context == CONTEXT_HYPERVISOR) {
        if (!parts->kernel.count)
            parts->kernel = part;
    } else {
        parts->guest = true;
    }
}

/* `chain` in our byte order. */
static void split_chain(struct chain_parts *parts, uint8_t mode,
                        struct bytes chain)
{
    const uint8_t *at = chain.data, *from = at, *end;
    uint64_t context = 0; /* of a guest, or unknown */

    if (!chain.len)
        return;
    if (mode == PD_MODE_USER)
        context = CONTEXT_USER;
    else if (mode == PD_MODE_KERNEL || mode == PD_MODE_HYPERVISOR)
        context = CONTEXT_KERNEL;
    for (end = at + chain.len; at < end; at += 8) {
        uint64_t address = load_u64(at);

        if (address < CONTEXT_LEAST)
            continue;
        end_part(parts, context, from, at);
        context = address;
        if (address == CONTEXT_DEFERRED && end - at > 8) {
            parts->deferred = true;
            parts->cookie = load_u64(at += 8);
        }
        from = at + 8;
    }
    end_part(parts, context, from, end);
}

/* The words in our byte order. */
static struct bytes straight(struct pd_reading *r, struct bytes words)
{
    if (!r->swapped)
        return words;
    r->words.len = 0;
    vec_reserve(&r->words, words.len);
    for (size_t i = 0; i < words.len; i++)
        r->words.data[i] = words.data[i ^ 7];
    return (struct bytes){r->words.data, words.len};
}

/*
 * Branches that were recorded as a stack of calls replace the callers of the
 * user part: these are where the calls came from: the processor tells the
 * calls themselves, not where they return to. User code stopped where the
 * sample or the chain says, else where the last call went to, which is the
 * beginning of that function.
 */
static void take_branches(struct pd_reading *r, const struct pd_event *e,
                          const struct pd_sample *s, struct chain_parts *parts)
{
    enum { CALL_STACK = 1 << 11, FROM = 0, TO = 8, BRANCH = 24 };
    struct bytes branches = s->branches;
    size_t count = branches.len / BRANCH + 1;
    uint64_t address;
    uint8_t *at;

    if (!(e->branch_type & CALL_STACK) || !branches.len)
        return;
    r->branches.len = r->exact.len = 0;
    vec_reserve(&r->branches, count * 8);
    vec_reserve(&r->exact, count);
    memset(r->exact.data, true, count);
    at = r->branches.data;
    if (s->mode == PD_MODE_USER && s->ip)
        address = s->ip;
    else if (parts->user.count)
        address = load_u64(parts->user.frames);
    else
        address = load_u64_in(branches.data + TO, r->swapped);
    store_u64(at, address);
    for (size_t i = 0; i < branches.len; i += BRANCH)
        store_u64(at += 8, load_u64_in(branches.data + i + FROM, r->swapped));
    parts->user =
        (struct callchain){r->branches.data, (uint32_t)count, 8, r->exact.data};
    parts->calls = true;
}

/* ---- stacks ---- */

static uint32_t keep_run(struct pd_reading *r, const struct callchain *run)
{
    return run->count ? callchains_add(&r->seen->callchains, run,
                                       callchain_fingerprint(run), false)
                      : 0;
}

/* Registers of a process of 32 bits, or of a machine of the other byte order,
 * are not read. */
static bool is_foreign(const struct pd_reading *r, const struct pd_sample *s)
{
    enum { ABI_64 = 2 };

    return r->swapped || s->registers_abi != ABI_64;
}

/* A chain of just as many addresses as the kernel writes at most, or as many
 * calls as a processor remembers, has most likely lost its outermost ones. */
static enum stack_end chain_end(const struct pd_event *e,
                                const struct pd_sample *s,
                                const struct chain_parts *parts)
{
    enum { USUAL_MOST = 127, LBR_LEAST = 8, LBR_MOST = 32, BRANCH = 24 };
    size_t calls = s->branches.len / BRANCH;

    if (parts->calls)
        return calls == LBR_LEAST || calls == (size_t)2 * LBR_LEAST ||
                       calls == LBR_MOST
                   ? STACK_END_DEPTH
                   : STACK_END_UNKNOWN;
    return parts->user.count + parts->kernel.count ==
                   (e->max_stack ? e->max_stack : USUAL_MOST)
               ? STACK_END_DEPTH
               : STACK_END_UNKNOWN;
}

/* Such a stack is walked when it is known what was mapped then. arm64 keeps a
 * leaf's return address in register 30, which perf record -g copies for that.
 */
static bool has_user_stack(const struct pd_reading *r, const struct pd_event *e,
                           const struct pd_sample *s)
{
    enum { LINK = 30 };
    bool linked = r->machine == PD_ARM64 && (e->user_registers >> LINK & 1) &&
                  s->chain.len && !is_foreign(r, s);

    return (s->stack.len || linked) && r->options->frames;
}

static struct bytes lasting_bytes(struct pd_reading *r, struct bytes b,
                                  bool lasting)
{
    if (!lasting && b.len)
        b.data = arena_copy(&r->copies, b.data, b.len);
    return b;
}

/* A sample without a stack has its address, and so has one that was taken in
 * the kernel whose chain has no part there: the chain tells its callers. An
 * address in a guest is nothing in this machine's memory. */
static void make_stack(struct pd_reading *r, const struct pd_event *e,
                       const struct pd_sample *s, bool lasting,
                       struct observed_sample *to)
{
    struct chain_parts parts = {.guest = s->mode == PD_MODE_GUEST_KERNEL ||
                                         s->mode == PD_MODE_GUEST_USER};
    bool in_kernel = s->mode == PD_MODE_KERNEL || s->mode == PD_MODE_HYPERVISOR;
    bool in_guest = parts.guest;
    enum stack_end end;

    split_chain(&parts, s->mode, straight(r, s->chain));
    take_branches(r, e, s, &parts);
    end = chain_end(e, s, &parts);
    r->guest += parts.guest;
    r->kernel_ran |= parts.kernel.count || s->mode == PD_MODE_KERNEL;
    if (s->mode == PD_MODE_KERNEL && s->ip && s->ip < r->kernel_least)
        r->kernel_least = s->ip;
    /* A processor that tells the address exactly interrupts later: the program
     * may have called the kernel by then. */
    if (s->mode == PD_MODE_USER && s->ip)
        parts.kernel.count = 0;
    to->outer = keep_run(r, &parts.user);
    to->inner = keep_run(r, &parts.kernel);
    if (!to->inner && !in_guest && (!to->outer || (in_kernel && s->ip))) {
        to->inner = callchains_add_address(&r->seen->callchains, s->ip);
        to->leaf = 1;
        /* Callers in the kernel are missing, unless it was just entered. */
        if (in_kernel && (to->outer || s->stack.len || parts.deferred) &&
            end == STACK_END_UNKNOWN && !e->user_only)
            end = STACK_END_LEAF_FRAME;
    }
    if (!to->outer && parts.deferred) {
        to->outer = mem_next_id(r->cookies.len);
        to->leaf |= s->mode == PD_MODE_USER ? PD_DEFERRED | PD_DEFERRED_LEAF
                                            : PD_DEFERRED;
        *vec_add(&r->cookies) = parts.cookie;
    } else if (has_user_stack(r, e, s) && (to->outer || s->stack.len)) {
        struct pd_user_stack stack = {
            .registers = lasting_bytes(r, s->registers, lasting),
            .memory = lasting_bytes(r, s->stack, lasting),
            .mask = e->user_registers,
            .chain = to->outer,
            .in_kernel = in_kernel,
            .foreign = is_foreign(r, s),
        };

        to->outer = mem_next_id(r->stacks.len);
        to->leaf |= PD_WALKS;
        *vec_add(&r->stacks) = stack;
    }
    to->flags |= stack_end_flags(end);
}

/* ---- samples ---- */

void pd_keep_sample(struct pd_reading *r, const struct observed_sample *s)
{
    if (!r->samples.len)
        r->period = s->period;
    r->periods_differ |= s->period != r->period || s->period & PD_COUNTED;
    observed_samples_add(&r->samples, s);
}

/* `period`: of the event, or PD_COUNTED. */
static void keep_sample(struct pd_reading *r, const struct pd_event *e,
                        const struct pd_sample *s, uint64_t period,
                        bool lasting)
{
    struct observed_sample kept = {
        .time = (int64_t)s->time,
        .weight = 1,
        .period = period,
        .cpu = s->cpu < NO_CPU ? (uint16_t)s->cpu : NO_CPU,
        .flags = !s->pid && !s->tid ? SAMPLE_IDLE : 0,
    };

    if (e->off_cpu) {
        kept.weight = s->period ? s->period : 1;
        kept.period = 1;
        kept.flags |= WAIT_BLOCKED << SAMPLE_WAIT_SHIFT;
    }
    if (kept.flags && r->options->without_idle && !r->seen->thread_states) {
        r->profile->trace.idle_not_kept++;
        return;
    }
    kept.thread_key = observe_thread_key(r->seen, s->tid, s->pid);
    if (r->seen->thread_states)
        pd_set_happening(r, e, s, &kept);
    make_stack(r, e, s, lasting, &kept);
    pd_keep_sample(r, &kept);
}

/* A sample that read counters counts for each event whose counter went on.
 * The first is the sample's own, even without an id. */
static void keep_counters(struct pd_reading *r, uint32_t own,
                          const struct pd_sample *s, bool lasting)
{
    const struct pd_event *e = &r->events.data[own];
    const uint8_t *at = s->counters.data, *end = at + s->counters.len;

    for (; at < end; at += s->counter_size) {
        uint64_t id = 0;
        uint32_t event = NO_ID;

        if (s->counter_id) {
            id = load_u64_in(at + s->counter_id, r->swapped);
            event = map_get(&r->event_ids, id, 0);
        }
        if (event >= r->events.len && at == s->counters.data)
            event = own;
        if (event >= r->events.len)
            continue;
        if (r->events.data[event].chosen)
            keep_sample(r, e, s, PD_COUNTED | r->counters.len, lasting);
        *vec_add(&r->counters) = (struct pd_counter){
            .time = s->time,
            .id = id,
            .value = load_u64_in(at, r->swapped),
            .tid = e->inherited ? s->tid : 0,
            .event = event,
        };
    }
}

void pd_take_sample(struct pd_reading *r, uint16_t misc, struct bytes record,
                    bool lasting)
{
    struct reader body = {.base = record.data, .len = record.len};
    struct pd_sample s = {.mode = misc & PD_MODE_MASK};
    struct pd_event *e;
    uint32_t event = 0;

    if (!r->chose && pd_take_events(r))
        pd_choose_events(r);
    if (r->events.len != 1)
        event = r->events.len ? pd_event_of(r, pd_sample_id(r, record)) : NO_ID;
    e = event == NO_ID ? NULL : &r->events.data[event];
    if (e && e->unknown) {
        pd_refuse_event(r, e);
        return;
    }
    if (!e || !pd_read_sample(r, e, &body, &s) ||
        (e->off_cpu && !pd_read_off_cpu(r, &s))) {
        r->profile->quality.malformed += !r->again;
        return;
    }
    if (!(e->sample_type & PD_READ))
        e->count += !r->again;
    pd_met_time(r, s.time);
    if (r->untimed)
        s.time = pd_place(r, record.data, lasting);
    if (e->sample_type & PD_READ)
        keep_counters(r, event, &s, lasting);
    else if (e->chosen)
        keep_sample(r, e, &s,
                    s.period < PD_PERIOD_MOST ? s.period : PD_PERIOD_MOST,
                    lasting);
}

/* ---- user parts that come later ----
 *
 * CALLCHAIN_DEFERRED, of Linux 6.19: the kernel delivers the user part when
 * the thread goes back to user code. A sample has a cookie in its place; one
 * record may be the user part of several samples. 8 bytes each: cookie, number
 * of addresses, addresses. */

void pd_take_deferred(struct pd_reading *r, struct pd_record *rec, uint32_t tid)
{
    struct reader *body = &rec->body;
    struct pd_deferred d = {.cookie = reader_u64_in(body, r->swapped),
                            .tid = tid};
    uint64_t count = reader_u64_in(body, r->swapped);
    struct chain_parts parts = {0};

    if (body->failed || count > reader_left(body) / 8)
        return;
    split_chain(&parts, PD_MODE_USER,
                straight(r, reader_bytes(body, (size_t)count * 8)));
    d.run = keep_run(r, &parts.user);
    *vec_add(&r->deferred) = d;
}

void pd_join_deferred(struct pd_reading *r)
{
    struct samples *s = &r->samples;
    struct map chains = {0}; /* (cookie, thread) -> run */

    for (size_t i = 0; i < r->deferred.len; i++)
        map_set(&chains, r->deferred.data[i].cookie, r->deferred.data[i].tid,
                r->deferred.data[i].run);
    for (size_t i = 0; r->cookies.len && i < s->len; i++) {
        uint32_t tid = r->seen->thread_keys.data[s->thread[i]].tid, run;

        if (!(s->leaf[i] & PD_DEFERRED))
            continue;
        run = map_get(&chains, r->cookies.data[s->stack[i]], tid);
        s->stack[i] = run == MAP_NONE ? 0 : run;
        if (s->stack[i] && (s->leaf[i] & PD_DEFERRED_LEAF))
            s->inner[i] = s->leaf[i] = 0;
        s->leaf[i] &= 1;
    }
    map_release(&chains);
}

/* ---- counters ----
 *
 * A sample may read the counters of its event and, in a group, those of others
 * that take no samples of their own. A value counts from the beginning, so
 * that a sample stands for what came since the sample before, and is one of
 * the events whose counters went on. */

/* A counter that is below its last value began anew. */
static void take_differences(struct pd_reading *r)
{
    struct keyed *order = mem_new(r->counters.len, sizeof(*order));
    struct map ids = {0}; /* (id, thread) -> index of: */
    VEC(uint64_t) last = {0};

    for (size_t i = 0; i < r->counters.len; i++)
        order[i] = (struct keyed){r->counters.data[i].time, (uint32_t)i};
    keysort(order, r->counters.len);
    for (size_t i = 0; i < r->counters.len; i++) {
        struct pd_counter *c = &r->counters.data[order[i].value];
        uint32_t fresh = mem_next_id(last.len);
        uint32_t at = map_add(&ids, c->id, c->tid, fresh);
        uint64_t before;

        if (at == fresh)
            *vec_add(&last) = 0;
        before = last.data[at];
        last.data[at] = c->value;
        c->value -= before <= c->value ? before : 0;
        r->events.data[c->event].count += c->value && !r->again;
    }
    vec_release(&last);
    map_release(&ids);
    free(order);
}

void pd_resolve_counters(struct pd_reading *r)
{
    struct samples *s = &r->samples, kept = {0};

    if (!r->counters.len)
        return;
    take_differences(r);
    for (size_t i = 0; i < s->len; i++) {
        struct observed_sample sample = observed_samples_get(s, i);

        if (sample.period & PD_COUNTED) {
            sample.period = r->counters.data[sample.period & ~PD_COUNTED].value;
            if (!sample.period)
                continue;
        }
        if (sample.period > PD_PERIOD_MOST)
            sample.period = PD_PERIOD_MOST;
        observed_samples_add(&kept, &sample);
    }
    samples_release(s);
    *s = kept;
    r->counters.len = 0;
}

/* ---- the end ---- */

/* Most recordings give all samples one period. The recorder empties the buffers
 * of all CPUs in turn. */
void pd_sort_samples(struct pd_reading *r)
{
    struct samples *s = &r->samples;

    if (!r->periods_differ && !r->options->periods && !r->seen->thread_states) {
        free(s->period);
        s->period = NULL;
    }
    samples_sort(s, 0);
}

void pd_tell_samples(struct pd_reading *r)
{
    struct samples *s = &r->samples;

    if (r->options->periods && s->len && !s->period)
        s->period = mem_new(s->cap, sizeof(*s->period));
    if ((r->options->periods || s->period) && !r->seen->thread_states)
        r->profile->trace.period_of = pd_period_of(r);
    for (size_t i = 0; i < s->len; i++)
        s->time[i] = s->time[i] ? pd_time(r, (uint64_t)s->time[i]) : 0;
    observe_samples(r->seen, s);
    *s = (struct samples){0};
}
