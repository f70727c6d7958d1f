/*
 * The sample tables, the computed tables and the views of a database.
 *
 * Computed tables are filled at import by store/counts.c so that views are
 * quick. All but sample_groups leave idle samples out, as reports do; so do
 * the views.
 */
#include "engine/store/schema.h"

/* Not for clang-format, which takes SQL for one long string. */
/* clang-format off */

#define KEY(name, about) {name, "INTEGER PRIMARY KEY", about}
#define NUMBER(name, about) {name, "INTEGER NOT NULL", about}
#define TEXT(name, about) {name, "TEXT NOT NULL", about}
#define REFERS(name, table, about)                                             \
    {name, "INTEGER NOT NULL REFERENCES " table, about}
#define MAY_REFER(name, table, about)                                          \
    {name, "INTEGER REFERENCES " table, about}

#define PERCENT(count)                                                         \
    "round(100.0 * " count " /"                                                \
    " (SELECT samples FROM coverage WHERE name = 'samples'), 2)"

typedef const struct store_made_column columns[];

/* ---- samples ---- */

static columns samples = {
    KEY("id", "row id, by time, from 1"),
    NUMBER("time_ns", "nanoseconds since the start of the trace"),
    REFERS("thread", "threads", "sampled thread"),
    REFERS("stack", "stacks", "call stack"),
    {"cpu", "INTEGER", "number of the processor; NULL: unknown"},
    NUMBER("flags", "sum of: 1 idle, 2 in a DPC, 4 in an ISR, 8 has user "
                    "frames, 16 has kernel frames, 32 has a stack, 64 "
                    "external, 128 managed, 256 times the id in stack_ends, "
                    "65536 times the id in thread_waits"),
    {"weight", "INTEGER NOT NULL DEFAULT 1", "1, or units of the metric"},
    {"period", "INTEGER NOT NULL DEFAULT 0",
     "events that the sample stands for; 0: unknown, or equal for all"},
};

static columns sample_groups = {
    KEY("id", "row id, by first sample"),
    REFERS("thread", "threads", "see samples"),
    REFERS("stack", "stacks", "see samples"),
    NUMBER("flags", "see samples"),
    NUMBER("samples", "sum of their weights"),
    NUMBER("period", "sum of their periods"),
};

/* ---- computed ---- */

static columns words = {
    KEY("id", "number used in other tables"),
    TEXT("name", "word"),
};

static columns coverage = {
    KEY("id", "row id, in the order of reports"),
    TEXT("name", "name of the count"),
    NUMBER("samples", "samples"),
};

static columns labels = {
    {"function", "INTEGER PRIMARY KEY REFERENCES functions", "function"},
    TEXT("label", "short name, as in reports"),
    NUMBER("waits", "1: only waits (where samples include waiting threads)"),
};

static columns location_frames = {
    {"location", "INTEGER PRIMARY KEY REFERENCES locations", "location"},
    REFERS("first", "frames", "leaf frame; its callers follow"),
    NUMBER("frames", "number of frames"),
};

static columns function_counts = {
    {"function", "INTEGER PRIMARY KEY REFERENCES functions", "function"},
    NUMBER("exclusive", "samples taken in it"),
    NUMBER("inclusive", "samples with it on their stack"),
};

static columns module_counts = {
    KEY("id", "row id, hottest first"),
    TEXT("name", "image or code area"),
    NUMBER("exclusive", "samples taken in it"),
    NUMBER("inclusive", "samples with it on their stack"),
};

static columns call_tree_nodes = {
    KEY("id", "row id, in the order of printed trees"),
    MAY_REFER("parent", "call_tree_nodes", "caller; NULL: root"),
    NUMBER("depth", "0: root"),
    MAY_REFER("function", "functions", "function; NULL: root"),
    NUMBER("exclusive", "samples taken in this node"),
    NUMBER("inclusive", "samples in this node and below it"),
    NUMBER("inlined_exclusive", "exclusive samples in inlined code"),
    NUMBER("inlined_inclusive", "inclusive samples in inlined code"),
    NUMBER("repeated", "1: the same call is also made nearer to the root"),
};

/* ---- views ---- */

/* Columns of a function `n`. */
#define FULL_NAME                                                              \
    "CASE WHEN n.name <> '' THEN n.name"                                       \
    " WHEN n.module <> '' THEN printf('%s!+0x%x', n.module, n.address)"        \
    " ELSE printf('0x%x', n.address) END"
#define SHOWN_MODULE "CASE n.module WHEN '' THEN '[unknown]' ELSE n.module END"

/* A LEFT JOIN costs nothing where none of its columns is asked for. */
#define FUNCTION_JOINS                                                         \
    " LEFT JOIN labels b ON b.function = n.id"                                 \
    " LEFT JOIN code_kinds ck ON ck.id = n.kind"                               \
    " LEFT JOIN name_causes nc ON nc.id = n.cause AND nc.id"

static columns function_labels = {
    {"function", "n.id", "id in the table functions"},
    {"name", FULL_NAME, "full name"},
    {"module", SHOWN_MODULE, "module shown beside it"},
    {"kind", "ck.name", "native, managed, script, kernel or unknown"},
    {"label", "b.label", "short name, as in reports"},
    {"cause", "nc.name", "why there is no name, or NULL"},
    {"waits", "b.waits", "1: only waits"},
};

#define FUNCTION_SHARES(c)                                                     \
    {"exclusive", c "exclusive", "samples taken in it"},                       \
    {"exclusive_percent", PERCENT(c "exclusive"), "of all samples"},           \
    {"inclusive", c "inclusive", "samples with it on their stack"},            \
    {"inclusive_percent", PERCENT(c "inclusive"), "of all samples"}

static columns top_functions = {
    FUNCTION_SHARES("c."),
    {"function", "l.name", "full name"},
    {"module", "l.module", "its module"},
    {"kind", "l.kind", "native, managed, script, kernel or unknown"},
    {"label", "l.label", "short name, as in reports"},
    {"function_id", "c.function", "id in the table functions"},
};

static columns top_modules = {
    FUNCTION_SHARES(""),
    {"module", "name", "image or code area"},
};

static columns call_tree = {
    {"id", "n.id", "node, in the order of printed trees"},
    {"parent", "n.parent", "node of the caller"},
    {"depth", "n.depth", "0: root"},
    {"inclusive", "n.inclusive", "samples in this node and below it"},
    {"inclusive_percent", PERCENT("n.inclusive"), "of all samples"},
    {"exclusive", "n.exclusive", "samples taken in this node"},
    {"function", "coalesce(l.name, '[root]')", "full name"},
    {"module", "l.module", "its module"},
    {"function_id", "n.function", "id in the table functions"},
};

static columns call_edges = {
    {"id", "min(n.id)", "first node, in the order of the call tree"},
    {"caller", "p.function", "caller; NULL: root frame"},
    {"callee", "n.function", "callee"},
    {"samples", "sum(n.inclusive)", "samples with this call on their stack"},
};

static columns callers = {
    {"function", "f.name", "callee, full name"},
    {"module", "f.module", "its module"},
    {"samples", "e.samples", "samples with this call on their stack"},
    {"percent", PERCENT("e.samples"), "of all samples"},
    {"caller", "c.name", "caller, full name; NULL: root frame"},
    {"caller_module", "c.module", "its module"},
    {"function_id", "e.callee", "id in the table functions"},
    {"caller_id", "e.caller", "id in the table functions"},
};

static columns callees = {
    {"function", "f.name", "caller, full name"},
    {"module", "f.module", "its module"},
    {"samples", "e.samples", "samples with this call on their stack"},
    {"percent", PERCENT("e.samples"), "of all samples"},
    {"callee", "c.name", "callee, full name"},
    {"callee_module", "c.module", "its module"},
    {"function_id", "e.caller", "id in the table functions"},
    {"callee_id", "e.callee", "id in the table functions"},
};

static columns trace_quality = {
    {"name", "name", "name of the count"},
    {"value", "samples", "its value"},
};

/* Columns of a sample `s` and its thread `t` and process `p`. */
#define SAMPLE_COLUMNS                                                         \
    {"time", "s.time_ns / 1e9", "seconds since the start of the trace"},       \
    {"cpu", "s.cpu", "number of the processor; NULL: unknown"},                \
    {"process", "CASE p.name WHEN '' THEN '[unknown]' ELSE p.name END",        \
     "name of the process"},                                                   \
    {"pid", "nullif(p.pid, 4294967295)", "process id; NULL: unknown"},         \
    {"thread", "nullif(t.name, '')", "name of the thread, or NULL"},           \
    {"tid", "CASE WHEN t.tid OR NOT p.pid THEN t.tid END",                     \
     "thread id; NULL: unknown"},                                              \
    {"weight", "s.weight", "1, or units of the metric"},                       \
    {"period", "nullif(s.period, 0)", "events it stands for, or NULL"},        \
    {"stack_end", "se.name",                                                   \
     "complete, unknown, or why its stack is truncated"},                      \
    {"wait", "nullif(tw.name, '')",                                            \
     "of thread time: running, ready, or blocked and why; or NULL"}

/* Columns of a frame `f`, its function `n` and location `o`. */
#define FRAME_COLUMNS                                                          \
    {"function", FULL_NAME, "full name"},                                      \
    {"label", "b.label", "short name, as in reports"},                         \
    {"module", SHOWN_MODULE, "its module"},                                    \
    {"kind", "ck.name", "native, managed, script, kernel or unknown"},         \
    {"file", "nullif(f.file, '')", "source file, or NULL"},                    \
    {"line", "nullif(f.line, 0)", "source line, or NULL"},                     \
    {"tier",                                                                   \
     "CASE WHEN m.id IS NOT NULL THEN"                                         \
     " CASE WHEN o.module IS NULL THEN ct.name ELSE 'precompiled' END END",    \
     "JIT tier of a .NET method (see --tier), or NULL"},                       \
    {"waits", "b.waits", "1: only waits"},                                     \
    {"cause", "nc.name", "why there is no name, or NULL"},                     \
    {"function_id", "f.function", "id in the table functions"}

#define FRAME_JOINS                                                            \
    " LEFT JOIN functions n ON n.id = f.function" FUNCTION_JOINS               \
    " LEFT JOIN methods m ON m.id = o.method"                                  \
    " LEFT JOIN code_tiers ct ON ct.id = m.tier"

#define SAMPLE_JOINS                                                           \
    " LEFT JOIN threads t ON t.id = s.thread"                                  \
    " LEFT JOIN processes p ON p.id = t.process"                               \
    " LEFT JOIN stack_ends se ON se.id = (s.flags >> 8 & 15)"                  \
    " LEFT JOIN thread_waits tw ON tw.id = s.flags >> 16"

static columns sample = {
    {"id", "s.id", "id in the table samples"},
    SAMPLE_COLUMNS,
    FRAME_COLUMNS,
    {"stack", "s.stack", "id in the table stacks"},
};

static columns frame_of_stack = {
    {"stack", "u.stack", "id in the table stacks"},
    {"depth", "u.above + f.id - u.first", "0: leaf frame"},
    {"inlined", "f.inlined", "1: inlined into the next frame"},
    FRAME_COLUMNS,
};

static columns frame_of_sample = {
    {"sample", "s.id", "id in the table samples"},
    {"depth", "u.above + f.id - u.first", "0: leaf frame"},
    SAMPLE_COLUMNS,
    {"inlined", "f.inlined", "1: inlined into the next frame"},
    FRAME_COLUMNS,
};

/* `u`: stacks of samples and the locations on them, from the inside out. */
#define STACK_LOCATIONS                                                        \
    "WITH RECURSIVE u(stack, parent, above, location, first, frames) AS ("     \
    "SELECT k.id, k.parent, 0, k.location, lf.first, lf.frames"                \
    " FROM stacks k JOIN location_frames lf ON lf.location = k.location"       \
    " WHERE k.id IN (SELECT stack FROM samples)"                               \
    " UNION ALL"                                                               \
    " SELECT u.stack, k.parent, u.above + u.frames, k.location, lf.first,"     \
    " lf.frames"                                                               \
    " FROM u JOIN stacks k ON k.id = u.parent"                                 \
    " JOIN location_frames lf ON lf.location = k.location)"
#define STACK_FRAMES                                                           \
    " JOIN frames f ON f.id >= u.first AND f.id < u.first + u.frames"          \
    " LEFT JOIN locations o ON o.id = u.location" FRAME_JOINS

#define TABLE(name, columns, about)                                            \
    {name, about, columns, sizeof(columns) / sizeof(*(columns)), NULL, NULL}
#define VIEW(name, with, from, about)                                          \
    {#name, about, name, sizeof(name) / sizeof(*(name)), with, from}

const struct store_made store_made[] = {
    TABLE("samples", samples, "all samples, also of idle processors"),
    TABLE("sample_groups", sample_groups,
          "samples counted by thread, stack and flags"),
    TABLE("code_kinds", words, "words of the column kind"),
    TABLE("name_causes", words, "words of the column cause"),
    TABLE("code_tiers", words, "words of the column tier, and of --tier"),
    TABLE("stack_ends", words, "why stacks end, for samples.flags"),
    TABLE("thread_waits", words,
          "running, ready, blocked and why, for samples.flags"),
    TABLE("coverage", coverage,
          "numbers of samples: all, idle, with complete stacks, without names"),
    TABLE("labels", labels, "short names of functions"),
    TABLE("location_frames", location_frames, "the frames of a location"),
    TABLE("function_counts", function_counts, "counts of top_functions"),
    TABLE("module_counts", module_counts, "counts of top_modules"),
    TABLE("call_tree_nodes", call_tree_nodes, "nodes of the view call_tree"),

    VIEW(top_functions, NULL,
         "FROM function_counts c"
         " JOIN function_labels l ON l.function = c.function"
         " ORDER BY c.exclusive DESC, c.inclusive DESC, l.name, l.module,"
         " c.function",
         "functions, hottest first"),

    VIEW(top_modules, NULL, "FROM module_counts ORDER BY id",
         "images and code areas, hottest first"),

    VIEW(sample, NULL,
         "FROM samples s" SAMPLE_JOINS
         " LEFT JOIN stacks k ON k.id = s.stack"
         " LEFT JOIN location_frames lf ON lf.location = k.location"
         " LEFT JOIN frames f ON f.id = lf.first"
         " LEFT JOIN locations o ON o.id = k.location" FRAME_JOINS
         " WHERE NOT s.flags & 1",
         "samples, each with the function it was taken in"),

    VIEW(frame_of_sample, STACK_LOCATIONS,
         "FROM samples s JOIN u ON u.stack = s.stack" SAMPLE_JOINS
         STACK_FRAMES " WHERE NOT s.flags & 1",
         "samples, a row for each frame of their stacks"),

    VIEW(call_tree, NULL,
         "FROM call_tree_nodes n"
         " LEFT JOIN function_labels l ON l.function = n.function"
         " ORDER BY n.id",
         "the call tree, from the root down"),

    VIEW(callers, NULL,
         "FROM call_edges e"
         " JOIN function_labels f ON f.function = e.callee"
         " LEFT JOIN function_labels c ON c.function = e.caller"
         " ORDER BY f.name, f.module, e.samples DESC, c.name, e.id",
         "functions with their callers"),

    VIEW(callees, NULL,
         "FROM call_edges e"
         " JOIN function_labels f ON f.function = e.caller"
         " JOIN function_labels c ON c.function = e.callee"
         " ORDER BY f.name, f.module, e.samples DESC, c.name, e.id",
         "functions with their callees"),

    VIEW(trace_quality, NULL,
         "FROM coverage"
         " UNION ALL SELECT 'lost_events', lost_events FROM quality"
         " UNION ALL SELECT 'lost_buffers', lost_buffers FROM quality"
         " UNION ALL SELECT 'skipped_bytes', skipped_bytes FROM quality"
         " UNION ALL SELECT 'skipped_ranges', skipped_ranges FROM quality"
         " UNION ALL SELECT 'malformed_records', malformed_records"
         " FROM quality"
         " UNION ALL SELECT 'event_stacks', event_stacks FROM quality"
         " UNION ALL SELECT 'undefined_keys', undefined_keys FROM quality"
         " UNION ALL SELECT 'cut_stacks', cut_stacks FROM quality"
         " UNION ALL SELECT 'warnings', count(*) FROM warnings",
         "how reliable the other numbers are"),

    /* A sample counts once for a call that its stack makes several times. */
    VIEW(call_edges, NULL,
         "FROM call_tree_nodes n JOIN call_tree_nodes p ON p.id = n.parent"
         " WHERE NOT n.repeated GROUP BY p.function, n.function",
         "calls of the views callers and callees"),

    VIEW(function_labels, NULL, "FROM functions n" FUNCTION_JOINS,
         "functions with the names that reports print"),

    VIEW(frame_of_stack, STACK_LOCATIONS, "FROM u" STACK_FRAMES,
         "stacks of samples, a row for each frame"),

    {NULL, NULL, NULL, 0, NULL, NULL},
};
