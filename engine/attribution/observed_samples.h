/*
 * observed_samples - samples as a reader met them.
 *
 * A stack has two parts, both ids of callchains or 0: the outer one, which is
 * the user part or the whole stack, and the inner one on top of it. The inner
 * one is the kernel part; or, with `leaf`, the sampled address alone, standing
 * in for a part that was not recorded.
 *
 * They lie in columns that are handed on whole, as there are millions: from a
 * reader that gathers its own (observe_samples), and to the profile.
 */
#ifndef TOPFN_OBSERVED_SAMPLES_H
#define TOPFN_OBSERVED_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct observed_sample {
    int64_t time;
    uint32_t thread_key; /* observe_thread_key */
    uint32_t outer, inner;
    uint64_t weight; /* at least 1: see struct sample */
    uint64_t period; /* 0 not told */
    uint16_t cpu;
    uint16_t flags; /* enum sample_flags, with an enum stack_end; parts add
                       theirs when attributed */
    uint8_t leaf; /* 0 or 1 */
};

struct observed_samples {
    size_t len, cap;
    int64_t *time;
    uint32_t *thread_key, *outer, *inner;
    uint64_t *weight; /* NULL: 1 each */
    uint64_t *period; /* NULL: none was told */
    uint16_t *cpu;
    uint16_t *flags;
    uint8_t *leaf; /* 0 or 1 */
};

/* Room for `n` more in every column. */
void observed_samples_reserve(struct observed_samples *samples, size_t n);
void observed_samples_add(struct observed_samples *samples,
                          const struct observed_sample *sample);
struct observed_sample observed_samples_get(
    const struct observed_samples *samples, size_t index);
void observed_samples_release(struct observed_samples *samples);

#endif
