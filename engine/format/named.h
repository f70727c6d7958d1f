/*
 * named - formats whose stacks have names instead of addresses, which fill the
 * profile by attribution/named_code.h.
 */
#ifndef TOPFN_FORMAT_NAMED_H
#define TOPFN_FORMAT_NAMED_H

#include "engine/attribution/trace_format.h"

extern const struct trace_format callgrind_format, collapsed_format,
    cpuprofile_format, firefox_format, gperftools_format, jfr_format,
    otlp_format, pprof_format, speedscope_format, xctrace_format;

#endif
