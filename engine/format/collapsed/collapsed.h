/*
 * collapsed - collapsed stacks: outermost;...;innermost COUNT, a line each, as
 * FlameGraph, inferno and async-profiler write them. UTF-8, or UTF-16 with a
 * mark. Names may be "module!name" and have FlameGraph's marks: _[k], _[j],
 * _[i]. Empty lines and comments (#, //) are left out, other lines skipped.
 */
#ifndef TOPFN_COLLAPSED_H
#define TOPFN_COLLAPSED_H

#include "engine/observations/trace_format.h"

extern const struct trace_format collapsed_format;

#endif
