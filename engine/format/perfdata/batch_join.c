/* What batches have read becomes the recording's, one batch after the other. */
#include "engine/base/pages.h"
#include "engine/format/perfdata/batch.h"

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

        stack.chain = b->runs.data[stack.chain].id;
        if (!b->lasting) {
            stack.registers.data = arena_copy(&r->copies, stack.registers.data,
                                              stack.registers.len);
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
    uint32_t cookies = mem_next_id(r->cookies.len);

    join_runs(b, r);
    for (size_t i = 0; i < b->stacks.len; i++) {
        struct pd_batch_stack *s = &b->stacks.data[i];

        if (s->leaf & PD_WALKS)
            s->outer += first;
        else if (s->leaf & PD_DEFERRED)
            s->outer += cookies;
        else
            s->outer = b->runs.data[s->outer].id;
        s->inner = b->runs.data[s->inner].id;
    }
    join_user_stacks(b, r);
    for (size_t i = 0; i < b->cookies.len; i++)
        *vec_add(&r->cookies) = b->cookies.data[i];
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
    uint32_t counters = mem_next_id(r->counters.len);

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
        to->flags[row] = s->flags | stack->end;
        to->leaf[row] = stack->leaf;
        if (to->period)
            to->period[row] =
                s->period & PD_COUNTED ? s->period + counters : s->period;
        r->guest += stack->guest;
    }
    to->len += b->samples.len;
    for (size_t i = 0; i < b->counters.len; i++)
        *vec_add(&r->counters) = b->counters.data[i];
}

static void make_empty(struct pd_batch *b)
{
    b->spans.len = b->samples.len = b->threads.len = b->stacks.len = 0;
    b->runs.len = b->user_stacks.len = b->counts.len = 0;
    b->cookies.len = b->counters.len = 0;
    b->size = b->malformed = b->idle_not_kept = 0;
    b->last_time = b->most_period = b->last_thread = 0;
    b->kernel = false;
    b->refused = 0;
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
    for (size_t i = 0; !r->again && i < b->counts.len; i++)
        r->events.data[i].count += b->counts.data[i];
    if (b->last_time) {
        pd_met_time(r, b->first_time);
        pd_met_time(r, b->last_time);
    }
    r->kernel_ran |= b->kernel;
    if (b->kernel_least < r->kernel_least)
        r->kernel_least = b->kernel_least;
    if (b->refused)
        pd_refuse_event(r, &r->events.data[b->refused - 1]);
    r->profile->quality.malformed += r->again ? 0 : b->malformed;
    r->profile->trace.idle_not_kept += b->idle_not_kept;
    if (b->lasting && r->entry->of_file && b->spans.len)
        forget_spans(b);
    make_empty(b);
}
