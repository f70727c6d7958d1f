#include "engine/base/mem.h"
#include "engine/fleet/client.h"
#include "engine/fleet/clickhouse.h"
#include "engine/fleet/where.h"
#include "tests/support/suite.h"

#define LABEL(key) "label_values[indexOf(label_keys, '" key "')]"
#define NUMBERS(of)                                                            \
    "arrayMap(x -> toUInt64OrZero(x), extractAll(" of ", '[0-9]+'))"

static const struct {
    const char *text, *sql;
} conditions[] = {
    {"version=2.1", "((" LABEL("version") " = '2.1'))"},
    {"host = web1", "((host = 'web1'))"},
    {"host!=web*", "(NOT (host LIKE 'web%'))"},
    {"a='x y' and b=\"it's\"",
     "((" LABEL("a") " = 'x y') AND (" LABEL("b") " = 'it\\'s'))"},
    {"not (os=a or os=b)", "(NOT ((os = 'a') OR (os = 'b')))"},
    {"v>=2.10", "((" NUMBERS(LABEL("v")) " >= " NUMBERS("'2.10'") " AND "
                LABEL("v") " != ''))"},
    {"android=1", "((" LABEL("android") " = '1'))"},
    {"x=''", "((" LABEL("x") " = ''))"},
    {"x='); DROP TABLE runs; --'",
     "((" LABEL("x") " = '); DROP TABLE runs; --'))"},
    {"x=a\\", "((" LABEL("x") " = 'a\\\\'))"},
    {"x=a\\*", "((" LABEL("x") " LIKE 'a\\\\\\\\%'))"},
    {"x=50%_?", "((" LABEL("x") " LIKE '50\\\\%\\\\__'))"},
};

TEST(conditions_become_sql)
{
    for (size_t i = 0; i < COUNT(conditions); i++) {
        struct out *sql = out_memory();
        struct err err = {0};

        ck_assert_msg(!where_sql(conditions[i].text, sql, &err), "%s: %s",
                      conditions[i].text, err.message);
        ck_assert_str_eq(out_text(sql, NULL), conditions[i].sql);
        out_close(sql, NULL);
    }
}

static const struct {
    const char *text, *what;
} refused[] = {
    {"", "expected a key at character 1"},
    {"version", "expected =, !="},
    {"version=", "expected a value at character 9"},
    {"version='2", "expected a value"},
    {"a=1 b=2", "expected and, or"},
    {"a=1 and", "expected a key at character 8"},
    {"(a=1", "expected \")\""},
    {"a=1)", "expected and, or"},
    {"a<b", "a number in it"},
    {"a;=1", "expected =, !="},
    {"'a'=1", "expected a key"},
    {"a=1; DROP TABLE runs", "expected and, or"},
};

TEST(what_is_no_condition_is_refused)
{
    for (size_t i = 0; i < COUNT(refused); i++) {
        struct out *sql = out_memory();
        struct err err = {0};

        ck_assert_int_eq(where_sql(refused[i].text, sql, &err), ERR_USAGE);
        ck_assert_msg(strstr(err.message, refused[i].what) != NULL,
                      "%s: %s", refused[i].text, err.message);
        out_close(sql, NULL);
    }
}

/* What ClickHouse reads a literal as: a backslash makes what is behind it
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

TEST(addresses)
{
    struct fleet_address a;
    struct err err = {0};

    ck_assert(!fleet_is_address("clickhouse.etl"));
    ck_assert(!fleet_address_read(
        &a, "clickhouse://me@db:9/fleet?version=2 and a=b", &err));
    ck_assert_str_eq(a.text, "clickhouse://me@db:9/fleet");
    ck_assert_str_eq(a.url, "http://db:9/");
    ck_assert_str_eq(a.user, "me");
    ck_assert_str_eq(a.database, "fleet");
    ck_assert_str_eq(a.where, "version=2 and a=b");
    fleet_address_release(&a);
    ck_assert(!fleet_address_read(&a, "clickhouses://[::1]/x", &err));
    ck_assert_str_eq(a.url, "https://[::1]:8443/");
    ck_assert_ptr_null(a.user);
    ck_assert_ptr_null(a.where);
    fleet_address_release(&a);
}

TEST(what_is_no_address_is_refused)
{
    static const char *const wrong[] = {
        "clickhouse://", "clickhouse://db", "clickhouse://db/",
        "clickhouse:///x", "clickhouse://db?a=b", "clickhouse://a b/x",
        "clickhouse://db#/x", "clickhouse://me:secret@db/x",
        "clickhouse://db/?x=1", "clickhouse://a@b@c/x",
    };

    for (size_t i = 0; i < COUNT(wrong); i++) {
        struct fleet_address a;
        struct err err = {0};

        ck_assert_msg(fleet_address_read(&a, wrong[i], &err) == ERR_USAGE,
                      "%s", wrong[i]);
        ck_assert(!strstr(err.message, "secret"));
        fleet_address_release(&a);
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
