/*
 * heading - what a part of a report is about: one function.
 *
 *     work · app.exe · 40 samples (40.0 %), with what it calls 90 (90.0 %)
 */
#ifndef TOPFN_HEADING_H
#define TOPFN_HEADING_H

#include "report/header.h"

/* One line of text, or a Markdown heading. */
void heading_function(const struct profile *p, const struct selection *sel,
                      const struct rank_row *function, enum format format,
                      struct out *out);

/* The members "name", "module" and counts of a JSON object. */
void heading_json(const struct selection *sel,
                  const struct rank_row *function, struct out *out);

/* Below the last of `shown` functions: how many more a name means. */
void heading_rest(size_t shown, size_t total, enum format format,
                  struct out *out);

#endif
