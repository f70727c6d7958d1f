#include "engine/store/rows.h"

#include "engine/base/out.h"

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

void rows_blob(struct rows *rows, const void *bytes, size_t n)
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
