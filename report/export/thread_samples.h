/*
 * thread_samples - the selected samples, thread after thread.
 *
 *     struct thread_samples t = thread_samples_new(p, sel);
 *     for (size_t i = t.start[thread]; i < t.start[thread + 1]; i++)
 *         use(p->samples.time[t.order[i]]);
 *     thread_samples_release(&t);
 *
 * For what is a list of samples, not of counted stacks (owned_stacks.h). Those
 * of a thread are in order of time.
 */
#ifndef TOPFN_THREAD_SAMPLES_H
#define TOPFN_THREAD_SAMPLES_H

#include "engine/analysis/filter.h"
#include "engine/base/arena.h"

/* Rows of the samples of thread T: order[start[T]] .. order[start[T + 1]]. */
struct thread_samples {
    size_t *start;
    size_t *order;
};

struct thread_samples thread_samples_new(const struct profile *p,
                                         const struct selection *sel);
void thread_samples_release(struct thread_samples *samples);

/* How long a sample stands for, in nanoseconds: of microseconds these, else
 * the interval; 0 where it is not known. */
uint64_t sample_nanoseconds(const struct profile *p, uint64_t weight);

/* "orders.exe (3644) main (3645)" */
const char *thread_full_title(const struct profile *p, uint32_t thread,
                              struct arena *arena);

#endif
