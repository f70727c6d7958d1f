#include "engine/store_load.h"

#include <string.h>

#include "engine/base/out.h"
#include "engine/store_get.h"
#include "engine/store_sql.h"

enum { LONGEST_VALUE = 64 << 20 };

static bool sql_fail(struct store_load *l, int result, const char *what)
{
    store_sql_fail(l->err, l->db, result, l->name, what);
    return false;
}

int store_defend(sqlite3 *db)
{
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, LONGEST_VALUE);
    sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, 1 << 20);
    sqlite3_limit(db, SQLITE_LIMIT_COLUMN, 100);
    sqlite3_limit(db, SQLITE_LIMIT_EXPR_DEPTH, 100);
    sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_limit(db, SQLITE_LIMIT_TRIGGER_DEPTH, 1);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
    return sqlite3_exec(db,
                        "PRAGMA cell_size_check=ON; PRAGMA mmap_size=0;"
                        "PRAGMA query_only=ON",
                        NULL, NULL, NULL);
}

static bool pragma(struct store_load *l, const char *sql, int *value)
{
    sqlite3_stmt *statement = NULL;
    int result = sqlite3_prepare_v2(l->db, sql, -1, &statement, NULL);

    *value = 0;
    if (!result && (result = sqlite3_step(statement)) == SQLITE_ROW) {
        *value = sqlite3_column_int(statement, 0);
        result = SQLITE_OK;
    }
    if (result)
        sql_fail(l, result, "cannot read");
    sqlite3_finalize(statement);
    return !result;
}

static bool check_version(struct store_load *l)
{
    int id, version;

    if (!pragma(l, "PRAGMA application_id", &id) ||
        !pragma(l, "PRAGMA user_version", &version))
        return false;
    if (id != STORE_APPLICATION_ID) {
        err_set(l->err, ERR_UNSUPPORTED,
                "%s: an SQLite database, but not a topfn database", l->name);
        return false;
    }
    if (version != STORE_VERSION) {
        err_set(l->err, ERR_UNSUPPORTED,
                "%s: database version %d, this program reads version %d",
                l->name, version, STORE_VERSION);
        return false;
    }
    return true;
}

/* A view, a virtual table or a computed column under the name of a table of
 * ours would run SQL of the file's author: nothing but our own statement. */
static bool check_schema(struct store_load *l, const char *table,
                         const char *sql)
{
    sqlite3_stmt *statement = NULL;
    const char *found = NULL;
    bool same;
    int result = sqlite3_prepare_v2(
        l->db, "SELECT sql FROM sqlite_master WHERE type='table' AND name=?",
        -1, &statement, NULL);

    if (!result) {
        sqlite3_bind_text(statement, 1, table, -1, SQLITE_STATIC);
        result = sqlite3_step(statement);
        result = result == SQLITE_ROW || result == SQLITE_DONE ? 0 : result;
    }
    if (result)
        sql_fail(l, result, "cannot read the schema");
    else
        found = (const char *)sqlite3_column_text(statement, 0);
    same = found && !strcmp(found, sql);
    if (!result && !same)
        err_set(l->err, ERR_CORRUPT, "%s: table %s is %s", l->name, table,
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
        sql_fail(l, result, table);
    out_close(sql, NULL);
    return statement;
}

/* The next row, whose id must be at->id; false at the end and on failure. */
static bool next_row(struct store_row *at, bool *ok)
{
    int result = sqlite3_step(at->row);

    *ok = result == SQLITE_ROW || result == SQLITE_DONE;
    if (!*ok)
        return sql_fail(at->load, result, at->table);
    if (result == SQLITE_DONE)
        return false;
    *ok =
        (uint64_t)sqlite3_column_int64(at->row, 0) == at->id && at->id < NO_ID;
    return *ok || store_bad(at, "id", "is out of order");
}

static bool read_rows(struct store_row *at, const struct store_table *t)
{
    bool ok;

    while (next_row(at, &ok)) {
        char *row = t->add(at->load->p);

        for (size_t i = 0; i < t->width; i++) {
            if (!store_get(at, (int)i + 1, &t->columns[i],
                           row + t->columns[i].offset))
                return false;
        }
        at->id++;
    }
    return ok;
}

static bool read_table(struct store_load *l, const struct store_table *t)
{
    struct store_row at = {.load = l, .table = t->name, .id = t->first};
    struct out *sql = out_memory();
    bool ok;

    store_table_sql(t, sql);
    ok = check_schema(l, t->name, out_text(sql, NULL));
    out_close(sql, NULL);
    if (!ok)
        return false;
    at.row = open_rows(l, t->name);
    ok = at.row && read_rows(&at, t);
    sqlite3_finalize(at.row);
    return ok;
}

/* What no single row shows. */
static bool check_whole(struct store_load *l)
{
    struct profile *p = l->p;

    if (p->frame_start.len != p->locations.len) {
        err_set(l->err, ERR_CORRUPT, "%s: table frames: location %zu has none",
                l->name, p->frame_start.len);
        return false;
    }
    *vec_add(&p->frame_start) = (uint32_t)p->frames.len;
    return true;
}

/* Columns of a sample as its table gives them. */
struct sample_row {
    int64_t time, thread, stack, cpu, flags, weight;
};

static bool get_who(const struct store_row *at, int first, struct sample_row *s)
{
    const struct profile *p = at->load->p;

    return store_get_i64(at, first, "thread", 0, (int64_t)p->threads.len - 1,
                         &s->thread) &&
           store_get_i64(at, first + 1, "stack", 1, (int64_t)p->stacks.len - 1,
                         &s->stack);
}

static bool get_sample(const struct store_row *at, struct sample_row *s)
{
    const struct samples *all = &at->load->p->samples;
    int64_t least = all->len ? all->time[all->len - 1] : INT64_MIN;

    return store_get_i64(at, 1, "time_ns", least, INT64_MAX, &s->time) &&
           get_who(at, 2, s) &&
           store_get_i64(at, 4, "cpu", 0, UINT16_MAX, &s->cpu) &&
           store_get_i64(at, 5, "flags", 0, SAMPLE_FLAGS_ALL, &s->flags) &&
           store_get_i64(at, 6, "weight", 1, UINT32_MAX, &s->weight);
}

static bool get_group(const struct store_row *at, struct sample_row *s)
{
    return get_who(at, 1, s) &&
           store_get_i64(at, 3, "flags", 0, SAMPLE_FLAGS_ALL, &s->flags) &&
           store_get_i64(at, 4, "samples", 1, UINT32_MAX, &s->weight);
}

typedef bool get_row(const struct store_row *at, struct sample_row *s);

static bool read_samples(struct store_row *at, get_row *get)
{
    struct profile *p = at->load->p;
    VEC(uint32_t) weights = {0};
    bool ok, heavy = false;

    while (next_row(at, &ok)) {
        struct sample_row s = {0};

        ok = get(at, &s);
        if (!ok)
            break;
        profile_sample(p, s.time, (uint32_t)s.thread, (uint32_t)s.stack,
                       (uint16_t)s.cpu, (uint8_t)s.flags);
        *vec_add(&weights) = (uint32_t)s.weight;
        heavy |= s.weight != 1;
        at->id++;
    }
    if (heavy)
        p->samples.weight = weights.data;
    else
        vec_release(&weights);
    return ok;
}

static bool read_sample_table(struct store_load *l, const char *table,
                              const char *sql, get_row *get)
{
    struct store_row at = {.load = l, .table = table, .id = 1};
    bool ok;

    if (!check_schema(l, table, sql))
        return false;
    at.row = open_rows(l, table);
    ok = at.row && read_samples(&at, get);
    sqlite3_finalize(at.row);
    return ok;
}

static bool load_all(struct store_load *l, bool times)
{
    if (!check_version(l))
        return false;
    for (size_t i = 0; i < STORE_TABLES; i++) {
        if (!read_table(l, &store_tables[i]))
            return false;
    }
    if (!check_whole(l))
        return false;
    if (times)
        return read_sample_table(l, "samples", store_samples_sql, get_sample);
    return read_sample_table(l, "sample_groups", store_groups_sql, get_group);
}

struct profile *store_load(sqlite3 *db, const char *name, uint64_t size,
                           const struct store_options *options, struct err *err)
{
    struct store_load l = {
        .db = db, .name = name, .err = err, .text_left = size};

    l.p = profile_new();
    if (load_all(&l, options && options->times))
        return l.p;
    profile_free(l.p);
    return NULL;
}
