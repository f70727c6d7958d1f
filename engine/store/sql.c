#include "engine/store/sql.h"

#include <stdarg.h>

#include "engine/base/mem.h"
#include "engine/base/out.h"

/* INSERT INTO table VALUES(NULL,?,...),(...) for `count` rows. */
static sqlite3_stmt *prepare(struct rows *rows, size_t count)
{
    struct out *sql = out_memory();
    sqlite3_stmt *statement = NULL;

    out_fmt(sql, "INSERT INTO %s.%s VALUES", rows->fill->schema, rows->table);
    for (size_t row = 0; row < count; row++) {
        out_str(sql, row ? ",(" : "(");
        if (rows->ids == ROWS_NUMBERED)
            out_str(sql, "NULL,");
        for (size_t i = 0; i < rows->width; i++)
            out_str(sql, i ? ",?" : "?");
        out_char(sql, ')');
    }
    rows->result = sqlite3_prepare_v2(rows->fill->db, out_text(sql, NULL), -1,
                                      &statement, NULL);
    out_close(sql, NULL);
    return statement;
}

static void bind(sqlite3_stmt *statement, int i, const struct rows_value *v)
{
    switch (v->type) {
    case SQLITE_INTEGER:
        sqlite3_bind_int64(statement, i, v->number);
        break;
    case SQLITE_TEXT:
        sqlite3_bind_text(statement, i, v->bytes, v->size, SQLITE_STATIC);
        break;
    case SQLITE_BLOB:
        sqlite3_bind_blob(statement, i, v->bytes, v->size, SQLITE_STATIC);
        break;
    default:
        sqlite3_bind_null(statement, i);
    }
}

static void insert(struct rows *rows, sqlite3_stmt *statement)
{
    for (size_t i = 0; i < rows->used; i++)
        bind(statement, (int)i + 1, &rows->values[i]);
    rows->used = 0;
    if (sqlite3_step(statement) != SQLITE_DONE)
        rows->result = sqlite3_reset(statement);
    else
        sqlite3_reset(statement);
}

void rows_open(struct rows *rows, const struct store_fill *fill,
               const char *table, size_t width, enum rows_ids ids)
{
    rows->fill = fill;
    rows->table = table;
    rows->full = NULL;
    rows->width = width;
    rows->batch = ROWS_VALUES / width;
    rows->used = 0;
    rows->ids = ids;
    rows->result = SQLITE_OK;
}

static void flush(struct rows *rows)
{
    if (!rows->full && !rows->result)
        rows->full = prepare(rows, rows->batch);
    if (!rows->result)
        insert(rows, rows->full);
    rows->used = 0;
}

/* The place for the next value. */
static inline struct rows_value *next(struct rows *rows)
{
    if (rows->used == rows->batch * rows->width)
        flush(rows);
    return &rows->values[rows->used++];
}

void rows_i64(struct rows *rows, int64_t value)
{
    struct rows_value *v = next(rows);

    v->type = SQLITE_INTEGER;
    v->number = value;
}

void rows_u64(struct rows *rows, uint64_t value)
{
    rows_i64(rows, (int64_t)value);
}

void rows_null(struct rows *rows)
{
    next(rows)->type = SQLITE_NULL;
}

void rows_text(struct rows *rows, const char *text, size_t n)
{
    *next(rows) =
        (struct rows_value){.type = SQLITE_TEXT, .bytes = text, .size = (int)n};
}

void rows_blob(struct rows *rows, const void *bytes, size_t n)
{
    *next(rows) = (struct rows_value){
        .type = SQLITE_BLOB, .bytes = bytes, .size = (int)n};
}

int rows_close(struct rows *rows)
{
    sqlite3_stmt *rest = NULL;

    if (rows->used && !rows->result)
        rest = prepare(rows, rows->used / rows->width);
    if (rest)
        insert(rows, rest);
    sqlite3_finalize(rest);
    sqlite3_finalize(rows->full);
    rows->full = NULL;
    return rows->result;
}

static enum err_code code_of(int result)
{
    switch (result & 0xff) {
    case SQLITE_IOERR:
    case SQLITE_FULL:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_READONLY:
        return ERR_IO;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return ERR_CORRUPT;
    case SQLITE_TOOBIG:
    case SQLITE_INTERRUPT: /* by store_bound */
        return ERR_LIMIT;
    default:
        return ERR_DATABASE;
    }
}

int store_distrust(sqlite3 *db, const char *pragmas)
{
    int result;

    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
    result = sqlite3_exec(db, "PRAGMA cell_size_check=ON; PRAGMA mmap_size=0",
                          NULL, NULL, NULL);
    return result ? result : sqlite3_exec(db, pragmas, NULL, NULL, NULL);
}

void store_sql_memory(int result)
{
    if ((result & 0xff) == SQLITE_NOMEM)
        mem_exhausted(0);
}

char *store_sql_text(const char *format, ...)
{
    va_list arguments;
    char *text;

    va_start(arguments, format);
    text = sqlite3_vmprintf(format, arguments);
    va_end(arguments);
    if (!text)
        mem_exhausted(0);
    return text;
}

enum err_code store_sql_fail(struct err *err, sqlite3 *db, int result,
                             const char *path, const char *doing)
{
    /* The connection may have gone on to something else since. */
    bool fresh;

    store_sql_memory(result);
    if ((result & 0xff) == SQLITE_INTERRUPT)
        return err_set(err, ERR_LIMIT,
                       "%s: %s: takes more work than a file of "
                       "its size may",
                       path, doing);
    fresh = db && (sqlite3_errcode(db) & 0xff) == (result & 0xff);

    return err_set(err, code_of(result), "%s: %s: %s", path, doing,
                   fresh ? sqlite3_errmsg(db) : sqlite3_errstr(result));
}
