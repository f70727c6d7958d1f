/*
 * firefox - JSON of the Firefox Profiler: processed profiles, as its page and
 * samply save them, and Gecko profiles, as Firefox itself writes them.
 */
#ifndef TOPFN_FIREFOX_H
#define TOPFN_FIREFOX_H

#include "engine/observations/trace_format.h"

extern const struct trace_format firefox_format;

#endif
