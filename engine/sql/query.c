#include "engine/sql/query_impl.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/base/mem.h"
#include "engine/base/out.h"
#include "engine/base/text.h"
#include "engine/store/sql.h"
#include "engine/store/store.h"

enum { STEPS_AT_ONCE = 4000 /* of SQLite, between looks at the clock */ };

struct query_result {
    struct query *q;
    sqlite3_stmt *row;
    int result;
};

static void reads(void *context, const char *schema, const char *table)
{
    struct query *q = context;

    for (size_t i = 0; i < q->place_count; i++)
        if (!schema || !sqlite3_stricmp(q->places[i].name, schema))
            place_want(&q->places[i], table);
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
    /* Sorted rows stay in memory, where the limit counts them. */
    return store_distrust(db, "PRAGMA temp_store=MEMORY");
}

int query_run(struct query *q, char *sql)
{
    int result = sqlite3_exec(q->db, sql, NULL, NULL, NULL);

    sqlite3_free(sql);
    return result;
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

static const struct profile *read_stored(void *context, bool event_stacks,
                                         struct err *err)
{
    struct query *q = context;

    (void)event_stacks;
    if (!q->stored)
        q->stored = store_read(q->databases.data[0].path, true, err);
    return q->stored;
}

static struct place *add_place(struct query *q, const char *name,
                               const struct query_source *source)
{
    struct place *place = &q->places[q->place_count++];

    *place = (struct place){.source = source};
    strncpy(place->name, name, sizeof(place->name) - 1);
    return place;
}

/* A database is only read: its views of frames are hidden by tables beside
 * it. */
static enum err_code add_frames(struct query *q, struct err *err)
{
    int result;

    q->stored_source = (struct query_source){.profile = read_stored,
                                             .state = q};
    result = frame_tables_add(q, add_place(q, "temp", &q->stored_source));
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
    virtual_tables_add(q, "topfn_events", &event_table_kind);
    virtual_tables_add(q, "topfn_event", &event_table_kind);
    virtual_tables_add(q, "topfn_spans", &span_table_kind);
    virtual_tables_add(q, "topfn_frames", &frame_table_kind);
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
    for (size_t i = 0; i < q->place_count; i++)
        place_release(&q->places[i]);
    profile_free(q->stored);
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
                       "\"%s\" cannot be the name of a database in SQL: use "
                       "letters, digits and _, and no SQL keyword",
                       name);
    if (is_taken(q, name))
        return err_set(err, ERR_USAGE,
                       "\"%s\" is already the name of a database", name);
    return ERR_NONE;
}

static enum err_code attach(struct query *q, const char *name,
                            const char *file, struct err *err)
{
    int result;

    q->access.own = true;
    result = query_run(q, store_sql_text("ATTACH %Q AS %s", file, name));
    q->access.own = false;
    return result ? store_sql_fail(err, q->db, result, name, "cannot attach")
                  : ERR_NONE;
}

enum err_code query_add_trace(struct query *q, const char *name,
                              const struct query_source *source,
                              struct err *err)
{
    struct place *place;
    int result;

    if (q->place_count == MOST_PLACES)
        return err_set(err, ERR_USAGE, "no more than %d files can be attached",
                       MOST_PLACES);
    if ((strcmp(name, "main") != 0 || q->place_count || q->databases.len) &&
        (check_name(q, name, err) || attach(q, name, ":memory:", err)))
        return err->code;
    place = add_place(q, name, source);
    q->access.own = true;
    result = place_open(q, place);
    if (!result)
        result = query_run(
            q,
            store_sql_text("CREATE VIRTUAL TABLE %s.events USING topfn_events;"
                           "CREATE VIRTUAL TABLE %s.spans USING topfn_spans",
                           place->name, place->name));
    if (!result)
        result = frame_tables_add(q, place);
    q->access.own = false;
    return result ? store_sql_fail(err, q->db, result, name, "cannot open")
                  : ERR_NONE;
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

/* ---- statements ---- */

static int64_t now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int query_is_over(void *context)
{
    const struct query *q = context;

    return q->deadline && now() > q->deadline;
}

/* ---- what goes wrong ---- */

static bool is_of_events(const char *table)
{
    return ascii_same(table, "events") || ascii_same(table, "spans") ||
           strchr(table, '/');
}

/* The database that was asked for a table of events; NULL: none was. */
static const char *asked_for_events(const struct query *q, const char *message)
{
    static const char missing[] = "no such table: ";
    const char *table = message + sizeof(missing) - 1;

    if (strncmp(message, missing, sizeof(missing) - 1) != 0)
        return NULL;
    for (size_t i = 0; i < q->databases.len; i++) {
        const struct database *d = &q->databases.data[i];
        size_t n = strlen(d->name);

        if (!sqlite3_strnicmp(table, d->name, (int)n) && table[n] == '.')
            return is_of_events(table + n + 1) ? d->path : NULL;
    }
    for (size_t i = 0; i < q->place_count; i++)
        if (q->places[i].has_tables)
            return NULL;
    return q->databases.len && is_of_events(table) ? q->databases.data[0].path
                                                   : NULL;
}

static enum err_code fail_as_wrong(struct query *q, struct err *err)
{
    const char *message = sqlite3_errmsg(q->db);
    const char *path = asked_for_events(q, message);

    return path ? store_refuse_events(path, err)
                : err_set(err, ERR_USAGE, "%s", message);
}

/* The largest that SQLite asked for, whether it got it or not. */
static sqlite3_int64 largest_piece(bool forget)
{
    sqlite3_int64 now, largest = 0;

    sqlite3_status64(SQLITE_STATUS_MALLOC_SIZE, &now, &largest, forget);
    return largest;
}

/* True if the limit refused memory, and not the system. */
static bool is_over_limit(const struct query *q)
{
    return q->most_memory &&
           sqlite3_memory_highwater(false) + largest_piece(false) >=
               q->most_memory;
}

static enum err_code fail(struct query *q, int result, struct err *err)
{
    if (q->access.refused)
        return err_set(err, ERR_USAGE, "queries only read: %s is not allowed",
                       q->access.refused);
    switch (result & 0xff) {
    case SQLITE_INTERRUPT:
        return err_set(
            err, ERR_LIMIT,
            "the statement exceeds its time limit of %.3g s (--max-time)",
            (double)q->limits.time_ns / 1e9);
    case SQLITE_NOMEM:
        if (!is_over_limit(q))
            mem_exhausted(0);
        return err_set(
            err, ERR_LIMIT,
            "the statement exceeds its memory limit of %.4g MiB (--max-memory)",
            (double)q->limits.memory / (1 << 20));
    case SQLITE_TOOBIG:
        return err_set(err, ERR_LIMIT,
                       "a value or the SQL is longer than %d MiB",
                       QUERY_LONGEST_VALUE >> 20);
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return err_set(err, ERR_CORRUPT, "%s", sqlite3_errmsg(q->db));
    case SQLITE_IOERR:
        return err_set(err, ERR_IO, "%s", sqlite3_errmsg(q->db));
    default:
        return fail_as_wrong(q, err);
    }
}

/* A number where it is one to the last character. */
static void bind(sqlite3_stmt *statement, int i, const char *value)
{
    char *end;
    long long integer;
    double real;

    errno = 0;
    integer = strtoll(value, &end, 10);
    if (!errno && *value && !*end && !isspace((unsigned char)*value)) {
        sqlite3_bind_int64(statement, i, integer);
        return;
    }
    real = strtod(value, &end);
    if (*value && !*end && strspn(value, "0123456789+-.eE") == strlen(value))
        sqlite3_bind_double(statement, i, real);
    else
        sqlite3_bind_text(statement, i, value, -1, SQLITE_STATIC);
}

/* The one given last; NULL: none was. */
static const char *value_of(const struct query *q, const char *name)
{
    for (size_t i = q->parameters.len; i--;)
        if (!strcmp(q->parameters.data[i].name, name))
            return q->parameters.data[i].value;
    return NULL;
}

/* One without a name has its number. */
static enum err_code bind_all(struct query *q, sqlite3_stmt *statement,
                              struct err *err)
{
    for (int i = 1; i <= sqlite3_bind_parameter_count(statement); i++) {
        const char *name = sqlite3_bind_parameter_name(statement, i);
        const char *value;
        char number[16];

        snprintf(number, sizeof(number), "?%d", i);
        name = name ? name : number;
        value = value_of(q, name + 1);
        if (!value)
            return err_set(err, ERR_USAGE,
                           "the parameter %s has no value: --param %s=VALUE",
                           name, name + 1);
        bind(statement, i, value);
    }
    return ERR_NONE;
}

/* A table that is named after an event is made when it is first named. */
static int prepare(struct query *q, const char **sql, sqlite3_stmt **statement)
{
    const char *tail = *sql;
    int result;

    for (;;) {
        q->access.refused = NULL;
        result = sqlite3_prepare_v2(q->db, *sql, -1, statement, &tail);
        if (result != SQLITE_ERROR)
            break;
        q->access.own = true;
        if (!event_tables_make(q, sqlite3_errmsg(q->db))) {
            q->access.own = false;
            /* The message is that of the last call. */
            result = sqlite3_prepare_v2(q->db, *sql, -1, statement, &tail);
            break;
        }
        q->access.own = false;
    }
    *sql = tail;
    return result;
}

static enum err_code fill(struct query *q, struct err *err)
{
    enum err_code code = ERR_NONE;

    q->access.own = true;
    for (size_t i = 0; i < q->place_count && !code; i++)
        code = place_fill(q, &q->places[i], err);
    q->access.own = false;
    return code;
}

static void begin_limits(struct query *q)
{
    if (q->limits.time_ns)
        q->deadline = now() + q->limits.time_ns;
    if (!q->limits.memory)
        return;
    q->most_memory = sqlite3_memory_used() + (sqlite3_int64)q->limits.memory;
    sqlite3_hard_heap_limit64(q->most_memory);
    (void)sqlite3_memory_highwater(true);
    (void)largest_piece(true);
}

static void end_limits(struct query *q)
{
    q->deadline = 0;
    sqlite3_hard_heap_limit64(0);
}

static enum err_code start(struct query *q, const char **sql,
                           sqlite3_stmt **statement, struct err *err)
{
    int result = SQLITE_OK;

    while (!*statement && **sql && !result)
        result = prepare(q, sql, statement);
    if (result)
        return fail(q, result, err);
    if (!*statement)
        return ERR_NONE;
    return bind_all(q, *statement, err) ? err->code : fill(q, err);
}

struct query_result *query_next(struct query *q, const char **sql,
                                struct err *err)
{
    sqlite3_stmt *statement = NULL;
    struct query_result *r;

    q->access.own = false;
    begin_limits(q);
    q->effort = (struct query_effort){0};
    q->trace_err = (struct err){0};
    if (start(q, sql, &statement, err) || !statement) {
        sqlite3_finalize(statement);
        end_limits(q);
        return NULL;
    }
    begin_limits(q); /* anew: tables that were filled do not count */
    r = mem_new(1, sizeof(*r));
    r->q = q;
    r->row = statement;
    return r;
}

bool query_step(struct query_result *r)
{
    r->result = sqlite3_step(r->row);
    return r->result == SQLITE_ROW;
}

enum err_code query_end(struct query_result *r, struct err *err)
{
    enum err_code code = ERR_NONE;

    if (r->result != SQLITE_ROW && r->result != SQLITE_DONE && r->result)
        code = r->q->trace_err.code
                   ? err_set(err, r->q->trace_err.code, "%s",
                             r->q->trace_err.message)
                   : fail(r->q, r->result, err);
    sqlite3_finalize(r->row);
    end_limits(r->q);
    free(r);
    return code;
}

size_t query_columns(const struct query_result *r)
{
    return (size_t)sqlite3_column_count(r->row);
}

const char *query_column_name(const struct query_result *r, size_t i)
{
    const char *name = sqlite3_column_name(r->row, (int)i);

    return name ? name : "";
}

struct query_value query_value(const struct query_result *r, size_t i)
{
    int type = sqlite3_column_type(r->row, (int)i);
    struct query_value v = {.type = QUERY_NULL};

    if (type == SQLITE_NULL)
        return v;
    if (type == SQLITE_BLOB) {
        v.type = QUERY_BLOB;
        v.text = sqlite3_column_blob(r->row, (int)i);
    } else {
        v.type = type == SQLITE_TEXT ? QUERY_TEXT : QUERY_NUMBER;
        v.text = (const char *)sqlite3_column_text(r->row, (int)i);
    }
    v.len = (size_t)sqlite3_column_bytes(r->row, (int)i);
    /* SQLite writes infinities so: no number of JSON. */
    if (v.type == QUERY_NUMBER && v.text && strpbrk(v.text, "IN"))
        v.type = QUERY_TEXT;
    if (!v.text && (v.len || type != SQLITE_BLOB))
        mem_exhausted(v.len);
    if (!v.text)
        v = (struct query_value){QUERY_TEXT, "", 0};
    return v;
}

struct query_effort query_effort(const struct query *q)
{
    return q->effort;
}
