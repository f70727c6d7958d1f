/*
 * cpuprofile - profiles of V8: Node, Chrome's DevTools (.cpuprofile), with a list
 * of nodes or, older, a tree of them.
 */
#ifndef TOPFN_CPUPROFILE_H
#define TOPFN_CPUPROFILE_H

#include "engine/observations/trace_format.h"

extern const struct trace_format cpuprofile_format;

#endif
