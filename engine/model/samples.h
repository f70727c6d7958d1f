/*
 * samples - what was sampled when, in columns.
 */
#ifndef TOPFN_SAMPLES_H
#define TOPFN_SAMPLES_H

#include "engine/model/stacks.h"

enum sample_flags {
    SAMPLE_IDLE = 1,      /* the idle thread with nothing to do */
    SAMPLE_DPC = 2,       /* interrupted a deferred procedure call */
    SAMPLE_ISR = 4,       /* interrupted an interrupt service routine */
    SAMPLE_USER_PART = 8, /* has frames of user mode: see stack_class */
    SAMPLE_KERNEL_PART = 16,
    SAMPLE_HAS_STACK = 32,
    SAMPLE_EXTERNAL = 64, /* a .NET thread in native code, or waiting */
    SAMPLE_MANAGED = 128, /* a .NET thread in managed code */
    /* Above them: enum stack_end (stacks.h). */
    SAMPLE_WAIT_SHIFT = 16, /* above that a wait (thread_states.h) */
    SAMPLE_WAIT_BITS = 255 << SAMPLE_WAIT_SHIFT,
    SAMPLE_FLAGS_ALL = 255 | STACK_END_BITS | SAMPLE_WAIT_BITS,
    /* The thread waits: set by waiting_mark (analysis/waiting.h), not stored.
     */
    SAMPLE_WAITS = 1 << 12,
    /* An event's stack, which is attributed with the samples and taken out of
     * them then (read_options.beside); the period is the event's place. */
    SAMPLE_OF_EVENT = 1 << 13,
};

/* The parts of a sample's stack that are known, from its flags. */
enum stack_class { STACK_FULL, STACK_USER, STACK_KERNEL, STACK_NONE };

static inline enum stack_class stack_class(uint32_t sample_flags)
{
    if (!(sample_flags & SAMPLE_HAS_STACK))
        return STACK_NONE;
    if (!(sample_flags & SAMPLE_KERNEL_PART))
        return STACK_USER;
    return sample_flags & SAMPLE_USER_PART ? STACK_FULL : STACK_KERNEL;
}

/* The processor of a sample whose recorder did not tell it. */
#define NO_CPU UINT16_MAX

/* The largest sum of a profile's weights: a number that SQLite and
 * most other programs can hold. */
#define WEIGHTS_MOST ((uint64_t)INT64_MAX)

/* `weight` is at least 1 and counts samples of equal thread, stack and flags:
 * mostly 1 from a trace, more when one or a database is opened without times;
 * or what the metric's unit says: bytes, a time. `period` is how many events,
 * of those that were counted until one was sampled, it stands for; 0: not told.
 */
struct sample {
    int64_t time;
    uint32_t thread, stack; /* ids */
    uint64_t weight;
    uint64_t period;
    uint32_t value; /* string: of the field that rows are of; 0: none */
    uint16_t cpu; /* or NO_CPU */
    uint32_t flags; /* enum sample_flags, with an enum stack_end */
};

/* Samples in columns of equal length, sorted by time. */
struct samples {
    size_t len, cap;
    int64_t *time;
    uint32_t *thread; /* id */
    uint32_t *stack;  /* id */
    uint64_t *weight; /* NULL: 1 each */
    uint64_t *period; /* NULL: not told, or the same for all */
    uint32_t *value;  /* string; NULL: no sample has one */
    uint16_t *cpu;
    uint32_t *flags;
    /* Samples that are not attributed yet (attribution/observations.h) have the
     * inner part of their stack, and how it is meant. NULL in a profile. */
    uint32_t *inner;
    uint8_t *leaf;
};

void samples_add(struct samples *samples, const struct sample *sample);
/* Puts samples in order of time, which counts from `earliest` on, modulo 2^64.
 * Samples of one time keep their order. */
void samples_sort(struct samples *samples, int64_t earliest);
void samples_release(struct samples *samples);

void profile_sample(struct profile *p, const struct sample *sample);

/* The one of a number; its weight is 1 and its period 0 where no sample has
 * another. */
struct sample profile_sample_at(const struct profile *p, size_t i);

/* The same for all samples at once, whose columns are taken over: the profile
 * has none yet. They are put in order of time. */
void profile_take_samples(struct profile *p, const struct samples *samples);

/* Makes sample `order[i]` the sample `i`; there are `n` of them afterwards. */
void samples_reorder(struct samples *samples, const uint32_t *order, size_t n);

/* Gives the samples a column of weights, 1 each, if they have none. */
void profile_begin_weights(struct profile *p);

/* Call with the weights of all samples, which may be NULL: makes `n` smaller,
 * and warns, when they add up to more than WEIGHTS_MOST. */
void profile_fit_weights(struct profile *p, const uint64_t *weight, size_t *n);

/* False if the recorder stored no times: then all samples have time 0. Only for
 * profiles that were read with their times. */
bool profile_has_times(const struct profile *p);

/* True if a sample tells its processor. */
bool profile_has_cpus(const struct profile *p);

/* Makes the periods of samples their weights, and the events that they stand
 * for what the profile counts; false when samples have none. */
bool profile_weigh_by_period(struct profile *p);

#endif
