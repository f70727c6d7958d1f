#include "engine/model/samples.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/mem.h"
#include "engine/model/profile.h"

void samples_release(struct samples *s)
{
    free(s->time);
    free(s->thread);
    free(s->stack);
    free(s->weight);
    free(s->period);
    free(s->cpu);
    free(s->flags);
}

/* Room that is the first of its column is zeroed. */
static void *grown(const struct samples *s, void *column, size_t cap,
                   size_t size)
{
    return s->cap ? mem_resize(column, cap, size) : mem_new(cap, size);
}

static void grow(struct samples *s)
{
    size_t cap = s->cap ? s->cap + s->cap / 2 : 4096;

    s->time = grown(s, s->time, cap, sizeof(*s->time));
    s->thread = grown(s, s->thread, cap, sizeof(*s->thread));
    s->stack = grown(s, s->stack, cap, sizeof(*s->stack));
    s->cpu = grown(s, s->cpu, cap, sizeof(*s->cpu));
    s->flags = grown(s, s->flags, cap, sizeof(*s->flags));
    if (s->weight)
        s->weight = grown(s, s->weight, cap, sizeof(*s->weight));
    if (s->period)
        s->period = grown(s, s->period, cap, sizeof(*s->period));
    s->cap = cap;
}

/* Most profiles need no weights: the column begins with the first that is
 * not 1. */
static void begin_weights(struct samples *s)
{
    if (s->weight || !s->cap)
        return;
    s->weight = mem_new(s->cap, sizeof(*s->weight));
    for (size_t i = 0; i < s->len; i++)
        s->weight[i] = 1;
}

void profile_begin_weights(struct profile *p)
{
    begin_weights(&p->samples);
}

void profile_sample(struct profile *p, const struct sample *sample)
{
    struct samples *s = &p->samples;

    assert(sample->weight);
    if (s->len == s->cap)
        grow(s);
    if (sample->weight != 1)
        begin_weights(s);
    s->time[s->len] = sample->time;
    s->cpu[s->len] = sample->cpu;
    s->thread[s->len] = sample->thread;
    s->stack[s->len] = sample->stack;
    s->flags[s->len] = sample->flags;
    if (s->weight)
        s->weight[s->len] = sample->weight;
    if (!s->period && sample->period)
        s->period = mem_new(s->cap, sizeof(*s->period));
    if (s->period)
        s->period[s->len] = sample->period;
    s->len++;
}

struct sample profile_sample_at(const struct profile *p, size_t i)
{
    const struct samples *s = &p->samples;

    return (struct sample){
        .time = s->time[i],
        .thread = s->thread[i],
        .stack = s->stack[i],
        .weight = s->weight ? s->weight[i] : 1,
        .period = s->period ? s->period[i] : 0,
        .cpu = s->cpu[i],
        .flags = s->flags[i],
    };
}

void profile_take_samples(struct profile *p, const struct samples *samples)
{
    assert(!p->samples.cap);
    p->samples = *samples;
    profile_sort_samples(p);
}

enum { DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS };

/* Some bits of a key that orders signed numbers. */
static size_t digit_of(int64_t time, unsigned shift)
{
    return ((uint64_t)time ^ (uint64_t)1 << 63) >> shift & (DIGITS - 1);
}

/* Puts what is in the order `from` into that of one digit. False where that
 * is the same for all. */
static bool order_by_digit(const int64_t *time, unsigned shift,
                           const uint32_t *from, uint32_t *to, size_t n)
{
    size_t next[DIGITS + 1] = {0};

    for (size_t i = 0; i < n; i++)
        next[digit_of(time[i], shift) + 1]++;
    if (next[digit_of(time[0], shift) + 1] == n)
        return false;
    for (size_t d = 1; d < DIGITS; d++)
        next[d] += next[d - 1];
    for (size_t i = 0; i < n; i++)
        to[next[digit_of(time[from[i]], shift)]++] = from[i];
    return true;
}

/* The samples' numbers in order of time, equal ones as they are: digit by
 * digit, as numbers of 4 bytes are all that is needed beside the columns. */
static uint32_t *order_of_time(const int64_t *time, size_t n)
{
    uint32_t *order = mem_new(n, sizeof(*order));
    uint32_t *next = mem_new(n, sizeof(*next)), *swap;

    for (size_t i = 0; i < n; i++)
        order[i] = mem_next_id(i);
    for (unsigned shift = 0; shift < 64; shift += DIGIT_BITS)
        if (order_by_digit(time, shift, order, next, n)) {
            swap = order;
            order = next;
            next = swap;
        }
    free(next);
    return order;
}

/* Reorders one column; `size` is that of its elements. */
static void *reordered(void *column, size_t size, const uint32_t *order,
                       size_t n)
{
    char *from = column, *to = mem_new(n, size);

    for (size_t i = 0; i < n; i++)
        memcpy(to + i * size, from + order[i] * size, size);
    free(column);
    return to;
}

void profile_sort_samples(struct profile *p)
{
    struct samples *s = &p->samples;
    uint32_t *order;
    size_t i = 1;

    while (i < s->len && s->time[i - 1] <= s->time[i])
        i++;
    if (i >= s->len)
        return;
    order = order_of_time(s->time, s->len);
    s->time = reordered(s->time, sizeof(*s->time), order, s->len);
    s->thread = reordered(s->thread, sizeof(*s->thread), order, s->len);
    s->stack = reordered(s->stack, sizeof(*s->stack), order, s->len);
    s->cpu = reordered(s->cpu, sizeof(*s->cpu), order, s->len);
    s->flags = reordered(s->flags, sizeof(*s->flags), order, s->len);
    if (s->weight)
        s->weight = reordered(s->weight, sizeof(*s->weight), order, s->len);
    if (s->period)
        s->period = reordered(s->period, sizeof(*s->period), order, s->len);
    s->cap = s->len;
    free(order);
}

void profile_fit_weights(struct profile *p, const uint64_t *weight, size_t *n)
{
    uint64_t left = WEIGHTS_MOST;
    size_t i = 0;

    while (weight && i < *n && weight[i] <= left)
        left -= weight[i++];
    if (!weight || i == *n)
        return;
    profile_warn(p,
                 "the weights of the samples add up to more than %llu: the "
                 "last %zu samples are left out",
                 (unsigned long long)WEIGHTS_MOST, *n - i);
    *n = i;
}

bool profile_weigh_by_period(struct profile *p)
{
    struct samples *s = &p->samples;

    if (!s->period)
        return false;
    begin_weights(s);
    for (size_t i = 0; i < s->len; i++)
        if (s->period[i])
            s->weight[i] = s->period[i];
    profile_fit_weights(p, s->weight, &s->len);
    free(s->period);
    s->period = NULL;
    profile_set_metric_word(
        p,
        strings_get(p->strings,
                    strings_addf(p->strings, "period:%s",
                                 strings_get(p->strings, p->trace.period_of))));
    p->trace.period_of = 0;
    p->trace.interval_ns = 0;
    return true;
}
