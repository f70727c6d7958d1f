/*
 * firefox - JSON of the Firefox Profiler: processed profiles, as its page and
 * samply save them, and Gecko profiles, as Firefox itself writes them.
 *
 * Processed profiles of versions 48 to 70 and Gecko profiles of versions 9 to
 * 24 were read and compared; of versions up to 80 and 36 the layout is known.
 * Newer ones are read with a warning if their tables have the columns that are
 * needed, and refused if not.
 */
#ifndef TOPFN_FIREFOX_H
#define TOPFN_FIREFOX_H

#include "engine/attribution/trace_format.h"

extern const struct trace_format firefox_format;

#endif
