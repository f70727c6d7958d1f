#include "engine/analysis/waiting.h"

#include <stdlib.h>

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

void waiting_fold(struct profile *p)
{
    struct samples *s = &p->samples;
    bool *switches;

    if (!s->len || !sample_wait(s->flags[0]))
        return;
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
