/*
 * Samples and their stacks.
 *
 * A sample is followed, on the same thread, by a kernel part (if it was
 * taken in kernel mode) and, when the thread next returns to user mode, by a
 * user part: microseconds later, or a third of a second later on another
 * CPU. Each part names an event by time stamp and thread. It holds frames,
 * or a key whose frames are defined when the recorder evicts it from its
 * cache, seconds later. (format.md, section 5)
 *
 * Facts come in order of time, so each thread has at most one sample whose
 * parts are still coming in the ordinary way (the open one), and a list of
 * samples that wait in the kernel for a user part:
 *
 *   kernel part   goes to the sample it names; that sample now waits.
 *   user part     goes to the sample it names, and to every waiting sample
 *                 that is not older than the event it names: one user part
 *                 is written for a whole stay in the kernel, and it names
 *                 the event that began the stay. Older ones stay without:
 *                 they belong to an earlier stay (the strict rule). The list
 *                 is empty then.
 *
 * A closed sample can be named as long as it is no older than ETL_LATEST; then
 * only a thread that waits with it still gives it parts.
 *
 * Where other events are chosen, they take the place of samples. One that does
 * not say its thread waits, by processor, for a part that names its time; one
 * of the .NET runtime has its stack in the runtime's next event on its thread.
 *
 * Samples are reported when the last fact is in and every key (parts.h) has
 * its frames or has none.
 */
#include "engine/base/bisect.h"
#include "engine/format/etl/parts.h"

/* A sample that waits in the kernel for its user part. */
struct waiting {
    uint32_t sample;
    uint64_t time;
};

/* The state of a thread at the moment. */
struct thread_state {
    bool open;
    uint32_t sample; /* index of the open sample */
    uint64_t time;   /* its raw time */
    uint64_t address;
    uint32_t key;          /* thread key without a process */
    uint32_t pid, pid_key; /* process of its last stack, thread key with it */
    struct etl_part kernel, user; /* its parts so far */
    bool borrowed;                /* `user` names another event of the stay */
    bool no_address;              /* an event that has none */
    bool awaits_clr;              /* no event of the runtime came since */
    VEC(struct waiting) waiting;
};

/* The latest event of a processor that did not say its thread. */
struct unowned {
    uint32_t sample;
    uint64_t time;
    bool waits;
};

struct etl_correlator {
    struct etl_recording *recording;
    struct observations *seen;
    uint64_t kernel_from;
    uint64_t now; /* time of the latest fact */
    /* Until the end a sample's `outer` and `inner` are ids of parts, and its
     * `leaf` has their kinds: that of the inner one times 16. */
    struct samples *samples;
    struct etl_parts parts;
    struct map thread_ids; /* (tid, processor + 1 of thread 0) -> thread */
    VEC(struct thread_state) threads;
    VEC(struct unowned) unowned; /* by processor */
    /* Where more samples than FEW_AT_ONCE have one time: (first of the time
     * and tid, processor + 1 of thread 0) -> sample; and by the first of a
     * time the end of those that are entered. */
    struct map equals, equals_end;
};

/* A part names a closed sample that is at most so old, in ns: forty times as
 * long as any part was on its way. */
static const int64_t ETL_LATEST = 10000000000;

enum { FEW_AT_ONCE = 64 };

struct etl_correlator *etl_correlator_new(struct etl_recording *recording)
{
    struct etl_correlator *c = mem_new(1, sizeof(*c));

    c->recording = recording;
    c->seen = recording->seen;
    c->kernel_from = c->seen->kernel_from;
    c->samples = &c->seen->samples;
    c->parts.chains = &c->seen->callchains;
    return c;
}

/* The state of a thread, until another thread is asked for. Thread 0 runs on
 * every processor: it is one thread on each. */
static struct thread_state *thread_of(struct etl_correlator *c, uint32_t tid,
                                      uint16_t cpu)
{
    uint32_t fresh = mem_next_id(c->threads.len);
    uint32_t id = map_add(&c->thread_ids, tid, tid ? 0 : cpu + 1u, fresh);

    if (id == fresh)
        *vec_add(&c->threads) = (struct thread_state){
            .key = observe_thread_key(c->seen, tid, NO_PID),
            .pid = NO_PID,
        };
    return &c->threads.data[id];
}

/* ---- samples ---- */

static void set_parts(struct etl_correlator *c, size_t sample,
                      struct etl_part outer, struct etl_part inner)
{
    c->samples->stack[sample] = outer.id;
    c->samples->inner[sample] = inner.id;
    c->samples->leaf[sample] = (uint8_t)(outer.kind | inner.kind << 4);
}

/* The sampled address stands in for a part that is not there: for all of the
 * stack, or for the kernel part of a sample taken in kernel mode. */
static struct etl_part stand_in(struct etl_correlator *c, struct etl_part user,
                                uint64_t address)
{
    if (user.kind && address < c->kernel_from)
        return etl_no_part;
    return (struct etl_part){callchains_add_address(c->parts.chains, address),
                             PART_ADDRESS};
}

static void close_sample(struct etl_correlator *c, struct thread_state *t)
{
    struct etl_part inner = t->kernel;

    if (!t->open)
        return;
    t->open = false;
    if (!inner.kind && !t->no_address)
        inner = stand_in(c, t->user, t->address);
    set_parts(c, t->sample, t->user, inner);
}

/* An event without an address says so in its `bits`. */
static void open_sample(struct etl_correlator *c, struct thread_state *t,
                        uint32_t sample, uint64_t time, uint64_t address,
                        unsigned bits)
{
    close_sample(c, t);
    t->open = true;
    t->sample = sample;
    t->time = time;
    t->address = address;
    t->no_address = bits & ETL_BIT_NO_ADDRESS;
    t->awaits_clr = true;
    t->kernel = t->user = etl_no_part;
    t->borrowed = false;
}

static void take_sample(struct etl_correlator *c, const struct etl_fact *fact)
{
    uint32_t sample = mem_next_id(c->samples->len);
    struct observed_sample added = {
        .time = etl_time(c->recording, fact->time),
        .weight = fact->weight && !c->seen->thread_states ? fact->weight : 1,
        .period = c->seen->thread_states ? fact->weight : 0,
        .cpu = fact->cpu,
    };
    struct thread_state *t;

    if (fact->bits & ETL_BIT_NO_THREAD) {
        added.thread_key = observe_thread_key(c->seen, UINT32_MAX, NO_PID);
        while (c->unowned.len <= fact->cpu)
            *vec_add(&c->unowned) = (struct unowned){0};
        c->unowned.data[fact->cpu] = (struct unowned){sample, fact->time, true};
    } else {
        t = thread_of(c, fact->tid, fact->cpu);
        open_sample(c, t, sample, fact->time, fact->value, fact->bits);
        added.thread_key = t->key;
        if (fact->bits & ETL_BIT_PROCESS)
            added.thread_key =
                observe_thread_key(c->seen, fact->tid, fact->pid);
        if (fact->bits & ETL_BIT_DPC)
            added.flags |= SAMPLE_DPC;
        if (fact->bits & ETL_BIT_ISR)
            added.flags |= SAMPLE_ISR;
        if (!fact->tid && !added.flags)
            added.flags = SAMPLE_IDLE;
    }
    observed_samples_add(c->samples, &added);
}

/* The thread that a part names owns the event at its time. */
static void give_owner(struct etl_correlator *c, struct thread_state *t,
                       const struct etl_fact *part)
{
    struct unowned *u =
        part->cpu < c->unowned.len ? &c->unowned.data[part->cpu] : NULL;

    if (!u || !u->waits || u->time != part->value)
        return;
    u->waits = false;
    open_sample(c, t, u->sample, u->time, 0, ETL_BIT_NO_ADDRESS);
    c->samples->thread[u->sample] = t->key;
}

/* ---- parts ---- */

/* Samples of one time, from `first` on, are many: they are looked up by
 * thread, each entered once, so that work stays in proportion to the file. */
static uint32_t find_among_equals(struct etl_correlator *c, size_t first,
                                  const struct etl_fact *part)
{
    const struct samples *s = c->samples;
    uint32_t end = map_get(&c->equals_end, first, 0);

    if (end == MAP_NONE)
        end = (uint32_t)first;
    for (; end < s->len && s->time[end] == s->time[first]; end++) {
        uint32_t tid = c->seen->thread_keys.data[s->thread[end]].tid;

        map_add(&c->equals, (uint64_t)first << 32 | tid,
                tid ? 0 : s->cpu[end] + 1u, end);
    }
    map_set(&c->equals_end, first, 0, end);
    return map_get(&c->equals, (uint64_t)first << 32 | part->tid,
                   part->tid ? 0 : part->cpu + 1u);
}

/* The closed sample of the thread that a part names, or NO_ID. It is mostly
 * one of the latest, so the search begins at the end, by steps that double. */
static uint32_t find_closed(struct etl_correlator *c,
                            const struct etl_fact *part)
{
    const struct samples *s = c->samples;
    int64_t time = etl_time(c->recording, part->value);
    int64_t now = etl_time(c->recording, c->now);
    size_t behind = 1, first, at;

    if (now >= INT64_MIN + ETL_LATEST && time < now - ETL_LATEST)
        return NO_ID;
    while (behind < s->len && s->time[s->len - behind] >= time)
        behind *= 2;
    first = behind < s->len ? s->len - behind : 0;
    BISECT(at, s->len - first, s->time[first + at] < time);
    first += at;
    for (size_t i = first; i < s->len && s->time[i] == time; i++) {
        if (c->seen->thread_keys.data[s->thread[i]].tid == part->tid &&
            (part->tid || s->cpu[i] == part->cpu))
            return (uint32_t)i;
        if (i - first == FEW_AT_ONCE)
            return find_among_equals(c, first, part);
    }
    return NO_ID;
}

/* Adds a part to a closed sample that lacks it. Should the part's key stay
 * undefined, the address of the first sample whose own part it is takes its
 * place. */
static void amend_closed(struct etl_correlator *c, uint32_t sample,
                         struct etl_part part, bool user)
{
    const struct samples *s = c->samples;
    struct etl_part outer = {s->stack[sample], s->leaf[sample] & 15};
    struct etl_part inner = {s->inner[sample], s->leaf[sample] >> 4};
    uint64_t address;

    if (user ? outer.kind : inner.kind && inner.kind != PART_ADDRESS)
        return;
    if (inner.kind == PART_ADDRESS) {
        address = callchain_frame(&c->seen->callchains.list.data[inner.id], 0);
        etl_part_remember(&c->parts, part, address);
        if (address < c->kernel_from)
            inner = etl_no_part;
    }
    set_parts(c, sample, user ? part : outer, user ? inner : part);
}

/* Processes 0 and 4 have no user mode to return to. */
static bool returns_to_user_mode(uint32_t pid)
{
    return pid != 0 && pid != 4;
}

static void take_kernel_part(struct etl_correlator *c, struct thread_state *t,
                             const struct etl_fact *fact, struct etl_part part)
{
    uint32_t sample;

    if (t->open && t->time == fact->value) {
        if (t->kernel.kind)
            return;
        t->kernel = part;
        if (t->user.kind || !returns_to_user_mode(fact->pid))
            return;
        sample = t->sample;
    } else {
        if (!t->open || fact->value > t->time)
            return; /* names an event that is no sample */
        sample = find_closed(c, fact);
        if (sample == NO_ID)
            return;
        amend_closed(c, sample, part, false);
        if (!returns_to_user_mode(fact->pid))
            return;
    }
    *vec_add(&t->waiting) = (struct waiting){sample, fact->value};
}

/* A part that names the sample itself is better than that of its stay. */
static void give_user_part(struct etl_correlator *c, struct thread_state *t,
                           uint32_t sample, struct etl_part part, bool own)
{
    if (!t->open || sample != t->sample) {
        amend_closed(c, sample, part, true);
    } else if (!t->user.kind || (own && t->borrowed)) {
        t->user = part;
        t->borrowed = !own;
    }
}

/* A sample that waits is found without looking among all of them. */
static void take_user_part(struct etl_correlator *c, struct thread_state *t,
                           const struct etl_fact *fact, struct etl_part part)
{
    bool found = t->open && t->time == fact->value;
    uint32_t sample;

    if (found)
        give_user_part(c, t, t->sample, part, true);
    for (size_t i = 0; i < t->waiting.len; i++) {
        const struct waiting *w = &t->waiting.data[i];

        found |= w->time == fact->value;
        if (w->time >= fact->value)
            give_user_part(c, t, w->sample, part, w->time == fact->value);
    }
    t->waiting.len = 0;
    if (found || !t->open || fact->value > t->time)
        return;
    sample = find_closed(c, fact);
    if (sample != NO_ID)
        give_user_part(c, t, sample, part, true);
}

/* Windows 7 may put the kernel part of the open sample into its user part: it
 * begins with the sampled address, and the user part is what follows, whose
 * first frame is returned. 0: there is none. */
static uint32_t take_inner_kernel_part(struct etl_correlator *c,
                                       struct thread_state *t,
                                       const struct etl_fact *fact,
                                       bool lasting)
{
    const struct callchain run = etl_fact_frames(fact);
    uint32_t start = 0, end;

    if (t->kernel.kind || t->address < c->kernel_from)
        return 0;
    while (start < run.count && callchain_frame(&run, start) != t->address)
        start++;
    for (end = start; end < run.count; end++)
        if (callchain_frame(&run, end) < c->kernel_from)
            break;
    if (end == run.count)
        return 0;
    take_kernel_part(c, t, fact,
                     etl_part_of_frames(&c->parts, fact, start, end, lasting));
    return end;
}

/* A part by its frames or by a key of them. It knows its process even when no
 * event of the thread does. */
static void take_part(struct etl_correlator *c, const struct etl_fact *fact,
                      bool lasting)
{
    struct thread_state *t = thread_of(c, fact->tid, fact->cpu);
    struct etl_part part;
    uint32_t first = 0;
    bool own;

    if (c->unowned.len)
        give_owner(c, t, fact);
    own = t->open && t->time == fact->value;
    if (own && t->pid != fact->pid) {
        t->pid = fact->pid;
        t->pid_key = observe_thread_key(c->seen, fact->tid, fact->pid);
    }
    if (own)
        c->samples->thread[t->sample] = t->pid_key;
    if (fact->kind == ETL_PART && fact->user && own)
        first = take_inner_kernel_part(c, t, fact, lasting);
    if (first)
        part = etl_part_of_frames(&c->parts, fact, first, fact->count, lasting);
    else if (fact->kind == ETL_PART)
        part = etl_part_of_fact(&c->parts, fact, lasting);
    else
        part =
            etl_part_by_key(&c->parts, fact->key, fact->user, own, t->address);
    if (fact->user)
        take_user_part(c, t, fact, part);
    else
        take_kernel_part(c, t, fact, part);
}

/* The stack that the runtime walked itself, for want of a better one. */
static void take_clr_stack(struct etl_correlator *c,
                           const struct etl_fact *fact, bool lasting)
{
    struct thread_state *t = thread_of(c, fact->tid, fact->cpu);

    if (t->open && t->awaits_clr && !t->user.kind)
        t->user = etl_part_of_fact(&c->parts, fact, lasting);
    t->awaits_clr = false;
}

void etl_correlate(struct etl_correlator *c, const struct etl_fact *facts,
                   size_t count, bool lasting)
{
    for (const struct etl_fact *fact = facts; fact < facts + count; fact++) {
        if (fact->time > c->now)
            c->now = fact->time;
        switch (fact->kind) {
        case ETL_SAMPLE:
            take_sample(c, fact);
            break;
        case ETL_PART:
        case ETL_KEYED_PART:
            take_part(c, fact, lasting);
            break;
        case ETL_DEFINITION:
            etl_parts_define(&c->parts, fact, lasting);
            break;
        case ETL_CLR_STACK:
            take_clr_stack(c, fact, lasting);
            break;
        case ETL_CLR_EVENT:
            thread_of(c, fact->tid, fact->cpu)->awaits_clr = false;
            break;
        }
    }
}

void etl_correlator_finish(struct etl_correlator *c)
{
    struct samples *s;

    for (size_t i = 0; i < c->threads.len; i++) {
        close_sample(c, &c->threads.data[i]);
        vec_release(&c->threads.data[i].waiting);
    }
    /* Frames take the place of keys. A part without a definition is dropped;
     * its sampled address, if it was a sample's own part, takes its place. */
    s = c->samples;
    for (size_t i = 0; i < s->len; i++) {
        uint64_t address = 0;
        struct etl_part outer = {s->stack[i], s->leaf[i] & 15};
        struct etl_part inner = {s->inner[i], s->leaf[i] >> 4};

        outer = etl_part_resolve(&c->parts, outer, &address);
        inner = etl_part_resolve(&c->parts, inner, &address);

        if (address && !inner.kind)
            inner = stand_in(c, outer, address);
        s->stack[i] = outer.id;
        s->inner[i] = inner.id;
        s->leaf[i] = inner.kind == PART_ADDRESS;
    }
    c->seen->profile->quality.undefined_keys += etl_parts_undefined(&c->parts);
    vec_release(&c->threads);
    map_release(&c->thread_ids);
    vec_release(&c->unowned);
    map_release(&c->equals);
    map_release(&c->equals_end);
    etl_parts_release(&c->parts);
    free(c);
}
