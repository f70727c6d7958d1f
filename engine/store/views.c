/*
 * The sample tables, the computed tables and the views of a database.
 *
 * Computed tables are filled at import by store/counts.c so that views are
 * quick. They and the views leave idle samples out, as reports do.
 */
#include "engine/store/schema.h"

/* Not for clang-format, which takes SQL for one long string. */
/* clang-format off */

/* In order of time; id counts from 1. flags are enum sample_flags. */
const char store_samples_sql[] =
    "CREATE TABLE samples(id INTEGER PRIMARY KEY,"
    " time_ns INTEGER NOT NULL,"
    " thread INTEGER NOT NULL REFERENCES threads,"
    " stack INTEGER NOT NULL REFERENCES stacks,"
    " cpu INTEGER NOT NULL,"
    " flags INTEGER NOT NULL,"
    " weight INTEGER NOT NULL DEFAULT 1)";

/* The same samples counted by all that most reports ask for. */
const char store_groups_sql[] =
    "CREATE TABLE sample_groups(id INTEGER PRIMARY KEY,"
    " thread INTEGER NOT NULL REFERENCES threads,"
    " stack INTEGER NOT NULL REFERENCES stacks,"
    " flags INTEGER NOT NULL,"
    " samples INTEGER NOT NULL)";

#define PERCENT(count)                                                         \
    "round(100.0 * " count " /"                                                \
    " (SELECT samples FROM coverage WHERE name = 'samples'), 2)"

const char *const store_computed_sql[] = {
    "CREATE TABLE code_kinds(id INTEGER PRIMARY KEY, name TEXT NOT NULL)",

    "CREATE TABLE name_causes(id INTEGER PRIMARY KEY, name TEXT NOT NULL)",

    "CREATE TABLE coverage(id INTEGER PRIMARY KEY, name TEXT NOT NULL,"
    " samples INTEGER NOT NULL)",

    "CREATE TABLE function_counts(function INTEGER PRIMARY KEY"
    " REFERENCES functions,"
    " exclusive INTEGER NOT NULL, inclusive INTEGER NOT NULL)",

    "CREATE TABLE module_counts(id INTEGER PRIMARY KEY, name TEXT NOT NULL,"
    " exclusive INTEGER NOT NULL, inclusive INTEGER NOT NULL)",

    "CREATE TABLE call_tree_nodes(id INTEGER PRIMARY KEY,"
    " parent INTEGER REFERENCES call_tree_nodes,"
    " depth INTEGER NOT NULL,"
    " function INTEGER REFERENCES functions,"
    " exclusive INTEGER NOT NULL, inclusive INTEGER NOT NULL,"
    " inlined_exclusive INTEGER NOT NULL,"
    " inlined_inclusive INTEGER NOT NULL)",

    "CREATE TABLE call_edges(id INTEGER PRIMARY KEY,"
    " caller INTEGER REFERENCES functions,"
    " callee INTEGER NOT NULL REFERENCES functions,"
    " samples INTEGER NOT NULL)",

    "CREATE VIEW function_labels AS SELECT"
    " f.id AS function,"
    " CASE WHEN f.name <> '' THEN f.name"
    " WHEN f.module <> '' THEN printf('%s!+0x%x', f.module, f.address)"
    " ELSE printf('0x%x', f.address) END AS name,"
    " CASE f.module WHEN '' THEN '[unknown]' ELSE f.module END AS module,"
    " k.name AS kind"
    " FROM functions f"
    " JOIN code_kinds k ON k.id = f.kind",

    "CREATE VIEW top_functions AS SELECT"
    " c.exclusive, " PERCENT("c.exclusive") " AS exclusive_percent,"
    " c.inclusive, " PERCENT("c.inclusive") " AS inclusive_percent,"
    " l.name AS function, l.module, l.kind, c.function AS function_id"
    " FROM function_counts c"
    " JOIN function_labels l ON l.function = c.function"
    " ORDER BY c.exclusive DESC, l.name, l.module, c.function",

    "CREATE VIEW top_modules AS SELECT"
    " exclusive, " PERCENT("exclusive") " AS exclusive_percent,"
    " inclusive, " PERCENT("inclusive") " AS inclusive_percent,"
    " name AS module"
    " FROM module_counts"
    " ORDER BY id",

    "CREATE VIEW call_tree AS SELECT"
    " n.id, n.parent, n.depth,"
    " n.inclusive, " PERCENT("n.inclusive") " AS inclusive_percent,"
    " n.exclusive,"
    " coalesce(l.name, '[root]') AS function, l.module,"
    " n.function AS function_id"
    " FROM call_tree_nodes n"
    " LEFT JOIN function_labels l ON l.function = n.function"
    " ORDER BY n.id",

    "CREATE VIEW callers AS SELECT"
    " f.name AS function, f.module,"
    " e.samples, " PERCENT("e.samples") " AS percent,"
    " c.name AS caller, c.module AS caller_module,"
    " e.callee AS function_id, e.caller AS caller_id"
    " FROM call_edges e"
    " JOIN function_labels f ON f.function = e.callee"
    " LEFT JOIN function_labels c ON c.function = e.caller"
    " ORDER BY f.name, f.module, e.samples DESC, c.name, e.id",

    "CREATE VIEW callees AS SELECT"
    " f.name AS function, f.module,"
    " e.samples, " PERCENT("e.samples") " AS percent,"
    " c.name AS callee, c.module AS callee_module,"
    " e.caller AS function_id, e.callee AS callee_id"
    " FROM call_edges e"
    " JOIN function_labels f ON f.function = e.caller"
    " JOIN function_labels c ON c.function = e.callee"
    " ORDER BY f.name, f.module, e.samples DESC, c.name, e.id",

    "CREATE VIEW trace_quality AS"
    " SELECT name, samples AS value FROM coverage"
    " UNION ALL SELECT 'lost_events', lost_events FROM quality"
    " UNION ALL SELECT 'lost_buffers', lost_buffers FROM quality"
    " UNION ALL SELECT 'skipped_bytes', skipped_bytes FROM quality"
    " UNION ALL SELECT 'skipped_ranges', skipped_ranges FROM quality"
    " UNION ALL SELECT 'malformed_records', malformed_records FROM quality"
    " UNION ALL SELECT 'event_stacks', event_stacks FROM quality"
    " UNION ALL SELECT 'undefined_keys', undefined_keys FROM quality"
    " UNION ALL SELECT 'cut_stacks', cut_stacks FROM quality"
    " UNION ALL SELECT 'warnings', count(*) FROM warnings",

    NULL,
};
