/*
 * truth - a profile against the numbers an independent decoder found.
 *
 *     char *why = truth_differs(profile, "…/truth/app.etl.json");
 *     ck_assert_msg(!why, "%s", why);
 *
 * Compares what both have: samples and idle samples, events, losses,
 * duration, stack classes, processes, threads, and the rankings by module,
 * by method and by leaf address. Names of modules compare without regard to
 * case, as Windows does.
 */
#ifndef TOPFN_TESTS_TRUTH_H
#define TOPFN_TESTS_TRUTH_H

#include "engine/model/profile.h"

/* NULL when they agree; else the first differences, for free(). */
char *truth_differs(const struct profile *p, const char *json_path);

#endif
