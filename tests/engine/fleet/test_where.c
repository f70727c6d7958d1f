#include "engine/base/mem.h"
#include "engine/fleet/client.h"
#include "engine/fleet/clickhouse.h"
#include "engine/fleet/where.h"
#include "tests/support/cells.h"
#include "tests/support/suite.h"

static void check_condition(const struct cells *row)
{
    struct out *sql = out_memory();
    struct err err = {0};

    ck_assert_msg(!where_sql(row->cell[0], sql, &err), "%s: %s", row->cell[0],
                  err.message);
    cells_expect(row, 1, out_text(sql, NULL));
    out_close(sql, NULL);
}

TEST(conditions_become_sql)
{
    cells_each("tests/engine/fleet/where.cells", "conditions", check_condition);
}

static void check_refused(const struct cells *row)
{
    struct out *sql = out_memory();
    struct err err = {0};

    ck_assert_int_eq(where_sql(row->cell[0], sql, &err), ERR_USAGE);
    cells_expect_that(row, strstr(err.message, row->cell[1]));
    out_close(sql, NULL);
}

TEST(what_is_no_condition_is_refused)
{
    cells_each("tests/engine/fleet/where.cells", "refused", check_refused);
}

/* Reads a literal as ClickHouse does: a backslash makes the next character
 * stand for itself, or for a byte. */
static char *read_literal(const char *sql, char quote)
{
    char *text = mem_new(strlen(sql) + 1, 1), *to = text;

    ck_assert_int_eq(*sql++, quote);
    while (*sql != quote) {
        ck_assert_int_ne(*sql, '\0');
        if (*sql == '\\' && sql[1] == 'x') {
            char hex[] = {sql[2], sql[3], '\0'};

            *to++ = (char)strtoul(hex, NULL, 16);
            sql += 4;
            continue;
        }
        sql += *sql == '\\';
        *to++ = *sql++;
    }
    ck_assert_str_eq(sql + 1, "");
    return text;
}

/* Any bytes come back, and nothing is left behind the closing quote. */
TEST(a_literal_is_what_was_given)
{
    srand(1);
    for (int round = 0; round < 2000; round++) {
        char given[24];
        size_t n = (size_t)rand() % (sizeof(given) - 1);
        bool is_name = round % 2;
        struct out *sql = out_memory();
        char *read;

        for (size_t i = 0; i < n; i++)
            given[i] = (char)(round % 3 ? "'\\`;x%\n"[rand() % 7]
                                        : 1 + rand() % 255);
        given[n] = '\0';
        if (is_name)
            sql_name(sql, given);
        else
            sql_text(sql, given);
        read = read_literal(out_text(sql, NULL), is_name ? '`' : '\'');
        ck_assert_str_eq(read, given);
        free(read);
        out_close(sql, NULL);
    }
}

TEST(rows_are_read_as_written)
{
    struct out *rows = out_memory();
    struct err err = {0};
    struct bytes text;
    struct reader r;
    size_t n;
    const char *bytes;

    row_u64(rows, 0x0123456789abcdef);
    row_text(rows, "name");
    row_count(rows, 300);
    for (int i = 0; i < 300; i++)
        row_u8(rows, 7);
    row_count(rows, 1000);
    bytes = out_text(rows, &n);
    r = reader_of("rows", bytes, n, 0, &err);
    ck_assert_uint_eq(reader_u64(&r), 0x0123456789abcdef);
    text = row_get_bytes(&r);
    ck_assert_uint_eq(text.len, 4);
    ck_assert(!memcmp(text.data, "name", 4));
    ck_assert_uint_eq(row_get_count(&r, 1), 300);
    reader_skip(&r, 300);
    /* More than can follow. */
    ck_assert_uint_eq(row_get_count(&r, 1), 0);
    ck_assert(r.failed);
    out_close(rows, NULL);
}
