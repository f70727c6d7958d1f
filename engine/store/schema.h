/*
 * store_schema - what a topfn database looks like, as data.
 *
 * A stored table is a row of `store_tables`; its columns say where in the
 * profile's struct each value is. Writing, reading and merging walk the same
 * rows, so none of them can forget a column:
 *
 *     for (size_t i = 0; i < STORE_TABLES; i++)
 *         write_table(&store_tables[i], p);
 *
 * Samples are columns in memory and have a loop of their own. Tables that are
 * computed from the others (counts, the call tree) serve the views; of these
 * tables the program reads back sample_groups alone. Samples, computed tables
 * and views are rows of `store_made`.
 *
 * Every table, view and column has a description, which `topfn query --schema`
 * and the manual print.
 */
#ifndef TOPFN_STORE_SCHEMA_H
#define TOPFN_STORE_SCHEMA_H

#include "engine/base/out.h"
#include "engine/model/profile.h"

enum {
    STORE_APPLICATION_ID = 0x746f7066, /* "topf" */
    STORE_VERSION = 12,                /* user_version */
    STORE_PAGE_SIZE = 8192,
};

/* How a member of a struct is a value of a row. */
enum column_kind {
    COLUMN_TEXT,        /* string id: its text */
    COLUMN_BOOL,        /* 0 or 1 */
    COLUMN_U8,          /* */
    COLUMN_U32,         /* */
    COLUMN_U64,         /* as the int64 of the same bits: SQLite has no other */
    COLUMN_U64_OR_NONE, /* the same; UINT64_MAX is NULL */
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
    COLUMN_KINDS
};

/* Text and most other kinds are one whole number in memory. */
struct store_kind {
    uint8_t bytes; /* of that number; 0: it is none */
    bool null;     /* a value may be NULL: the number `none` */
    int64_t none;
};

extern const struct store_kind store_kinds[COLUMN_KINDS];

int64_t store_number(enum column_kind kind, const void *value);
void store_set_number(enum column_kind kind, void *value, int64_t number);

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
    TABLE_COLLECTIONS,
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
    const char *about;
};

struct store_table {
    const char *name, *about;
    const struct store_column *columns;
    size_t width; /* columns */
    size_t first; /* id of the first row; smaller ones are implied */
    size_t (*count)(const struct profile *p);
    /* `room` holds a row that the profile keeps in another form. */
    const void *(*row)(const struct profile *p, size_t id, struct method *room);
    /* A new last row, zeroed. */
    void *(*add)(struct profile *p, struct method *room);
    /* Called when all columns are set; may be NULL. */
    void (*end)(struct profile *p, const struct method *room);
};

extern const struct store_table store_tables[STORE_TABLES];

/* `sql` is the type of a table's column, the expression of a view's. */
struct store_made_column {
    const char *name, *sql, *about;
};

/* A table that is not a vector of the profile, or a view. */
struct store_made {
    const char *name, *about;
    const struct store_made_column *columns;
    size_t width;
    const char *with; /* of a view, before SELECT; or NULL */
    const char *from; /* of a view, behind it; NULL: a table */
};

/* Views, the most useful first; a row without a name ends the list. The
 * functions that fill a table (fill.c, counts.c) know its columns. */
extern const struct store_made store_made[];

/* NULL when there is none of this name. */
const struct store_made *store_made_find(const char *name);

/* How many ids a table has in `p`. */
size_t store_table_count(const struct profile *p, enum store_table_id table);

/* The CREATE statements. With `schema` NULL they are, to the letter, the text
 * in sqlite_master. */
void store_table_sql(const struct store_table *table, const char *schema,
                     struct out *out);
void store_made_sql(const struct store_made *made, const char *schema,
                    struct out *out);

/* CREATE statements of triggers that empty sample_groups when somebody changes
 * samples: reports then read the samples themselves. */
extern const char store_samples_changed[];

#endif
