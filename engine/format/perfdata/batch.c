#include "engine/format/perfdata/batch.h"

#include <string.h>

#include "engine/base/pages.h"

/* Addresses that are none: what follows is of that mode. */
#define CONTEXT_LEAST      ((uint64_t)-4095)
#define CONTEXT_HYPERVISOR ((uint64_t)-32)
#define CONTEXT_KERNEL     ((uint64_t)-128)
#define CONTEXT_USER       ((uint64_t)-512)
#define CONTEXT_DEFERRED   ((uint64_t)-640)

enum { HEADER = 8 }; /* u32 type, u16 mode, u16 size */

void pd_batch_add(struct pd_batch *b, struct bytes record, bool lasting)
{
    struct bytes *last =
        b->spans.len ? &b->spans.data[b->spans.len - 1] : NULL;

    b->lasting = lasting;
    b->size += record.len;
    if (last && last->data + last->len == record.data)
        last->len += record.len;
    else
        *vec_add(&b->spans) = record;
}

/* ---- the parts of a stack ---- */

/* The addresses of one mode, or none. */
struct part {
    struct callchain run;
    bool lasting;
};

struct parts {
    struct part kernel, user;
    bool guest; /* there were addresses of a guest, too */
};

static void end_part(struct parts *parts, uint64_t context, const uint8_t *from,
                     const uint8_t *to, bool lasting)
{
    struct part part = {{from, (uint32_t)((to - from) / 8), 8, NULL}, lasting};

    if (from == to)
        return;
    if (context == CONTEXT_USER) {
        if (!parts->user.run.count)
            parts->user = part;
    } else if (context == CONTEXT_KERNEL || context == CONTEXT_HYPERVISOR) {
        if (!parts->kernel.run.count)
            parts->kernel = part;
    } else if (context != CONTEXT_DEFERRED) {
        parts->guest = true;
    }
}

static uint64_t context_of_mode(uint8_t mode)
{
    switch (mode) {
    case PD_MODE_USER:
        return CONTEXT_USER;
    case PD_MODE_KERNEL:
    case PD_MODE_HYPERVISOR:
        return CONTEXT_KERNEL;
    }
    return 0; /* of a guest, or unknown */
}

/* `chain` in our byte order. */
static void split_chain(struct parts *parts, const struct pd_sample *s,
                        struct bytes chain, bool lasting)
{
    const uint8_t *at = chain.data, *from = at, *end;
    uint64_t context = context_of_mode(s->mode);

    if (!chain.len)
        return;
    for (end = at + chain.len; at < end; at += 8) {
        uint64_t address = load_u64(at);

        if (address < CONTEXT_LEAST)
            continue;
        end_part(parts, context, from, at, lasting);
        context = address;
        from = at + 8;
    }
    end_part(parts, context, from, end, lasting);
}

/* The words in our byte order. */
static struct bytes straight(struct pd_tables *t, struct bytes words,
                             bool swapped)
{
    if (!swapped)
        return words;
    t->frames.len = 0;
    vec_reserve(&t->frames, words.len);
    for (size_t i = 0; i < words.len; i++)
        t->frames.data[i] = words.data[i ^ 7];
    return (struct bytes){t->frames.data, words.len};
}

/*
 * Branches that were recorded as a stack of calls replace the user part: the
 * address is where the last call went to, its callers are where calls came
 * from: the processor tells the calls themselves, not where they return to.
 */
static void take_branches(struct pd_tables *t, const struct pd_event *e,
                          const struct pd_sample *s, bool swapped,
                          struct parts *parts)
{
    enum { CALL_STACK = 1 << 11, FROM = 0, TO = 8, BRANCH = 24 };
    struct bytes branches = s->branches;
    size_t count = branches.len / BRANCH + 1;
    uint8_t *at;

    if (!(e->branch_type & CALL_STACK) || !branches.len)
        return;
    t->branches.len = t->exact.len = 0;
    vec_reserve(&t->branches, count * 8);
    vec_reserve(&t->exact, count);
    memset(t->exact.data, true, count);
    at = t->branches.data;
    for (size_t i = 0; i < branches.len; i += BRANCH) {
        for (unsigned k = 0; !i && k < 8; k++)
            *at++ = branches.data[TO + (swapped ? k ^ 7 : k)];
        for (unsigned k = 0; k < 8; k++)
            *at++ = branches.data[i + FROM + (swapped ? k ^ 7 : k)];
    }
    parts->user = (struct part){
        {t->branches.data, (uint32_t)count, 8, t->exact.data}, false};
}

/* ---- keeping ---- */

/* Its number; what does not last is copied if it is new. */
static uint32_t keep_run(struct pd_batch *b, struct pd_tables *t,
                         const struct part *part)
{
    struct pd_batch_run run = {part->run, {0}, part->lasting, 0};
    uint32_t fresh = (uint32_t)b->runs.len, id;

    if (!part->run.count)
        return 0;
    run.print = callchain_fingerprint(&part->run);
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
    struct part part = {{.frames = bytes, .count = 1, .width = 8}, false};

    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(address >> (8 * i));
    return keep_run(b, t, &part);
}

static uint32_t keep_thread(struct pd_batch *b, struct pd_tables *t,
                            const struct pd_sample *s)
{
    const struct pd_batch_thread *last = b->threads.data + b->last_thread;
    uint32_t fresh = (uint32_t)b->threads.len;

    if (fresh && last->tid == s->tid && last->pid == s->pid)
        return b->last_thread;
    b->last_thread = map_add(&t->thread_ids, s->tid, s->pid, fresh);
    if (b->last_thread == fresh)
        *vec_add(&b->threads) = (struct pd_batch_thread){s->tid, s->pid, 0};
    return b->last_thread;
}

/* To be walked when it is known what was mapped then. */
static bool has_user_stack(const struct pd_reading *r,
                           const struct pd_sample *s)
{
    enum { ABI_64 = 2 };

    return !r->swapped && s->registers_abi == ABI_64 && s->stack.len &&
           r->options->frames;
}

/* A sample without a stack has its address. */
static void make_stack(struct pd_batch *b, struct pd_tables *t,
                       const struct pd_reading *r, const struct pd_event *e,
                       const struct pd_sample *s)
{
    struct pd_batch_stack stack = {0};
    struct parts parts = {0};

    split_chain(&parts, s, straight(t, s->chain, r->swapped), !r->swapped);
    take_branches(t, e, s, r->swapped, &parts);
    stack.guest = parts.guest;
    stack.outer = keep_run(b, t, &parts.user);
    stack.inner = keep_run(b, t, &parts.kernel);
    if (!stack.outer && !stack.inner) {
        stack.inner = keep_address(b, t, s->ip);
        stack.leaf = true;
    }
    if (!stack.outer && has_user_stack(r, s)) {
        stack.outer = (uint32_t)b->user_stacks.len;
        stack.leaf |= PD_WALKS;
        *vec_add(&b->user_stacks) = (struct pd_user_stack){
            s->registers, s->stack, e->user_registers};
    }
    *vec_add(&b->stacks) = stack;
}

/* What a sample without a chain is known by, in the place of one. */
static struct callchain chain_of(const struct pd_sample *s,
                                 const uint64_t *address)
{
    if (s->chain.len)
        return (struct callchain){s->chain.data, (uint32_t)(s->chain.len / 8),
                                  8, NULL};
    return (struct callchain){(const uint8_t *)address, 1, 8, NULL};
}

/* Samples of one chain, taken in one mode, have one stack; but for what the
 * recorder added to it. */
static uint32_t keep_stack(struct pd_batch *b, struct pd_tables *t,
                           const struct pd_reading *r, const struct pd_event *e,
                           const struct pd_sample *s)
{
    uint32_t fresh = (uint32_t)b->stacks.len, id = fresh;

    if (!s->branches.len && !s->stack.len) {
        struct callchain chain = chain_of(s, &s->ip);
        struct callchain_print print = callchain_fingerprint(&chain);
        uint64_t kind = s->mode | (s->chain.len ? 0 : PD_MODE_MASK + 1u);

        id = map_add(&t->chain_ids, print.hash + kind, print.check, fresh);
    }
    if (id == fresh)
        make_stack(b, t, r, e, s);
    return id;
}

static void keep_sample(struct pd_batch *b, struct pd_tables *t,
                        const struct pd_reading *r, const struct pd_event *e,
                        const struct pd_sample *s)
{
    uint64_t period = s->period < PD_PERIOD_MOST ? s->period : PD_PERIOD_MOST;
    uint8_t flags = !s->pid && !s->tid ? SAMPLE_IDLE : 0;

    if (flags && r->options->without_idle) {
        b->idle_not_kept++;
        return;
    }
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
    b->counts.data[event]++;
    if (!pd_read_sample(r, e, &body, &s)) {
        b->malformed++;
        return;
    }
    met_time(b, s.time);
    if (e->chosen)
        keep_sample(b, t, r, e, &s);
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
    b->first_time = b->least_period = UINT64_MAX;
    *vec_add(&b->runs) = (struct pd_batch_run){.id = 0};
    for (size_t i = 0; i < r->events.len; i++)
        *vec_add(&b->counts) = 0;
    for (size_t i = 0; i < b->spans.len; i++)
        read_span(b, t, r, b->spans.data[i]);
}

/* ---- joining ---- */

enum { AHEAD = 8 }; /* runs */

/* Runs are few beside samples, yet lie all over the file: as long as they are
 * few they are copied, and the file's pages need not come again. */
static bool stays_in_file(const struct pd_batch *b, struct pd_reading *r,
                          const struct pd_batch_run *run)
{
    enum { FILE_BYTES_A_COPIED = 16 };
    uint64_t size = (uint64_t)run->chain.count * 8;

    if (!b->lasting || !run->lasting)
        return false;
    if (r->copied + size > r->size / FILE_BYTES_A_COPIED)
        return true;
    r->copied += size;
    return false;
}

static void join_runs(struct pd_batch *b, struct pd_reading *r)
{
    struct callchains *all = &r->seen->callchains;

    for (size_t i = 1; i < b->runs.len; i++) {
        struct pd_batch_run *run = &b->runs.data[i];
        uint32_t fresh = mem_next_id(all->list.len);

        if (i + AHEAD < b->runs.len)
            map_prefetch(&all->ids, run[AHEAD].print.hash,
                         run[AHEAD].print.check);
        run->id = map_add(&all->ids, run->print.hash, run->print.check, fresh);
        if (run->id == fresh)
            callchains_append(all, run->chain, stays_in_file(b, r, run));
    }
}

static void join_user_stacks(struct pd_batch *b, struct pd_reading *r)
{
    for (size_t i = 0; i < b->user_stacks.len; i++) {
        struct pd_user_stack stack = b->user_stacks.data[i];

        if (!b->lasting) {
            stack.registers.data = arena_copy(
                &r->copies, stack.registers.data, stack.registers.len);
            stack.memory.data =
                arena_copy(&r->copies, stack.memory.data, stack.memory.len);
        }
        *vec_add(&r->stacks) = stack;
    }
}

/* Runs, and stacks to be walked, get the numbers that they have in the
 * recording. */
static void join_stacks(struct pd_batch *b, struct pd_reading *r)
{
    uint32_t first = mem_next_id(r->stacks.len);

    join_runs(b, r);
    for (size_t i = 0; i < b->stacks.len; i++) {
        struct pd_batch_stack *s = &b->stacks.data[i];

        s->outer = s->leaf & PD_WALKS ? first + s->outer
                                      : b->runs.data[s->outer].id;
        s->inner = b->runs.data[s->inner].id;
    }
    join_user_stacks(b, r);
}

/* Samples of the whole recording, if it goes on as it began: columns that are
 * as long as they become from the start do not move. */
static size_t expected(const struct pd_batch *b, const struct pd_reading *r)
{
    return r->records_size / (b->size + 1) * b->samples.len;
}

static void join_samples(struct pd_batch *b, struct pd_reading *r)
{
    struct observed_samples *to = &r->samples;

    if (!to->cap)
        pd_expect(r, expected(b, r), b->least_period, b->least_period);
    pd_expect(r, b->samples.len, b->least_period, b->most_period);
    for (size_t i = 0; i < b->samples.len; i++) {
        const struct pd_batch_sample *s = &b->samples.data[i];
        const struct pd_batch_stack *stack = &b->stacks.data[s->stack];
        size_t row = to->len + i;

        to->time[row] = (int64_t)s->time;
        to->thread_key[row] = b->threads.data[s->thread].key;
        to->outer[row] = stack->outer;
        to->inner[row] = stack->inner;
        to->cpu[row] = s->cpu;
        to->flags[row] = s->flags;
        to->leaf[row] = stack->leaf;
        if (to->period)
            to->period[row] = s->period;
        r->guest += stack->guest;
    }
    to->len += b->samples.len;
}

static void make_empty(struct pd_batch *b)
{
    b->spans.len = b->samples.len = b->threads.len = b->stacks.len = 0;
    b->runs.len = b->user_stacks.len = b->counts.len = 0;
    b->size = b->malformed = b->idle_not_kept = 0;
    b->last_time = b->most_period = b->last_thread = 0;
    arena_reset(&b->copies);
}

/* What was read is not read again, but for runs that stay in the file. */
static void forget_spans(const struct pd_batch *b)
{
    const uint8_t *from = b->spans.data[0].data;
    const struct bytes *last = &b->spans.data[b->spans.len - 1];

    pages_forget(from, (size_t)(last->data + last->len - from));
}

void pd_batch_join(struct pd_batch *b, struct pd_reading *r)
{
    join_stacks(b, r);
    for (size_t i = 0; i < b->threads.len; i++) {
        struct pd_batch_thread *t = &b->threads.data[i];

        t->key = observe_thread_key(r->seen, t->tid, t->pid);
    }
    join_samples(b, r);
    for (size_t i = 0; i < b->counts.len; i++)
        r->events.data[i].count += b->counts.data[i];
    if (b->last_time) {
        pd_met_time(r, b->first_time);
        pd_met_time(r, b->last_time);
    }
    r->profile->quality.malformed += b->malformed;
    r->profile->trace.idle_not_kept += b->idle_not_kept;
    if (b->lasting && r->entry->of_file && b->spans.len)
        forget_spans(b);
    make_empty(b);
}

void pd_batch_release(struct pd_batch *b)
{
    vec_release(&b->spans);
    vec_release(&b->samples);
    vec_release(&b->threads);
    vec_release(&b->runs);
    vec_release(&b->stacks);
    vec_release(&b->user_stacks);
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
