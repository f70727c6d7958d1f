/*
 * timing - for benchmarks: clocks, medians, and sides that take turns.
 *
 *     static void walk(const char *path, const void *what, void *result);
 *     static const struct timed_side sides[] = {{"walk", walk, NULL}, ...};
 *     struct timing timings[SIDES];
 *     uint64_t counts[SIDES];
 *
 *     take_turns(sides, SIDES, path, CLOCK_MONOTONIC, timings, counts,
 *                sizeof(counts[0]));
 */
#ifndef TESTS_SUPPORT_TIMING_H
#define TESTS_SUPPORT_TIMING_H

#include <stddef.h>
#include <stdint.h>
#include <time.h>

enum { TIMING_ROUNDS = 5 }; /* that count; one goes before, to warm up */

double seconds_of(clockid_t clock);

/* The middle one; sorts them. */
double median(double *values, size_t count);

/* Work on a file, which leaves in `result` what it came to: a fast wrong
 * answer shows. */
struct timed_side {
    const char *name;
    void (*run)(const char *path, const void *what, void *result);
    const void *what;
};

struct timing {
    double seconds;     /* the median */
    uint64_t anonymous; /* the most memory that is no file's, KiB */
};

/* Every round is a process of its own, so that memory is its own, too. As the
 * kernel's high-water mark counts pages of files, it is looked at again and
 * again, in the round that goes before. One result of each side is kept.
 *
 * The host of a virtual machine takes memory away that nobody used for some
 * seconds; to have it back takes ten times as long as to clear it, as long as a
 * quarter of the work itself. So some is used, and left, before each side. */
void take_turns(const struct timed_side *sides, size_t count, const char *path,
                clockid_t clock, struct timing *timings, void *results,
                size_t result_size);

#endif
