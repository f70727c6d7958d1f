#include "engine/model/samples.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/keysort.h"
#include "engine/base/mem.h"
#include "engine/model/profile.h"

/* The columns; the last five are not in every profile. */
static const struct {
    size_t offset, size;
} columns[] = {
#define COLUMN(name)                                                           \
    {                                                                          \
        offsetof(struct samples, name), sizeof(*((struct samples *)0)->name)   \
    }
    COLUMN(time),   COLUMN(thread), COLUMN(stack), COLUMN(cpu),  COLUMN(flags),
    COLUMN(weight), COLUMN(period), COLUMN(value),
    COLUMN(inner),  COLUMN(leaf),
#undef COLUMN
};

enum { COLUMNS = sizeof(columns) / sizeof(*columns), ALWAYS = COLUMNS - 5 };

static void *get_column(const struct samples *s, size_t i)
{
    void *column;

    memcpy(&column, (const char *)s + columns[i].offset, sizeof(column));
    return column;
}

static void set_column(struct samples *s, size_t i, void *column)
{
    memcpy((char *)s + columns[i].offset, &column, sizeof(column));
}

void samples_release(struct samples *s)
{
    for (size_t i = 0; i < COLUMNS; i++)
        free(get_column(s, i));
    *s = (struct samples){0};
}

static void grow(struct samples *s)
{
    size_t cap = s->cap ? s->cap + s->cap / 2 : 4096;

    for (size_t i = 0; i < COLUMNS; i++) {
        void *column = get_column(s, i);

        if (column)
            set_column(s, i, mem_resize(column, cap, columns[i].size));
        else if (i < ALWAYS)
            set_column(s, i, mem_new(cap, columns[i].size));
    }
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

void samples_add(struct samples *s, const struct sample *sample)
{
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
    if (!s->value && sample->value)
        s->value = mem_new(s->cap, sizeof(*s->value));
    if (s->value)
        s->value[s->len] = sample->value;
    s->len++;
}

void profile_sample(struct profile *p, const struct sample *sample)
{
    samples_add(&p->samples, sample);
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
        .value = s->value ? s->value[i] : 0,
        .cpu = s->cpu[i],
        .flags = s->flags[i],
    };
}

void profile_take_samples(struct profile *p, const struct samples *samples)
{
    assert(!p->samples.cap);
    p->samples = *samples;
    samples_sort(&p->samples, TIME_MIN);
}

bool profile_has_times(const struct profile *p)
{
    const struct samples *s = &p->samples;

    return !s->len || s->time[0] || s->time[s->len - 1];
}

bool profile_has_cpus(const struct profile *p)
{
    for (size_t i = 0; i < p->samples.len; i++)
        if (p->samples.cpu[i] != NO_CPU)
            return true;
    return false;
}

void samples_reorder(struct samples *s, const uint32_t *order, size_t n)
{
    for (size_t c = 0; c < COLUMNS; c++) {
        size_t size = columns[c].size;
        char *from = get_column(s, c), *to;

        if (!from)
            continue;
        to = mem_new(n, size);
        for (size_t i = 0; i < n; i++)
            memcpy(to + i * size, from + order[i] * size, size);
        free(from);
        set_column(s, c, to);
    }
    s->len = s->cap = n;
}

/* The time from `earliest` to sample `i`. */
static uint64_t after(const struct samples *s, size_t i, int64_t earliest)
{
    return (uint64_t)s->time[i] - (uint64_t)earliest;
}

void samples_sort(struct samples *s, int64_t earliest)
{
    struct keyed *keys;
    uint32_t *order;
    size_t n = 0;

    while (n < s->len &&
           (!n || after(s, n, earliest) >= after(s, n - 1, earliest)))
        n++;
    if (n == s->len)
        return;
    keys = mem_new(s->len, sizeof(*keys));
    order = mem_new(s->len, sizeof(*order));
    for (size_t i = 0; i < s->len; i++)
        keys[i] = (struct keyed){after(s, i, earliest), mem_next_id(i)};
    keysort(keys, s->len);
    for (size_t i = 0; i < s->len; i++)
        order[i] = keys[i].value;
    free(keys);
    samples_reorder(s, order, s->len);
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
