/*
 * format - the table of input formats.
 *
 * A new format is one folder or file that exports one
 * `const struct trace_format`, and a row in trace_formats (format.c).
 *
 * `read` gets every entry of its format that was named together, fills the
 * profile through facts.h and leaves it unfinished. It returns an error only
 * when nothing useful could be read; damage is noted in the quality.
 */
#ifndef TOPFN_FORMAT_H
#define TOPFN_FORMAT_H

#include "engine/container/container.h"
#include "engine/profile.h"
#include "engine/trace.h"

enum probe { PROBE_NO, PROBE_MAYBE, PROBE_YES };

struct trace_format {
    const char *name;    /* "etl" */
    const char *summary; /* "Windows event trace log" */
    bool weighs_threads; /* knows trace_options.thread_weights */
    enum probe (*probe)(const uint8_t *data, size_t size);
    enum err_code (*read)(const struct entry *entries, size_t count,
                          const struct trace_options *options,
                          struct profile *profile, struct err *err);
};

/* Ends with NULL. */
extern const struct trace_format *const trace_formats[];

/* The format of these bytes, or NULL. */
const struct trace_format *trace_format_of(const uint8_t *data, size_t size);

#endif
