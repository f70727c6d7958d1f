/*
 * collapsed - collapsed stacks: outermost;...;innermost COUNT, a line each, as
 * FlameGraph, inferno and async-profiler write them. UTF-8, or UTF-16 with a
 * mark. Names may be "module!name" and have FlameGraph's marks: _[k], _[j],
 * _[i]. Empty lines and comments (#, //) are left out, other lines skipped.
 *
 * A count may have a fraction or an exponent: 0.25, 1.25e+03. Of two counts in
 * every line, those of a difference (difffolded.pl), the second is read; a
 * count below 0 is left out and said.
 */
#ifndef TOPFN_COLLAPSED_H
#define TOPFN_COLLAPSED_H

#include "engine/attribution/trace_format.h"

extern const struct trace_format collapsed_format;

#endif
