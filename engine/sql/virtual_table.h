/*
 * virtual_table - a table of SQLite whose rows a walk makes.
 *
 *     virtual_tables_add(query, "topfn_events", &event_kind);
 *     CREATE VIRTUAL TABLE main.events USING topfn_events
 *
 * This is the frame of the tables of events and of frames: it plans which
 * conditions of a statement the walk takes, and drives the walk. Its plan,
 *
 *     SCAN events VIRTUAL TABLE INDEX 1:time>=? pid=(?)
 *
 * is what EXPLAIN QUERY PLAN shows. A walk may let through more than fits, as
 * SQLite looks at every condition again.
 */
#ifndef TOPFN_SQL_VIRTUAL_TABLE_H
#define TOPFN_SQL_VIRTUAL_TABLE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "engine/base/out.h"
#include "engine/base/vec.h"

struct place;
struct query;

/* The first member of a table, and of its cursor. */
struct virtual_table {
    sqlite3_vtab base;
    const struct virtual_kind *kind;
    struct query *q;
    struct place *place; /* the table's schema */
};

/* Rows of a group, which have the same values in some columns. */
struct virtual_group {
    uint32_t number; /* of the kind of event, or of the function */
    uint64_t rows;
};

struct virtual_cursor {
    sqlite3_vtab_cursor base;
    bool at_end;
    bool grouped; /* all rows were counted: they come by group */
    VEC(struct virtual_group) groups;
    size_t group; /* of the row */
};

struct virtual_value {
    int type; /* SQLITE_INTEGER, _FLOAT, _TEXT, _BLOB or _NULL */
    int64_t number;
    double real;
    const char *text; /* NULL: `own` is it */
    size_t len;
    char own[48];
    bool brief; /* the text goes with the row */
};

static inline struct virtual_value virtual_null(void)
{
    return (struct virtual_value){.type = SQLITE_NULL};
}

static inline struct virtual_value virtual_number(int64_t number)
{
    return (struct virtual_value){.type = SQLITE_INTEGER, .number = number};
}

static inline struct virtual_value virtual_unless(uint64_t number,
                                                  uint64_t unknown)
{
    return number == unknown ? virtual_null() : virtual_number((int64_t)number);
}

static inline struct virtual_value virtual_seconds(int64_t ns)
{
    return (struct virtual_value){.type = SQLITE_FLOAT,
                                  .real = (double)ns / 1e9};
}

/* A text that lives as long as the table, or NULL. */
static inline struct virtual_value virtual_text(const char *text)
{
    return text ? (struct virtual_value){.type = SQLITE_TEXT,
                                         .text = text,
                                         .len = strlen(text)}
                : virtual_null();
}

/* The same; null where it is empty, too. */
static inline struct virtual_value virtual_maybe(const char *text)
{
    return virtual_text(text && *text ? text : NULL);
}

/* Closes a memory output; its text is in `row` until the next row. */
struct virtual_value virtual_made(struct out *text, struct arena *row);

/* Conditions on a column that a walk takes. */
enum virtual_push {
    PUSH_NOTHING,
    PUSH_RANGE,  /* =, <, <=, >, >= */
    PUSH_NUMBER, /* = */
    PUSH_TEXT,   /* = of the same bytes */
    PUSH_NOCASE, /* = of the same bytes, or without regard to case */
};

struct virtual_condition {
    int column;
    char op;             /* '=', '<' or '>' */
    bool is_list;        /* sqlite3_vtab_in_first */
    sqlite3_value *value;
};

struct virtual_kind {
    size_t cursor_size;
    bool takes_lists; /* "pid IN (4, 5)" at once */
    size_t table_size;
    /* Writes the columns of a new table ("a INTEGER, b"). Returns NULL, or why
     * there cannot be such a table. */
    const char *(*declare)(struct virtual_table *table, const char *module,
                           const char *name, struct out *columns);
    /* NULL: a table has nothing to release but itself. */
    void (*release)(struct virtual_table *table);
    /* NULL: a walk takes no conditions. */
    enum virtual_push (*push)(const struct virtual_table *table, int column);
    const char *(*name)(const struct virtual_table *table, int column);
    /* Columns that have one value for all rows of a group, the group of the
     * row, and such a value. All NULL: rows have no groups. */
    bool (*is_of_group)(const struct virtual_table *table, int column);
    uint32_t (*group)(const struct virtual_cursor *cursor);
    struct virtual_value (*group_value)(const struct virtual_table *table,
                                        uint32_t group, int column);
    /* Sets info->orderByConsumed where rows come in the order asked for, and
     * returns flags for `begin`, below VIRTUAL_FLAGS. */
    int (*order)(const struct virtual_table *table, sqlite3_index_info *info);
    /* To the first row; results are SQLite's. */
    int (*begin)(struct virtual_cursor *cursor, int flags,
                 const struct virtual_condition *conditions, size_t count);
    int (*next)(struct virtual_cursor *cursor);
    void (*end)(struct virtual_cursor *cursor); /* NULL: nothing to do */
    struct virtual_value (*value)(struct virtual_cursor *cursor, int column);
    sqlite3_int64 (*id)(const struct virtual_cursor *cursor);
};

enum { VIRTUAL_FLAGS = 1 << 5 };

/* Registers a module; tables in schemas that are no places are refused. */
void virtual_tables_add(struct query *q, const char *module,
                        const struct virtual_kind *kind);

/* Makes the reason for which the events could not be opened the message of a
 * table, and returns SQLITE_ERROR. */
int virtual_events_failed(struct virtual_table *table);

/* A statement asks for the column; the last bit stands for all from 63 on. */
static inline bool virtual_uses(const sqlite3_index_info *info, int column)
{
    return info->colUsed >> (column < 63 ? column : 63) & 1;
}

#endif
