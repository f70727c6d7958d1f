/*
 * truth - a profile against the numbers an independent decoder found.
 *
 *     unsigned wrong = truth_differences(profile, "truth/a.etl.json");
 *
 * The file is JSON as described beside the real traces: samples, stacks,
 * processes, threads, by_module, by_method, by_frame. What it does not hold
 * is not compared.
 */
#ifndef TOPFN_TESTS_TRUTH_H
#define TOPFN_TESTS_TRUTH_H

#include "engine/profile.h"

/* Prints every difference to stdout; how many there were. The profile is
 * finished. */
unsigned truth_differences(const struct profile *p, const char *json_path);

#endif
