#include "engine/store/store.h"

#include <stdio.h>

#include "engine/base/bisect.h"
#include "engine/base/newfile.h"
#include "engine/base/out.h"
#include "engine/base/threads.h"
#include "engine/store/counts.h"
#include "engine/store/pack.h"
#include "engine/store/schema.h"
#include "engine/store/sql.h"

/* The location that frame `id` belongs to. */
static size_t location_of_frame(const struct profile *p, size_t id)
{
    size_t i;

    BISECT(i, p->locations.len, p->frame_start.data[i] <= id);
    return i - 1;
}

static void put_unless(struct rows *rows, int64_t value, int64_t none)
{
    if (value == none)
        rows_null(rows);
    else
        rows_i64(rows, value);
}

static void put_text(struct rows *rows, const struct profile *p, uint32_t id)
{
    rows_text(rows, strings_get(p->strings, id), strings_len(p->strings, id));
}

static void put_build_id(struct rows *rows, const struct identity *identity)
{
    if (identity->build_id_size)
        rows_blob(rows, identity->build_id, identity->build_id_size);
    else
        rows_null(rows);
}

static void put(struct rows *rows, const struct profile *p, size_t id,
                const struct store_column *c, const void *value)
{
    const uint32_t *u32 = value;
    const int64_t *i64 = value;

    switch (c->kind) {
    case COLUMN_TEXT:
        put_text(rows, p, *u32);
        break;
    case COLUMN_BOOL:
        rows_i64(rows, *(const bool *)value);
        break;
    case COLUMN_U8:
    case COLUMN_REF8:
        rows_i64(rows, *(const uint8_t *)value);
        break;
    case COLUMN_U32:
    case COLUMN_REF:
        rows_i64(rows, *u32);
        break;
    case COLUMN_REF_OR_NONE:
        put_unless(rows, *u32, NO_ID);
        break;
    case COLUMN_PARENT:
        put_unless(rows, *u32, 0);
        break;
    case COLUMN_U64:
        rows_u64(rows, *(const uint64_t *)value);
        break;
    case COLUMN_I64:
        rows_i64(rows, *i64);
        break;
    case COLUMN_START:
        put_unless(rows, *i64, TIME_MIN);
        break;
    case COLUMN_END:
        put_unless(rows, *i64, TIME_MAX);
        break;
    case COLUMN_LOCATION:
        rows_u64(rows, location_of_frame(p, id));
        break;
    case COLUMN_GUID:
        rows_blob(rows, value, 16);
        break;
    case COLUMN_BUILD_ID:
        put_build_id(rows, value);
        break;
    }
}

static int run(sqlite3 *db, const char *sql)
{
    return sqlite3_exec(db, sql, NULL, NULL, NULL);
}

static int write_table(sqlite3 *db, const struct store_table *t,
                       const struct profile *p)
{
    struct out *sql = out_memory();
    struct rows rows;
    int result;

    store_table_sql(t, sql);
    result = run(db, out_text(sql, NULL));
    out_close(sql, NULL);
    if (result)
        return result;
    rows_open(&rows, db, t->name, t->width + 1, ROWS_GIVEN);
    for (size_t id = t->first; id < t->count(p); id++) {
        const char *row = t->row(p, id);

        rows_u64(&rows, id);
        for (size_t i = 0; i < t->width; i++)
            put(&rows, p, id, &t->columns[i], row + t->columns[i].offset);
    }
    return rows_close(&rows);
}

static struct sample sample_at(const struct samples *s, size_t i)
{
    return (struct sample){
        .time = s->time[i],
        .thread = s->thread[i],
        .stack = s->stack[i],
        .weight = s->weight ? s->weight[i] : 1,
        .cpu = s->cpu[i],
        .flags = s->flags[i],
    };
}

static int write_samples(sqlite3 *db, const struct profile *p)
{
    const struct samples *s = &p->samples;
    int result = run(db, store_samples_sql);
    struct rows rows;

    if (result)
        return result;
    /* Weights of 1 are left to the column's default: every value counts. */
    if (s->weight)
        rows_open(&rows, db, "samples", 6, ROWS_NUMBERED);
    else
        rows_open(&rows, db, "samples(id, time_ns, thread, stack, cpu, flags)",
                  5, ROWS_NUMBERED);
    for (size_t i = 0; i < s->len; i++) {
        rows_i64(&rows, s->time[i]);
        rows_i64(&rows, s->thread[i]);
        rows_i64(&rows, s->stack[i]);
        rows_i64(&rows, s->cpu[i]);
        rows_i64(&rows, s->flags[i]);
        if (s->weight)
            rows_i64(&rows, s->weight[i]);
    }
    return rows_close(&rows);
}

static int write_packed(sqlite3 *db, const struct profile *p)
{
    struct pack pack;
    int result;

    pack_open(&pack, db, &packed_stacks);
    for (uint32_t i = 1; i < p->stacks.len; i++)
        pack_stack(&pack, i, &p->stacks.data[i]);
    result = pack_close(&pack);
    if (result)
        return result;
    pack_open(&pack, db, &packed_samples);
    for (size_t i = 0; i < p->samples.len; i++) {
        struct sample sample = sample_at(&p->samples, i);

        pack_sample(&pack, &sample);
    }
    return pack_close(&pack);
}

struct work {
    sqlite3 *db;
    const struct profile *p;
    struct store_counts *counts;
    int result; /* of the tables */
};

enum { WORK_TABLES, WORK_COUNTS, WORKS };

/* SQLite takes one writer; what is to be counted is counted beside it. */
static void do_work(void *context, size_t task, unsigned worker)
{
    struct work *w = context;

    (void)worker;
    if (task == WORK_COUNTS) {
        w->counts = store_counts_new(w->p);
        return;
    }
    for (size_t i = 0; i < STORE_TABLES && !w->result; i++)
        w->result = write_table(w->db, &store_tables[i], w->p);
    if (!w->result)
        w->result = write_samples(w->db, w->p);
    if (!w->result)
        w->result = write_packed(w->db, w->p);
}

static int write_all(sqlite3 *db, const struct profile *p)
{
    struct work w = {.db = db, .p = p};
    struct threads *pool = threads_new(WORKS);
    int result;

    threads_run(pool, WORKS, do_work, &w);
    threads_free(pool);
    result = w.result ? w.result : run(db, store_groups_sql);
    for (size_t i = 0; store_computed_sql[i] && !result; i++)
        result = run(db, store_computed_sql[i]);
    if (!result)
        result = store_counts_write(w.counts, db);
    store_counts_free(w.counts);
    return result;
}

/* Nobody else sees the file before it is renamed, and it is thrown away when
 * anything fails: no journal, and one fsync when all is written. */
static int prepare_file(sqlite3 *db)
{
    char sql[256];

    snprintf(sql, sizeof(sql),
             "PRAGMA page_size=%d; PRAGMA auto_vacuum=0;"
             "PRAGMA encoding='UTF-8';"
             "PRAGMA application_id=%d; PRAGMA user_version=%d;"
             "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;"
             "PRAGMA locking_mode=EXCLUSIVE; BEGIN",
             STORE_PAGE_SIZE, STORE_APPLICATION_ID, STORE_VERSION);
    return run(db, sql);
}

static enum err_code write_file(const struct profile *p,
                                const struct new_file *file, struct err *err)
{
    enum err_code code = ERR_NONE;
    sqlite3 *db = NULL;
    int result = sqlite3_open_v2(
        file->temp, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);

    if (!result)
        result = prepare_file(db);
    if (!result)
        result = write_all(db, p);
    if (!result)
        result = run(db, "COMMIT");
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
