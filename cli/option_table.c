#include <string.h>

#include "cli/options.h"
#include "cli/values.h"
#include "report/columns.h"

/* What each option sets, and the table of all. */

static bool set_u32(const char *value, uint32_t *number)
{
    uint64_t n;

    if (!parse_number(value, UINT32_MAX, &n))
        return false;
    *number = (uint32_t)n;
    return true;
}

static bool set_size(const char *value, size_t most, size_t *number)
{
    uint64_t n;

    if (!parse_number(value, most, &n))
        return false;
    *number = (size_t)n;
    return true;
}

static bool set_help(struct options *o, const char *value)
{
    (void)value;
    o->help = true;
    return true;
}

static bool set_version(struct options *o, const char *value)
{
    (void)value;
    o->version = true;
    return true;
}

static bool set_quiet(struct options *o, const char *value)
{
    (void)value;
    o->quiet = true;
    return true;
}

static bool set_strict(struct options *o, const char *value)
{
    (void)value;
    o->strict = true;
    return true;
}

static bool set_threads(struct options *o, const char *value)
{
    uint64_t n;

    if (!parse_number(value, 1024, &n))
        return false;
    o->threads = (unsigned)n;
    return true;
}

static bool set_event(struct options *o, const char *value)
{
    o->event = value;
    return *value != '\0';
}

static bool set_thread_weights(struct options *o, const char *value)
{
    (void)value;
    o->thread_weights = true;
    return true;
}

static bool set_no_inlines(struct options *o, const char *value)
{
    (void)value;
    o->no_inlines = true;
    return true;
}

static bool set_sample_type(struct options *o, const char *value)
{
    if (!strcmp(value, "managed"))
        o->report.filter.types = SAMPLE_MANAGED;
    else if (!strcmp(value, "external"))
        o->report.filter.types = SAMPLE_EXTERNAL;
    else
        return !strcmp(value, "all");
    return true;
}

static bool set_output(struct options *o, const char *value)
{
    o->output = value;
    return *value != '\0';
}

static bool set_format(struct options *o, const char *value)
{
    for (int i = 0; i < FORMATS; i++) {
        if (!strcmp(value, format_name(i))) {
            o->report.format = (enum format)i;
            return true;
        }
    }
    return false;
}

static bool set_width(struct options *o, const char *value)
{
    return set_size(value, 100000, &o->report.width);
}

static bool set_rows(struct options *o, const char *value)
{
    return set_size(value, SIZE_MAX, &o->report.rows);
}

static bool set_sort(struct options *o, const char *value)
{
    if (!strcmp(value, "exclusive"))
        o->report.sort = SORT_EXCLUSIVE;
    else if (!strcmp(value, "inclusive"))
        o->report.sort = SORT_INCLUSIVE;
    else
        return false;
    return true;
}

static bool set_by(struct options *o, const char *value)
{
    for (int by = 0; by < RANK_GROUPINGS; by++) {
        if (!strcmp(value, rank_by_name((enum rank_by)by))) {
            o->report.by = (enum rank_by)by;
            return true;
        }
    }
    return false;
}

static bool set_process(struct options *o, const char *value)
{
    o->report.filter.process = value;
    return *value != '\0';
}

static bool set_pid(struct options *o, const char *value)
{
    return o->report.filter.has_pid = set_u32(value, &o->report.filter.pid);
}

static bool set_thread(struct options *o, const char *value)
{
    return o->report.filter.has_tid = set_u32(value, &o->report.filter.tid);
}

static bool set_module(struct options *o, const char *value)
{
    o->report.filter.module = value;
    return *value != '\0';
}

static bool set_time(struct options *o, const char *value)
{
    struct filter *f = &o->report.filter;

    return f->has_time = parse_time_range(value, &f->from, &f->to);
}

static bool set_include_idle(struct options *o, const char *value)
{
    (void)value;
    o->report.filter.include_idle = true;
    return true;
}

static bool set_depth(struct options *o, const char *value)
{
    return set_size(value, UINT32_MAX, &o->report.depth);
}

static bool set_min(struct options *o, const char *value)
{
    return parse_percent(value, &o->report.min);
}

static bool set_bottom_up(struct options *o, const char *value)
{
    (void)value;
    o->report.bottom_up = true;
    return true;
}

static bool set_before(struct options *o, const char *value)
{
    (void)value;
    o->diff.has_before = true;
    o->diff.before_at = o->arguments.len;
    return true;
}

static bool set_after(struct options *o, const char *value)
{
    (void)value;
    o->diff.has_after = true;
    o->diff.after_at = o->arguments.len;
    return true;
}

static bool set_folded_diff(struct options *o, const char *value)
{
    (void)value;
    return o->diff.folded = true;
}

static bool set_all(struct options *o, const char *value)
{
    (void)value;
    return o->report.all = true;
}

/* Options of diff and gate, which diff_options.c reads. */
#define SETTING(name)                                                          \
    static bool set_##name(struct options *o, const char *value)               \
    {                                                                          \
        return diff_set_##name(&o->diff, value);                               \
    }
SETTING(normalize)
SETTING(paths)
SETTING(relevant)
SETTING(rename)
SETTING(force)
SETTING(max_regression)
SETTING(max_total)
SETTING(function)
SETTING(max)
SETTING(require)
SETTING(budgets)
SETTING(junit)
SETTING(sarif)

static bool add_symbols(struct options *o, const char *value)
{
    *vec_add(&o->symbols) = value;
    return *value != '\0';
}

static bool set_online(struct options *o, const char *value)
{
    (void)value;
    o->online = true;
    return true;
}

/* Read again by who uses it; here it is only looked at. */
static bool add_source_map(struct options *o, const char *value)
{
    const char *equals = strchr(value, '=');

    *vec_add(&o->source_maps) = value;
    return equals && equals > value && equals[1];
}

static bool set_context(struct options *o, const char *value)
{
    return set_size(value, 1000000, &o->report.context);
}

static bool set_demangle(struct options *o, const char *value)
{
    if (!strcmp(value, "short"))
        o->names = DEMANGLE_SHORT;
    else if (!strcmp(value, "full"))
        o->names = DEMANGLE_FULL;
    else if (!strcmp(value, "none"))
        o->names = DEMANGLE_NONE;
    else
        return false;
    return true;
}

/* A number for diff, a module for symbols: the command tells later. */
static bool set_explain(struct options *o, const char *value)
{
    o->explain = value;
    o->explain_is_number = set_size(value, UINT32_MAX, &o->report.explain);
    return *value != '\0';
}

const struct option option_table[] = {
    {"limit", 'n', "N", TAKES_RANK | TAKES_DIFF | TAKES_FUNCTIONS,
     "rows, or functions, to show; 0 = all (30)", set_rows},
    {"context", 0, "N", TAKES_CONTEXT, "lines around those with samples (3)",
     set_context},
    {"sort", 0, "COUNT", TAKES_RANK | TAKES_DIFF | TAKES_GATE,
     "exclusive (default) or inclusive", set_sort},
    {"by", 0, "WHAT", TAKES_RANK,
     "function, module, process, thread, file, line, address, kind", set_by},
    {"depth", 0, "N", TAKES_TREE, "levels to show; 0 = all (0)", set_depth},
    {"min", 0, "PERCENT", TAKES_TREE,
     "leave out branches with less than this (0.5)", set_min},
    {"bottom-up", 0, NULL, TAKES_TREE,
     "from the sampled functions to their callers", set_bottom_up},
    {"before", 0, NULL, TAKES_DIFF | TAKES_GATE | TAKES_FOLDED,
     "the files that follow are runs of BEFORE", set_before},
    {"after", 0, NULL, TAKES_DIFF | TAKES_GATE | TAKES_FOLDED,
     "the files that follow are runs of AFTER", set_after},
    {"normalize", 0, "UNIT", TAKES_DIFF | TAKES_GATE,
     "total (percent; default), samples, wall, cpu, none", set_normalize},
    {"paths", 0, NULL, TAKES_DIFF, "call paths instead of functions",
     set_paths},
    {"all", 0, NULL, TAKES_DIFF, "rows without a change too", set_all},
    {"relevant", 0, "PERCENT", TAKES_DIFF | TAKES_GATE,
     "smallest change of interest, of the total (0.1)", set_relevant},
    {"rename", 0, "OLD=NEW", TAKES_DIFF | TAKES_GATE,
     "function OLD of BEFORE is NEW of AFTER; may repeat", set_rename},
    {"explain", 0, "WHAT", TAKES_DIFF | USE_EXPLAIN,
     "diff: changes to trace to their calls (3); symbols: a module",
     set_explain},
    {"force", 0, NULL, TAKES_DIFF | TAKES_GATE,
     "compare different kinds of samples", set_force},
    {"diff", 0, NULL, TAKES_FOLDED, "two counts a line: BEFORE AFTER",
     set_folded_diff},
    {"max-regression", 0, "P%", TAKES_GATE,
     "a function may become slower by this much of itself", set_max_regression},
    {"max-total", 0, "P%", TAKES_GATE,
     "all samples together may grow by this much; no shares", set_max_total},
    {"function", 0, "GLOB", TAKES_GATE,
     "functions with a limit of their own, the --max that follows",
     set_function},
    {"max", 0, "P%", TAKES_GATE, "limit for the --function before it", set_max},
    {"require", 0, "GLOB", TAKES_GATE,
     "fail unless AFTER has samples of such a function", set_require},
    {"budgets", 0, "FILE", TAKES_GATE, "limits from a file", set_budgets},
    {"junit", 0, "FILE", TAKES_GATE, "write JUnit XML too", set_junit},
    {"sarif", 0, "FILE", TAKES_GATE, "write SARIF too", set_sarif},
    {"process", 0, "NAME", USE_FILTER, "only processes of this name",
     set_process},
    {"pid", 0, "N", USE_FILTER, "only this process", set_pid},
    {"thread", 0, "N", USE_FILTER, "only this thread id", set_thread},
    {"module", 0, "GLOB", USE_FILTER,
     "only samples taken in such modules (* and ?)", set_module},
    {"time", 0, "FROM,TO", USE_FILTER,
     "only this part: 1.5s,2s or 200ms, or ,3us", set_time},
    {"sample-type", 0, "TYPE", USE_FILTER,
     ".NET thread samples: managed, external or all", set_sample_type},
    {"include-idle", 0, NULL, USE_FILTER, "count idle processors too",
     set_include_idle},
    {"no-inlines", 0, NULL, USE_INLINES,
     "count inlined functions for the one they are inlined into",
     set_no_inlines},
    {"symbols", 0, "PATH", USE_SYMBOLS,
     "look for debug files here too: a file, folder or store", add_symbols},
    {"online", 0, NULL, USE_SYMBOLS,
     "ask symbol servers, too (default: no network at all)", set_online},
    {"source-map", 0, "FROM=TO", TAKES_SOURCES,
     "source paths that begin with FROM are in TO; may repeat", add_source_map},
    {"demangle", 0, "HOW", USE_SYMBOLS,
     "decorated names: short (default), full or none", set_demangle},
    {"format", 0, "FORMAT", USE_FORMAT, "text (default), json, csv or md",
     set_format},
    {"width", 0, "COLUMNS", USE_FORMAT, "width of text; 0 = no limit (100)",
     set_width},
    {"output", 'o', "FILE", USE_OUTPUT, "write to FILE", set_output},
    {"threads", 0, "N", USE_LOAD, "threads to read with; 0 = one per core",
     set_threads},
    {"event", 0, "NAME", USE_LOAD,
     "samples to count: cpu, thread, cswitch, allocation, ...", set_event},
    {"dotnet-trace-weights", 0, NULL, USE_LOAD,
     "nettrace: time to a thread's next sample", set_thread_weights},
    {"strict", 0, NULL, USE_LOAD, "fail when a part could not be read",
     set_strict},
    {"quiet", 'q', NULL, USE_ALWAYS, "no warnings, hints or progress",
     set_quiet},
    {"help", 'h', NULL, USE_ALWAYS, "show this", set_help},
    {"version", 0, NULL, USE_ALWAYS, "show the version", set_version},
    {NULL, 0, NULL, 0, NULL, NULL},
};
