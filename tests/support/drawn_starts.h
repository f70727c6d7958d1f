/*
 * drawn_starts - recordings of a program that differs from start to start.
 *
 *     struct starts starts = starts_new(120, 20, 99);
 *     struct profile *run = starts_record(&starts, 10000, seed);
 *
 * Every function's weight is drawn anew for each recording: its logarithm
 * varies by `percent` (normally, as the sum of twelve uniform numbers does).
 * With `every` only one function in so many does.
 */
#ifndef TOPFN_TESTS_DRAWN_STARTS_H
#define TOPFN_TESTS_DRAWN_STARTS_H

#include "tests/support/drawn_profile.h"

struct starts {
    struct program program;
    double percent;
    unsigned every;
    uint64_t state;
};

struct starts starts_new(unsigned functions, double percent, uint32_t seed);
struct profile *starts_record(struct starts *starts, unsigned samples,
                              uint32_t seed);

#endif
