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
    KEY("id", "in order of time, from 1"),
    NUMBER("time_ns", "since the trace's start"),
    REFERS("thread", "threads", "that was interrupted"),
    REFERS("stack", "stacks", "what ran, and what called it"),
    NUMBER("cpu", "it ran on"),
    NUMBER("flags", "1 idle, 2 in a DPC, 4 in an ISR, 8 has user frames, "
                    "16 has kernel frames, 32 has a stack, 64 external, "
                    "128 managed; times 256, of stack_ends"),
    {"weight", "INTEGER NOT NULL DEFAULT 1", "1, or units of the trace"},
    {"period", "INTEGER NOT NULL DEFAULT 0",
     "events that it stands for; 0: not told, or as many for all"},
};

static columns sample_groups = {
    KEY("id", "in order of their first sample"),
    REFERS("thread", "threads", "as in samples"),
    REFERS("stack", "stacks", "as in samples"),
    NUMBER("flags", "as in samples"),
    NUMBER("samples", "the sum of their weights"),
    NUMBER("period", "the sum of their periods"),
};

/* ---- computed ---- */

static columns words = {
    KEY("id", "its number in other tables"),
    TEXT("name", "its word"),
};

static columns coverage = {
    KEY("id", "in the order of reports"),
    TEXT("name", "of what"),
    NUMBER("samples", "how many"),
};

static columns labels = {
    {"function", "INTEGER PRIMARY KEY REFERENCES functions", "whose"},
    TEXT("label", "as reports print it"),
    NUMBER("waits", "1: it only waits, and samples are of waiting threads too"),
};

static columns location_frames = {
    {"location", "INTEGER PRIMARY KEY REFERENCES locations", "whose"},
    REFERS("first", "frames", "the innermost; the others follow it"),
    NUMBER("frames", "how many"),
};

static columns function_counts = {
    {"function", "INTEGER PRIMARY KEY REFERENCES functions", "whose"},
    NUMBER("exclusive", "samples taken in it"),
    NUMBER("inclusive", "samples taken in it or in what it called"),
};

static columns module_counts = {
    KEY("id", "hottest first"),
    TEXT("name", "of an image or code area"),
    NUMBER("exclusive", "samples taken in it"),
    NUMBER("inclusive", "samples taken in it or in what it called"),
};

static columns call_tree_nodes = {
    KEY("id", "in the order a tree is printed"),
    MAY_REFER("parent", "call_tree_nodes", "NULL: the root"),
    NUMBER("depth", "of the root 0"),
    MAY_REFER("function", "functions", "NULL: the root"),
    NUMBER("exclusive", "samples that end here"),
    NUMBER("inclusive", "samples that come by"),
    NUMBER("inlined_exclusive", "of them, where it was inlined"),
    NUMBER("inlined_inclusive", "of them, where it was inlined"),
};

static columns call_edges = {
    KEY("id", "in the order of the tree"),
    MAY_REFER("caller", "functions", "NULL: outermost"),
    REFERS("callee", "functions", "what it called"),
    NUMBER("samples", "with the two next to each other"),
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
    {"function", "n.id", "its id"},
    {"name", FULL_NAME, "in full"},
    {"module", SHOWN_MODULE, "it is shown with"},
    {"kind", "ck.name", "native, managed, script, kernel or unknown"},
    {"label", "b.label", "as reports print it"},
    {"cause", "nc.name", "why it has no name, or NULL"},
    {"waits", "b.waits", "1: it only waits"},
};

#define FUNCTION_SHARES(c)                                                     \
    {"exclusive", c "exclusive", "samples taken in it"},                       \
    {"exclusive_percent", PERCENT(c "exclusive"), "of all samples"},           \
    {"inclusive", c "inclusive", "samples taken in it or in what it called"},  \
    {"inclusive_percent", PERCENT(c "inclusive"), "of all samples"}

static columns top_functions = {
    FUNCTION_SHARES("c."),
    {"function", "l.name", "in full"},
    {"module", "l.module", "it is in"},
    {"kind", "l.kind", "of code"},
    {"label", "l.label", "as reports print it"},
    {"function_id", "c.function", "in functions"},
};

static columns top_modules = {
    FUNCTION_SHARES(""),
    {"module", "name", "an image or code area"},
};

static columns call_tree = {
    {"id", "n.id", "in the order a tree is printed"},
    {"parent", "n.parent", "the caller's id"},
    {"depth", "n.depth", "of the root 0"},
    {"inclusive", "n.inclusive", "samples that come by"},
    {"inclusive_percent", PERCENT("n.inclusive"), "of all samples"},
    {"exclusive", "n.exclusive", "samples that end here"},
    {"function", "coalesce(l.name, '[root]')", "in full"},
    {"module", "l.module", "it is in"},
    {"function_id", "n.function", "in functions"},
};

static columns callers = {
    {"function", "f.name", "that was called"},
    {"module", "f.module", "it is in"},
    {"samples", "e.samples", "of the call"},
    {"percent", PERCENT("e.samples"), "of all samples"},
    {"caller", "c.name", "NULL: outermost"},
    {"caller_module", "c.module", "it is in"},
    {"function_id", "e.callee", "in functions"},
    {"caller_id", "e.caller", "in functions"},
};

static columns callees = {
    {"function", "f.name", "that called"},
    {"module", "f.module", "it is in"},
    {"samples", "e.samples", "of the call"},
    {"percent", PERCENT("e.samples"), "of all samples"},
    {"callee", "c.name", "what it called"},
    {"callee_module", "c.module", "it is in"},
    {"function_id", "e.caller", "in functions"},
    {"callee_id", "e.callee", "in functions"},
};

static columns trace_quality = {
    {"name", "name", "of a measure"},
    {"value", "samples", "of it"},
};

/* Columns of a sample `s` and its thread `t` and process `p`. */
#define SAMPLE_COLUMNS                                                         \
    {"time", "s.time_ns / 1e9", "seconds since the trace's start"},            \
    {"cpu", "s.cpu", "it ran on"},                                             \
    {"process", "CASE p.name WHEN '' THEN '[unknown]' ELSE p.name END",        \
     "its name"},                                                              \
    {"pid", "nullif(p.pid, 4294967295)", "NULL: not known"},                   \
    {"thread", "nullif(t.name, '')", "its name, or NULL"},                     \
    {"tid", "t.tid", "the thread's number"},                                   \
    {"weight", "s.weight", "1, or units of the trace"},                        \
    {"period", "nullif(s.period, 0)", "events that it stands for, or NULL"},   \
    {"stack_end", "se.name",                                                   \
     "complete, unknown, or why its stack is truncated"}

/* Columns of a frame `f`, its function `n` and location `o`. */
#define FRAME_COLUMNS                                                          \
    {"function", FULL_NAME, "in full"},                                        \
    {"label", "b.label", "as reports print it"},                               \
    {"module", SHOWN_MODULE, "it is in"},                                      \
    {"kind", "ck.name", "native, managed, script, kernel or unknown"},         \
    {"file", "nullif(f.file, '')", "of the source, or NULL"},                  \
    {"line", "nullif(f.line, 0)", "in it, or NULL"},                           \
    {"tier",                                                                   \
     "CASE WHEN m.id IS NOT NULL THEN"                                         \
     " CASE WHEN o.module IS NULL THEN ct.name ELSE 'precompiled' END END",    \
     "how a method was compiled, in the words of --tier; else NULL"},          \
    {"waits", "b.waits", "1: it only waits"},                                  \
    {"cause", "nc.name", "why it has no name, or NULL"},                       \
    {"function_id", "f.function", "in functions"}

#define FRAME_JOINS                                                            \
    " LEFT JOIN functions n ON n.id = f.function" FUNCTION_JOINS               \
    " LEFT JOIN methods m ON m.id = o.method"                                  \
    " LEFT JOIN code_tiers ct ON ct.id = m.tier"

#define SAMPLE_JOINS                                                           \
    " LEFT JOIN threads t ON t.id = s.thread"                                  \
    " LEFT JOIN processes p ON p.id = t.process"                               \
    " LEFT JOIN stack_ends se ON se.id = s.flags >> 8"

static columns sample = {
    {"id", "s.id", "in samples"},
    SAMPLE_COLUMNS,
    FRAME_COLUMNS,
    {"stack", "s.stack", "in stacks"},
};

static columns frame_of_stack = {
    {"stack", "u.stack", "of samples"},
    {"depth", "u.above + f.id - u.first", "0: innermost"},
    {"inlined", "f.inlined", "1: into the next frame"},
    FRAME_COLUMNS,
};

static columns frame_of_sample = {
    {"sample", "s.id", "in samples"},
    {"depth", "u.above + f.id - u.first", "0: innermost"},
    SAMPLE_COLUMNS,
    {"inlined", "f.inlined", "1: into the next frame"},
    FRAME_COLUMNS,
};

/* `u`: stacks of samples and the locations on them, from the inside out. */
#define STACK_LOCATIONS                                                        \
    "WITH RECURSIVE u(stack, parent, above, location, first, frames) AS ("     \
    "SELECT k.id, k.parent, 0, k.location, lf.first, lf.frames"                \
    " FROM stacks k JOIN location_frames lf ON lf.location = k.location"       \
    " WHERE k.id IN (SELECT stack FROM samples)"                         \
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
    TABLE("samples", samples, "every sample, idle ones too"),
    TABLE("sample_groups", sample_groups,
          "samples counted by thread, stack and flags"),
    TABLE("code_kinds", words, "words for kind"),
    TABLE("name_causes", words, "words for cause"),
    TABLE("code_tiers", words, "words for tier, those of --tier"),
    TABLE("stack_ends", words, "words for the end of a stack, in flags"),
    TABLE("coverage", coverage,
          "how many samples, idle, with complete stacks, without names"),
    TABLE("labels", labels, "what people call functions"),
    TABLE("location_frames", location_frames, "the frames of a location"),
    TABLE("function_counts", function_counts, "counts behind top_functions"),
    TABLE("module_counts", module_counts, "counts behind top_modules"),
    TABLE("call_tree_nodes", call_tree_nodes, "nodes of call_tree"),
    TABLE("call_edges", call_edges, "calls behind callers and callees"),

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
         "a sample and the function it was taken in"),

    VIEW(frame_of_sample, STACK_LOCATIONS,
         "FROM samples s JOIN u ON u.stack = s.stack" SAMPLE_JOINS
         STACK_FRAMES " WHERE NOT s.flags & 1",
         "a sample and a function on its stack"),

    VIEW(call_tree, NULL,
         "FROM call_tree_nodes n"
         " LEFT JOIN function_labels l ON l.function = n.function"
         " ORDER BY n.id",
         "the tree of calls, from the outermost callers down"),

    VIEW(callers, NULL,
         "FROM call_edges e"
         " JOIN function_labels f ON f.function = e.callee"
         " LEFT JOIN function_labels c ON c.function = e.caller"
         " ORDER BY f.name, f.module, e.samples DESC, c.name, e.id",
         "a function and one that called it"),

    VIEW(callees, NULL,
         "FROM call_edges e"
         " JOIN function_labels f ON f.function = e.caller"
         " JOIN function_labels c ON c.function = e.callee"
         " ORDER BY f.name, f.module, e.samples DESC, c.name, e.id",
         "a function and one it called"),

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
         "how far to trust the rest"),

    VIEW(function_labels, NULL, "FROM functions n" FUNCTION_JOINS,
         "functions as reports print them"),

    VIEW(frame_of_stack, STACK_LOCATIONS, "FROM u" STACK_FRAMES,
         "a stack of samples and a function on it"),

    {NULL, NULL, NULL, 0, NULL, NULL},
};
