#include "engine/store/rows.h"

#include "engine/base/out.h"

/* ---- by SQL ---- */

/* INSERT INTO table VALUES(NULL,?,...),(...) for `count` rows. */
static sqlite3_stmt *prepare(struct rows *rows, size_t count)
{
    struct out *sql = out_memory();
    sqlite3_stmt *statement = NULL;

    out_fmt(sql, "INSERT INTO %s.%s VALUES", rows->fill.schema, rows->table);
    for (size_t row = 0; row < count; row++) {
        out_str(sql, row ? ",(" : "(");
        if (rows->ids != ROWS_GIVEN)
            out_str(sql, "NULL,");
        for (size_t i = 0; i < rows->width; i++)
            out_str(sql, i ? ",?" : "?");
        out_char(sql, ')');
    }
    rows->result = sqlite3_prepare_v2(rows->fill.db, out_text(sql, NULL), -1,
                                      &statement, NULL);
    out_close(sql, NULL);
    return statement;
}

static void bind(sqlite3_stmt *statement, int i, const struct rows_value *v)
{
    switch (v->type) {
    case SQLITE_INTEGER:
        sqlite3_bind_int64(statement, i, v->number);
        break;
    case SQLITE_TEXT:
        sqlite3_bind_text(statement, i, v->bytes, v->size, SQLITE_STATIC);
        break;
    case SQLITE_BLOB:
        sqlite3_bind_blob(statement, i, v->bytes, v->size, SQLITE_STATIC);
        break;
    default:
        sqlite3_bind_null(statement, i);
    }
}

static void insert(struct rows *rows, sqlite3_stmt *statement)
{
    for (size_t i = 0; i < rows->used; i++)
        bind(statement, (int)i + 1, &rows->values[i]);
    if (sqlite3_step(statement) != SQLITE_DONE)
        rows->result = sqlite3_reset(statement);
    else
        sqlite3_reset(statement);
}

static void insert_full(struct rows *rows)
{
    if (!rows->full && !rows->result)
        rows->full = prepare(rows, rows->batch);
    if (!rows->result)
        insert(rows, rows->full);
}

static void insert_rest(struct rows *rows)
{
    sqlite3_stmt *rest = NULL;

    if (rows->used && !rows->result)
        rest = prepare(rows, rows->used / rows->width);
    if (rest)
        insert(rows, rest);
    sqlite3_finalize(rest);
    sqlite3_finalize(rows->full);
}

/* ---- as pages ---- */

static int read_root(struct rows *rows, uint32_t *root)
{
    sqlite3_stmt *s = NULL;
    int result = sqlite3_prepare_v2(
        rows->fill.db,
        "SELECT rootpage FROM sqlite_master WHERE type='table' AND name=?", -1,
        &s, NULL);

    if (result)
        return result;
    sqlite3_bind_text(s, 1, rows->table, -1, SQLITE_STATIC);
    result = sqlite3_step(s) == SQLITE_ROW ? SQLITE_OK : SQLITE_ERROR;
    *root = (uint32_t)sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    return result;
}

/* The page of a table that is there and empty. */
static void open_tree(struct rows *rows)
{
    struct page_file *file = rows->fill.file;
    uint32_t root = 0;
    int result = read_root(rows, &root);

    if (!file->result)
        file->result = result;
    btree_open(&rows->tree, file, root);
}

/* The id is the row's key, and NULL in it. */
static void begin_row(struct rows *rows)
{
    record_begin(&rows->record);
    record_null(&rows->record);
    rows->used = 0;
    rows->id++;
}

static inline void end_cell(struct rows *rows)
{
    if (++rows->used < rows->width)
        return;
    btree_add(&rows->tree, rows->id, record_end(&rows->record));
    begin_row(rows);
}

static inline void add_integer(struct rows *rows, int64_t value)
{
    if (!rows->used && rows->ids == ROWS_GIVEN)
        rows->id = (uint32_t)value;
    else
        record_integer(&rows->record, value);
    end_cell(rows);
}

static void add_null(struct rows *rows)
{
    record_null(&rows->record);
    end_cell(rows);
}

static void add_bytes(struct rows *rows, int type, const void *bytes, size_t n)
{
    record_bytes(&rows->record,
                 type == SQLITE_TEXT ? RECORD_TEXT : RECORD_BLOB, bytes, n);
    end_cell(rows);
}

/* ---- both ---- */

void rows_open(struct rows *rows, const struct store_fill *fill,
               const char *table, size_t width, enum rows_ids ids)
{
    rows->fill = *fill;
    rows->table = table;
    rows->full = NULL;
    rows->width = width;
    rows->batch = ids == ROWS_SINGLE ? 1 : ROWS_VALUES / width;
    rows->used = 0;
    rows->ids = ids;
    rows->id = 0;
    rows->result = SQLITE_OK;
    rows->record = (struct record){0};
    if (fill->file) {
        open_tree(rows);
        begin_row(rows);
    }
}

/* For SQL: of a value that completes a row, or a batch of them. */
static inline void end_value(struct rows *rows)
{
    if (++rows->used < rows->batch * rows->width)
        return;
    insert_full(rows);
    rows->used = 0;
}

void rows_i64(struct rows *rows, int64_t value)
{
    struct rows_value *v = &rows->values[rows->used];

    if (rows->fill.file) {
        add_integer(rows, value);
        return;
    }
    v->type = SQLITE_INTEGER;
    v->number = value;
    end_value(rows);
}

void rows_null(struct rows *rows)
{
    if (rows->fill.file) {
        add_null(rows);
        return;
    }
    rows->values[rows->used].type = SQLITE_NULL;
    end_value(rows);
}

static void put_bytes(struct rows *rows, int type, const void *bytes, size_t n)
{
    if (rows->fill.file) {
        add_bytes(rows, type, bytes, n);
        return;
    }
    rows->values[rows->used] =
        (struct rows_value){.type = type, .bytes = bytes, .size = (int)n};
    end_value(rows);
}

void rows_text(struct rows *rows, const char *text, size_t n)
{
    put_bytes(rows, SQLITE_TEXT, text, n);
}

void rows_blob(struct rows *rows, const void *bytes, size_t n)
{
    put_bytes(rows, SQLITE_BLOB, bytes, n);
}

int rows_close(struct rows *rows)
{
    if (rows->fill.file) {
        btree_close(&rows->tree);
        record_release(&rows->record);
        return rows->fill.file->result;
    }
    insert_rest(rows);
    return rows->result;
}
