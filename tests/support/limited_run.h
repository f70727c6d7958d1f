/*
 * limited_run - a program, and what it took.
 *
 *     struct limited_run run = limited_run(argv, "build/out", NULL, 0);
 *     if (limited_run_is_kind(&run, size_of_its_input)) ...
 *
 * Nobody's file may take more than 2 s of processor time, and 2 times its
 * size and 128 MiB; what topfn ends with is one of the statuses it documents.
 */
#ifndef TOPFN_TESTS_LIMITED_RUN_H
#define TOPFN_TESTS_LIMITED_RUN_H

#include <stdbool.h>
#include <stddef.h>

enum { LIMITED_SECONDS = 2 };

struct limited_run {
    int status;     /* -signal */
    double seconds; /* of processors */
    long kilobytes;
};

/* Its output goes to the file `out`, its messages to `errors` or, NULL, to
 * nobody. It is killed after `microseconds`, unless they are 0. */
struct limited_run limited_run(char *const argv[], const char *out,
                               const char *errors, unsigned microseconds);

/* Whether all of that was as it is to be. */
bool limited_run_is_kind(const struct limited_run *run, size_t size);

#endif
