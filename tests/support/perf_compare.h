/*
 * perf_compare - a profile against what `perf script` prints of the same
 * recording, sample by sample and frame by frame.
 *
 *     struct perf_comparison c = {.profile = p};
 *     FILE *text = popen("perf script ...", "r");
 *     ck_assert_msg(perf_compare(&c, text), "%s", c.differs);
 *
 * Stacks that the kernel walked must be the same. Those walked from copies need
 * not be: libunwind, which perf walks with, passes over frames of code that has
 * rules, then reads return addresses from the wrong places and ends in no file,
 * or early. Where the two part, the callers' addresses decide: from there on
 * every one of ours must be right behind a call instruction of its file; and
 * perf's must be some of ours in their order, up to its end or to one that is
 * in no file or not behind a call; or ours ends where another stack of the
 * recording does, on which both agree, and perf's does not. Stacks that are
 * decided this way are counted, and so are those that stay in doubt.
 */
#ifndef TOPFN_TESTS_PERF_COMPARE_H
#define TOPFN_TESTS_PERF_COMPARE_H

#include <stdio.h>

#include "engine/model/profile.h"

struct perf_comparison {
    const struct profile *profile;
    const char *event; /* samples of others are passed over; NULL: all */
    bool walked;       /* perf walked copies, and prints the byte before where
                          a call returns, of all but the innermost */
    size_t samples, frames;
    size_t parted;   /* stacks that differ, ours being right; */
    size_t doubtful; /* of these, for all that can be told */
    uint64_t first_us;
    bool *ends;     /* by location: of stacks on which both agree */
    bool *in_doubt; /* by sample: how ours ends has to decide */
    char differs[1000]; /* the first difference */
};

/* False when they differ. */
bool perf_compare(struct perf_comparison *c, FILE *text);

#endif
