/*
 * A sample: those of the following that its event's sample_type has.
 *
 *   BIT  SIZE  DESCRIPTION
 *   16   8     identifier of the counter
 *   0    8     instruction pointer
 *   1    4,4   pid, tid
 *   2    8     time
 *   3    8     address
 *   6    8     id of the counter
 *   9    8     stream
 *   7    4,4   CPU, unused
 *   8    8     period
 *   4    n     counters read: see skip_counters
 *   5    8,n   number of addresses, and that many, innermost first
 *   10   4,n   size, raw bytes
 *   11   8,n   number of branches; 8 more with HW_INDEX; 24 each: from, to,
 *              flags; 8 each with COUNTERS
 *   12   8,n   user registers: 0 none, 1 32 bit, 2 64 bit; 8 each of those
 *              in the event's mask
 *   13   8,n,8 user stack: size, bytes, how many of them were copied
 *
 * and more that is not needed. (format.md, section 5.2)
 */
#include "engine/format/perfdata/perfdata.h"

#include <string.h>

/* Addresses that are none: what follows is of that mode. */
#define CONTEXT_LEAST      ((uint64_t)-4095)
#define CONTEXT_HYPERVISOR ((uint64_t)-32)
#define CONTEXT_KERNEL     ((uint64_t)-128)
#define CONTEXT_USER       ((uint64_t)-512)
#define CONTEXT_DEFERRED   ((uint64_t)-640)

/* ---- layout ---- */

static uint64_t word(const struct pd_reading *r, struct reader *body)
{
    return reader_u64_in(body, r->swapped);
}

/* Alone: value, and those of enabled, running, id and lost that there are. In
 * a group: number of counters, enabled, running, and of each value, id,
 * lost. */
static void skip_counters(const struct pd_reading *r, struct reader *body,
                          uint64_t format)
{
    enum { ENABLED = 1, RUNNING = 2, ID = 4, GROUP = 8, LOST = 16 };
    uint64_t times = !!(format & ENABLED) + (uint64_t)!!(format & RUNNING);
    uint64_t each = 1u + !!(format & ID) + (uint64_t)!!(format & LOST);
    uint64_t count = format & GROUP ? word(r, body) : 1;

    if (count > reader_left(body) / 8)
        reader_fail(body, ERR_CORRUPT, "number of counters");
    else
        reader_skip(body, (size_t)(times + each * count) * 8);
}

static struct bytes read_chain(const struct pd_reading *r, struct reader *body)
{
    uint64_t count = word(r, body);

    if (count > reader_left(body) / 8) {
        reader_fail(body, ERR_CORRUPT, "number of addresses");
        return (struct bytes){0};
    }
    return reader_bytes(body, (size_t)count * 8);
}

static struct bytes read_branches(const struct pd_reading *r,
                                  const struct pd_event *e,
                                  struct reader *body)
{
    enum { BRANCH = 24, HW_INDEX = 1 << 17, COUNTERS = 1 << 19 };
    uint64_t count = word(r, body);
    struct bytes branches;

    if (e->branch_type & HW_INDEX)
        word(r, body);
    if (count > reader_left(body) / BRANCH) {
        reader_fail(body, ERR_CORRUPT, "number of branches");
        return (struct bytes){0};
    }
    branches = reader_bytes(body, (size_t)count * BRANCH);
    if (e->branch_type & COUNTERS)
        reader_skip(body, (size_t)count * 8);
    return branches;
}

static void read_user_stack(const struct pd_reading *r,
                            const struct pd_event *e, struct reader *body,
                            struct pd_sample *s)
{
    unsigned registers = (unsigned)__builtin_popcountll(e->user_registers);
    uint64_t size, copied;

    if (e->sample_type & PD_REGS_USER) {
        s->registers_abi = word(r, body);
        if (s->registers_abi)
            s->registers = reader_bytes(body, (size_t)registers * 8);
    }
    if (!(e->sample_type & PD_STACK_USER))
        return;
    size = word(r, body);
    if (!size)
        return;
    if (size > reader_left(body)) {
        reader_fail(body, ERR_CORRUPT, "size of a stack");
        return;
    }
    s->stack = reader_bytes(body, (size_t)size);
    copied = word(r, body);
    if (copied < s->stack.len)
        s->stack.len = (size_t)copied;
}

/* Up to what tells the event. */
static uint64_t read_id(const struct pd_reading *r, struct reader body)
{
    const struct pd_event *first = r->events.data;
    uint64_t before = PD_IP | PD_TID | PD_TIME | PD_ADDR;

    if (first->sample_type & PD_IDENTIFIER)
        return word(r, &body);
    if (!(first->sample_type & PD_ID))
        return 0;
    before &= first->sample_type;
    reader_skip(&body, (size_t)__builtin_popcountll(before) * 8);
    return word(r, &body);
}

static bool read_sample(const struct pd_reading *r, const struct pd_event *e,
                        struct reader *body, struct pd_sample *s)
{
    uint64_t type = e->sample_type;

    if (type & PD_IDENTIFIER)
        word(r, body);
    if (type & PD_IP)
        s->ip = word(r, body);
    if (type & PD_TID) {
        s->pid = reader_u32_in(body, r->swapped);
        s->tid = reader_u32_in(body, r->swapped);
    }
    if (type & PD_TIME)
        s->time = word(r, body);
    if (type & PD_ADDR)
        word(r, body);
    if (type & PD_ID)
        word(r, body);
    if (type & PD_STREAM_ID)
        word(r, body);
    if (type & PD_CPU) {
        s->cpu = reader_u32_in(body, r->swapped);
        reader_skip(body, 4);
    }
    s->period = type & PD_PERIOD ? word(r, body) : e->period;
    if (type & PD_READ)
        skip_counters(r, body, e->read_format);
    if (type & PD_CALLCHAIN)
        s->chain = read_chain(r, body);
    if (type & PD_RAW)
        reader_skip(body, reader_u32_in(body, r->swapped));
    if (type & PD_BRANCH_STACK)
        s->branches = read_branches(r, e, body);
    if (type & (PD_REGS_USER | PD_STACK_USER))
        read_user_stack(r, e, body, s);
    return !body->failed;
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
static struct bytes straight(struct pd_reading *r, struct bytes words)
{
    if (!r->swapped)
        return words;
    for (size_t i = 0; i < words.len; i++)
        r->frames[i] = words.data[i ^ 7];
    return (struct bytes){r->frames, words.len};
}

/*
 * Branches that were recorded as a stack of calls replace the user part: the
 * address is where the last call went to, its callers are where calls came
 * from: the processor tells the calls themselves, not where they return to.
 */
static void take_branches(struct pd_reading *r, const struct pd_event *e,
                          const struct pd_sample *s, struct parts *parts)
{
    enum { CALL_STACK = 1 << 11, FROM = 0, TO = 8, BRANCH = 24 };
    uint8_t *at = r->branch_frames;
    struct bytes b = s->branches;

    if (!(e->branch_type & CALL_STACK) || !b.len)
        return;
    for (size_t i = 0; i < b.len; i += BRANCH) {
        for (unsigned k = 0; !i && k < 8; k++)
            *at++ = b.data[TO + (r->swapped ? k ^ 7 : k)];
        for (unsigned k = 0; k < 8; k++)
            *at++ = b.data[i + FROM + (r->swapped ? k ^ 7 : k)];
    }
    parts->user =
        (struct part){{.frames = r->branch_frames,
                       .count = (uint32_t)((at - r->branch_frames) / 8),
                       .width = 8,
                       .exact = r->branch_exact},
                      false};
    memset(r->branch_exact, true, parts->user.run.count);
}

static void settle(struct pd_reading *r, struct pd_unsettled *u)
{
    uint32_t run;

    if (!u->run.count)
        return;
    run = callchains_add(&r->seen->callchains, &u->run, u->print, true);
    *(u->inner ? &r->samples.data[u->sample].inner
               : &r->samples.data[u->sample].outer) = run;
    u->run.count = 0;
}

void pd_settle_stacks(struct pd_reading *r)
{
    for (unsigned i = 0; i < PD_UNSETTLED; i++)
        settle(r, &r->unsettled[r->next_unsettled++ % PD_UNSETTLED]);
}

/* Of a sample that is added next; 0 where it is given later, by settle: the
 * table of runs is beyond the cache, and its line is on its way till then. */
static uint32_t keep_part(struct pd_reading *r, const struct part *part,
                          bool inner)
{
    struct callchain_print print;
    struct pd_unsettled *u;

    if (!part->run.count)
        return 0;
    print = callchain_fingerprint(&part->run);
    if (!part->lasting)
        return callchains_add(&r->seen->callchains, &part->run, print, false);
    map_prefetch(&r->seen->callchains.ids, print.hash, print.check);
    u = &r->unsettled[r->next_unsettled++ % PD_UNSETTLED];
    settle(r, u);
    *u = (struct pd_unsettled){part->run, print, mem_next_id(r->samples.len),
                               inner};
    return 0;
}

/* A sample without a stack has its address. */
static void keep_stack(struct pd_reading *r, const struct pd_sample *s,
                       const struct parts *parts, struct pd_kept *kept)
{
    kept->outer = keep_part(r, &parts->user, false);
    kept->inner = keep_part(r, &parts->kernel, true);
    if (parts->user.run.count || parts->kernel.run.count)
        return;
    kept->inner = callchains_add_address(&r->seen->callchains, s->ip);
    kept->leaf = true;
}

/* ---- keeping ---- */

static uint32_t thread_key(struct pd_reading *r, uint32_t tid, uint32_t pid)
{
    if (tid != r->last_tid || pid != r->last_pid || !r->samples.len) {
        r->last_tid = tid;
        r->last_pid = pid;
        r->last_key = observe_thread_key(r->seen, tid, pid);
    }
    return r->last_key;
}

/* To be walked when it is known what was mapped then. */
static uint32_t keep_user_stack(struct pd_reading *r, const struct pd_event *e,
                                const struct pd_sample *s, bool lasting)
{
    enum { ABI_64 = 2 };
    struct pd_user_stack stack = {s->registers, s->stack, e->user_registers};

    if (r->swapped || s->registers_abi != ABI_64 || !s->stack.len ||
        !r->options->frames)
        return 0;
    if (!lasting) {
        stack.registers.data = arena_copy(&r->copies, stack.registers.data,
                                          stack.registers.len);
        stack.memory.data =
            arena_copy(&r->copies, stack.memory.data, stack.memory.len);
    }
    *vec_add(&r->stacks) = stack;
    return (uint32_t)r->stacks.len;
}

static void keep_sample(struct pd_reading *r, const struct pd_event *e,
                        const struct pd_sample *s, bool lasting)
{
    struct pd_kept kept = {
        .time = s->time,
        .thread_key = thread_key(r, s->tid, s->pid),
        .cpu = (uint16_t)s->cpu,
        .flags = !s->pid && !s->tid ? SAMPLE_IDLE : 0,
        .period = pd_period(s->period) & PD_PERIOD_MOST,
    };
    struct parts parts = {0};

    split_chain(&parts, s, straight(r, s->chain), lasting && !r->swapped);
    take_branches(r, e, s, &parts);
    r->guest += parts.guest;
    keep_stack(r, s, &parts, &kept);
    if (!parts.user.run.count)
        kept.stack = keep_user_stack(r, e, s, lasting);
    *vec_add(&r->samples) = kept;
}

void pd_take_sample(struct pd_reading *r, struct pd_record *rec)
{
    struct pd_sample s = {.mode = rec->misc & PD_MODE_MASK};
    struct pd_event *e;

    if (!r->chose)
        pd_choose_events(r);
    e = r->events.len ? pd_event_of(r, read_id(r, rec->body)) : NULL;
    if (!e) {
        r->profile->quality.malformed++;
        return;
    }
    e->count++;
    if (!read_sample(r, e, &rec->body, &s)) {
        r->profile->quality.malformed++;
        return;
    }
    pd_met_time(r, s.time);
    if (e->chosen)
        keep_sample(r, e, &s, rec->lasting);
}
