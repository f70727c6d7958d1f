#include "engine/store/fill.h"

#include <string.h>

#include "engine/base/arena.h"
#include "engine/base/bisect.h"
#include "engine/base/out.h"
#include "engine/model/code.h"
#include "engine/model/labels.h"
#include "engine/model/thread_states.h"
#include "engine/model/waits.h"
#include "engine/store/schema.h"

enum { ROWS_AT_ONCE = 16 /* 20 columns of it are below SQLite's 999 values */ };

/* "INSERT INTO main.t SELECT * FROM (VALUES(?,?),(?,?),...) LIMIT ?": the last
 * statement of a table inserts fewer rows. */
void rows_open(struct rows *rows, const struct store_fill *fill,
               const char *table, size_t width)
{
    struct out *sql = out_memory();

    *rows = (struct rows){.width = (int)width};
    out_fmt(sql, "INSERT INTO %s.%s SELECT * FROM (VALUES", fill->schema,
            table);
    for (int i = 0; i < ROWS_AT_ONCE * rows->width; i++)
        out_fmt(sql, "%s?%s", i % rows->width ? "," : i ? ",(" : "(",
                (i + 1) % rows->width ? "" : ")");
    out_str(sql, ") LIMIT ?");
    rows->result = sqlite3_prepare_v2(fill->db, out_text(sql, NULL), -1,
                                      &rows->insert, NULL);
    out_close(sql, NULL);
}

static void insert_rows(struct rows *rows)
{
    sqlite3_bind_int(rows->insert, ROWS_AT_ONCE * rows->width + 1,
                     rows->bound / rows->width);
    sqlite3_step(rows->insert);
    rows->result = sqlite3_reset(rows->insert);
    rows->bound = 0;
}

/* `result` is that of binding the value. */
static void end_value(struct rows *rows, int result)
{
    if (rows->result)
        return;
    rows->result = result;
    if (++rows->bound == ROWS_AT_ONCE * rows->width && !result)
        insert_rows(rows);
}

void rows_i64(struct rows *rows, int64_t value)
{
    end_value(rows, sqlite3_bind_int64(rows->insert, rows->bound + 1, value));
}

void rows_null(struct rows *rows)
{
    end_value(rows, sqlite3_bind_null(rows->insert, rows->bound + 1));
}

void rows_text(struct rows *rows, const char *text, size_t n)
{
    end_value(rows, sqlite3_bind_text64(rows->insert, rows->bound + 1, text, n,
                                        SQLITE_STATIC, SQLITE_UTF8));
}

static void rows_blob(struct rows *rows, const void *bytes, size_t n)
{
    end_value(rows, sqlite3_bind_blob64(rows->insert, rows->bound + 1, bytes, n,
                                        SQLITE_STATIC));
}

/* For NULL SQLite takes the largest id plus one; 1 in an empty table. */
void rows_id(struct rows *rows, uint64_t id)
{
    if (id == rows->last_id + 1)
        rows_null(rows);
    else
        rows_u64(rows, id);
    rows->last_id = id;
}

int rows_close(struct rows *rows)
{
    if (rows->bound && !rows->result)
        insert_rows(rows);
    sqlite3_finalize(rows->insert);
    return rows->result;
}

/* The location that frame `id` belongs to. */
static size_t location_of_frame(const struct profile *p, size_t id)
{
    size_t i;

    BISECT(i, p->locations.len, p->frame_start.data[i] <= id);
    return i - 1;
}

static void put(struct rows *rows, const struct profile *p, size_t id,
                const struct store_column *c, const void *value)
{
    const struct store_kind *kind = &store_kinds[c->kind];
    const struct identity *identity = value;
    int64_t n = kind->bytes ? store_number(c->kind, value) : 0;

    if (c->kind == COLUMN_TEXT)
        rows_text(rows, strings_get(p->strings, (uint32_t)n),
                  strings_len(p->strings, (uint32_t)n));
    else if (c->kind == COLUMN_LOCATION)
        rows_u64(rows, location_of_frame(p, id));
    else if (c->kind == COLUMN_GUID)
        rows_blob(rows, value, sizeof(identity->guid));
    else if (c->kind == COLUMN_BUILD_ID && identity->build_id_size)
        rows_blob(rows, identity->build_id, identity->build_id_size);
    else if (kind->null && n == kind->none)
        rows_null(rows);
    else
        rows_i64(rows, n);
}

static bool wanted(const struct store_fill *f, const char *table)
{
    return !f->wanted || f->wanted(f->context, table);
}

static int write_table(const struct store_fill *f, const struct store_table *t,
                       const struct profile *p)
{
    struct method room;
    struct rows rows;

    if (!wanted(f, t->name))
        return SQLITE_OK;
    rows_open(&rows, f, t->name, t->width + 1);
    for (size_t id = t->first; id < t->count(p); id++) {
        const char *row = t->row(p, id, &room);

        rows_id(&rows, id);
        for (size_t i = 0; i < t->width; i++)
            put(&rows, p, id, &t->columns[i], row + t->columns[i].offset);
    }
    return rows_close(&rows);
}

static int write_samples(const struct store_fill *f, const struct profile *p)
{
    struct rows rows;

    if (!wanted(f, "samples"))
        return SQLITE_OK;
    rows_open(&rows, f, "samples", 8);
    for (size_t i = 0; i < p->samples.len; i++) {
        struct sample s = profile_sample_at(p, i);

        rows_id(&rows, i + 1);
        rows_i64(&rows, s.time);
        rows_i64(&rows, s.thread);
        rows_i64(&rows, s.stack);
        if (s.cpu == NO_CPU)
            rows_null(&rows);
        else
            rows_i64(&rows, s.cpu);
        rows_i64(&rows, s.flags);
        rows_u64(&rows, s.weight);
        rows_u64(&rows, s.period);
    }
    return rows_close(&rows);
}

static int write_words(const struct store_fill *f, const char *table,
                       unsigned count, const char *(*name)(unsigned i))
{
    struct rows rows;

    if (!wanted(f, table))
        return SQLITE_OK;
    rows_open(&rows, f, table, 2);
    for (unsigned i = 0; i < count; i++) {
        rows_id(&rows, i);
        rows_text(&rows, name(i), strlen(name(i)));
    }
    return rows_close(&rows);
}

static const char *kind_name(unsigned i)
{
    return code_kind_name((enum code_kind)i);
}

static const char *tier_word(unsigned tier)
{
    return code_tier_word((int)code_tier_of(tier));
}

static const char *end_word(unsigned end)
{
    return stack_end_word((enum stack_end)end);
}

static const char *wait_name(unsigned wait)
{
    return thread_wait_at(wait).name;
}

static const char *cause_name(unsigned i)
{
    return name_cause_name((enum name_cause)i);
}

static int write_labels(const struct store_fill *f, const struct profile *p)
{
    bool waiting = measures_wall_clock(p);
    struct arena arena = {0};
    struct rows rows;
    int result;

    if (!wanted(f, "labels"))
        return SQLITE_OK;
    rows_open(&rows, f, "labels", 3);
    for (uint32_t i = 0; i < p->functions.len; i++) {
        const char *label = function_label(p, i, &arena);
        const char *name = strings_get(p->strings, p->functions.data[i].name);

        rows_id(&rows, i);
        rows_text(&rows, label, strlen(label));
        rows_i64(&rows, waiting && only_waits(name));
    }
    result = rows_close(&rows);
    arena_release(&arena);
    return result;
}

static int write_location_frames(const struct store_fill *f,
                                 const struct profile *p)
{
    const uint32_t *start = p->frame_start.data;
    struct rows rows;

    if (!wanted(f, "location_frames"))
        return SQLITE_OK;
    rows_open(&rows, f, "location_frames", 3);
    for (size_t i = 0; i < p->locations.len; i++) {
        rows_id(&rows, i);
        rows_u64(&rows, start[i]);
        rows_u64(&rows, start[i + 1] - start[i]);
    }
    return rows_close(&rows);
}

static int write_tables(const struct store_fill *f, const struct profile *p)
{
    int result = SQLITE_OK;

    for (size_t i = 0; i < STORE_TABLES && !result; i++)
        result = write_table(f, &store_tables[i], p);
    if (!result)
        result = write_location_frames(f, p);
    if (!result)
        result = write_words(f, "code_kinds", CODE_KINDS, kind_name);
    if (!result)
        result = write_words(f, "name_causes", CAUSE_KINDS, cause_name);
    if (!result)
        result = write_words(f, "code_tiers", CODE_TIERS, tier_word);
    if (!result)
        result = write_words(f, "stack_ends", STACK_ENDS, end_word);
    if (!result)
        result = write_words(f, "thread_waits", thread_waits(), wait_name);
    return result ? result : write_samples(f, p);
}

static bool wants_counts(const struct store_fill *f)
{
    for (size_t i = 0; store_counted[i]; i++)
        if (wanted(f, store_counted[i]))
            return true;
    return false;
}

int store_fill(const struct store_fill *f, const struct profile *p)
{
    int result = write_tables(f, p);

    if (!result && wants_counts(f))
        result = store_counts_write(f, p);
    return result ? result : write_labels(f, p);
}

/* Runs a CREATE statement; closes `sql`. */
static int create_from(const struct store_fill *f, struct out *sql)
{
    int result = sqlite3_exec(f->db, out_text(sql, NULL), NULL, NULL, NULL);

    out_close(sql, NULL);
    return result;
}

int store_create(const struct store_fill *f)
{
    int result = SQLITE_OK;

    for (size_t i = 0; i < STORE_TABLES && !result; i++) {
        struct out *sql = out_memory();

        store_table_sql(&store_tables[i], f->schema, sql);
        result = create_from(f, sql);
    }
    for (const struct store_made *m = store_made; m->name && !result; m++) {
        struct out *sql = out_memory();

        store_made_sql(m, f->schema, sql);
        result = create_from(f, sql);
    }
    return result;
}
