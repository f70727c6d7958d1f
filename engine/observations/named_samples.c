#include "engine/observations/named_samples.h"

#include <stdlib.h>

enum {
    PARTS_OF_A_SAMPLE = 16, /* rows that one of a large weight may become */
    NS_PER_US = 1000,
};

static uint32_t in_column(uint64_t weight)
{
    return weight > UINT32_MAX ? UINT32_MAX : (uint32_t)weight;
}

static enum stack_end end_of(const struct named_code *n,
                             const struct named_sample *s)
{
    if (!s->stack)
        return STACK_END_NO_STACK;
    return s->stack < n->cut_stacks.len && n->cut_stacks.data[s->stack]
               ? STACK_END_DEPTH
               : (enum stack_end)s->end;
}

void named_sample(struct named_code *n, const struct named_sample *s)
{
    struct profile *p = n->profile;
    uint16_t flags = stack_end_flags(end_of(n, s));

    if (!s->weight || n->full)
        return;
    if (s->stack)
        flags |= SAMPLE_HAS_STACK | SAMPLE_USER_PART;
    if (s->idle)
        flags |= SAMPLE_IDLE;
    n->full = n->most && profile_cost(p) > n->most;
    n->samples++;
    if (s->weight > UINT32_MAX)
        *vec_add(&n->heavy) = (struct named_heavy){p->samples.len, s->weight};
    profile_sample(
        p, &(struct sample){.time = s->time,
                            .thread = s->thread,
                            .stack = s->stack,
                            .weight = in_column(s->weight),
                            .flags = flags});
}

/* By how much weights are divided, so that each is one of a profile's. */
static uint64_t divisor_of(const struct named_code *n, enum named_unit unit)
{
    uint64_t most = 0, divisor = unit == NAMED_NANOSECONDS ? NS_PER_US : 1;

    for (size_t i = 0; i < n->heavy.len; i++)
        if (n->heavy.data[i].weight > most)
            most = n->heavy.data[i].weight;
    while (unit == NAMED_COUNTS && most / divisor > UINT32_MAX)
        divisor *= 1000;
    return divisor;
}

/* ---- dividing ---- */

struct dividing {
    struct named_code *n;
    uint64_t divisor, rest;  /* what is left over goes to the next one */
    size_t heavy;            /* the next of them */
    VEC(struct sample) more; /* of weights that take several rows */
};

static uint64_t divided(struct dividing *d, size_t i, uint64_t weight)
{
    const struct named_code *n = d->n;
    uint64_t part;

    if (d->heavy < n->heavy.len && n->heavy.data[d->heavy].sample == i)
        weight = n->heavy.data[d->heavy++].weight;
    part = weight / d->divisor;
    d->rest += weight % d->divisor;
    part += d->rest / d->divisor;
    d->rest %= d->divisor;
    return part;
}

/* All that a row holds stays in it; others are at the same time. */
static uint32_t take_part(struct dividing *d, struct sample s, uint64_t weight)
{
    uint32_t first = in_column(weight);

    weight -= first;
    for (size_t i = 1; weight && i < PARTS_OF_A_SAMPLE; i++) {
        s.weight = in_column(weight);
        *vec_add(&d->more) = s;
        weight -= s.weight;
    }
    if (weight)
        d->n->profile->quality.malformed++;
    return first;
}

/* The profile's samples once more, those first that take the place of others;
 * none is left of a weight that comes to nothing. */
static void divide_all(struct dividing *d)
{
    struct profile *p = d->n->profile;
    size_t n = p->samples.len;
    struct sample last = {.weight = 0};

    p->samples.len = 0;
    for (size_t i = 0; i < n; i++) {
        struct sample s = profile_sample_at(p, i);

        last = s;
        s.weight = take_part(d, s, divided(d, i, s.weight));
        if (s.weight)
            profile_sample(p, &s);
    }
    last.weight = 1;
    if (d->rest * 2 >= d->divisor && n)
        *vec_add(&d->more) = last;
    for (size_t i = 0; i < d->more.len; i++)
        profile_sample(p, &d->more.data[i]);
    vec_release(&d->more);
}

/* A column of which every weight is 1 is none. */
static void forget_ones(struct samples *s)
{
    for (size_t i = 0; s->weight && i < s->len; i++)
        if (s->weight[i] != 1)
            return;
    free(s->weight);
    s->weight = NULL;
}

/* ---- the end ---- */

/* A stack of its own for the samples without one. */
static void give_stacks(struct profile *p)
{
    struct location unknown = {
        .module = NO_ID, .method = NO_ID, .cause = CAUSE_NO_STACK};
    uint32_t none = 0;

    for (size_t i = 0; i < p->samples.len; i++) {
        if (p->samples.stack[i])
            continue;
        if (!none)
            none = profile_stack(p, 0, profile_location(p, &unknown));
        p->samples.stack[i] = none;
    }
}

void named_samples_end(struct named_code *n, enum named_unit unit)
{
    struct profile *p = n->profile;
    struct dividing d = {.n = n, .divisor = divisor_of(n, unit)};

    if (d.divisor > 1) {
        divide_all(&d);
        forget_ones(&p->samples);
    }
    give_stacks(p);
    if (unit == NAMED_COUNTS && d.divisor > 1)
        profile_fact(p, "weights", "divided by %llu",
                     (unsigned long long)d.divisor);
    profile_sort_samples(p);
    vec_release(&n->heavy);
    vec_release(&n->cut_stacks);
}
