#include "engine/sql/format.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/mem.h"
#include "engine/base/out.h"
#include "engine/store/sql.h"

enum { MOST_ARGUMENTS = 127 };

/* A connection on which the functions are SQLite's. */
struct formats {
    sqlite3 *plain;
    sqlite3_stmt *calls[MOST_ARGUMENTS + 1]; /* by how many arguments */
};

/* The arguments of one call, taken from left to right. */
struct call {
    sqlite3_value **values;
    int count, at;
    sqlite3_int64 longest;
};

/* A width or precision, of the text or of an argument; false: it is larger
 * than a text may be. */
static bool take_number(struct call *c, const char **text)
{
    sqlite3_int64 n = 0;

    if (**text == '*') {
        ++*text;
        if (c->at < c->count)
            n = sqlite3_value_int64(c->values[c->at++]);
        return n <= c->longest && n >= -c->longest;
    }
    for (; isdigit((unsigned char)**text); ++*text)
        if (n <= c->longest)
            n = 10 * n + (**text - '0');
    return n <= c->longest;
}

static bool is_possible(struct call *c, const char *text)
{
    while ((text = strchr(text, '%')) != NULL) {
        text++;
        text += strspn(text, "-+ #!,0");
        if (!take_number(c, &text))
            return false;
        if (*text == '.' && (text++, !take_number(c, &text)))
            return false;
        text += strspn(text, "l");
        c->at += *text != '%';
        text += *text != '\0';
    }
    return true;
}

/* SELECT printf('x'||?,?,?): what is empty is told by it from what became too
 * long, which is NULL. */
static sqlite3_stmt *call_of(struct formats *f, int count)
{
    struct out *sql;

    if (f->calls[count])
        return f->calls[count];
    sql = out_memory();
    out_str(sql, "SELECT printf('x'||?");
    for (int i = 1; i < count; i++)
        out_str(sql, ",?");
    out_char(sql, ')');
    store_sql_memory(sqlite3_prepare_v2(f->plain, out_text(sql, NULL), -1,
                                        &f->calls[count], NULL));
    out_close(sql, NULL);
    return f->calls[count];
}

static void format(sqlite3_context *context, int count, sqlite3_value **values)
{
    struct formats *f = sqlite3_user_data(context);
    sqlite3 *db = sqlite3_context_db_handle(context);
    struct call call = {values + 1, count - 1, 0,
                        sqlite3_limit(db, SQLITE_LIMIT_LENGTH, -1)};
    const char *text =
        count ? (const char *)sqlite3_value_text(values[0]) : NULL;
    sqlite3_stmt *plain;
    int result;

    if (!text) {
        if (count && sqlite3_value_type(values[0]) != SQLITE_NULL)
            sqlite3_result_error_nomem(context);
        return;
    }
    plain = is_possible(&call, text) ? call_of(f, count) : NULL;
    if (!plain) {
        sqlite3_result_error_toobig(context);
        return;
    }
    sqlite3_limit(f->plain, SQLITE_LIMIT_LENGTH, (int)call.longest);
    for (int i = 0; i < count; i++)
        store_sql_memory(sqlite3_bind_value(plain, i + 1, values[i]));
    result = sqlite3_step(plain);
    if (result != SQLITE_ROW)
        sqlite3_result_error_code(context, result);
    else if (sqlite3_column_type(plain, 0) == SQLITE_NULL)
        sqlite3_result_error_toobig(context);
    else
        sqlite3_result_text(
            context, (const char *)sqlite3_column_text(plain, 0) + 1,
            sqlite3_column_bytes(plain, 0) - 1, SQLITE_TRANSIENT);
    sqlite3_reset(plain);
    sqlite3_clear_bindings(plain);
}

struct formats *formats_new(sqlite3 *db)
{
    static const char *const names[] = {"printf", "format"};
    struct formats *f = mem_new(1, sizeof(*f));

    store_sql_memory(
        sqlite3_open_v2(":memory:", &f->plain,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL));
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        store_sql_memory(sqlite3_create_function(
            db, names[i], -1,
            SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, f, format,
            NULL, NULL));
    return f;
}

void formats_free(struct formats *f)
{
    if (!f)
        return;
    for (size_t i = 0; i <= MOST_ARGUMENTS; i++)
        sqlite3_finalize(f->calls[i]);
    sqlite3_close(f->plain);
    free(f);
}
