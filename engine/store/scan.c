#include "engine/store/scan.h"

#include <string.h>

#include "engine/base/out.h"
#include "engine/store/sql.h"

bool store_load_fail(struct store_load *l, int result, const char *what)
{
    store_sql_fail(l->err, l->db, result, l->name, what);
    return false;
}

bool store_scan_check(struct store_load *l, const char *type, const char *name,
                      const char *sql)
{
    sqlite3_stmt *statement = NULL;
    const char *found = NULL;
    bool same;
    int result = sqlite3_prepare_v2(
        l->db, "SELECT sql FROM sqlite_master WHERE type=? AND name=?",
        -1, &statement, NULL);

    if (!result) {
        sqlite3_bind_text(statement, 1, type, -1, SQLITE_STATIC);
        sqlite3_bind_text(statement, 2, name, -1, SQLITE_STATIC);
        result = sqlite3_step(statement);
        result = result == SQLITE_ROW || result == SQLITE_DONE ? 0 : result;
    }
    if (result)
        store_load_fail(l, result, "cannot read the schema");
    else
        found = (const char *)sqlite3_column_text(statement, 0);
    if (!result && !found)
        store_sql_memory(sqlite3_errcode(l->db));
    same = found && !strcmp(found, sql);
    if (!result && !same)
        err_set(l->err, ERR_CORRUPT, "%s: %s %s is %s", l->name, type, name,
                found ? "not as topfn makes it" : "missing");
    sqlite3_finalize(statement);
    return same;
}

static sqlite3_stmt *open_rows(struct store_load *l, const char *table)
{
    struct out *sql = out_memory();
    sqlite3_stmt *statement = NULL;
    int result;

    /* An index is the file author's and need not agree with the table. */
    out_fmt(sql, "SELECT * FROM %s NOT INDEXED ORDER BY id", table);
    result =
        sqlite3_prepare_v2(l->db, out_text(sql, NULL), -1, &statement, NULL);
    if (result)
        store_load_fail(l, result, table);
    out_close(sql, NULL);
    return statement;
}

bool store_scan(struct store_row *at, struct store_load *l, const char *table,
                const char *sql, uint64_t first)
{
    *at = (struct store_row){.load = l, .table = table, .id = first - 1};
    /* A view, a virtual table or a computed column under the name of a table
     * of ours would run SQL of the file's author. */
    if (store_scan_check(l, "table", table, sql))
        at->row = open_rows(l, table);
    return at->row != NULL;
}

bool store_scan_next(struct store_row *at, bool *ok)
{
    int result = sqlite3_step(at->row);

    *ok = result == SQLITE_ROW || result == SQLITE_DONE;
    if (!*ok)
        return store_load_fail(at->load, result, at->table);
    if (result == SQLITE_DONE)
        return false;
    at->id++;
    *ok =
        (uint64_t)sqlite3_column_int64(at->row, 0) == at->id && at->id < NO_ID;
    return *ok || store_bad(at, "id", "is out of order");
}

void store_scan_end(struct store_row *at)
{
    sqlite3_finalize(at->row);
}
