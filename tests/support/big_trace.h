/*
 * big_trace: a large, realistic trace for benchmarks, with its answer.
 *
 *     struct big_trace b = { .megabytes = 1000, .seed = 7 };
 *     bool ok = big_trace_write(&b, file, answer);
 *
 * 8 CPUs at 1 ms, about 40 processes and several hundred threads; stacks are
 * walks through a random call graph, so callers are shared and depths have a
 * long tail (23 frames on average).  Most are keys, defined seconds later.
 * Between the samples: disk reads, page faults, context switches, filler.
 * The same settings give the same bytes.  Time is linear in the size; memory
 * grows with the distinct stacks only.
 */
#ifndef TESTS_SUPPORT_BIG_TRACE_H
#define TESTS_SUPPORT_BIG_TRACE_H

#include <stdbool.h>
#include <stdio.h>

#include "tests/support/answer.h"

struct big_trace {
    unsigned long megabytes; /* of the events, before compression */
    unsigned long seed;
    bool compressed, live;
};

/* False if the file (seekable) could not be written. */
bool big_trace_write(const struct big_trace *b, FILE *file,
                     struct answer *answer);

/* For benchmarks: 940, or what TOPFN_BENCH_MB says. */
unsigned long big_trace_megabytes(void);

/* Into a new file; ends the program if it cannot be written. */
void big_trace_make(const struct big_trace *b, const char *path);

#endif
