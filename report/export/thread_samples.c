#include "report/export/thread_samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/model/labels.h"
#include "engine/model/profile.h"
#include "report/export/frame_name.h"

struct thread_samples thread_samples_new(const struct profile *p,
                                         const struct selection *sel)
{
    size_t n = p->threads.len, sum = 0;
    struct thread_samples t = {.start = mem_new(n + 2, sizeof(*t.start))};
    size_t *next = t.start + 1; /* of a thread where its next sample goes */

    for (size_t i = 0; i < p->samples.len; i++)
        t.start[p->samples.thread[i] + 2] += selection_has(p, sel, i);
    for (size_t i = 0; i < n; i++)
        sum = next[i + 1] += sum;
    t.order = mem_new(sum, sizeof(*t.order));
    for (size_t i = 0; i < p->samples.len; i++)
        if (selection_has(p, sel, i))
            t.order[next[p->samples.thread[i]]++] = i;
    return t;
}

void thread_samples_release(struct thread_samples *samples)
{
    free(samples->start);
    free(samples->order);
}

uint64_t sample_nanoseconds(const struct profile *p, uint64_t weight)
{
    if (profile_counts_time(p))
        return profile_nanoseconds(p, weight);
    return p->trace.interval_ns > 0 && profile_counts_samples(p)
               ? weight * (uint64_t)p->trace.interval_ns /
                     power_of_ten(p->trace.metric.decimals)
               : 0;
}

const char *thread_full_title(const struct profile *p, uint32_t thread,
                              struct arena *arena)
{
    const char *process =
        process_title(p, p->threads.data[thread].process, arena);
    const char *title = thread_title(p, thread, arena);
    size_t size = strlen(process) + 1 + strlen(title) + 1;
    char *text = arena_new(arena, char, size);

    snprintf(text, size, "%s %s", process, title);
    return text;
}
