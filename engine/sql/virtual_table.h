/*
 * virtual_table - a table of SQLite whose rows a walk makes.
 *
 *     virtual_tables_add(db, "topfn_events", &event_kind, query);
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

#include "engine/base/out.h"
#include "engine/base/vec.h"

/* The first member of a table, and of its cursor. */
struct virtual_table {
    sqlite3_vtab base;
    const struct virtual_kind *kind;
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
    int type; /* SQLITE_INTEGER, _FLOAT, _TEXT or _NULL */
    int64_t number;
    double real;
    const char *text;
    size_t len;
    char own[40]; /* `text` may be this */
};

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
    /* Makes a table and writes its columns ("a INTEGER, b"). NULL: a message
     * says why not. */
    struct virtual_table *(*make)(void *context, const char *module,
                                  const char *schema, const char *name,
                                  struct out *columns, const char **message);
    void (*unmake)(struct virtual_table *table);
    /* NULL: a walk takes no conditions. */
    enum virtual_push (*push)(const struct virtual_table *table, int column);
    const char *(*name)(const struct virtual_table *table, int column);
    /* Columns that have one value for all rows of a group, the group of the
     * row, and such a value. All NULL: rows have no groups. */
    bool (*is_of_group)(const struct virtual_table *table, int column);
    uint32_t (*group)(const struct virtual_cursor *cursor);
    void (*group_value)(const struct virtual_table *table, uint32_t group,
                        int column, struct virtual_value *value);
    /* Sets info->orderByConsumed where rows come in the order asked for, and
     * returns flags for `begin`, below VIRTUAL_FLAGS. */
    int (*order)(const struct virtual_table *table, sqlite3_index_info *info);
    /* To the first row; results are SQLite's. */
    int (*begin)(struct virtual_cursor *cursor, int flags,
                 const struct virtual_condition *conditions, size_t count);
    int (*next)(struct virtual_cursor *cursor);
    void (*end)(struct virtual_cursor *cursor);
    void (*value)(struct virtual_cursor *cursor, sqlite3_context *context,
                  int column);
    sqlite3_int64 (*id)(const struct virtual_cursor *cursor);
};

enum { VIRTUAL_FLAGS = 1 << 5 };

void virtual_tables_add(sqlite3 *db, const char *module,
                        const struct virtual_kind *kind, void *context);

void virtual_result(sqlite3_context *context, const struct virtual_value *v);

/* A statement asks for the column; the last bit stands for all from 63 on. */
static inline bool virtual_uses(const sqlite3_index_info *info, int column)
{
    return info->colUsed >> (column < 63 ? column : 63) & 1;
}

#endif
