/*
 * What is said of tables, views and columns is of all there are, and of no
 * others, in a database and in what is made of a trace.
 */
#include "engine/input/trace_events.h"
#include "engine/sql/describe.h"

#include "engine/base/out.h"
#include "engine/sql/query.h"
#include "engine/store/store.h"
#include "tests/support/full_profile.h"
#include "tests/support/sql_rows.h"
#include "tests/support/suite.h"
#include "tests/support/temp_file.h"

/* "table column", of a table alone "table", line by line in order. */
#define THERE                                                                  \
    "SELECT name AS line FROM sqlite_master WHERE type IN ('table', 'view')"   \
    " UNION ALL "                                                              \
    "SELECT m.name || ' ' || c.name FROM sqlite_master m,"                     \
    " pragma_table_xinfo(m.name) c WHERE m.type IN ('table', 'view')"          \
    " ORDER BY line"

static int compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Of what has a name of its own; `events` too where there are some. */
static char *described_lines(bool with_events)
{
    size_t count, kept = 0;
    struct described *rows = query_describe(&count);
    char **lines = calloc(count, sizeof(*lines));
    struct out *out = out_memory();
    char *text;

    for (size_t i = 0; i < count; i++) {
        char line[100];

        if (strchr(rows[i].table, '/') ||
            (!with_events && !strcmp(rows[i].kind, "events")))
            continue;
        snprintf(line, sizeof(line), "%s%s%s\n", rows[i].table,
                 rows[i].column ? " " : "",
                 rows[i].column ? rows[i].column : "");
        lines[kept++] = strdup(line);
    }
    qsort(lines, kept, sizeof(*lines), compare_lines);
    for (size_t i = 0; i < kept; i++) {
        out_str(out, lines[i]);
        free(lines[i]);
    }
    text = strdup(out_text(out, NULL));
    out_close(out, NULL);
    free(lines);
    free(rows);
    return text;
}

static void check_all_is_described(struct query *q, bool with_events)
{
    char *there = sql_rows_well(q, THERE);
    char *told = described_lines(with_events);

    ck_assert_str_eq(there, told);
    free(there);
    free(told);
}

static const struct query_limits none = {0, 0};

/* As SQLite has them; of views it has none. */
static void check_types(struct query *q, bool with_events)
{
    size_t count, checked = 0;
    struct described *rows = query_describe(&count);

    for (size_t i = 0; i < count; i++) {
        char sql[200], *type, wanted[20];

        if (!rows[i].column || !strcmp(rows[i].kind, "view") ||
            (!with_events && !strcmp(rows[i].kind, "events")))
            continue;
        snprintf(sql, sizeof(sql),
                 "SELECT type FROM pragma_table_xinfo('%s') WHERE name = '%s'",
                 rows[i].table, rows[i].column);
        snprintf(wanted, sizeof(wanted), "%s\n", rows[i].type);
        type = sql_rows_well(q, sql);
        ck_assert_msg(!strcmp(type, wanted), "%s: %s", sql, type);
        free(type);
        checked++;
    }
    ck_assert_uint_gt(checked, 100);
    free(rows);
}

TEST(a_database_is_described)
{
    struct profile *p = full_profile(1, 20);
    struct err err = {0};
    char path[TEMP_PATH];
    struct query *q;

    temp_file(path, "", 0);
    ck_assert_msg(!store_write(p, path, &err), "%s", err.message);
    q = query_new(path, &none, &err);
    ck_assert_msg(q != NULL, "%s", err.message);
    check_all_is_described(q, false);
    query_free(q);
    profile_free(p);
    unlink(path);
}

TEST(a_trace_is_described)
{
    static const char *const trace[] = {"testdata/etl/orders.etl"};
    static const struct query_source source = {
        .paths = trace, .path_count = 1, .open_events = event_trace_open};
    struct err err = {0};
    struct query *q = query_new(NULL, &none, &err);

    ck_assert_msg(q != NULL, "%s", err.message);
    ck_assert(!query_add_trace(q, "main", &source, &err));
    check_all_is_described(q, true);
    check_types(q, true);
    query_free(q);
}
