#include "engine/store/schema.h"

#include <string.h>

#define COLUMN(type, name, member, kind)                                       \
    {                                                                          \
        name, kind, offsetof(type, member), 0                                  \
    }
#define REF(type, name, member, kind, table)                                   \
    {                                                                          \
        name, kind, offsetof(type, member), table                              \
    }

static const struct store_column trace_columns[] = {
    COLUMN(struct profile, "format", trace.format, COLUMN_TEXT),
    COLUMN(struct profile, "metric", trace.metric.word, COLUMN_TEXT),
    COLUMN(struct profile, "interval_ns", trace.interval_ns, COLUMN_I64),
    COLUMN(struct profile, "start_unix_ns", trace.start_unix_ns, COLUMN_I64),
    COLUMN(struct profile, "duration_ns", trace.duration_ns, COLUMN_I64),
    COLUMN(struct profile, "cpus", trace.cpus, COLUMN_U32),
    COLUMN(struct profile, "pointer_size", trace.pointer_size, COLUMN_U32),
    COLUMN(struct profile, "os", trace.os, COLUMN_TEXT),
    COLUMN(struct profile, "machine", trace.machine, COLUMN_TEXT),
    COLUMN(struct profile, "events", trace.events, COLUMN_U64),
};

static const struct store_column quality_columns[] = {
    COLUMN(struct profile, "lost_events", quality.lost_events, COLUMN_U64),
    COLUMN(struct profile, "lost_buffers", quality.lost_buffers, COLUMN_U64),
    COLUMN(struct profile, "skipped_bytes", quality.skipped_bytes, COLUMN_U64),
    COLUMN(struct profile, "skipped_ranges", quality.skipped_ranges,
           COLUMN_U64),
    COLUMN(struct profile, "malformed_records", quality.malformed, COLUMN_U64),
    COLUMN(struct profile, "event_stacks", quality.event_stacks,
           COLUMN_U64),
    COLUMN(struct profile, "undefined_keys", quality.undefined_keys,
           COLUMN_U64),
    COLUMN(struct profile, "cut_stacks", quality.cut_stacks, COLUMN_U64),
};

static const struct store_column trace_file_columns[] = {
    {"path", COLUMN_TEXT, 0, 0},
};

static const struct store_column trace_input_columns[] = {
    COLUMN(struct trace_input, "name", name, COLUMN_TEXT),
    COLUMN(struct trace_input, "from_ns", from, COLUMN_I64),
    COLUMN(struct trace_input, "to_ns", to, COLUMN_I64),
};

static const struct store_column event_count_columns[] = {
    COLUMN(struct event_count, "name", name, COLUMN_TEXT),
    COLUMN(struct event_count, "events", count, COLUMN_U64),
};

static const struct store_column trace_fact_columns[] = {
    COLUMN(struct trace_fact, "name", name, COLUMN_TEXT),
    COLUMN(struct trace_fact, "value", value, COLUMN_TEXT),
    COLUMN(struct trace_fact, "caveat", caveat, COLUMN_BOOL),
};

static const struct store_column trace_content_columns[] = {
    COLUMN(struct trace_content, "name", name, COLUMN_TEXT),
    COLUMN(struct trace_content, "kind", kind, COLUMN_TEXT),
    COLUMN(struct trace_content, "size", size, COLUMN_U64),
    COLUMN(struct trace_content, "used", used, COLUMN_BOOL),
    COLUMN(struct trace_content, "note", note, COLUMN_TEXT),
};

static const struct store_column skipped_columns[] = {
    COLUMN(struct skipped, "file", file, COLUMN_TEXT),
    COLUMN(struct skipped, "offset", offset, COLUMN_U64),
    COLUMN(struct skipped, "size", size, COLUMN_U64),
    COLUMN(struct skipped, "reason", reason, COLUMN_TEXT),
};

static const struct store_column warning_columns[] = {
    {"message", COLUMN_TEXT, 0, 0},
};

static const struct store_column process_columns[] = {
    COLUMN(struct process, "pid", pid, COLUMN_U32),
    COLUMN(struct process, "parent_pid", parent_pid, COLUMN_U32),
    COLUMN(struct process, "start_ns", start, COLUMN_START),
    COLUMN(struct process, "end_ns", end, COLUMN_END),
    COLUMN(struct process, "name", name, COLUMN_TEXT),
    COLUMN(struct process, "command_line", command_line, COLUMN_TEXT),
};

static const struct store_column thread_columns[] = {
    COLUMN(struct thread, "tid", tid, COLUMN_U32),
    REF(struct thread, "process", process, COLUMN_REF, TABLE_PROCESSES),
    COLUMN(struct thread, "start_ns", start, COLUMN_START),
    COLUMN(struct thread, "end_ns", end, COLUMN_END),
    COLUMN(struct thread, "name", name, COLUMN_TEXT),
};

static const struct store_column module_columns[] = {
    COLUMN(struct module, "path", path, COLUMN_TEXT),
    COLUMN(struct module, "name", name, COLUMN_TEXT),
    COLUMN(struct module, "managed", managed, COLUMN_BOOL),
    COLUMN(struct module, "by_file_offset", by_file_offset, COLUMN_BOOL),
    COLUMN(struct module, "area", area, COLUMN_TEXT),
    COLUMN(struct module, "pdb_name", identity.pdb_name, COLUMN_TEXT),
    COLUMN(struct module, "pdb_guid", identity.guid, COLUMN_GUID),
    COLUMN(struct module, "pdb_age", identity.age, COLUMN_U32),
    COLUMN(struct module, "pe_timestamp", identity.timestamp, COLUMN_U32),
    COLUMN(struct module, "pe_size", identity.image_size, COLUMN_U32),
    COLUMN(struct module, "build_id", identity, COLUMN_BUILD_ID),
    COLUMN(struct module, "version", version, COLUMN_TEXT),
    COLUMN(struct module, "symbols", symbols, COLUMN_TEXT),
};

static const struct store_column mapping_columns[] = {
    REF(struct mapping, "process", process, COLUMN_REF_OR_NONE,
        TABLE_PROCESSES),
    REF(struct mapping, "module", module, COLUMN_REF, TABLE_MODULES),
    COLUMN(struct mapping, "base", base, COLUMN_U64),
    COLUMN(struct mapping, "size", size, COLUMN_U64),
    COLUMN(struct mapping, "rva", rva, COLUMN_U64),
    COLUMN(struct mapping, "from_ns", from, COLUMN_START),
    COLUMN(struct mapping, "to_ns", to, COLUMN_END),
};

static const struct store_column method_columns[] = {
    REF(struct method, "process", process, COLUMN_REF, TABLE_PROCESSES),
    COLUMN(struct method, "start", start, COLUMN_U64),
    COLUMN(struct method, "size", size, COLUMN_U64),
    COLUMN(struct method, "from_ns", from, COLUMN_START),
    COLUMN(struct method, "to_ns", to, COLUMN_END),
    COLUMN(struct method, "space", space, COLUMN_TEXT),
    COLUMN(struct method, "name", name, COLUMN_TEXT),
    COLUMN(struct method, "signature", signature, COLUMN_TEXT),
    COLUMN(struct method, "full_name", full_name, COLUMN_TEXT),
    REF(struct method, "module", module, COLUMN_REF_OR_NONE, TABLE_MODULES),
    COLUMN(struct method, "token", token, COLUMN_U32),
    COLUMN(struct method, "tier", tier, COLUMN_U8),
};

static const struct store_column location_columns[] = {
    REF(struct location, "module", module, COLUMN_REF_OR_NONE, TABLE_MODULES),
    REF(struct location, "method", method, COLUMN_REF_OR_NONE, TABLE_METHODS),
    COLUMN(struct location, "address", address, COLUMN_U64),
    REF(struct location, "kind", kind, COLUMN_REF8, TABLE_CODE_KINDS),
    REF(struct location, "cause", cause, COLUMN_REF8, TABLE_NAME_CAUSES),
    COLUMN(struct location, "caller", caller, COLUMN_BOOL),
};

static const struct store_column function_columns[] = {
    COLUMN(struct function, "name", name, COLUMN_TEXT),
    COLUMN(struct function, "module", module, COLUMN_TEXT),
    COLUMN(struct function, "address", address, COLUMN_U64),
    REF(struct function, "kind", kind, COLUMN_REF8, TABLE_CODE_KINDS),
    REF(struct function, "cause", cause, COLUMN_REF8, TABLE_NAME_CAUSES),
};

static const struct store_column frame_columns[] = {
    {"location", COLUMN_LOCATION, 0, TABLE_LOCATIONS},
    REF(struct frame, "function", function, COLUMN_REF, TABLE_FUNCTIONS),
    COLUMN(struct frame, "file", file, COLUMN_TEXT),
    COLUMN(struct frame, "line", line, COLUMN_U32),
    COLUMN(struct frame, "inlined", inlined, COLUMN_BOOL),
};

static const struct store_column stack_columns[] = {
    REF(struct stack, "parent", parent, COLUMN_PARENT, TABLE_STACKS),
    REF(struct stack, "location", location, COLUMN_REF, TABLE_LOCATIONS),
};

/* The three ways to the rows of a vector of the profile. */
#define ROWS(name, vec)                                                        \
    static size_t name##_count(const struct profile *p)                        \
    {                                                                          \
        return p->vec.len;                                                     \
    }                                                                          \
    static const void *name##_row(const struct profile *p, size_t id)          \
    {                                                                          \
        return &p->vec.data[id];                                               \
    }                                                                          \
    static void *name##_add(struct profile *p)                                 \
    {                                                                          \
        return memset(vec_add(&p->vec), 0, sizeof(*p->vec.data));              \
    }

ROWS(trace_file, trace.files)
ROWS(trace_input, trace.inputs)
ROWS(event_count, trace.event_counts)
ROWS(trace_fact, trace.facts)
ROWS(trace_content, trace.contents)
ROWS(skipped, quality.skipped)
ROWS(warning, quality.warnings)
ROWS(process, processes)
ROWS(thread, threads)
ROWS(module, modules)
ROWS(mapping, mappings)
ROWS(method, methods)
ROWS(location, locations)
ROWS(function, functions)
ROWS(frame, frames)
ROWS(stack, stacks)

/* The profile itself, for tables of one row. */
static size_t profile_count(const struct profile *p)
{
    (void)p;
    return 1;
}

static const void *profile_row(const struct profile *p, size_t id)
{
    (void)id;
    return p;
}

static void *profile_add(struct profile *p)
{
    return p;
}

#define TABLE(name, one, rows, first)                                          \
    {                                                                          \
        name, one##_columns, sizeof(one##_columns) / sizeof(*one##_columns),   \
            first, rows##_count, rows##_row, rows##_add                        \
    }

/* A table stands after those its columns refer to. */
const struct store_table store_tables[STORE_TABLES] = {
    [TABLE_TRACE] = TABLE("trace", trace, profile, 0),
    [TABLE_QUALITY] = TABLE("quality", quality, profile, 0),
    [TABLE_TRACE_FILES] = TABLE("trace_files", trace_file, trace_file, 0),
    [TABLE_TRACE_INPUTS] =
        TABLE("trace_inputs", trace_input, trace_input, 0),
    [TABLE_EVENT_COUNTS] = TABLE("event_counts", event_count, event_count, 0),
    [TABLE_TRACE_FACTS] = TABLE("trace_facts", trace_fact, trace_fact, 0),
    [TABLE_TRACE_CONTENTS] =
        TABLE("trace_contents", trace_content, trace_content, 0),
    [TABLE_SKIPPED] = TABLE("skipped", skipped, skipped, 0),
    [TABLE_WARNINGS] = TABLE("warnings", warning, warning, 0),
    [TABLE_PROCESSES] = TABLE("processes", process, process, 0),
    [TABLE_THREADS] = TABLE("threads", thread, thread, 0),
    [TABLE_MODULES] = TABLE("modules", module, module, 0),
    [TABLE_MAPPINGS] = TABLE("mappings", mapping, mapping, 0),
    [TABLE_METHODS] = TABLE("methods", method, method, 0),
    [TABLE_LOCATIONS] = TABLE("locations", location, location, 0),
    [TABLE_FUNCTIONS] = TABLE("functions", function, function, 0),
    [TABLE_FRAMES] = TABLE("frames", frame, frame, 0),
    /* Stack 0 is in every profile and needs no row. */
    [TABLE_STACKS] = TABLE("stacks", stack, stack, 1),
};

static const char *table_name(enum store_table_id table)
{
    if (table == TABLE_CODE_KINDS)
        return "code_kinds";
    return table == TABLE_NAME_CAUSES ? "name_causes"
                                      : store_tables[table].name;
}

size_t store_table_count(const struct profile *p, enum store_table_id table)
{
    if (table == TABLE_CODE_KINDS)
        return CODE_KINDS;
    return table == TABLE_NAME_CAUSES ? CAUSE_KINDS
                                      : store_tables[table].count(p);
}

/* "INTEGER NOT NULL REFERENCES processes" */
static void column_type(const struct store_column *c, struct out *out)
{
    bool null = c->kind == COLUMN_START || c->kind == COLUMN_END ||
                c->kind == COLUMN_REF_OR_NONE || c->kind == COLUMN_PARENT ||
                c->kind == COLUMN_BUILD_ID;

    if (c->kind == COLUMN_TEXT)
        out_str(out, "TEXT");
    else if (c->kind == COLUMN_GUID || c->kind == COLUMN_BUILD_ID)
        out_str(out, "BLOB");
    else
        out_str(out, "INTEGER");
    if (!null)
        out_str(out, " NOT NULL");
    if (c->refers)
        out_fmt(out, " REFERENCES %s", table_name(c->refers));
}

void store_table_sql(const struct store_table *t, struct out *out)
{
    out_fmt(out, "CREATE TABLE %s(id INTEGER PRIMARY KEY", t->name);
    for (size_t i = 0; i < t->width; i++) {
        out_fmt(out, ", %s ", t->columns[i].name);
        column_type(&t->columns[i], out);
    }
    out_char(out, ')');
}
