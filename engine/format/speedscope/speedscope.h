/*
 * speedscope - files of speedscope.app (file-format-schema.json), versions 0.0.1
 * on: sampled and evented profiles; each becomes a thread.
 */
#ifndef TOPFN_SPEEDSCOPE_H
#define TOPFN_SPEEDSCOPE_H

#include "engine/attribution/trace_format.h"

extern const struct trace_format speedscope_format;

#endif
