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
    {"name", "String", "as the system calls it"},
};

static const struct fleet_column modules[] = {
    ID,
    {"path", "String", "on the recorded machine"},
    {"name", "String", "the last part of it"},
    {"version", "String", "of the file"},
    {"symbols", "String", "where names came from"},
    {"area", "String", "what stands for the image of its methods' code"},
    {"pdb_name", "String", "its PDB"},
    {"guid", "String", "of the PDB, 16 bytes"},
    {"age", "UInt32", "of the PDB"},
    {"timestamp", "UInt32", "of the image (PE)"},
    {"image_size", "UInt32", "of the image (PE)"},
    {"build_id", "String", "of the image (ELF), bytes"},
    {"managed", "UInt8", "known by name only"},
    {"by_file_offset", "UInt8", "addresses are offsets in the file"},
    {"without_inlined", "UInt8", "names lack inlined calls"},
};

static const struct fleet_column methods[] = {
    ID,
    {"space", "String", "namespace and type"},
    {"name", "String", "without them"},
    {"signature", "String", "parameters"},
    {"full_name", "String", "all of it"},
    {"module", "UInt64", "the managed module, or 0"},
    {"size", "UInt64", "of its code, bytes"},
    {"token", "UInt32", "of its metadata"},
    {"tier", "UInt8", "how it was compiled"},
};

static const struct fleet_column functions[] = {
    ID,
    {"name", "String", "\"\" for code without a name"},
    {"module", "String", "that is shown beside it"},
    {"address", "UInt64", "of code without a name"},
    {"kind", "UInt8", "native, managed, script, kernel"},
    {"cause", "UInt8", "why there is no name"},
};

static const struct fleet_column locations[] = {
    ID,
    {"module", "UInt64", "the image, or 0"},
    {"method", "UInt64", "that holds it, or 0"},
    {"address", "UInt64", "in module, method or memory"},
    {"kind", "UInt8", "native, managed, script, kernel"},
    {"cause", "UInt8", "why there is no name"},
    {"caller", "UInt8", "where a call returns to"},
    {"functions", "Array(UInt64)", "its frames, innermost first"},
    {"files", "Array(String)", "of each frame"},
    {"lines", "Array(UInt32)", "of each frame"},
    {"inlined", "Array(UInt8)", "each frame into the next"},
};

static const struct fleet_column stacks[] = {
    ID,
    {"process", "UInt64", "of processes"},
    {"flags", "UInt16",
     "idle 1, user frames 8, kernel frames 16, stack 32, its end from 256 on"},
    {"locations", "Array(UInt64)", "outermost first"},
};

static const struct fleet_column samples[] = {
    {"run", "UInt64", "of runs"},
    {"day", "Date", "on which the recording began"},
    {"stack", "UInt64", "of stacks"},
    {"slice", "UInt32", "part of the recording's time, from 0 on"},
    {"weight", "UInt64", "samples, or units of its metric"},
};

static const struct fleet_column runs[] = {
    {"run", "UInt64", "a random number"},
    {"hash", "String", "SHA-256 of the file"},
    {"file", "String", "its name"},
    {"host", "String", "the recorded machine"},
    {"os", "String", "its system"},
    {"format", "String", "of the file"},
    {"metric", "String", "what its samples count"},
    {"time", "DateTime", "when it began"},
    {"pushed", "DateTime", "when it was sent"},
    {"label_keys", "Array(String)", "in order"},
    {"label_values", "Array(String)", "of each"},
    {"duration_ns", "UInt64", "0 unknown"},
    {"interval_ns", "UInt64", "between samples; 0 unknown"},
    {"slice_ns", "UInt64", "what samples.slice counts"},
    {"cpus", "UInt32", "0 unknown"},
    {"pointer_size", "UInt32", "bytes"},
    {"samples", "UInt64", "sum of its weights"},
    {"selected", "UInt64", "of these, not idle"},
    {"complete", "UInt64", "of these, with complete stacks"},
    {"unnamed", "UInt64", "of these, in code without a name"},
    {"singles", "UInt8", "samples that were added up had a weight of 1"},
    {"idle", "UInt64", "idle samples that were only counted"},
    {"events", "UInt64", "in the file"},
    {"lost_events", "UInt64", "by the recorder"},
    {"lost_buffers", "UInt64", "by the recorder"},
    {"skipped_bytes", "UInt64", "that could not be read"},
    {"skipped_ranges", "UInt64", "of these bytes"},
    {"malformed", "UInt64", "records"},
    {"cut_stacks", "UInt64", "that were too deep"},
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
    [FLEET_METHODS] = ROW(methods, "code that a runtime made", BY_ID, "id"),
    [FLEET_FUNCTIONS] = ROW(functions, "what reports rank", BY_ID, "id"),
    [FLEET_LOCATIONS] =
        ROW(locations, "code addresses, and what is there", BY_ID, "id"),
    [FLEET_STACKS] = ROW(stacks, "call stacks of processes", BY_ID, "id"),
    [FLEET_SAMPLES] = ROW(
        samples, "samples of one run, stack and slice of time",
        "MergeTree() PARTITION BY toYYYYMM(day) ORDER BY (run, stack)", "run"),
    [FLEET_RUNS] = ROW(runs, "recordings; what is not here is not there",
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
