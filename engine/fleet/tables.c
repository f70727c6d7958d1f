#include "engine/fleet/tables.h"

#include "engine/fleet/clickhouse.h"

#define ID                                                                     \
    {                                                                          \
        "id", "UInt64", "hash of the other columns"                            \
    }
#define BY_ID                                                                  \
    "ReplacingMergeTree() ORDER BY id SETTINGS index_granularity = 1024"

static const struct fleet_column processes[] = {
    ID,
    {"name", "String", "name of the process"},
};

static const struct fleet_column modules[] = {
    ID,
    {"path", "String", "path on the recorded machine"},
    {"name", "String", "last part of the path"},
    {"version", "String", "version of the file"},
    {"symbols", "String", "file that its names came from"},
    {"area", "String", "name for generated code, if the trace has no images"},
    {"pdb_name", "String", "name of its PDB"},
    {"guid", "String", "GUID of its PDB, 16 bytes"},
    {"age", "UInt32", "age of its PDB"},
    {"timestamp", "UInt32", "time stamp of a PE image"},
    {"image_size", "UInt32", "size of a PE image"},
    {"build_id", "String", "build ID of an ELF image, bytes"},
    {"managed", "UInt8", "1: only its name is known"},
    {"by_file_offset", "UInt8", "1: addresses in it are file offsets"},
    {"without_inlined", "UInt8", "1: its symbols lack inlined calls"},
};

static const struct fleet_column methods[] = {
    ID,
    {"space", "String", "namespace and type"},
    {"name", "String", "name without the type"},
    {"signature", "String", "parameters"},
    {"full_name", "String", "type, name and signature"},
    {"module", "UInt64", "its assembly, or 0"},
    {"size", "UInt64", "size of its code in bytes"},
    {"token", "UInt32", "token in the assembly's metadata"},
    {"tier", "UInt8", "JIT tier"},
};

static const struct fleet_column functions[] = {
    ID,
    {"name", "String", "name; empty: code without a name"},
    {"module", "String", "module shown beside it"},
    {"address", "UInt64", "address of code without a name"},
    {"kind", "UInt8", "native, managed, script, kernel"},
    {"cause", "UInt8", "why it has no name"},
};

static const struct fleet_column locations[] = {
    ID,
    {"module", "UInt64", "image, or 0"},
    {"method", "UInt64", "method, or 0"},
    {"address", "UInt64",
     "RVA in the module, offset in the method, or address"},
    {"kind", "UInt8", "native, managed, script, kernel"},
    {"cause", "UInt8", "why it has no name"},
    {"caller", "UInt8", "1: a return address"},
    {"functions", "Array(UInt64)", "functions of its frames, leaf frame first"},
    {"files", "Array(String)", "source file of each frame"},
    {"lines", "Array(UInt32)", "source line of each frame"},
    {"inlined", "Array(UInt8)", "1: inlined into the next frame"},
};

static const struct fleet_column stacks[] = {
    ID,
    {"process", "UInt64", "its process"},
    {"flags", "UInt16",
     "sum of: idle 1, user frames 8, kernel frames 16, stack 32, 256 times its "
     "end"},
    {"locations", "Array(UInt64)", "locations, root frame first"},
};

static const struct fleet_column samples[] = {
    {"run", "UInt64", "the recording"},
    {"day", "Date", "day on which the recording began"},
    {"stack", "UInt64", "call stack"},
    {"slice", "UInt32", "time slice of the recording, from 0 on"},
    {"weight", "UInt64", "samples, or units of the metric"},
};

static const struct fleet_column runs[] = {
    {"run", "UInt64", "a random number"},
    {"hash", "String", "SHA-256 of the file"},
    {"file", "String", "file name"},
    {"host", "String", "recorded machine"},
    {"os", "String", "system of the recorded machine"},
    {"format", "String", "format of the file"},
    {"metric", "String", "kind of samples"},
    {"time", "DateTime", "when the recording began"},
    {"pushed", "DateTime", "when the recording was sent"},
    {"label_keys", "Array(String)", "keys of its labels, sorted"},
    {"label_values", "Array(String)", "value of each label"},
    {"duration_ns", "UInt64", "duration; 0: unknown"},
    {"interval_ns", "UInt64", "interval between samples; 0: unknown"},
    {"slice_ns", "UInt64", "length of a time slice"},
    {"cpus", "UInt32", "number of processors; 0: unknown"},
    {"pointer_size", "UInt32", "bytes"},
    {"samples", "UInt64", "sum of the weights of its samples"},
    {"selected", "UInt64", "samples that are not idle"},
    {"complete", "UInt64", "such samples with complete stacks"},
    {"unnamed", "UInt64", "such samples in code without a name"},
    {"singles", "UInt8", "1: each sample had a weight of 1"},
    {"idle", "UInt64", "idle samples that were only counted"},
    {"events", "UInt64", "events in the file"},
    {"lost_events", "UInt64", "events that the recorder lost"},
    {"lost_buffers", "UInt64", "buffers that the recorder lost"},
    {"skipped_bytes", "UInt64", "bytes that could not be read"},
    {"skipped_ranges", "UInt64", "ranges of such bytes"},
    {"malformed", "UInt64", "damaged records"},
    {"cut_stacks", "UInt64", "stacks that were too deep"},
};

#define ROW(table_name, phrase, made_by, spread_by)                            \
    {                                                                          \
        .name = #table_name, .about = phrase, .columns = table_name,           \
        .width = sizeof(table_name) / sizeof(*table_name),                     \
        .engine = made_by, .shard = spread_by                                  \
    }

const struct fleet_table fleet_tables[FLEET_TABLES] = {
    [FLEET_PROCESSES] = ROW(processes, "names of processes", BY_ID, "id"),
    [FLEET_MODULES] = ROW(modules, "images and assemblies", BY_ID, "id"),
    [FLEET_METHODS] =
        ROW(methods, "methods that a runtime compiled", BY_ID, "id"),
    [FLEET_FUNCTIONS] =
        ROW(functions, "functions that reports rank", BY_ID, "id"),
    [FLEET_LOCATIONS] =
        ROW(locations, "code addresses with their frames", BY_ID, "id"),
    [FLEET_STACKS] = ROW(stacks, "call stacks of processes", BY_ID, "id"),
    [FLEET_SAMPLES] = ROW(
        samples, "samples by recording, stack and time slice",
        "MergeTree() PARTITION BY toYYYYMM(day) ORDER BY (run, stack)", "run"),
    [FLEET_RUNS] =
        ROW(runs, "recordings; a push is complete when its row is here",
            "MergeTree() PARTITION BY toYYYYMM(time) ORDER BY "
            "(time, hash)",
            "run"),
};

static void create_table(const struct fleet_table *t, const char *database,
                         const char *suffix, struct out *sql)
{
    out_str(sql, "CREATE TABLE IF NOT EXISTS ");
    sql_name(sql, database);
    out_fmt(sql, ".%s%s\n(\n", t->name, suffix);
    for (size_t i = 0; i < t->width; i++)
        out_fmt(sql, "    %s %s%s\n", t->columns[i].name, t->columns[i].type,
                i + 1 < t->width ? "," : "");
    out_str(sql, ")\nENGINE = ");
}

bool fleet_statement(size_t i, const char *database, const char *cluster,
                     struct out **sql)
{
    size_t tables = cluster ? 2 * FLEET_TABLES : FLEET_TABLES;

    out_close(*sql, NULL);
    *sql = out_memory();
    if (i > tables + 1)
        return false;
    if (!i) {
        out_str(*sql, "CREATE DATABASE IF NOT EXISTS ");
        sql_name(*sql, database);
    } else if (i <= FLEET_TABLES) {
        const struct fleet_table *t = &fleet_tables[i - 1];

        create_table(t, database, cluster ? "_shard" : "", *sql);
        out_str(*sql, t->engine);
    } else if (i <= tables) {
        const struct fleet_table *t = &fleet_tables[i - 1 - FLEET_TABLES];

        create_table(t, database, "", *sql);
        out_str(*sql, "Distributed(");
        sql_name(*sql, cluster);
        out_str(*sql, ", ");
        sql_name(*sql, database);
        out_fmt(*sql, ", %s_shard, %s)", t->name, t->shard);
    } else { /* last: whoever finds it finds all */
        out_str(*sql, "CREATE VIEW IF NOT EXISTS ");
        sql_name(*sql, database);
        out_fmt(*sql, ".topfn_schema AS SELECT %d AS version", FLEET_VERSION);
    }
    return true;
}
