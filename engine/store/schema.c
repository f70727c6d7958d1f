#include "engine/store/schema.h"

#include <string.h>

#define COLUMN(type, name, member, kind, about)                                \
    {                                                                          \
        name, kind, offsetof(type, member), 0, about                           \
    }
#define REF(type, name, member, kind, table, about)                            \
    {                                                                          \
        name, kind, offsetof(type, member), table, about                       \
    }

static const struct store_column trace_columns[] = {
    COLUMN(struct profile, "format", trace.format, COLUMN_TEXT,
           "etl, nettrace, perfdata, vsp"),
    COLUMN(struct profile, "metric", trace.metric.word, COLUMN_TEXT,
           "kind of samples: cpu-samples, ..."),
    COLUMN(struct profile, "unit", trace.metric.unit, COLUMN_TEXT,
           "unit of weights: samples, bytes, nanoseconds, ..."),
    COLUMN(struct profile, "decimals", trace.metric.decimals, COLUMN_U32,
           "decimal places of weights: with 3, 1500 means 1.5 units"),
    COLUMN(struct profile, "adds_up", trace.adds_up, COLUMN_BOOL,
           "1: a weight is a number of equal samples"),
    COLUMN(struct profile, "period_of", trace.period_of, COLUMN_TEXT,
           "event whose samples have periods"),
    COLUMN(struct profile, "interval_ns", trace.interval_ns, COLUMN_I64,
           "interval between samples; 0: unknown"),
    COLUMN(struct profile, "start_unix_ns", trace.start_unix_ns, COLUMN_I64,
           "Unix time at time 0, in nanoseconds; 0: unknown"),
    COLUMN(struct profile, "duration_ns", trace.duration_ns, COLUMN_I64,
           "time of the last event"),
    COLUMN(struct profile, "cpus", trace.cpus, COLUMN_U32,
           "number of processors; 0: unknown"),
    COLUMN(struct profile, "pointer_size", trace.pointer_size, COLUMN_U32,
           "4 or 8 bytes"),
    COLUMN(struct profile, "os", trace.os, COLUMN_TEXT,
           "system of the recorded machine"),
    COLUMN(struct profile, "machine", trace.machine, COLUMN_TEXT,
           "name of the recorded machine"),
    COLUMN(struct profile, "events", trace.events, COLUMN_U64,
           "number of all events in the trace"),
};

static const struct store_column quality_columns[] = {
    COLUMN(struct profile, "lost_events", quality.lost_events, COLUMN_U64,
           "events lost, as the recorder states"),
    COLUMN(struct profile, "lost_buffers", quality.lost_buffers, COLUMN_U64,
           "buffers lost, as the recorder states"),
    COLUMN(struct profile, "skipped_bytes", quality.skipped_bytes, COLUMN_U64,
           "bytes that could not be read"),
    COLUMN(struct profile, "skipped_ranges", quality.skipped_ranges, COLUMN_U64,
           "ranges of such bytes"),
    COLUMN(struct profile, "malformed_records", quality.malformed, COLUMN_U64,
           "damaged records of known types"),
    COLUMN(struct profile, "event_stacks", quality.event_stacks, COLUMN_U64,
           "call stacks of other events than samples"),
    COLUMN(struct profile, "undefined_keys", quality.undefined_keys, COLUMN_U64,
           "stack keys that no record defines"),
    COLUMN(struct profile, "cut_stacks", quality.cut_stacks, COLUMN_U64,
           "distinct stacks that were too deep, and truncated"),
    COLUMN(struct profile, "negative_values", quality.negative_values,
           COLUMN_U64,
           "negative values left out (in a difference of two profiles)"),
};

static const struct store_column trace_file_columns[] = {
    {"path", COLUMN_TEXT, 0, 0, "path as given"},
};

static const struct store_column trace_input_columns[] = {
    COLUMN(struct trace_input, "name", name, COLUMN_TEXT, "file name"),
    COLUMN(struct trace_input, "from_ns", from, COLUMN_I64,
           "begin of its time range"),
    COLUMN(struct trace_input, "to_ns", to, COLUMN_I64,
           "end of its time range"),
};

static const struct store_column event_count_columns[] = {
    COLUMN(struct event_count, "name", name, COLUMN_TEXT,
           "PerfInfo/Sample, ..."),
    COLUMN(struct event_count, "events", count, COLUMN_U64, "number of events"),
};

static const struct store_column trace_fact_columns[] = {
    COLUMN(struct trace_fact, "name", name, COLUMN_TEXT, "name of the fact"),
    COLUMN(struct trace_fact, "value", value, COLUMN_TEXT, "value as text"),
    COLUMN(struct trace_fact, "field", field, COLUMN_TEXT,
           "name of the field in the format"),
    COLUMN(struct trace_fact, "number", number, COLUMN_U64,
           "value of a number; 0 for no, 1 for yes"),
    COLUMN(struct trace_fact, "type", type, COLUMN_U8,
           "0: text, 1: number, 2: no or yes"),
    COLUMN(struct trace_fact, "caveat", caveat, COLUMN_BOOL,
           "1: a limit of what the samples can show"),
};

static const struct store_column trace_content_columns[] = {
    COLUMN(struct trace_content, "name", name, COLUMN_TEXT,
           "file in the container"),
    COLUMN(struct trace_content, "kind", kind, COLUMN_TEXT,
           "trace, symbols, other"),
    COLUMN(struct trace_content, "size", size, COLUMN_U64,
           "unpacked size in bytes"),
    COLUMN(struct trace_content, "used", used, COLUMN_BOOL, "1: it was read"),
    COLUMN(struct trace_content, "note", note, COLUMN_TEXT,
           "how its kind was decided, or what was wrong"),
};

static const struct store_column skipped_columns[] = {
    COLUMN(struct skipped, "file", file, COLUMN_TEXT, "input file"),
    COLUMN(struct skipped, "offset", offset, COLUMN_U64,
           "offset of the first byte"),
    COLUMN(struct skipped, "size", size, COLUMN_U64, "number of bytes"),
    COLUMN(struct skipped, "reason", reason, COLUMN_TEXT, "reason"),
};

static const struct store_column warning_columns[] = {
    {"message", COLUMN_TEXT, 0, 0, "text of the warning"},
};

static const struct store_column process_columns[] = {
    COLUMN(struct process, "pid", pid, COLUMN_U32, "process id"),
    COLUMN(struct process, "parent_pid", parent_pid, COLUMN_U32,
           "id of the parent process"),
    COLUMN(struct process, "start_ns", start, COLUMN_START,
           "start; NULL: before the trace"),
    COLUMN(struct process, "end_ns", end, COLUMN_END,
           "end; NULL: after the trace"),
    COLUMN(struct process, "name", name, COLUMN_TEXT, "name of its image"),
    COLUMN(struct process, "command_line", command_line, COLUMN_TEXT,
           "command line, as recorded"),
};

static const struct store_column thread_columns[] = {
    COLUMN(struct thread, "tid", tid, COLUMN_U32, "thread id"),
    REF(struct thread, "process", process, COLUMN_REF, TABLE_PROCESSES,
        "its process"),
    COLUMN(struct thread, "start_ns", start, COLUMN_START,
           "start; NULL: before the trace"),
    COLUMN(struct thread, "end_ns", end, COLUMN_END,
           "end; NULL: after the trace"),
    COLUMN(struct thread, "name", name, COLUMN_TEXT, "name, if it has one"),
};

static const struct store_column collection_columns[] = {
    REF(struct collection, "process", process, COLUMN_REF, TABLE_PROCESSES,
        "its process"),
    COLUMN(struct collection, "number", number, COLUMN_U32,
           "number, as the runtime counts"),
    COLUMN(struct collection, "start_ns", start, COLUMN_START, "start"),
    COLUMN(struct collection, "generation", generation, COLUMN_U8,
           "oldest generation that is collected; 255: not told"),
    COLUMN(struct collection, "kind", kind, COLUMN_U8,
           "0: blocking, 1: background, 2: foreground; 3 on: Java"),
    COLUMN(struct collection, "reason", reason, COLUMN_U8,
           "the runtime's number for why it began"),
    COLUMN(struct collection, "duration_ns", lasted, COLUMN_U64_OR_NONE,
           "time to its end"),
    COLUMN(struct collection, "pause_ns", paused, COLUMN_U64_OR_NONE,
           "time for which threads stood still"),
    COLUMN(struct collection, "longest_pause_ns", longest, COLUMN_U64_OR_NONE,
           "the longest of its pauses"),
    COLUMN(struct collection, "before_bytes", before, COLUMN_U64_OR_NONE,
           "size of the heap before it"),
    COLUMN(struct collection, "after_bytes", after, COLUMN_U64_OR_NONE,
           "size of the heap after it"),
    COLUMN(struct collection, "promoted_bytes", promoted, COLUMN_U64_OR_NONE,
           "bytes that survived into an older generation"),
};

static const struct store_column module_columns[] = {
    COLUMN(struct module, "path", path, COLUMN_TEXT,
           "path on the recorded machine"),
    COLUMN(struct module, "name", name, COLUMN_TEXT, "last part of the path"),
    COLUMN(struct module, "managed", managed, COLUMN_BOOL,
           "1: an assembly, of which only the name is known"),
    COLUMN(struct module, "by_file_offset", by_file_offset, COLUMN_BOOL,
           "1: addresses in it are file offsets"),
    COLUMN(struct module, "area", area, COLUMN_TEXT,
           "name for generated code, if the trace has no images"),
    COLUMN(struct module, "pdb_name", identity.pdb_name, COLUMN_TEXT,
           "name of its PDB"),
    COLUMN(struct module, "pdb_guid", identity.guid, COLUMN_GUID,
           "GUID of its PDB, 16 bytes as in the file"),
    COLUMN(struct module, "pdb_age", identity.age, COLUMN_U32,
           "age of its PDB"),
    COLUMN(struct module, "pe_timestamp", identity.timestamp, COLUMN_U32,
           "time stamp of a PE image; 0: unknown"),
    COLUMN(struct module, "pe_size", identity.image_size, COLUMN_U32,
           "size of a PE image; 0: unknown"),
    COLUMN(struct module, "build_id", identity, COLUMN_BUILD_ID,
           "build ID of an ELF file, or NULL"),
    COLUMN(struct module, "version", version, COLUMN_TEXT,
           "version of the file"),
    COLUMN(struct module, "maker", maker, COLUMN_TEXT,
           "company and product, or the key token of an assembly"),
    COLUMN(struct module, "symbols", symbols, COLUMN_TEXT,
           "file that its names came from"),
};

static const struct store_column mapping_columns[] = {
    REF(struct mapping, "process", process, COLUMN_REF_OR_NONE, TABLE_PROCESSES,
        "process; NULL: kernel, in all processes"),
    REF(struct mapping, "module", module, COLUMN_REF, TABLE_MODULES,
        "mapped module"),
    COLUMN(struct mapping, "base", base, COLUMN_U64, "first address"),
    COLUMN(struct mapping, "size", size, COLUMN_U64, "size in bytes"),
    COLUMN(struct mapping, "rva", rva, COLUMN_U64,
           "address in the module that is mapped at base"),
    COLUMN(struct mapping, "from_ns", from, COLUMN_START,
           "start; NULL: before the trace"),
    COLUMN(struct mapping, "to_ns", to, COLUMN_END,
           "end; NULL: after the trace"),
};

static const struct store_column method_columns[] = {
    REF(struct method, "process", process, COLUMN_REF, TABLE_PROCESSES,
        "process that compiled it"),
    COLUMN(struct method, "start", start, COLUMN_U64, "address of its code"),
    COLUMN(struct method, "size", size, COLUMN_U64,
           "size of its code in bytes"),
    COLUMN(struct method, "from_ns", from, COLUMN_START,
           "start; NULL: before the trace"),
    COLUMN(struct method, "to_ns", to, COLUMN_END,
           "end; NULL: after the trace"),
    COLUMN(struct method, "space", space, COLUMN_TEXT, "namespace and type"),
    COLUMN(struct method, "name", name, COLUMN_TEXT, "name without the type"),
    COLUMN(struct method, "signature", signature, COLUMN_TEXT,
           "signature, as the runtime writes it"),
    COLUMN(struct method, "full_name", full_name, COLUMN_TEXT,
           "type, name and signature"),
    REF(struct method, "module", module, COLUMN_REF_OR_NONE, TABLE_MODULES,
        "its assembly, or NULL"),
    COLUMN(struct method, "token", token, COLUMN_U32,
           "token in the assembly's metadata"),
    COLUMN(struct method, "method_id", method_id, COLUMN_U64,
           "the runtime's handle of the method; 0: unknown"),
    COLUMN(struct method, "module_id", module_id, COLUMN_U64,
           "the runtime's handle of its module; 0: unknown"),
    COLUMN(struct method, "tier", tier, COLUMN_U8,
           "JIT tier, id in code_tiers"),
};

static const struct store_column location_columns[] = {
    REF(struct location, "module", module, COLUMN_REF_OR_NONE, TABLE_MODULES,
        "image, or NULL"),
    REF(struct location, "method", method, COLUMN_REF_OR_NONE, TABLE_METHODS,
        "method, or NULL"),
    COLUMN(struct location, "address", address, COLUMN_U64,
           "RVA in the module, offset in the method, or address"),
    REF(struct location, "kind", kind, COLUMN_REF8, TABLE_CODE_KINDS,
        "kind of code"),
    REF(struct location, "cause", cause, COLUMN_REF8, TABLE_NAME_CAUSES,
        "why it has no name"),
    COLUMN(struct location, "caller", caller, COLUMN_BOOL,
           "1: a return address"),
};

static const struct store_column function_columns[] = {
    COLUMN(struct function, "name", name, COLUMN_TEXT,
           "name; empty: code without a name"),
    COLUMN(struct function, "module", module, COLUMN_TEXT,
           "module shown beside it"),
    COLUMN(struct function, "address", address, COLUMN_U64,
           "first address, 0: unknown; of unnamed code, its address"),
    REF(struct function, "kind", kind, COLUMN_REF8, TABLE_CODE_KINDS,
        "kind of code"),
    REF(struct function, "cause", cause, COLUMN_REF8, TABLE_NAME_CAUSES,
        "why it has no name"),
};

static const struct store_column frame_columns[] = {
    {"location", COLUMN_LOCATION, 0, TABLE_LOCATIONS, "its location"},
    REF(struct frame, "function", function, COLUMN_REF, TABLE_FUNCTIONS,
        "its function"),
    COLUMN(struct frame, "file", file, COLUMN_TEXT, "source file, or empty"),
    COLUMN(struct frame, "line", line, COLUMN_U32, "source line; 0: unknown"),
    COLUMN(struct frame, "inlined", inlined, COLUMN_BOOL,
           "1: inlined into the next frame of the location"),
};

static const struct store_column stack_columns[] = {
    REF(struct stack, "parent", parent, COLUMN_PARENT, TABLE_STACKS,
        "stack of the caller; NULL: root frame"),
    REF(struct stack, "location", location, COLUMN_REF, TABLE_LOCATIONS,
        "location of this frame"),
};

/* The three ways to the rows of a vector of the profile. */
#define ROWS(name, vec)                                                        \
    static size_t name##_count(const struct profile *p)                        \
    {                                                                          \
        return p->vec.len;                                                     \
    }                                                                          \
    static const void *name##_row(const struct profile *p, size_t id,          \
                                  struct method *room)                         \
    {                                                                          \
        (void)room;                                                            \
        return &p->vec.data[id];                                               \
    }                                                                          \
    static void *name##_add(struct profile *p, struct method *room)            \
    {                                                                          \
        (void)room;                                                            \
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
ROWS(collection, collections)
ROWS(module, modules)
ROWS(mapping, mappings)
ROWS(location, locations)
ROWS(function, functions)
ROWS(frame, frames)
ROWS(stack, stacks)

/* Methods are put together, and taken apart. */
static size_t method_count(const struct profile *p)
{
    return p->methods.len;
}

static const void *method_row(const struct profile *p, size_t id,
                              struct method *room)
{
    *room = methods_get(&p->methods, (uint32_t)id);
    return room;
}

static void *method_add(struct profile *p, struct method *room)
{
    (void)p;
    return memset(room, 0, sizeof(*room));
}

static void method_end(struct profile *p, const struct method *room)
{
    methods_add(&p->methods, room);
}

/* The profile itself, for tables of one row. */
static size_t profile_count(const struct profile *p)
{
    (void)p;
    return 1;
}

static const void *profile_row(const struct profile *p, size_t id,
                               struct method *room)
{
    (void)id;
    (void)room;
    return p;
}

static void *profile_add(struct profile *p, struct method *room)
{
    (void)room;
    return p;
}

#define COLUMNS(one)                                                           \
    one##_columns, sizeof(one##_columns) / sizeof(*one##_columns)
#define TABLE(name, one, rows, about)                                          \
    {                                                                          \
        name, about, COLUMNS(one), 0, rows##_count, rows##_row, rows##_add,    \
            NULL                                                               \
    }
/* A table stands after those its columns refer to. */
const struct store_table store_tables[STORE_TABLES] = {
    [TABLE_TRACE] = TABLE("trace", trace, profile, "the trace, one row"),
    [TABLE_QUALITY] =
        TABLE("quality", quality, profile, "losses and damage, one row"),
    [TABLE_TRACE_FILES] =
        TABLE("trace_files", trace_file, trace_file, "files of the trace"),
    [TABLE_TRACE_INPUTS] = TABLE("trace_inputs", trace_input, trace_input,
                                 "profiles that topfn merge joined"),
    [TABLE_EVENT_COUNTS] = TABLE("event_counts", event_count, event_count,
                                 "number of events by name"),
    [TABLE_TRACE_FACTS] = TABLE("trace_facts", trace_fact, trace_fact,
                                "other facts from the trace's header"),
    [TABLE_TRACE_CONTENTS] =
        TABLE("trace_contents", trace_content, trace_content,
              "files in the trace's container"),
    [TABLE_SKIPPED] =
        TABLE("skipped", skipped, skipped,
              "ranges of bytes that could not be read, the first 100"),
    [TABLE_WARNINGS] =
        TABLE("warnings", warning, warning, "warnings about the trace"),
    [TABLE_PROCESSES] = TABLE(
        "processes", process, process,
        "lifetimes of processes, a row for each name; a pid can occur twice"),
    [TABLE_THREADS] = TABLE("threads", thread, thread, "lifetimes of threads"),
    [TABLE_COLLECTIONS] = TABLE("collections", collection, collection,
                                "garbage collections of .NET and Java"),
    [TABLE_MODULES] = TABLE("modules", module, module, "images and assemblies"),
    [TABLE_MAPPINGS] = TABLE("mappings", mapping, mapping,
                             "address ranges where modules were mapped"),
    [TABLE_METHODS] = {"methods",
                       "sampled methods, JIT-compiled or precompiled",
                       COLUMNS(method), 0, method_count, method_row, method_add,
                       method_end},
    [TABLE_LOCATIONS] =
        TABLE("locations", location, location, "distinct code addresses"),
    [TABLE_FUNCTIONS] = TABLE("functions", function, function,
                              "functions that reports rank: module and name"),
    [TABLE_FRAMES] =
        TABLE("frames", frame, frame, "frames of locations, leaf frame first"),
    /* Stack 0 is in every profile and needs no row. */
    [TABLE_STACKS] = {"stacks",
                      "call stacks: a location and the stack of its caller",
                      COLUMNS(stack), 1, stack_count, stack_row, stack_add,
                      NULL},
};

const struct store_kind store_kinds[COLUMN_KINDS] = {
    [COLUMN_TEXT] = {.bytes = 4},
    [COLUMN_BOOL] = {.bytes = 1},
    [COLUMN_U8] = {.bytes = 1},
    [COLUMN_U32] = {.bytes = 4},
    [COLUMN_U64] = {.bytes = 8},
    [COLUMN_U64_OR_NONE] = {.bytes = 8, .null = true, .none = -1},
    [COLUMN_I64] = {.bytes = 8},
    [COLUMN_START] = {.bytes = 8, .null = true, .none = TIME_MIN},
    [COLUMN_END] = {.bytes = 8, .null = true, .none = TIME_MAX},
    [COLUMN_REF] = {.bytes = 4},
    [COLUMN_REF_OR_NONE] = {.bytes = 4, .null = true, .none = NO_ID},
    [COLUMN_REF8] = {.bytes = 1},
    [COLUMN_PARENT] = {.bytes = 4, .null = true, .none = 0},
    [COLUMN_BUILD_ID] = {.null = true},
};

int64_t store_number(enum column_kind kind, const void *value)
{
    uint8_t one;
    uint32_t four;
    int64_t eight;

    switch (store_kinds[kind].bytes) {
    case 1:
        memcpy(&one, value, sizeof(one));
        return one;
    case 4:
        memcpy(&four, value, sizeof(four));
        return four;
    default:
        memcpy(&eight, value, sizeof(eight));
        return eight;
    }
}

void store_set_number(enum column_kind kind, void *value, int64_t number)
{
    uint8_t one = (uint8_t)number;
    uint32_t four = (uint32_t)number;

    switch (store_kinds[kind].bytes) {
    case 1:
        memcpy(value, &one, sizeof(one));
        break;
    case 4:
        memcpy(value, &four, sizeof(four));
        break;
    default:
        memcpy(value, &number, sizeof(number));
    }
}

/* SQL of what the schema's tables describe. */

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

/* "CREATE TABLE before.top_functions" */
static void create(const char *what, const char *schema, const char *name,
                   struct out *out)
{
    out_fmt(out, "CREATE %s %s%s%s", what, schema ? schema : "",
            schema ? "." : "", name);
}

void store_table_sql(const struct store_table *t, const char *schema,
                     struct out *out)
{
    create("TABLE", schema, t->name, out);
    out_str(out, "(id INTEGER PRIMARY KEY");
    for (size_t i = 0; i < t->width; i++) {
        const struct store_column *c;

        out_fmt(out, ", %s ", t->columns[i].name);
        /* "INTEGER NOT NULL REFERENCES processes" */
        c = &t->columns[i];
        if (c->kind == COLUMN_TEXT)
            out_str(out, "TEXT");
        else if (c->kind == COLUMN_GUID || c->kind == COLUMN_BUILD_ID)
            out_str(out, "BLOB");
        else
            out_str(out, "INTEGER");
        if (!store_kinds[c->kind].null)
            out_str(out, " NOT NULL");
        if (c->refers)
            out_fmt(out, " REFERENCES %s", table_name(c->refers));
    }
    out_char(out, ')');
}

const struct store_made *store_made_find(const char *name)
{
    for (const struct store_made *m = store_made; m->name; m++)
        if (!strcmp(m->name, name))
            return m;
    return NULL;
}

void store_made_sql(const struct store_made *m, const char *schema,
                    struct out *out)
{
    create(m->from ? "VIEW" : "TABLE", schema, m->name, out);
    if (m->from) {
        out_fmt(out, " AS %s%sSELECT ", m->with ? m->with : "",
                m->with ? " " : "");
        for (size_t i = 0; i < m->width; i++)
            out_fmt(out, "%s%s AS %s", i ? ", " : "", m->columns[i].sql,
                    m->columns[i].name);
        out_fmt(out, " %s", m->from);
        return;
    }
    for (size_t i = 0; i < m->width; i++)
        out_fmt(out, "%s%s %s", i ? ", " : "(", m->columns[i].name,
                m->columns[i].sql);
    out_char(out, ')');
}

#define ON_CHANGE(what)                                                        \
    "CREATE TRIGGER sample_groups_" what " AFTER " what                        \
    " ON samples BEGIN DELETE FROM sample_groups; END;"

const char store_samples_changed[] =
    ON_CHANGE("INSERT") ON_CHANGE("UPDATE") ON_CHANGE("DELETE");
