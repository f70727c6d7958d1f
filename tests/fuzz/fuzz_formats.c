/*
 * The whole way of a trace, from bytes to a finished profile and a ranking of
 * it. An error without a message is wrong, and so is a profile that breaks a
 * promise of profile.h.
 */
#include "engine/analysis/hot_path.h"
#include "engine/analysis/rank.h"
#include "engine/format/etl/etl.h"
#include "engine/format/named.h"
#include "engine/format/perfdata/perfdata.h"
#include "engine/format/vsp/vsp.h"
#include "engine/input/recording.h"
#include "tests/fuzz/target.h"
#include "tests/support/profile_check.h"

static void rank(const struct profile *p)
{
    struct selection *sel = selection_new(p, NULL);
    struct ranking *r = ranking_new(p, sel, RANK_FUNCTION, SORT_INCLUSIVE);
    struct hot_path path = {0};

    hot_path_find(&path, p, sel);
    if (r->len && (r->rows[0].inclusive > sel->samples || !path.steps.len))
        abort();
    hot_path_release(&path);
    ranking_free(r);
    selection_free(sel);
}

static int read_format(const struct trace_format *format, const uint8_t *data,
                       size_t size)
{
    struct read_options options = {.threads = 1};
    struct entry entry = {
        .name = "fuzz", .inner = "", .data = data, .size = size};
    struct err err = {0};
    struct profile *p;

    if (format->probe(data, size) == PROBE_NO)
        return 0;
    p = profile_new();
    if (recording_read(format, &entry, 1, &options, p, &err)) {
        if (!err.code || !err.message[0])
            abort();
    } else {
        profile_finish(p);
        if (profile_check(p))
            abort();
        rank(p);
    }
    profile_free(p);
    return 0;
}

FUZZ(collapsed)
{
    return read_format(&collapsed_format, data, size);
}

FUZZ(callgrind)
{
    return read_format(&callgrind_format, data, size);
}

FUZZ(gperftools)
{
    return read_format(&gperftools_format, data, size);
}

FUZZ(cpuprofile)
{
    return read_format(&cpuprofile_format, data, size);
}

FUZZ(etl)
{
    return read_format(&etl_format, data, size);
}

FUZZ(firefox)
{
    return read_format(&firefox_format, data, size);
}

FUZZ(jfr)
{
    return read_format(&jfr_format, data, size);
}

FUZZ(otlp)
{
    return read_format(&otlp_format, data, size);
}

FUZZ(perf_script)
{
    return read_format(&perf_script_format, data, size);
}

FUZZ(pprof)
{
    return read_format(&pprof_format, data, size);
}

FUZZ(speedscope)
{
    return read_format(&speedscope_format, data, size);
}

FUZZ(vsp)
{
    return read_format(&vsp_format, data, size);
}

FUZZ(xctrace)
{
    return read_format(&xctrace_format, data, size);
}
