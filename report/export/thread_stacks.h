/*
 * thread_stacks - the selected samples by thread.
 *
 *     struct thread_stacks t = thread_stacks_count(p, sel);
 *     for (size_t i = 0; i < t.len; i++)
 *         use(t.rows[i].thread, t.rows[i].stack, t.rows[i].count);
 *     free(t.rows);
 *
 * For formats that count: one row for every stack of a thread, in the order
 * in which they were met. For formats that are a list of samples: these,
 * thread after thread, each in order of time.
 */
#ifndef TOPFN_THREAD_STACKS_H
#define TOPFN_THREAD_STACKS_H

#include "engine/analysis/filter.h"
#include "engine/base/arena.h"

struct thread_stack {
    uint32_t thread, stack;
    uint64_t rows, count; /* samples in the trace; their weight */
};

struct thread_stacks {
    struct thread_stack *rows;
    size_t len;
};

struct thread_stacks thread_stacks_count(const struct profile *p,
                                         const struct selection *sel);

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
