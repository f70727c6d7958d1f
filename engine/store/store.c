#include "engine/store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/base/newfile.h"
#include "engine/store/fill.h"
#include "engine/store/load.h"
#include "engine/store/schema.h"
#include "engine/store/sql.h"

static int exec_sql(sqlite3 *db, const char *sql)
{
    return sqlite3_exec(db, sql, NULL, NULL, NULL);
}

/* The file that this thread writes; -1: none. */
static _Thread_local int written_file = -1;

/* SQLite opens files by this function: in a sandbox (base/sandbox.h) no file
 * can be opened for writing, so that it gets the one that is open already. */
static int open_for_sqlite(const char *path, int flags, int mode)
{
    return (flags & O_ACCMODE) == O_RDWR && written_file >= 0
               ? fcntl(written_file, F_DUPFD_CLOEXEC, 0)
               : open(path, flags, mode);
}

static int open_written(const struct new_file *file, sqlite3 **db)
{
    sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
    int result;

    written_file = file->fd;
    vfs->xSetSystemCall(vfs, "open", (sqlite3_syscall_ptr)open_for_sqlite);
    result = sqlite3_open_v2(
        file->temp, db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
    /* It opens the file when it first needs it. */
    return result ? result : exec_sql(*db, "PRAGMA journal_mode=OFF");
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
             "PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE;"
             "PRAGMA temp_store=MEMORY;"
             "PRAGMA application_id=%d; PRAGMA user_version=%d; BEGIN",
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
    int result = open_written(file, &db);

    if (!result)
        result = write_profile(db, p);
    if (result)
        code = store_sql_fail(err, db, result, file->path, "cannot write");
    result = sqlite3_close(db);
    if (result && !code)
        code = store_sql_fail(err, NULL, result, file->path, "cannot close");
    written_file = -1;
    return code;
}

enum err_code store_write_to(const struct profile *p, struct new_file *file,
                             struct err *err)
{
    enum err_code code = write_file(p, file, err);

    if (code)
        new_file_discard(file);
    else
        code = new_file_publish(file, err);
    return code;
}

enum err_code store_write(const struct profile *p, const char *path,
                          struct err *err)
{
    struct new_file file;
    enum err_code code = new_file_create(&file, path, err);

    return code ? code : store_write_to(p, &file, err);
}

/* The first 100 bytes of an SQLite file:
 *   OFFSET SIZE DESCRIPTION
 *   0      16   "SQLite format 3" and a NUL
 *   68     4    application id, big-endian
 * https://www.sqlite.org/fileformat.html section 1.3 */
bool store_probe(const uint8_t *data, size_t size)
{
    uint32_t id;

    if (size < 100 || memcmp(data, "SQLite format 3", 16) != 0)
        return false;
    id = (uint32_t)data[68] << 24 | (uint32_t)data[69] << 16 |
         (uint32_t)data[70] << 8 | data[71];
    return id == STORE_APPLICATION_ID;
}

struct out *store_uri(const char *path)
{
    static const char hex[] = "0123456789ABCDEF";
    struct out *uri = out_memory();

    out_str(uri, path[0] == '/' ? "file:" : "file:./");
    for (const char *c = path; *c; c++) {
        if (strchr("%?#", *c)) {
            out_char(uri, '%');
            out_char(uri, hex[(unsigned char)*c >> 4]);
            out_char(uri, hex[*c & 15]);
        } else {
            out_char(uri, *c);
        }
    }
    out_str(uri, "?immutable=1&mode=ro");
    return uri;
}

static enum err_code check_file(const char *path, struct stat *st,
                                struct err *err)
{
    if (stat(path, st))
        return err_set(err, errno == ENOENT ? ERR_NOT_FOUND : ERR_IO, "%s: %s",
                       path, strerror(errno));
    if (!S_ISREG(st->st_mode))
        return err_set(err, ERR_IO, "%s: not a regular file", path);
    return ERR_NONE;
}

/* The database, with all defences; to be closed in any case. */
static sqlite3 *open_file(const char *path, struct store_bound *bound,
                          uint64_t *size, struct err *err)
{
    sqlite3 *db = NULL;
    struct out *uri;
    struct stat st;
    int result;

    if (check_file(path, &st, err))
        return NULL;
    *size = (uint64_t)st.st_size;
    uri = store_uri(path);
    result = sqlite3_open_v2(
        out_text(uri, NULL), &db,
        SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, NULL);
    if (!result)
        result = store_defend(db, bound, *size);
    if (result)
        store_sql_fail(err, db, result, path, "cannot open");
    out_close(uri, NULL);
    return db;
}

struct profile *store_read(const char *path, bool times, struct err *err)
{
    struct profile *p = NULL;
    struct store_bound bound;
    struct err own = {0};
    uint64_t size = 0;
    sqlite3 *db = open_file(path, &bound, &size, &own);

    if (!own.code)
        p = store_load(db, path, size, times, &own);
    if (own.code)
        err_set(err, own.code, "%s", own.message);
    sqlite3_close(db);
    return p;
}

enum err_code store_check(const char *path, struct err *err)
{
    struct store_bound bound;
    struct err own = {0};
    uint64_t size = 0;
    sqlite3 *db = open_file(path, &bound, &size, &own);

    if (!own.code)
        store_check_schema(db, path, size, &own);
    if (own.code)
        err_set(err, own.code, "%s", own.message);
    sqlite3_close(db);
    return own.code;
}

/* "a.etl, b.etl and 3 others" */
static void name_files(const struct profile *p, struct out *out)
{
    enum { MOST_NAMES = 3 };
    size_t n = p->trace.files.len;

    for (size_t i = 0; i < n && i < MOST_NAMES; i++)
        out_fmt(out, "%s%s", !i ? "" : i + 1 == n ? " and " : ", ",
                strings_get(p->strings, p->trace.files.data[i]));
    if (n > MOST_NAMES)
        out_fmt(out, " and %zu others", n - MOST_NAMES);
}

enum err_code store_refuse_events(const char *path, struct err *err)
{
    struct out *names = out_memory();
    struct store_bound bound;
    uint64_t size = 0;
    struct err unread = {0};
    sqlite3 *db = open_file(path, &bound, &size, &unread);
    const char *made_of = "";

    if (!unread.code) {
        struct profile *p = store_load_files(db, path, size);

        if (p->trace.files.len)
            made_of = "; open ";
        name_files(p, names);
        profile_free(p);
    }
    err_set(err, ERR_UNSUPPORTED, "%s: a database stores no raw events%s%s",
            path, made_of, out_text(names, NULL));
    out_close(names, NULL);
    sqlite3_close(db);
    return ERR_UNSUPPORTED;
}
