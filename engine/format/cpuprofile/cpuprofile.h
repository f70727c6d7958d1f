/*
 * cpuprofile - profiles of V8: Node, Chrome's DevTools (.cpuprofile), with a
 * list of nodes or, older, a tree of them. The format has no version; profiles
 * of Chrome 65 and of Node 10 and 20 were read.
 */
#ifndef TOPFN_CPUPROFILE_H
#define TOPFN_CPUPROFILE_H

#include "engine/attribution/trace_format.h"

extern const struct trace_format cpuprofile_format;

#endif
