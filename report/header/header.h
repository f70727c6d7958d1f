/*
 * header - the trust line: how much the rows below can be relied on.
 *
 * Every report begins with the same statement: what was measured and for how
 * long, which stacks and names are missing and why, what the recorder lost,
 * what we could not read.
 */
#ifndef TOPFN_REPORT_HEADER_H
#define TOPFN_REPORT_HEADER_H

#include "report/report.h"

/* Two or three lines, `more` lines if it is not NULL, and an empty one, in
 * the width of the report; as paragraphs for Markdown. */
void header_text(const struct subject *subject, const char *more,
                 struct out *out);

/* Opens the object that a JSON report is: its member "schema" is
 * "topfn.NAME/1". report_json_end closes it and ends the line. */
struct json report_json(const char *name, struct out *out);
void report_json_end(struct json *json);

/* Its member "trace". */
void header_json(const struct profile *p, const struct selection *sel,
                 struct json *json);

/* The first of these lines: what was measured, for how long. A path that takes
 * more than half of `width` columns is shortened in front; 0: none is.
 * `is_brief` is as below. */
void header_what(const struct profile *p, const struct selection *sel,
                 bool is_brief, size_t width, struct out *out);

/* "CPU samples every 1 ms". Thread samples say whether those of waiting threads
 * count, unless `is_brief`: then another line says it. */
void header_metric(const struct profile *p, const struct selection *sel,
                   bool is_brief, struct out *out);

/* The width of text; 0 where there is no limit, and for Markdown. */
size_t text_limit(const struct report_options *options);

/* The filter of the rows; nothing if there is none. */
void header_filter(const struct filter *filter, struct out *out);

/* The same, and how much it leaves of how much. */
void header_selected(const struct profile *p, const struct selection *sel,
                     struct out *out);

/* Its members "selected", where anything is asked for. */
void header_json_selected(const struct profile *p, const struct selection *sel,
                          struct json *json);

/* The object that stands for a trace in JSON. */
void header_json_trace(const struct profile *p, const struct selection *sel,
                       const char *key, struct json *json);

/* Lines of plain text in the width of the report, or as paragraphs of
 * Markdown, each of which begins with `mark`. */
void header_lines(const char *text, const struct report_options *options,
                  const char *mark, struct out *out);

/* A span of time as people write it: "122.1 us", "1 ms", "9.31 s". */
void print_span(struct out *out, int64_t ns);

/* A report that is one table: trust line, and rows as the format has them. */
void report_table(const struct subject *subject, const char *name,
                  const struct table *table, struct out *out);

/*
 * heading - what a part of a report is about: one function.
 *
 *     work · app.exe · exclusive 40 (40.0 %) · inclusive 90 (90.0 %)
 */

/* One line of text, or a Markdown heading. */
void heading_function(const struct subject *subject,
                      const struct rank_row *function, struct out *out);

/* Opens an element of "functions": members "name", "module" and counts. */
void heading_json(const struct subject *subject,
                  const struct rank_row *function, struct json *json);

/* Below the last of the functions: how many more a name means. */
void heading_rest(const struct subject *subject, struct out *out);

/*
 * overview - what else was recorded and where the time went, before the rows.
 *
 *     also recorded (--event): allocation 3,196, exception 54
 *     processes  Test.x86.exe 72.0 % · PerfView.exe 9.4 % · 11 more
 *     hot path   Program.Main 70.5 % › DateTime.get_Now 69.2 % › …
 *
 * Text and Markdown only: other formats have commands of their own for both.
 */

/* Nothing for a selection without samples; no processes where there is only
 * one, no path where none is worth showing. */
void overview(const struct subject *subject, struct out *out);

#endif
