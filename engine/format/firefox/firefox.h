/*
 * firefox - JSON of the Firefox Profiler: processed profiles, as its page and
 * samply save them, and Gecko profiles, as Firefox itself writes them.
 *
 * Read were processed profiles of versions 48 to 80 and Gecko profiles of
 * versions 9 to 32; layouts are known up to 80 and 36. Newer ones are read with
 * a warning if their tables have the columns that are needed.
 */
#ifndef TOPFN_FIREFOX_H
#define TOPFN_FIREFOX_H

#include "engine/observations/trace_format.h"

extern const struct trace_format firefox_format;

#endif
