#include "engine/sql/query_impl.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/mem.h"
#include "engine/base/out.h"
#include "engine/store/sql.h"
#include "engine/store/store.h"

/* Of SQLite's machine, between looks at the clock. */
enum { STEPS_AT_ONCE = 4000 };

static void reads(void *context, const char *schema, const char *table)
{
    struct query *q = context;

    for (size_t i = 0; i < q->place_count; i++)
        if (!schema || !sqlite3_stricmp(q->places[i].name, schema))
            place_want(&q->places[i], table);
    frame_tables_reads(q->frames, schema, table);
}

static int defend(sqlite3 *db)
{
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, QUERY_LONGEST_VALUE);
    sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, 1 << 20);
    sqlite3_limit(db, SQLITE_LIMIT_EXPR_DEPTH, 200);
    sqlite3_limit(db, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 200);
    sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, MOST_PLACES - 1);
    sqlite3_limit(db, SQLITE_LIMIT_WORKER_THREADS, 0);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
    /* What is sorted stays in memory, where it is counted. */
    return store_distrust(db, "PRAGMA temp_store=MEMORY");
}

static enum err_code open_database(struct query *q, const char *path,
                                   struct err *err)
{
    struct out *uri = NULL;
    int result;

    if (path && store_check(path, err))
        return err->code;
    uri = path ? store_uri(path) : NULL;
    /* The URI says that the file is only read; traces that are attached are
     * written, into memory. */
    result = sqlite3_open_v2(uri ? out_text(uri, NULL) : ":memory:", &q->db,
                             SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
                                 SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX,
                             NULL);
    if (uri)
        out_close(uri, NULL);
    if (!result)
        result = defend(q->db);
    return result ? store_sql_fail(err, q->db, result, path ? path : "SQLite",
                                   "cannot open")
                  : ERR_NONE;
}

static const struct profile *read_stored(void *context, struct err *err)
{
    struct query *q = context;

    if (!q->stored)
        q->stored = store_read(q->databases.data[0].path, true, err);
    return q->stored;
}

/* A database is only read: its views of frames are hidden by tables beside
 * it. */
static enum err_code add_frames(struct query *q, struct err *err)
{
    int result = frame_tables_add(q->frames, "temp", read_stored, q);

    return result ? store_sql_fail(err, q->db, result, "frames", "cannot open")
                  : ERR_NONE;
}

struct query *query_new(const char *path, const struct query_limits *limits,
                        struct err *err)
{
    struct query *q = mem_new(1, sizeof(*q));

    q->limits = *limits;
    q->access = (struct access){.own = true, .reads = reads, .context = q};
    if (open_database(q, path, err)) {
        query_free(q);
        return NULL;
    }
    if (path)
        *vec_add(&q->databases) = (struct database){"main", path};
    q->events = event_tables_new(q->db, query_is_over, q);
    q->frames = frame_tables_new(q->db, query_is_over, q);
    q->formats = formats_new(q->db);
    if (path && add_frames(q, err)) {
        query_free(q);
        return NULL;
    }
    q->access.own = false;
    sqlite3_set_authorizer(q->db, allow, &q->access);
    sqlite3_progress_handler(q->db, STEPS_AT_ONCE, query_is_over, q);
    return q;
}

void query_free(struct query *q)
{
    sqlite3_close(q->db);
    if (q->events)
        event_tables_free(q->events);
    if (q->frames)
        frame_tables_free(q->frames);
    profile_free(q->stored);
    formats_free(q->formats);
    vec_release(&q->parameters);
    vec_release(&q->databases);
    free(q);
}

static bool is_taken(const struct query *q, const char *name)
{
    int i = 0;
    const char *taken;

    while ((taken = sqlite3_db_name(q->db, i++)))
        if (!sqlite3_stricmp(taken, name))
            return true;
    return false;
}

static enum err_code check_name(const struct query *q, const char *name,
                                struct err *err)
{
    size_t n = strlen(name);

    for (size_t i = 0; i < n; i++)
        if (!isalnum((unsigned char)name[i]) && name[i] != '_')
            n = 0;
    if (!n || n >= PLACE_NAME || isdigit((unsigned char)*name) ||
        sqlite3_keyword_check(name, (int)n))
        return err_set(err, ERR_USAGE,
                       "\"%s\" cannot be the name of a database in SQL: "
                       "letters, digits and _, and no word of SQL",
                       name);
    if (is_taken(q, name))
        return err_set(err, ERR_USAGE, "\"%s\" names a database already",
                       name);
    return ERR_NONE;
}

static enum err_code attach(struct query *q, const char *name,
                            const char *file, struct err *err)
{
    char *sql = store_sql_text("ATTACH %Q AS %s", file, name);
    int result;

    q->access.own = true;
    result = sqlite3_exec(q->db, sql, NULL, NULL, NULL);
    q->access.own = false;
    sqlite3_free(sql);
    return result ? store_sql_fail(err, q->db, result, name, "cannot attach")
                  : ERR_NONE;
}

enum err_code query_add_trace(struct query *q, const char *name,
                              const struct query_source *source,
                              struct err *err)
{
    struct place *place = &q->places[q->place_count];
    int result;

    if (q->place_count == MOST_PLACES)
        return err_set(err, ERR_USAGE, "no more than %d files can be attached",
                       MOST_PLACES);
    if ((strcmp(name, "main") != 0 || q->place_count || q->databases.len) &&
        (check_name(q, name, err) || attach(q, name, ":memory:", err)))
        return err->code;
    q->access.own = true;
    result = place_open(place, q->db, name, source);
    if (!result)
        result = event_tables_add(q->events, place->name, source);
    if (!result)
        result =
            frame_tables_add(q->frames, place->name, place_profile, place);
    q->access.own = false;
    if (result)
        return store_sql_fail(err, q->db, result, name, "cannot open");
    q->place_count++;
    return ERR_NONE;
}

enum err_code query_add_database(struct query *q, const char *name,
                                 const char *path, struct err *err)
{
    struct out *uri;
    enum err_code code;

    if (check_name(q, name, err) || store_check(path, err))
        return err->code;
    uri = store_uri(path);
    code = attach(q, name, out_text(uri, NULL), err);
    out_close(uri, NULL);
    if (!code)
        *vec_add(&q->databases) = (struct database){name, path};
    return code;
}

void query_parameter(struct query *q, const char *name, const char *value)
{
    *vec_add(&q->parameters) = (struct parameter){name, value};
}
