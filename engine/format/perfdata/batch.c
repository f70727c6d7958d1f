#include "engine/base/hash.h"
#include "engine/format/perfdata/chain_parts.h"

enum { HEADER = 8 }; /* u32 type, u16 mode, u16 size */

void pd_batch_add(struct pd_batch *b, struct bytes record, bool lasting)
{
    struct bytes *last = b->spans.len ? &b->spans.data[b->spans.len - 1] : NULL;

    b->lasting = lasting;
    b->size += record.len;
    if (last && last->data + last->len == record.data)
        last->len += record.len;
    else
        *vec_add(&b->spans) = record;
}

/* ---- keeping ---- */

/* A run of addresses whose fingerprint is known. */
struct printed_run {
    struct callchain run;
    struct callchain_print print;
};

static struct printed_run printed(const struct callchain *run)
{
    return (struct printed_run){*run, callchain_fingerprint(run)};
}

/* Its number; what does not last is copied if it is new. `whole`: maybe the
 * same, or NULL. */
static uint32_t keep_run(struct pd_batch *b, struct pd_tables *t,
                         const struct pd_part *part,
                         const struct printed_run *whole)
{
    struct pd_batch_run run = {part->run, {0}, part->lasting, 0};
    uint32_t fresh = (uint32_t)b->runs.len, id;

    if (!part->run.count)
        return 0;
    run.print = whole && whole->run.frames == part->run.frames &&
                        whole->run.count == part->run.count
                    ? whole->print
                    : callchain_fingerprint(&part->run);
    id = map_add(&t->run_ids, run.print.hash, run.print.check, fresh);
    if (id != fresh)
        return id;
    if (!part->lasting)
        run.chain.frames = arena_copy(&b->copies, run.chain.frames,
                                      (size_t)run.chain.count * 8);
    if (run.chain.exact)
        run.chain.exact =
            arena_copy(&b->copies, run.chain.exact, run.chain.count);
    *vec_add(&b->runs) = run;
    return id;
}

/* A sample without a stack has its address. */
static uint32_t keep_address(struct pd_batch *b, struct pd_tables *t,
                             uint64_t address)
{
    uint8_t bytes[8];
    struct pd_part part = {{.frames = bytes, .count = 1, .width = 8}, false};

    store_u64(bytes, address);
    return keep_run(b, t, &part, NULL);
}

static uint32_t keep_thread(struct pd_batch *b, struct pd_tables *t,
                            const struct pd_sample *s)
{
    const struct pd_batch_thread *last =
        b->threads.len ? &b->threads.data[b->last_thread] : NULL;
    uint32_t fresh = (uint32_t)b->threads.len;

    if (last && last->tid == s->tid && last->pid == s->pid)
        return b->last_thread;
    b->last_thread = map_add(&t->thread_ids, s->tid, s->pid, fresh);
    if (b->last_thread == fresh)
        *vec_add(&b->threads) = (struct pd_batch_thread){s->tid, s->pid, 0};
    return b->last_thread;
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
static enum stack_end end_of(const struct pd_event *e,
                             const struct pd_sample *s,
                             const struct pd_parts *parts)
{
    enum { USUAL_MOST = 127, LBR_LEAST = 8, LBR_MOST = 32, BRANCH = 24 };
    size_t calls = s->branches.len / BRANCH;

    if (parts->calls)
        return calls == LBR_LEAST || calls == (size_t)2 * LBR_LEAST ||
                       calls == LBR_MOST
                   ? STACK_END_DEPTH
                   : STACK_END_UNKNOWN;
    return parts->user.run.count + parts->kernel.run.count ==
                   (e->max_stack ? e->max_stack : USUAL_MOST)
               ? STACK_END_DEPTH
               : STACK_END_UNKNOWN;
}

/* Callers in the kernel are missing, unless it was just entered. */
static enum stack_end end_below_kernel(const struct pd_event *e,
                                       enum stack_end end)
{
    return end == STACK_END_UNKNOWN && !e->user_only ? STACK_END_LEAF_FRAME
                                                     : end;
}

/* To be walked when it is known what was mapped then. arm64 keeps a leaf's
 * return address in register 30, which perf record -g copies for that. */
static bool has_user_stack(const struct pd_reading *r, const struct pd_event *e,
                           const struct pd_sample *s)
{
    enum { LINK = 30 };
    bool linked = r->machine == PD_ARM64 && (e->user_registers >> LINK & 1) &&
                  s->chain.len && !is_foreign(r, s);

    return (s->stack.len || linked) && r->options->frames;
}

/* A sample without a stack has its address, and so has one that was taken in
 * the kernel whose chain has no part there: the chain tells its callers. An
 * address in a guest is nothing in this machine's memory. `whole`: what may be
 * the only run of the stack, or NULL. */
static void make_stack(struct pd_batch *b, struct pd_tables *t,
                       const struct pd_reading *r, const struct pd_event *e,
                       const struct pd_sample *s,
                       const struct printed_run *whole)
{
    struct pd_batch_stack stack = {0};
    struct pd_parts parts = pd_chain_parts(t, r, e, s);
    enum stack_end end = end_of(e, s, &parts);
    bool in_kernel = s->mode == PD_MODE_KERNEL || s->mode == PD_MODE_HYPERVISOR;
    bool in_guest =
        s->mode == PD_MODE_GUEST_KERNEL || s->mode == PD_MODE_GUEST_USER;

    stack.guest = parts.guest || in_guest;
    b->kernel |= parts.kernel.run.count || s->mode == PD_MODE_KERNEL;
    if (s->mode == PD_MODE_KERNEL && s->ip && s->ip < b->kernel_least)
        b->kernel_least = s->ip;
    /* A processor that tells the address exactly interrupts later: the program
     * may have called the kernel by then. */
    if (s->mode == PD_MODE_USER && s->ip)
        parts.kernel.run.count = 0;
    stack.outer = keep_run(b, t, &parts.user, whole);
    stack.inner = keep_run(b, t, &parts.kernel, whole);
    if (!stack.inner && !in_guest && (!stack.outer || (in_kernel && s->ip))) {
        stack.inner = keep_address(b, t, s->ip);
        stack.leaf = true;
        if (in_kernel && (stack.outer || s->stack.len || parts.deferred))
            end = end_below_kernel(e, end);
    }
    if (!stack.outer && parts.deferred) {
        stack.outer = (uint32_t)b->cookies.len;
        stack.leaf |= s->mode == PD_MODE_USER ? PD_DEFERRED | PD_DEFERRED_LEAF
                                              : PD_DEFERRED;
        *vec_add(&b->cookies) = parts.cookie;
    } else if (has_user_stack(r, e, s) && (stack.outer || s->stack.len)) {
        *vec_add(&b->user_stacks) = (struct pd_user_stack){
            s->registers, s->stack, e->user_registers, stack.outer, in_kernel,
            is_foreign(r, s)};
        stack.outer = (uint32_t)b->user_stacks.len - 1;
        stack.leaf |= PD_WALKS;
    }
    stack.end = stack_end_flags(end);
    *vec_add(&b->stacks) = stack;
}

/* What tells the stack of a sample from others: its addresses, which are one
 * run in most chains but for the word before them that says of what mode they
 * are, and the sample's own. */
static struct callchain chain_of(const struct pd_sample *s, uint64_t *kind)
{
    enum { MODES = PD_MODE_MASK + 1 };
    struct callchain chain = {s->chain.data, (uint32_t)(s->chain.len / 8), 8,
                              NULL};

    if (!chain.count) {
        *kind = hash_pair(0, s->mode);
        return (struct callchain){(const uint8_t *)&s->ip, 1, 8, NULL};
    }
    *kind = hash_pair(load_u64(chain.frames), MODES + s->mode);
    *kind = hash_pair(*kind, s->ip);
    chain.frames += 8;
    chain.count--;
    return chain;
}

/* Samples of one chain, taken in one mode, have one stack; but for what the
 * recorder added to it. */
static uint32_t keep_stack(struct pd_batch *b, struct pd_tables *t,
                           const struct pd_reading *r, const struct pd_event *e,
                           const struct pd_sample *s)
{
    uint32_t fresh = (uint32_t)b->stacks.len, id;
    struct printed_run whole;
    struct callchain chain;
    uint64_t kind;

    if (s->branches.len || has_user_stack(r, e, s)) {
        make_stack(b, t, r, e, s, NULL);
        return fresh;
    }
    chain = chain_of(s, &kind);
    whole = printed(&chain);
    id = map_add(&t->chain_ids, whole.print.hash ^ kind, whole.print.check,
                 fresh);
    if (id == fresh)
        make_stack(b, t, r, e, s, &whole);
    return id;
}

/* `period`: of the event, or PD_COUNTED. */
static void keep_sample(struct pd_batch *b, struct pd_tables *t,
                        const struct pd_reading *r, const struct pd_event *e,
                        const struct pd_sample *s, uint64_t period)
{
    uint16_t flags = !s->pid && !s->tid ? SAMPLE_IDLE : 0;

    if (flags && r->options->without_idle) {
        b->idle_not_kept++;
        return;
    }
    if (period & PD_COUNTED)
        b->least_period = 0;
    if (period < b->least_period)
        b->least_period = period;
    if (period > b->most_period)
        b->most_period = period;
    *vec_add(&b->samples) = (struct pd_batch_sample){
        .time = s->time,
        .period = period,
        .thread = keep_thread(b, t, s),
        .stack = keep_stack(b, t, r, e, s),
        .cpu = (uint16_t)s->cpu,
        .flags = flags,
    };
}

/* A sample that read counters counts for each event whose counter went on.
 * The first is the sample's own, even without an id. */
static void keep_counters(struct pd_batch *b, struct pd_tables *t,
                          const struct pd_reading *r, uint32_t own,
                          const struct pd_sample *s)
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
            keep_sample(b, t, r, e, s, PD_COUNTED | b->counters.len);
        *vec_add(&b->counters) = (struct pd_counter){
            .time = s->time,
            .id = id,
            .value = load_u64_in(at, r->swapped),
            .tid = e->inherited ? s->tid : 0,
            .event = event,
        };
    }
}

/* ---- reading ---- */

static void met_time(struct pd_batch *b, uint64_t time)
{
    if (!time)
        return;
    if (time < b->first_time)
        b->first_time = time;
    if (time > b->last_time)
        b->last_time = time;
}

static void read_sample(struct pd_batch *b, struct pd_tables *t,
                        const struct pd_reading *r, uint8_t mode,
                        struct bytes record)
{
    struct reader body = {.base = record.data, .len = record.len};
    struct pd_sample s = {.mode = mode};
    const struct pd_event *e;
    uint32_t event = 0;

    if (r->events.len != 1)
        event = r->events.len ? pd_event_of(r, pd_sample_id(r, record)) : NO_ID;
    if (event == NO_ID) {
        b->malformed++;
        return;
    }
    e = &r->events.data[event];
    if (e->unknown) {
        b->refused = event + 1;
        return;
    }
    if (!pd_read_sample(r, e, &body, &s)) {
        b->malformed++;
        return;
    }
    if (!(e->sample_type & PD_READ))
        b->counts.data[event]++;
    met_time(b, s.time);
    if (r->untimed)
        s.time = pd_place(r, record.data, b->lasting);
    if (e->sample_type & PD_READ)
        keep_counters(b, t, r, event, &s);
    else if (e->chosen)
        keep_sample(b, t, r, e, &s,
                    s.period < PD_PERIOD_MOST ? s.period : PD_PERIOD_MOST);
}

static void read_span(struct pd_batch *b, struct pd_tables *t,
                      const struct pd_reading *r, struct bytes span)
{
    const uint8_t *at = span.data, *end = at + span.len;

    while (at < end) {
        uint16_t misc = load_u16(at + 4), size = load_u16(at + 6);

        if (r->swapped) {
            misc = __builtin_bswap16(misc);
            size = __builtin_bswap16(size);
        }
        read_sample(b, t, r, misc & PD_MODE_MASK,
                    (struct bytes){at + HEADER, (size_t)size - HEADER});
        at += size;
    }
}

void pd_batch_read(struct pd_batch *b, const struct pd_reading *r,
                   struct pd_tables *t)
{
    map_clear(&t->thread_ids);
    map_clear(&t->chain_ids);
    map_clear(&t->run_ids);
    b->first_time = b->least_period = b->kernel_least = UINT64_MAX;
    *vec_add(&b->runs) = (struct pd_batch_run){.id = 0};
    for (size_t i = 0; i < r->events.len; i++)
        *vec_add(&b->counts) = 0;
    for (size_t i = 0; i < b->spans.len; i++)
        read_span(b, t, r, b->spans.data[i]);
}

void pd_batch_release(struct pd_batch *b)
{
    vec_release(&b->spans);
    vec_release(&b->samples);
    vec_release(&b->threads);
    vec_release(&b->runs);
    vec_release(&b->stacks);
    vec_release(&b->user_stacks);
    vec_release(&b->cookies);
    vec_release(&b->counters);
    vec_release(&b->counts);
    arena_release(&b->copies);
}

void pd_tables_release(struct pd_tables *t)
{
    map_release(&t->thread_ids);
    map_release(&t->chain_ids);
    map_release(&t->run_ids);
    vec_release(&t->frames);
    vec_release(&t->branches);
    vec_release(&t->exact);
}
