/*
 * pprof - profiles of github.com/google/pprof (profile.proto): Go, gperftools
 * in newer versions, many others; most often packed by gzip.
 *
 * A file counts several things ("samples" and "cpu", or "alloc_space");
 * one of them is read, --event says which. See format.md.
 */
#ifndef TOPFN_PPROF_H
#define TOPFN_PPROF_H

#include "engine/attribution/trace_format.h"

extern const struct trace_format pprof_format;

#endif
