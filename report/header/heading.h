/*
 * heading - what a part of a report is about: one function.
 *
 *     work · app.exe · 40 samples (40.0 %), with what it calls 90 (90.0 %)
 */
#ifndef TOPFN_HEADING_H
#define TOPFN_HEADING_H

#include "report/header/header.h"

/* One line of text, or a Markdown heading. */
void heading_function(const struct subject *subject,
                      const struct rank_row *function, struct out *out);

/* Opens an element of "functions": members "name", "module" and counts. */
void heading_json(const struct subject *subject,
                  const struct rank_row *function, struct json *json);

/* Below the last of the functions: how many more a name means. */
void heading_rest(const struct subject *subject, struct out *out);

#endif
