#include "engine/model/sample_tally.h"

#include <stdlib.h>
#include <string.h>

#include "engine/model/profile.h"

struct sample_tally sample_tally_of(size_t stacks, size_t threads)
{
    return (struct sample_tally){
        .stack_count = stacks,
        .thread_count = threads,
        .stacks = mem_new(stacks, sizeof(uint64_t)),
        .threads = mem_new(threads, sizeof(struct thread_tally)),
    };
}

void sample_tally_release(struct sample_tally *tally)
{
    free(tally->stacks);
    free(tally->threads);
    memset(tally, 0, sizeof(*tally));
}

enum { AHEAD = 16 }; /* samples */

void sample_tally_add(struct sample_tally *tally, const struct samples *samples,
                      size_t from, size_t to)
{
    const struct samples s = *samples;
    struct sample_tally t = *tally;

    for (size_t i = from; i < to; i++) {
        struct thread_tally *thread = &t.threads[s.thread[i]];
        uint64_t weight = s.weight ? s.weight[i] : 1;

        if (i + AHEAD < s.len)
            sample_tally_soon(&t, s.stack[i + AHEAD]);
        if (s.flags[i] & SAMPLE_IDLE) {
            t.idle += weight;
            continue;
        }
        t.busy += weight;
        t.stacks[s.stack[i]] += weight;
        thread->by_class[stack_class(s.flags[i])] += weight;
    }
    *tally = t;
}

void sample_tally_join(struct sample_tally *tally,
                       const struct sample_tally *other)
{
    for (size_t i = 0; i < other->stack_count; i++)
        tally->stacks[i] += other->stacks[i];
    for (size_t i = 0; i < other->thread_count; i++) {
        for (size_t c = 0; c < 4; c++)
            tally->threads[i].by_class[c] += other->threads[i].by_class[c];
    }
    tally->busy += other->busy;
    tally->idle += other->idle;
}
