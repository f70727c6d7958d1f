#include "engine/store/load.h"

#include <string.h>

#include "engine/base/out.h"
#include "engine/model/profile.h"
#include "engine/model/thread_states.h"
#include "engine/store/sql.h"

/* Sets err to what is wrong with a row; returns false. */
static bool store_bad(const struct store_row *at, const char *column,
                      const char *what)
{
    err_set(at->load->err, ERR_CORRUPT, "%s: table %s, row %llu: %s %s",
            at->load->name, at->table, (unsigned long long)at->id, column,
            what);
    return false;
}

/* Rows of a damaged file can share the pages of one long value. */
static bool take_bytes(const struct store_row *at, const char *column,
                       size_t n)
{
    struct store_load *l = at->load;

    if (n > l->bytes_left)
        return store_bad(at, column, "is longer than the file");
    l->bytes_left -= n;
    return true;
}

/* An integer from `least` to `most`. */
static bool store_get_integer(const struct store_row *at, int i,
                              const char *column, int64_t least, int64_t most,
                              int64_t *value)
{
    *value = sqlite3_column_int64(at->row, i);
    /* SQLite converts other values to 0, so most values need no second call. */
    if (!*value && sqlite3_column_type(at->row, i) != SQLITE_INTEGER)
        return store_bad(at, column, "is not an integer");
    if (*value < least || *value > most)
        return store_bad(at, column, "is out of range");
    return true;
}

static bool get_text(const struct store_row *at, int i, const char *column,
                     uint32_t *value)
{
    struct store_load *l = at->load;
    const char *text;
    size_t n;

    if (sqlite3_column_type(at->row, i) != SQLITE_TEXT)
        return store_bad(at, column, "is not text");
    text = (const char *)sqlite3_column_text(at->row, i);
    n = (size_t)sqlite3_column_bytes(at->row, i);
    if (!text)
        mem_exhausted(n);
    if (!take_bytes(at, column, n))
        return false;
    *value = strings_add(l->p->strings, text, n);
    return true;
}

/* At most `room` bytes; NULL is none. */
static bool get_blob(const struct store_row *at, int i, const char *column,
                     uint8_t *bytes, size_t room, size_t *size)
{
    int type = sqlite3_column_type(at->row, i);
    const void *blob = sqlite3_column_blob(at->row, i);
    size_t n = (size_t)sqlite3_column_bytes(at->row, i);

    *size = 0;
    if (type == SQLITE_NULL)
        return true;
    if (type != SQLITE_BLOB || n > room)
        return store_bad(at, column, "is not an identity");
    if (n && !blob)
        mem_exhausted(n);
    if (n)
        memcpy(bytes, blob, n);
    *size = n;
    return true;
}

static bool get_guid(const struct store_row *at, int i, const char *column,
                     uint8_t *guid)
{
    size_t size;

    if (!get_blob(at, i, column, guid, 16, &size))
        return false;
    return size == 16 || store_bad(at, column, "is not a GUID");
}

static bool get_build_id(const struct store_row *at, int i, const char *column,
                         struct identity *identity)
{
    size_t size;

    if (!get_blob(at, i, column, identity->build_id, sizeof(identity->build_id),
                  &size))
        return false;
    identity->build_id_size = (uint8_t)size;
    return true;
}

/* A reference is to a row that exists, a stack's parent stands before it. */
static bool get_number(const struct store_row *at, int i,
                       const struct store_column *c, void *value)
{
    const struct store_kind *kind = &store_kinds[c->kind];
    int64_t least = 0, most, n = kind->none;

    switch (c->kind) {
    case COLUMN_BOOL:
        most = 1;
        break;
    case COLUMN_U8:
        most = UINT8_MAX;
        break;
    case COLUMN_U32:
        most = UINT32_MAX;
        break;
    case COLUMN_REF:
    case COLUMN_REF8:
    case COLUMN_REF_OR_NONE:
        most = (int64_t)store_table_count(at->load->p, c->refers) - 1;
        break;
    case COLUMN_PARENT:
        least = 1;
        most = (int64_t)at->id - 1;
        break;
    default:
        least = INT64_MIN;
        most = INT64_MAX;
    }
    if (!(kind->null && sqlite3_column_type(at->row, i) == SQLITE_NULL) &&
        !store_get_integer(at, i, c->name, least, most, &n))
        return false;
    store_set_number(c->kind, value, n);
    return true;
}

/* Frames stand in the order of their locations, and each location has one. */
static bool get_location(const struct store_row *at, int i, const char *column)
{
    struct profile *p = at->load->p;
    int64_t begun = (int64_t)p->frame_start.len;
    int64_t most = begun < (int64_t)p->locations.len ? begun : begun - 1;
    int64_t value;

    if (!store_get_integer(at, i, column, begun ? begun - 1 : 0, most, &value))
        return false;
    if (value == begun)
        *vec_add(&p->frame_start) = (uint32_t)p->frames.len - 1;
    return true;
}

bool store_get(const struct store_row *at, int i, const struct store_column *c,
               void *value)
{
    switch (c->kind) {
    case COLUMN_TEXT:
        return get_text(at, i, c->name, value);
    case COLUMN_GUID:
        return get_guid(at, i, c->name, value);
    case COLUMN_BUILD_ID:
        return get_build_id(at, i, c->name, value);
    case COLUMN_LOCATION:
        return get_location(at, i, c->name);
    default:
        return get_number(at, i, c, value);
    }
}

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

/* Sets err to SQLite's message for its last failure; returns false. */
static bool load_failed(struct store_load *l, int result, const char *what)
{
    store_sql_fail(l->err, l->db, result, l->name, what);
    return false;
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
        load_failed(l, result, "cannot read");
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

/* SQLite notices a truncated last page only when it reads that page, and our
 * tables may not need it. */
static bool check_size(struct store_load *l)
{
    uint64_t size = l->bytes_left, whole;
    int pages, page_size;

    if (!pragma(l, "PRAGMA page_count", &pages) ||
        !pragma(l, "PRAGMA page_size", &page_size))
        return false;
    whole = (uint64_t)pages * (uint64_t)page_size;
    if (whole > size)
        err_set(l->err, ERR_TRUNCATED,
                "%s: truncated database: %llu of %llu bytes", l->name,
                (unsigned long long)size, (unsigned long long)whole);
    return whole <= size;
}

/* True if a table or view of ours was made by the statement `sql`, to the
 * letter. Closes `sql`. */
static bool is_made_by(struct store_load *l, const char *type, const char *name,
                       struct out *sql)
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
        load_failed(l, result, "cannot read the schema");
    else
        found = (const char *)sqlite3_column_text(statement, 0);
    if (!result && !found)
        store_sql_memory(sqlite3_errcode(l->db));
    same = found && !strcmp(found, out_text(sql, NULL));
    if (!result && !same)
        err_set(l->err, ERR_CORRUPT, "%s: %s %s is %s", l->name, type, name,
                found ? "not as topfn created it" : "missing");
    sqlite3_finalize(statement);
    out_close(sql, NULL);
    return same;
}

static bool check_table(struct store_load *l, const struct store_table *t)
{
    struct out *sql = out_memory();

    store_table_sql(t, NULL, sql);
    return is_made_by(l, "table", t->name, sql);
}

static bool check_made(struct store_load *l, const struct store_made *m)
{
    struct out *sql = out_memory();

    store_made_sql(m, NULL, sql);
    return is_made_by(l, m->from ? "view" : "table", m->name, sql);
}

/* ---- rows ---- */

/* Begins to read all rows of a table in order. The caller has checked the
 * table's statement, and finalizes at->row. */
static bool open_rows(struct store_row *at, struct store_load *l,
                      const char *table, uint64_t first)
{
    struct out *sql = out_memory();
    int result;

    *at = (struct store_row){.load = l, .table = table, .id = first - 1};
    /* An index is the file author's and need not agree with the table. */
    out_fmt(sql, "SELECT * FROM %s NOT INDEXED ORDER BY id", table);
    result = sqlite3_prepare_v2(l->db, out_text(sql, NULL), -1, &at->row, NULL);
    out_close(sql, NULL);
    return !result || load_failed(l, result, table);
}

/* Ids must count up from the first without a gap. Returns false at the end and
 * on failure; `ok` tells the two apart. */
static bool next_row(struct store_row *at, bool *ok)
{
    int result = sqlite3_step(at->row);

    *ok = result == SQLITE_ROW || result == SQLITE_DONE;
    if (!*ok)
        return load_failed(at->load, result, at->table);
    if (result == SQLITE_DONE)
        return false;
    at->id++;
    *ok =
        (uint64_t)sqlite3_column_int64(at->row, 0) == at->id && at->id < NO_ID;
    return *ok || store_bad(at, "id", "is out of order");
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

/* A view, a virtual table or a computed column under the name of a table of
 * ours would run SQL of the file's author: the table is checked first. */
static bool read_table(struct store_load *l, const struct store_table *t)
{
    struct store_row at;
    bool ok = check_table(l, t);

    if (!ok)
        return false;
    ok = open_rows(&at, l, t->name, t->first);
    while (ok && next_row(&at, &ok))
        ok = read_row(&at, t);
    sqlite3_finalize(at.row);
    return ok;
}

/* ---- samples ---- */

/* Columns of a table of samples; 0: it has none. */
struct sample_columns {
    const char *table;
    int time, thread, stack, cpu, flags, weight, period;
    const char *weight_name;
};

static const struct sample_columns of_samples = {"samples", 1, 2, 3, 4,
                                                 5, 6, 7, "weight"};
static const struct sample_columns of_groups = {"sample_groups", 0, 1, 2, 0,
                                                3, 4, 5, "samples"};

/* Times go up from `*s`, the row before; `weights` is the sum of all so far. */
static bool get_sample(const struct store_row *at,
                       const struct sample_columns *c, struct sample *s,
                       int64_t *weights)
{
    const struct profile *p = at->load->p;
    int64_t thread, stack, cpu = NO_CPU, flags, weight, period;

    if (c->time && !store_get_integer(at, c->time, "time_ns", s->time,
                                      INT64_MAX, &s->time))
        return false;
    if (c->cpu && sqlite3_column_type(at->row, c->cpu) != SQLITE_NULL &&
        !store_get_integer(at, c->cpu, "cpu", 0, NO_CPU, &cpu))
        return false;
    if (!store_get_integer(at, c->thread, "thread", 0,
                           (int64_t)p->threads.len - 1, &thread) ||
        !store_get_integer(at, c->stack, "stack", 1,
                           (int64_t)p->stacks.len - 1, &stack) ||
        !store_get_integer(at, c->flags, "flags", 0, SAMPLE_FLAGS_ALL,
                           &flags) ||
        !store_get_integer(at, c->weight, c->weight_name, 1,
                           (int64_t)WEIGHTS_MOST - *weights, &weight) ||
        !store_get_integer(at, c->period, "period", INT64_MIN, INT64_MAX,
                           &period))
        return false;
    if (stack_end_of((uint32_t)flags) >= STACK_ENDS ||
        sample_wait((uint32_t)flags) >= thread_waits())
        return store_bad(at, "flags", "is out of range");
    s->thread = (uint32_t)thread;
    s->stack = (uint32_t)stack;
    s->cpu = (uint16_t)cpu;
    s->flags = (uint32_t)flags;
    s->weight = (uint64_t)weight;
    s->period = (uint64_t)period;
    *weights += weight;
    return true;
}

static bool read_samples(struct store_load *l, const struct sample_columns *c)
{
    struct sample s = {.time = c->time ? INT64_MIN : 0};
    struct store_row at;
    int64_t weights = 0;
    bool ok = check_made(l, store_made_find(c->table));

    if (!ok)
        return false;
    ok = open_rows(&at, l, c->table, 1);
    while (ok && next_row(&at, &ok)) {
        ok = get_sample(&at, c, &s, &weights);
        if (ok)
            profile_sample(l->p, &s);
    }
    sqlite3_finalize(at.row);
    return ok;
}

/* A trigger empties the groups when somebody changes samples. */
static bool load_samples(struct store_load *l, bool times)
{
    if (!times && !read_samples(l, &of_groups))
        return false;
    return l->p->samples.len || read_samples(l, &of_samples);
}

/* Checks what no single row shows. */
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

static bool load_all(struct store_load *l, bool times)
{
    struct profile *p = l->p;

    if (!check_version(l) || !check_size(l))
        return false;
    for (size_t i = 0; i < STORE_TABLES; i++)
        if (!read_table(l, &store_tables[i]))
            return false;
    p->trace.metric.id = metric_by_word(profile_metric_word(p));
    if (p->trace.metric.decimals > WEIGHT_DECIMALS_MOST)
        return !err_set(l->err, ERR_CORRUPT,
                        "%s: table trace: decimals is out of range", l->name);
    if (!check_whole(l) || !load_samples(l, times))
        return false;
    profile_bound_stacks(p);
    return true;
}

struct profile *store_load(sqlite3 *db, const char *name, uint64_t size,
                           bool times, struct err *err)
{
    struct store_load l = {
        .db = db, .name = name, .err = err, .bytes_left = size};

    l.p = profile_new();
    if (load_all(&l, times))
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
    bool same = check_version(&l) && check_size(&l);

    for (size_t i = 0; i < STORE_TABLES && same; i++)
        same = check_table(&l, &store_tables[i]);
    for (const struct store_made *m = store_made; m->name && same; m++)
        same = check_made(&l, m);
    return same ? ERR_NONE : err->code;
}
