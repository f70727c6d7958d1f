/*
 * formats - the table of input formats, the only list of them.
 *
 * A new format is a folder engine/format/NAME that exports one
 * `const struct trace_format` (attribution/trace_format.h), and a row here.
 */
#ifndef TOPFN_FORMATS_H
#define TOPFN_FORMATS_H

#include "engine/attribution/trace_format.h"

/* Ends with NULL. */
extern const struct trace_format *const trace_formats[];

/* The format of these bytes, or NULL; without any they have none. */
const struct trace_format *trace_format_of(const uint8_t *data, size_t size);

/* The format that a profile came from, as it says itself; NULL when it was
 * joined from several. */
const struct trace_format *trace_format_named(const char *name);

#endif
