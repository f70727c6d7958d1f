#include "engine/analysis/waiting.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/arena.h"
#include "engine/base/mem.h"
#include "engine/model/labels.h"
#include "engine/model/thread_states.h"
#include "engine/model/waits.h"

/* A thread with fewer samples than this may have one stack by chance. */
enum { PARKED_SAMPLES = 20 };

/* The samples of a thread so far. */
struct thread_stacks {
    uint64_t samples;
    uint32_t stack; /* of the first */
    bool moved;     /* there is another stack, or managed code */
};

/* By stack: true if its leaf function only waits. */
static bool *find_waiting_stacks(const struct profile *p)
{
    bool *functions = mem_new(p->functions.len, sizeof(*functions));
    bool *stacks = mem_new(p->stacks.len, sizeof(*stacks));
    struct arena scratch = {0};

    for (uint32_t i = 0; i < p->functions.len; i++)
        functions[i] = only_waits(function_name(p, i, &scratch));
    for (size_t i = 1; i < p->stacks.len; i++)
        stacks[i] = functions[profile_innermost(p, p->stacks.data[i].location)];
    arena_release(&scratch);
    free(functions);
    return stacks;
}

static struct thread_stacks *follow_threads(const struct profile *p)
{
    struct thread_stacks *threads = mem_new(p->threads.len, sizeof(*threads));

    for (size_t i = 0; i < p->samples.len; i++) {
        struct thread_stacks *t = &threads[p->samples.thread[i]];

        if (!t->samples)
            t->stack = p->samples.stack[i];
        t->samples += p->samples.weight ? p->samples.weight[i] : 1;
        t->moved |= t->stack != p->samples.stack[i] ||
                    !(p->samples.flags[i] & SAMPLE_EXTERNAL);
    }
    return threads;
}

static bool is_parked(const struct thread_stacks *t)
{
    return t->samples >= PARKED_SAMPLES && t->stack && !t->moved;
}

enum waker_frame { FRAME_STAYS, FRAME_FOLDS, FRAME_INTERRUPT, FRAME_ENTRY };

/* By function. */
static uint8_t *waker_frames(const struct profile *p)
{
    uint8_t *frames = mem_new(p->functions.len, sizeof(*frames));

    for (size_t i = 0; i < p->functions.len; i++) {
        const char *name = strings_get(p->strings, p->functions.data[i].name);

        if (only_switches(name) || only_wakes(name))
            frames[i] = FRAME_FOLDS;
        else if (!strcmp(name, WOKEN_BY_INTERRUPT))
            frames[i] = FRAME_INTERRUPT;
        else if (enters_interrupt(name))
            frames[i] = FRAME_ENTRY;
    }
    return frames;
}

/* By stack, the kind of its frame: the outermost one of its location. */
static uint8_t *waker_stacks(const struct profile *p)
{
    uint8_t *functions = waker_frames(p);
    uint8_t *stacks = mem_new(p->stacks.len, sizeof(*stacks));

    for (size_t i = 1; i < p->stacks.len; i++) {
        uint32_t next = p->stacks.data[i].location + 1;
        uint32_t outer = p->frame_start.data[next] - 1;

        stacks[i] = functions[p->frames.data[outer].function];
    }
    free(functions);
    return stacks;
}

/* Stacks with wakers have frames of waits and wakeups inside. Between "woken by
 * an interrupt" and the entry of the interrupt is the kernel code that it
 * interrupted, which has nothing to do with it. A stack keeps its first frame.
 */
static void fold_wakers(struct profile *p)
{
    uint8_t *kinds = waker_stacks(p);
    uint32_t *now = mem_new(p->stacks.len, sizeof(*now));
    bool *skips = mem_new(p->stacks.len, sizeof(*skips)); /* until the entry */
    bool *leads = mem_new(p->stacks.len, sizeof(*leads)); /* to an entry */
    struct stack_table stacks;

    stack_table_init(&stacks);
    for (size_t i = p->stacks.len; --i;)
        leads[p->stacks.data[i].parent] |= leads[i] || kinds[i] == FRAME_ENTRY;
    for (uint32_t i = 1; i < p->stacks.len; i++) {
        struct stack s = p->stacks.data[i];
        bool skipped = skips[s.parent] && leads[i] && kinds[i] != FRAME_ENTRY;

        skips[i] = skipped || kinds[i] == FRAME_INTERRUPT;
        now[i] = now[s.parent] && (skipped || kinds[i] == FRAME_FOLDS)
                     ? now[s.parent]
                     : stack_table_add(&stacks, now[s.parent], s.location);
    }
    for (size_t i = 0; i < p->samples.len; i++)
        p->samples.stack[i] = now[p->samples.stack[i]];
    map_release(&stacks.ids);
    stack_table_release(&p->stacks);
    p->stacks = stacks;
    free(kinds);
    free(now);
    free(skips);
    free(leads);
}

void waiting_fold(struct profile *p)
{
    struct samples *s = &p->samples;
    bool *switches;

    if (!s->len || !sample_wait(s->flags[0]))
        return;
    if (p->trace.metric.id == METRIC_WAKER_TIME) {
        fold_wakers(p);
        return;
    }
    switches = mem_new(p->functions.len, sizeof(*switches));
    for (size_t i = 0; i < p->functions.len; i++)
        switches[i] =
            only_switches(strings_get(p->strings, p->functions.data[i].name));
    for (size_t i = 0; i < s->len; i++) {
        const struct stack *stack = &p->stacks.data[s->stack[i]];

        if (sample_wait(s->flags[i]) == WAIT_RUNNING)
            continue;
        while (stack->parent &&
               switches[p->frames
                            .data[p->frame_start.data[stack->location + 1] - 1]
                            .function]) {
            s->stack[i] = stack->parent;
            stack = &p->stacks.data[stack->parent];
        }
    }
    free(switches);
}

void waiting_mark(struct profile *p)
{
    struct thread_stacks *threads;
    bool *waits;

    if (!measures_wall_clock(p))
        return;
    waits = find_waiting_stacks(p);
    threads = follow_threads(p);
    p->parked_threads = 0;
    for (size_t i = 0; i < p->threads.len; i++)
        p->parked_threads += is_parked(&threads[i]) && !waits[threads[i].stack];
    for (size_t i = 0; i < p->samples.len; i++)
        if (waits[p->samples.stack[i]] ||
            is_parked(&threads[p->samples.thread[i]]))
            p->samples.flags[i] |= SAMPLE_WAITS;
    free(threads);
    free(waits);
}
