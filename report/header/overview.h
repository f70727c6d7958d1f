/*
 * overview - where the time went, in two lines before the rows.
 *
 *     processes  Test.x86.exe 72.0 % · PerfView.exe 9.4 % · 11 more
 *     hot path   Program.Main 70.5 % › DateTime.get_Now 69.2 % › …
 *
 * Text and Markdown only: other formats have commands of their own for both.
 */
#ifndef TOPFN_OVERVIEW_H
#define TOPFN_OVERVIEW_H

#include "report/report.h"

/* Nothing for a selection without samples; no processes where there is only
 * one, no path where none is worth showing. */
void overview(const struct subject *subject, struct out *out);

#endif
