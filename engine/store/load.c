#include "engine/store/load.h"

#include <string.h>

#include "engine/base/out.h"
#include "engine/base/threads.h"
#include "engine/model/deep_stacks.h"
#include "engine/model/weight_unit.h"
#include "engine/store/pack.h"
#include "engine/store/scan.h"
#include "engine/store/sql.h"

enum {
    LONGEST_VALUE = 64 << 20,
    STEPS_AT_ONCE = 1000,
    STEPS_FREE = 1 << 20,
    STEPS_A_BYTE = 8,
};

static int count_steps(void *context)
{
    struct store_bound *bound = context;

    if (bound->left < STEPS_AT_ONCE)
        return 1;
    bound->left -= STEPS_AT_ONCE;
    return 0;
}

int store_defend(sqlite3 *db, struct store_bound *bound, uint64_t size)
{
    bound->left =
        STEPS_FREE +
        (size < UINT64_MAX / 16 ? size : UINT64_MAX / 16) * STEPS_A_BYTE;
    sqlite3_progress_handler(db, STEPS_AT_ONCE, count_steps, bound);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, LONGEST_VALUE);
    sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, 1 << 20);
    sqlite3_limit(db, SQLITE_LIMIT_COLUMN, 100);
    sqlite3_limit(db, SQLITE_LIMIT_EXPR_DEPTH, 100);
    sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_limit(db, SQLITE_LIMIT_TRIGGER_DEPTH, 1);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    /* Tables are read once, from end to end: few pages are wanted again. */
    return store_distrust(db, "PRAGMA query_only=ON; PRAGMA cache_size=16");
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
        store_load_fail(l, result, "cannot read");
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

/* SQLite finds out that the last page is cut when it reads it, which we may
 * never do. */
static bool check_size(struct store_load *l)
{
    uint64_t size = l->bytes_left, whole;
    int pages, page_size;

    if (!pragma(l, "PRAGMA page_count", &pages) ||
        !pragma(l, "PRAGMA page_size", &page_size))
        return false;
    whole = (uint64_t)pages * (uint64_t)page_size;
    if (whole > size)
        err_set(l->err, ERR_TRUNCATED, "%s: %llu bytes, wanted %llu", l->name,
                (unsigned long long)size, (unsigned long long)whole);
    return whole <= size;
}

static bool check_table(struct store_load *l, const struct store_table *t)
{
    struct out *sql = out_memory();
    bool same;

    store_table_sql(t, NULL, sql);
    same = store_scan_check(l, "table", t->name, out_text(sql, NULL));
    out_close(sql, NULL);
    return same;
}

static bool check_made(struct store_load *l, const struct store_made *m)
{
    struct out *sql = out_memory();
    bool same;

    store_made_sql(m, NULL, sql);
    same = store_scan_check(l, m->from ? "view" : "table", m->name,
                            out_text(sql, NULL));
    out_close(sql, NULL);
    return same;
}

static bool read_row(const struct store_row *at, const struct store_table *t)
{
    struct method room;
    char *row = t->add(at->load->p, &room);

    for (size_t i = 0; i < t->width; i++)
        if (!store_get(at, (int)i + 1, &t->columns[i],
                       row + t->columns[i].offset))
            return false;
    if (t->end)
        t->end(at->load->p, &room);
    return true;
}

static bool read_table(struct store_load *l, const struct store_table *t)
{
    struct out *sql = out_memory();
    struct store_row at;
    bool ok;

    store_table_sql(t, NULL, sql);
    ok = store_scan(&at, l, t->name, out_text(sql, NULL), t->first);
    while (ok && store_scan_next(&at, &ok))
        ok = read_row(&at, t);
    store_scan_end(&at);
    out_close(sql, NULL);
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

/* Without them rows and packed tables may tell different things. */
static bool check_guards(struct store_load *l)
{
    bool more = true, same = true;

    for (size_t i = 0; more && same; i++) {
        struct out *name = out_memory(), *sql = out_memory();

        more = store_guard_sql(i, name, sql);
        same = !more || store_scan_check(l, "trigger", out_text(name, NULL),
                                         out_text(sql, NULL));
        out_close(name, NULL);
        out_close(sql, NULL);
    }
    return same;
}

static bool load_rows(struct store_load *l)
{
    if (!check_version(l) || !check_size(l))
        return false;
    for (size_t i = 0; i < STORE_TABLES; i++) {
        const struct store_table *t = &store_tables[i];

        if (i != TABLE_STACKS &&
            !(t->packed ? unpack_table(l, t) : read_table(l, t)))
            return false;
    }
    l->p->trace.metric.id = metric_by_word(profile_metric_word(l->p));
    if (l->p->trace.metric.decimals > WEIGHT_DECIMALS_MOST)
        return !err_set(l->err, ERR_CORRUPT,
                        "%s: table trace: decimals is out of range", l->name);
    return check_whole(l);
}

/* From the last row, as ids have no gaps. */
static bool count_ids(struct store_load *l, const char *table, int first,
                      size_t *count)
{
    struct out *sql = out_memory();
    int rows = 0;
    bool ok;

    out_fmt(sql, "SELECT ifnull(max(id) - %d, -1) + 1 FROM %s NOT INDEXED",
            first, table);
    ok = pragma(l, out_text(sql, NULL), &rows);
    out_close(sql, NULL);
    *count = rows > 0 ? (size_t)rows : 0;
    return ok;
}

static bool count_rows(struct store_load *l, enum store_table_id id,
                       size_t *count)
{
    const struct store_table *t = &store_tables[id];

    return check_table(l, t) && count_ids(l, t->name, (int)t->first, count);
}

/* As many as there are rows of them, as far as the file can hold them. */
static bool expect_samples(struct store_load *l, const char *rows)
{
    enum { PACKED_LEAST = 4 /* bytes, of a group */ };
    uint64_t most = l->bytes_left / PACKED_LEAST;
    size_t count;

    if (!check_made(l, store_made_find(rows)) ||
        !count_ids(l, rows, 1, &count))
        return false;
    profile_expect_samples(l->p, count < most ? count : (size_t)most);
    return true;
}

static bool load_packed(struct store_load *l, bool times)
{
    return count_rows(l, TABLE_THREADS, &l->threads) &&
           count_rows(l, TABLE_LOCATIONS, &l->locations) &&
           unpack_table(l, &store_tables[TABLE_STACKS]) &&
           expect_samples(l, times ? "samples" : "sample_groups") &&
           (times ? unpack_samples(l) : unpack_groups(l));
}

/* Rows and packed tables have nothing in common but how many threads and
 * locations there are, so both can be read at once. */
struct work {
    struct store_load rows, packed;
    bool times, ok[2];
};

enum { WORK_ROWS, WORK_PACKED, WORKS };

static void do_work(void *context, size_t task, unsigned worker)
{
    struct work *w = context;

    (void)worker;
    w->ok[task] = task == WORK_ROWS ? load_rows(&w->rows)
                                    : load_packed(&w->packed, w->times);
}

static bool agree(struct store_load *rows, const struct store_load *packed)
{
    const struct profile *p = rows->p;

    if (p->threads.len == packed->threads &&
        p->locations.len == packed->locations)
        return true;
    err_set(rows->err, ERR_CORRUPT, "%s: tables have other rows than it seemed",
            rows->name);
    return false;
}

static bool load_all(struct store_load *l, sqlite3 *beside, bool times)
{
    struct err err = {0};
    struct work w = {.rows = *l, .packed = *l, .times = times};
    struct threads *pool;

    w.packed.err = &err;
    w.packed.db = beside ? beside : l->db;
    pool = threads_new(beside ? WORKS : 1);
    threads_run(pool, WORKS, do_work, &w);
    threads_free(pool);
    /* What is wrong with rows comes first, whoever was faster. */
    if (w.ok[WORK_ROWS] && !w.ok[WORK_PACKED])
        err_set(l->err, err.code, "%s", err.message);
    if (!w.ok[WORK_ROWS] || !w.ok[WORK_PACKED] || !agree(l, &w.packed))
        return false;
    profile_bound_stacks(l->p);
    return check_guards(l);
}

struct profile *store_load(sqlite3 *db, sqlite3 *beside, const char *name,
                           uint64_t size, const struct store_options *options,
                           struct err *err)
{
    struct store_load l = {
        .db = db, .name = name, .err = err, .bytes_left = size};

    l.p = profile_new();
    if (load_all(&l, beside, options && options->times))
        return l.p;
    profile_free(l.p);
    return NULL;
}

struct profile *store_load_files(sqlite3 *db, const char *name, uint64_t size)
{
    struct err err = {0};
    struct store_load l = {
        .db = db, .name = name, .err = &err, .bytes_left = size};

    l.p = profile_new();
    if (check_version(&l))
        read_table(&l, &store_tables[TABLE_TRACE_FILES]);
    return l.p;
}

enum err_code store_check_schema(sqlite3 *db, const char *name, uint64_t size,
                                 struct err *err)
{
    struct store_load l = {
        .db = db, .name = name, .err = err, .bytes_left = size};
    bool same = check_version(&l) && check_size(&l) && check_guards(&l);

    for (size_t i = 0; i < STORE_TABLES && same; i++)
        same = check_table(&l, &store_tables[i]);
    for (const struct store_made *m = store_made; m->name && same; m++)
        same = check_made(&l, m);
    return same ? ERR_NONE : err->code;
}
