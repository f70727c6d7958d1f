/*
 * sample_tally - how many samples the stacks and threads of a profile have.
 *
 *     struct sample_tally tally =
 *         sample_tally_of(profile_stack_count(p), p->threads.len);
 *     sample_tally_add(&tally, &p->samples, 0, p->samples.len);
 *     use(tally.stacks[stack]);
 *     sample_tally_release(&tally);
 *
 * Samples count by their weights. Those of the idle thread are counted apart,
 * and are no stack's.
 */
#ifndef TOPFN_SAMPLE_TALLY_H
#define TOPFN_SAMPLE_TALLY_H

#include <stddef.h>
#include <stdint.h>

#include "engine/base/mem.h"

struct samples;

struct thread_tally {
    uint64_t by_class[4]; /* enum stack_class */
};

struct sample_tally {
    size_t stack_count, thread_count;
    uint64_t *stacks;             /* by stack; NULL: nothing was counted */
    struct thread_tally *threads; /* by thread */
    uint64_t busy, idle;          /* of all */
};

/* Nothing yet of so many. */
struct sample_tally sample_tally_of(size_t stacks, size_t threads);
void sample_tally_release(struct sample_tally *tally);

/* Samples of from <= i < to. */
void sample_tally_add(struct sample_tally *tally, const struct samples *samples,
                      size_t from, size_t to);

/* A sample with this stack comes soon: there are more stacks than a cache
 * holds. */
static inline void sample_tally_soon(const struct sample_tally *tally,
                                     uint32_t stack)
{
    mem_fetch(&tally->stacks[stack]);
}

/* What another one of no more stacks and threads has. */
void sample_tally_join(struct sample_tally *tally,
                       const struct sample_tally *other);

#endif
