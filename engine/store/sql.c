#include "engine/store/sql.h"

#include <stdarg.h>

#include "engine/base/mem.h"

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
                       "%s: %s: needs more work than a file of its size should",
                       path, doing);
    fresh = db && (sqlite3_errcode(db) & 0xff) == (result & 0xff);

    return err_set(err, code_of(result), "%s: %s: %s", path, doing,
                   fresh ? sqlite3_errmsg(db) : sqlite3_errstr(result));
}
