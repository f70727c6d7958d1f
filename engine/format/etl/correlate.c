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
 * Samples are reported when the last fact is in and every key (keys.h) has
 * its frames or has none.
 */
#include "engine/format/etl/correlator.h"
#include "engine/format/etl/resolve.h"

struct etl_correlator *etl_correlator_new(struct etl_recording *recording)
{
    struct etl_correlator *c = mem_new(1, sizeof(*c));

    c->recording = recording;
    c->seen = recording->seen;
    c->kernel_from = c->seen->kernel_from;
    c->runs = etl_runs_new(&c->seen->callchains);
    return c;
}

static struct etl_thread *thread_of(struct etl_correlator *c, uint32_t tid,
                                    uint16_t cpu)
{
    return etl_threads_of(&c->threads, c->seen, tid, cpu);
}

static void close_sample(struct etl_correlator *c, struct etl_thread *t)
{
    if (!t->open)
        return;
    t->open = false;
    etl_pending_set(
        &c->samples, t->sample, t->user,
        t->kernel.kind ? t->kernel
        : t->no_address
            ? etl_no_part
            : etl_runs_stand_in(&c->runs, t->user, t->address, c->kernel_from));
}

static void open_sample(struct etl_thread *t, uint32_t sample,
                        const struct etl_fact *fact)
{
    t->open = true;
    t->sample = sample;
    t->time = fact->time;
    t->address = fact->value;
    t->no_address = fact->bits & ETL_BIT_NO_ADDRESS;
    t->awaits_clr = true;
    t->kernel = t->user = etl_no_part;
    t->borrowed = false;
}

static uint32_t add_sample(struct etl_correlator *c,
                           const struct etl_fact *fact, uint32_t thread_key,
                           uint16_t flags)
{
    uint32_t sample =
        etl_pending_add(&c->samples, &(struct etl_sample){
                                         .time = etl_time(c->recording,
                                                          fact->time),
                                         .thread_key = thread_key,
                                         .cpu = fact->cpu,
                                         .flags = flags,
                                     });

    if (fact->weight > 1)
        etl_pending_weigh(&c->samples, sample, fact->weight);
    return sample;
}

static void take_unowned(struct etl_correlator *c, const struct etl_fact *fact)
{
    while (c->unowned.len <= fact->cpu)
        *vec_add(&c->unowned) = (struct etl_unowned){0};
    c->unowned.data[fact->cpu] = (struct etl_unowned){
        .sample = add_sample(
            c, fact, observe_thread_key(c->seen, UINT32_MAX, NO_PID), 0),
        .time = fact->time,
        .waits = true,
    };
}

/* The thread that a part names owns the event at its time. */
static void give_owner(struct etl_correlator *c, struct etl_thread *t,
                       const struct etl_fact *part)
{
    struct etl_unowned *u =
        part->cpu < c->unowned.len ? &c->unowned.data[part->cpu] : NULL;

    if (!u || !u->waits || u->time != part->value)
        return;
    u->waits = false;
    close_sample(c, t);
    open_sample(t, u->sample,
                &(struct etl_fact){.time = u->time,
                                   .bits = ETL_BIT_NO_ADDRESS});
    c->samples.thread_key[u->sample] = t->key;
}

static void take_sample(struct etl_correlator *c, const struct etl_fact *fact)
{
    struct etl_thread *t;
    uint32_t key;
    uint16_t flags = 0;

    if (fact->bits & ETL_BIT_NO_THREAD) {
        take_unowned(c, fact);
        return;
    }
    t = thread_of(c, fact->tid, fact->cpu);
    close_sample(c, t);
    if (fact->bits & ETL_BIT_DPC)
        flags |= SAMPLE_DPC;
    if (fact->bits & ETL_BIT_ISR)
        flags |= SAMPLE_ISR;
    if (!fact->tid && !flags)
        flags = SAMPLE_IDLE;
    key = fact->bits & ETL_BIT_PROCESS
              ? observe_thread_key(c->seen, fact->tid, fact->pid)
              : t->key;
    open_sample(t, add_sample(c, fact, key, flags), fact);
}

/* The closed sample of the thread that a part names, or NO_ID. */
static uint32_t find_closed(struct etl_correlator *c,
                            const struct etl_fact *part)
{
    int64_t time = etl_time(c->recording, part->value);

    if (time < etl_final_before(c))
        return NO_ID;
    return etl_closed_find(&c->closed, &c->samples, c->seen, time, part->tid,
                           part->cpu);
}

/* Adds a part to a closed sample that lacks it. Should the part's key stay
 * undefined, the address of the first sample whose own part it is takes its
 * place. */
static void amend_closed(struct etl_correlator *c, uint32_t sample,
                         struct etl_part part, bool user)
{
    struct etl_part outer = etl_pending_outer(&c->samples, sample);
    struct etl_part inner = etl_pending_inner(&c->samples, sample);
    const struct callchain *leaf;
    uint64_t address;

    if (user ? outer.kind : inner.kind && inner.kind != PART_ADDRESS)
        return;
    if (inner.kind == PART_ADDRESS) {
        leaf = &c->seen->callchains.list.data[inner.id];
        address = callchain_frame(leaf, 0);
        etl_keys_remember(&c->keys, part, address);
        if (address < c->kernel_from)
            inner = etl_no_part;
    }
    etl_pending_set(&c->samples, sample, user ? part : outer,
                    user ? inner : part);
}

/* A stack record knows its process even when no thread event does. */
static void note_process(struct etl_correlator *c, struct etl_thread *t,
                         const struct etl_fact *fact)
{
    if (t->pid != fact->pid) {
        t->pid = fact->pid;
        t->pid_key = observe_thread_key(c->seen, fact->tid, fact->pid);
    }
    c->samples.thread_key[t->sample] = t->pid_key;
}

/* Processes 0 and 4 have no user mode to return to. */
static bool returns_to_user_mode(uint32_t pid)
{
    return pid != 0 && pid != 4;
}

static void take_kernel_part(struct etl_correlator *c, struct etl_thread *t,
                             const struct etl_fact *fact, struct etl_part part)
{
    uint32_t sample;

    if (t->open && t->time == fact->value) {
        note_process(c, t, fact);
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
    *vec_add(&t->waiting) = (struct etl_waiting){sample, fact->value};
}

/* A part that names the sample itself is better than that of its stay. */
static void give_user_part(struct etl_correlator *c, struct etl_thread *t,
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
static void take_user_part(struct etl_correlator *c, struct etl_thread *t,
                           const struct etl_fact *fact, struct etl_part part)
{
    bool found = t->open && t->time == fact->value;
    uint32_t sample;

    if (found) {
        note_process(c, t, fact);
        give_user_part(c, t, t->sample, part, true);
    }
    for (size_t i = 0; i < t->waiting.len; i++) {
        const struct etl_waiting *w = &t->waiting.data[i];

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

/* Windows 7 may put the kernel part of a sample into the user part: it begins
 * with the sampled address, and the user part is what follows, whose first
 * frame is returned. 0: there is none. */
static uint32_t take_inner_kernel_part(struct etl_correlator *c,
                                       struct etl_thread *t,
                                       const struct etl_fact *fact,
                                       bool lasting)
{
    const struct callchain run = etl_fact_frames(fact);
    uint32_t start = 0, end;

    if (!t->open || t->time != fact->value || t->kernel.kind ||
        t->address < c->kernel_from)
        return 0;
    while (start < run.count && callchain_frame(&run, start) != t->address)
        start++;
    for (end = start; end < run.count; end++)
        if (callchain_frame(&run, end) < c->kernel_from)
            break;
    if (end == run.count)
        return 0;
    give_owner(c, t, fact);
    take_kernel_part(c, t, fact,
                     etl_runs_frames(&c->runs, fact, start, end, lasting));
    return end;
}

static struct etl_part inline_part(struct etl_correlator *c,
                                   struct etl_thread *t,
                                   const struct etl_fact *fact, bool lasting)
{
    uint32_t first =
        fact->user ? take_inner_kernel_part(c, t, fact, lasting) : 0;

    return first ? etl_runs_frames(&c->runs, fact, first, fact->count, lasting)
                 : etl_runs_part(&c->runs, fact, lasting);
}

/* By its frames or by a key of them. */
static void take_part(struct etl_correlator *c, const struct etl_fact *fact,
                      bool lasting)
{
    struct etl_thread *t = thread_of(c, fact->tid, fact->cpu);
    bool own = t->open && t->time == fact->value;
    struct etl_part part =
        fact->kind == ETL_PART
            ? inline_part(c, t, fact, lasting)
            : etl_keys_use(&c->keys, etl_key_of(fact->key, fact->user), own, t->address);

    give_owner(c, t, fact);
    if (fact->user)
        take_user_part(c, t, fact, part);
    else
        take_kernel_part(c, t, fact, part);
}

static void take_definition(struct etl_correlator *c,
                            const struct etl_fact *fact, bool lasting)
{
    uint32_t *frames = etl_keys_define(&c->keys, etl_key_of(fact->value, fact->user));

    if (frames)
        *frames = etl_runs_part(&c->runs, fact, lasting).id;
}

/* The stack that the runtime walked itself, for want of a better one. */
static void take_clr_stack(struct etl_correlator *c,
                           const struct etl_fact *fact, bool lasting)
{
    struct etl_thread *t = thread_of(c, fact->tid, fact->cpu);

    if (t->open && t->awaits_clr && !t->user.kind)
        t->user = etl_runs_part(&c->runs, fact, lasting);
    t->awaits_clr = false;
}

static inline void take(struct etl_correlator *c, const struct etl_fact *fact,
                        bool lasting)
{
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
        take_definition(c, fact, lasting);
        break;
    case ETL_CLR_STACK:
        take_clr_stack(c, fact, lasting);
        break;
    case ETL_CLR_EVENT:
        thread_of(c, fact->tid, fact->cpu)->awaits_clr = false;
        break;
    }
}

void etl_correlate(struct etl_correlator *c, const struct etl_fact *facts,
                   size_t count, bool lasting)
{
    for (size_t i = 0; i < count; i++)
        take(c, &facts[i], lasting);
}

void etl_correlator_expect(struct etl_correlator *c, size_t done, size_t all)
{
    size_t samples = c->samples.len;

    c->samples.expected = done ? (samples + samples / 32) / done * all : 0;
}

uint64_t etl_correlator_steps(const struct etl_correlator *c)
{
    return c->closed.steps;
}

void etl_correlator_finish(struct etl_correlator *c, unsigned threads)
{
    for (size_t i = 0; i < c->threads.list.len; i++)
        close_sample(c, &c->threads.list.data[i]);
    etl_resolve(&c->samples, &c->keys, &c->runs, c->kernel_from, threads);
    c->seen->profile->quality.undefined_keys += etl_keys_undefined(&c->keys);
    etl_pending_give(&c->samples, c->seen);
    etl_threads_release(&c->threads);
    vec_release(&c->unowned);
    etl_runs_release(&c->runs);
    etl_keys_release(&c->keys);
    etl_closed_release(&c->closed);
    free(c);
}
