#include "engine/input/formats.h"

#include <string.h>

#include "engine/format/etl/etl.h"
#include "engine/format/named.h"
#include "engine/format/nettrace/nettrace.h"
#include "engine/format/perfdata/perfdata.h"
#include "engine/format/vsp/vsp.h"

/* In order of certainty: formats with a magic number, ETL, whose first record
 * has eight fixed bytes, two of them zeros, and then those that are told by the
 * shape of their text. */
const struct trace_format *const trace_formats[] = {
    &nettrace_format,
    &perfdata_format,
    &vsp_format,
    &jfr_format,
    &etl_format,
    &perf_script_format,
    &speedscope_format,
    &cpuprofile_format,
    &firefox_format,
    &otlp_format,
    &pprof_format,
    &callgrind_format,
    &gperftools_format,
    &xctrace_format,
    &collapsed_format,
    NULL,
};

const struct trace_format *trace_format_of(const uint8_t *data, size_t size)
{
    const struct trace_format *maybe = NULL;

    for (size_t i = 0; size && trace_formats[i]; i++) {
        enum format_probe answer = trace_formats[i]->probe(data, size);

        if (answer == PROBE_YES)
            return trace_formats[i];
        if (answer == PROBE_MAYBE && !maybe)
            maybe = trace_formats[i];
    }
    return maybe;
}

const struct trace_format *trace_format_named(const char *name)
{
    for (size_t i = 0; trace_formats[i]; i++)
        if (!strcmp(trace_formats[i]->name, name))
            return trace_formats[i];
    return NULL;
}
