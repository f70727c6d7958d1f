/*
 * gate - the verdict of a gate, for people and for build servers.
 *
 * Text is one line a reason and one for the outcome. JUnit XML has a test
 * case for every finding and one for all that passed; SARIF 2.1.0 has a
 * result for every failure (error) and for what could not be told (warning).
 */
#ifndef TOPFN_REPORT_GATE_H
#define TOPFN_REPORT_GATE_H

#include "engine/diff/gate.h"
#include "report/report.h"

/* What `--junit` and `--sarif` write. */
report_writer gate_junit, gate_sarif;

/* A row a finding: CSV, and text and Markdown where columns are chosen. */
report_writer gate_table;
extern const struct column_set gate_columns[];

/* Why, in one line without an end: "+2.10 % (11.00 to 13.10), ...". */
void gate_reason(const struct gate_finding *finding, const struct diff *d,
                 struct out *out);

/* What a finding is about: a function's name or a glob. */
const char *gate_subject(const struct gate_finding *finding);
/* The same as people call it. */
const char *gate_subject_label(const struct gate_finding *finding);

#endif
