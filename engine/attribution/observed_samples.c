#include "engine/attribution/observed_samples.h"

#include <assert.h>
#include <stdlib.h>

#include "engine/base/mem.h"

void observed_samples_reserve(struct observed_samples *s, size_t n)
{
    size_t cap = s->cap ? s->cap + s->cap / 2 : 4096;

    if (s->len + n <= s->cap)
        return;
    if (cap < s->len + n)
        cap = s->len + n;
    s->time = mem_resize(s->time, cap, sizeof(*s->time));
    s->thread_key = mem_resize(s->thread_key, cap, sizeof(*s->thread_key));
    s->outer = mem_resize(s->outer, cap, sizeof(*s->outer));
    s->inner = mem_resize(s->inner, cap, sizeof(*s->inner));
    s->cpu = mem_resize(s->cpu, cap, sizeof(*s->cpu));
    s->flags = mem_resize(s->flags, cap, sizeof(*s->flags));
    s->leaf = mem_resize(s->leaf, cap, sizeof(*s->leaf));
    if (s->weight)
        s->weight = mem_resize(s->weight, cap, sizeof(*s->weight));
    if (s->period)
        s->period = mem_resize(s->period, cap, sizeof(*s->period));
    s->cap = cap;
}

/* The column begins with the first weight that is not 1. */
static void begin_weights(struct observed_samples *s)
{
    s->weight = mem_new(s->cap, sizeof(*s->weight));
    for (size_t i = 0; i < s->len; i++)
        s->weight[i] = 1;
}

void observed_samples_add(struct observed_samples *s,
                          const struct observed_sample *sample)
{
    assert(sample->weight);
    if (s->len == s->cap)
        observed_samples_reserve(s, 1);
    if (!s->weight && sample->weight != 1)
        begin_weights(s);
    s->time[s->len] = sample->time;
    s->thread_key[s->len] = sample->thread_key;
    s->outer[s->len] = sample->outer;
    s->inner[s->len] = sample->inner;
    s->cpu[s->len] = sample->cpu;
    s->flags[s->len] = sample->flags;
    s->leaf[s->len] = sample->leaf;
    if (s->weight)
        s->weight[s->len] = sample->weight;
    if (!s->period && sample->period)
        s->period = mem_new(s->cap, sizeof(*s->period));
    if (s->period)
        s->period[s->len] = sample->period;
    s->len++;
}

struct observed_sample observed_samples_get(const struct observed_samples *s,
                                            size_t i)
{
    return (struct observed_sample){
        .time = s->time[i],
        .thread_key = s->thread_key[i],
        .outer = s->outer[i],
        .inner = s->inner[i],
        .weight = s->weight ? s->weight[i] : 1,
        .period = s->period ? s->period[i] : 0,
        .cpu = s->cpu[i],
        .flags = s->flags[i],
        .leaf = s->leaf[i],
    };
}

void observed_samples_release(struct observed_samples *s)
{
    free(s->time);
    free(s->thread_key);
    free(s->outer);
    free(s->inner);
    free(s->weight);
    free(s->period);
    free(s->cpu);
    free(s->flags);
    free(s->leaf);
    *s = (struct observed_samples){0};
}
