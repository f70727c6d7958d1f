/*
 * formats - the table of input formats.
 *
 * A new format is a folder engine/format/NAME that exports one
 * `const struct trace_format` (observations/trace_format.h), and a row here.
 */
#ifndef TOPFN_FORMATS_H
#define TOPFN_FORMATS_H

#include "engine/observations/trace_format.h"

/* Ends with NULL. */
extern const struct trace_format *const trace_formats[];

/* The format of these bytes, or NULL. */
const struct trace_format *trace_format_of(const uint8_t *data, size_t size);

#endif
