/*
 * fuzz_format - the whole way of a trace, from bytes to a finished profile and
 * a ranking of it, for the fuzz targets of formats. Aborts on an error without
 * a message and on a profile that breaks a promise of profile.h.
 */
#ifndef TOPFN_TESTS_FUZZ_FORMAT_H
#define TOPFN_TESTS_FUZZ_FORMAT_H

#include "engine/attribution/trace_format.h"

void fuzz_format(const struct trace_format *format, const uint8_t *data,
                 size_t size);

#endif
