#include "engine/store/store.h"

#include <stdio.h>

#include "engine/base/newfile.h"
#include "engine/store/fill.h"
#include "engine/store/schema.h"
#include "engine/store/sql.h"

static int exec_sql(sqlite3 *db, const char *sql)
{
    return sqlite3_exec(db, sql, NULL, NULL, NULL);
}

/* Nobody else sees the file before it is renamed, and it is thrown away when
 * anything fails: no journal, and one fsync when all is written. The file is
 * the same whatever this SQLite was built for. */
static int prepare_file(sqlite3 *db)
{
    char sql[256];
    int reserved = 0; /* bytes at the end of a page */

    snprintf(sql, sizeof(sql),
             "PRAGMA page_size=%d; PRAGMA auto_vacuum=0;"
             "PRAGMA encoding='UTF-8';"
             "PRAGMA application_id=%d; PRAGMA user_version=%d;"
             "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;"
             "PRAGMA locking_mode=EXCLUSIVE; BEGIN",
             STORE_PAGE_SIZE, STORE_APPLICATION_ID, STORE_VERSION);
    sqlite3_file_control(db, "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved);
    return exec_sql(db, sql);
}

/* The schema and all rows, in one transaction. Triggers come last, as they
 * would run for every row. */
static int write_profile(sqlite3 *db, const struct profile *p)
{
    struct store_fill fill = {.db = db, .schema = "main"};
    int result = prepare_file(db);

    if (!result)
        result = store_create(&fill);
    if (!result)
        result = store_fill(&fill, p);
    if (!result)
        result = exec_sql(db, store_samples_changed);
    return result ? result : exec_sql(db, "COMMIT");
}

static enum err_code write_file(const struct profile *p,
                                const struct new_file *file, struct err *err)
{
    enum err_code code = ERR_NONE;
    sqlite3 *db = NULL;
    int result = sqlite3_open_v2(
        file->temp, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);

    if (!result)
        result = write_profile(db, p);
    if (result)
        code = store_sql_fail(err, db, result, file->path, "cannot write");
    result = sqlite3_close(db);
    if (result && !code)
        code = store_sql_fail(err, NULL, result, file->path, "cannot close");
    return code;
}

enum err_code store_write(const struct profile *p, const char *path,
                          struct err *err)
{
    struct new_file file;
    enum err_code code = new_file_create(&file, path, err);

    if (code)
        return code;
    code = write_file(p, &file, err);
    if (code)
        new_file_discard(&file);
    else
        code = new_file_publish(&file, err);
    return code;
}
