/*
 * store_schema - what a topfn database looks like, as data.
 *
 * A stored table is a row of `store_tables`, its columns say where in the
 * profile's struct each value lives. Writing and reading walk the same rows,
 * so neither can forget a column the other knows:
 *
 *     for (size_t i = 0; i < STORE_TABLES; i++)
 *         write_table(&store_tables[i], p);
 *
 * Samples are columns in memory and have a loop of their own; they and the
 * stacks are read back from packed copies (store/pack.h). Tables that hold
 * only what can be computed from the others (counts, the call tree) serve the
 * views; they are written and never read back.
 */
#ifndef TOPFN_STORE_SCHEMA_H
#define TOPFN_STORE_SCHEMA_H

#include "engine/base/out.h"
#include "engine/model/profile.h"

enum {
    STORE_APPLICATION_ID = 0x746f7066, /* "topf" */
    STORE_VERSION = 5,                 /* user_version */
    STORE_PAGE_SIZE = 8192,
};

/* How a member of a struct is a value of a row. */
enum column_kind {
    COLUMN_TEXT,        /* string id: its text */
    COLUMN_BOOL,        /* 0 or 1 */
    COLUMN_U8,          /* */
    COLUMN_U32,         /* */
    COLUMN_U64,         /* as the int64 of the same bits: SQLite has no other */
    COLUMN_I64,         /* */
    COLUMN_START,       /* a time; TIME_MIN is NULL */
    COLUMN_END,         /* a time; TIME_MAX is NULL */
    COLUMN_REF,         /* id of a row of `refers` */
    COLUMN_REF_OR_NONE, /* the same; NO_ID is NULL */
    COLUMN_REF8,        /* the same in a uint8_t */
    COLUMN_PARENT,      /* id of an earlier row of this table; 0 is NULL */
    COLUMN_LOCATION,    /* of a frame; lives in frame_start */
    COLUMN_GUID,        /* 16 bytes */
    COLUMN_BUILD_ID,    /* a struct identity's; empty is NULL */
};

enum store_table_id {
    TABLE_TRACE,
    TABLE_QUALITY,
    TABLE_TRACE_FILES,
    TABLE_TRACE_INPUTS,
    TABLE_EVENT_COUNTS,
    TABLE_TRACE_FACTS,
    TABLE_TRACE_CONTENTS,
    TABLE_SKIPPED,
    TABLE_WARNINGS,
    TABLE_PROCESSES,
    TABLE_THREADS,
    TABLE_MODULES,
    TABLE_MAPPINGS,
    TABLE_METHODS,
    TABLE_LOCATIONS,
    TABLE_FUNCTIONS,
    TABLE_FRAMES,
    TABLE_STACKS,
    STORE_TABLES, /* how many are rows of structs */
    TABLE_CODE_KINDS = STORE_TABLES,
    TABLE_NAME_CAUSES,
};

struct store_column {
    const char *name;
    enum column_kind kind;
    size_t offset; /* in the row's struct */
    enum store_table_id refers;
};

struct store_table {
    const char *name;
    const struct store_column *columns;
    size_t width; /* columns */
    size_t first; /* id of the first row; smaller ones are implied */
    size_t (*count)(const struct profile *p);
    const void *(*row)(const struct profile *p, size_t id);
    void *(*add)(struct profile *p); /* a new last row, zeroed */
};

extern const struct store_table store_tables[STORE_TABLES];

/* The sample tables, whose order of columns store/write.c and store/counts.c
 * know: id, time_ns, thread, stack, cpu, flags, weight; and id, thread,
 * stack, flags, samples. */
extern const char store_samples_sql[];
extern const char store_groups_sql[];

/* Statements that create the computed tables and the views; NULL ends. */
extern const char *const store_computed_sql[];

/* How many ids any table has in `p`. */
size_t store_table_count(const struct profile *p, enum store_table_id table);

/* The CREATE statement, exactly as SQLite keeps it. */
void store_table_sql(const struct store_table *table, struct out *out);

#endif
