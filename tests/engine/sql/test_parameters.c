/* Values given on a command line: a number is one to its last character. */
#include "engine/sql/query.h"

#include "tests/support/cells.h"
#include "tests/support/sql_rows.h"
#include "tests/support/suite.h"

static const struct query_limits none = {0, 0};

static struct query *new_query(void)
{
    struct err err = {0};
    struct query *q = query_new(NULL, &none, &err);

    ck_assert_msg(q != NULL, "%s", err.message);
    return q;
}

static void check_value(const struct cells *row)
{
    struct query *q = new_query();
    char *shown;

    query_parameter(q, "x", row->cell[0]);
    shown = sql_rows_well(q, "SELECT typeof(:x), :x");
    shown[strcspn(shown, "\n")] = '\0';
    cells_expect(row, 1, shown);
    free(shown);
    query_free(q);
}

TEST(values_have_types)
{
    cells_each("tests/engine/sql/parameters.cells", "values", check_value);
}

TEST(parameters_are_found)
{
    static const struct {
        const char *sql, *rows;
    } cases[] = {
        {"SELECT :a, @a, $a", "3 3 3\n"}, /* the one given last */
        {"SELECT ?, ?2, :b", "one two b\n"},
        {"SELECT ?2", "two\n"},
        {"SELECT 7", "7\n"},
    };
    struct query *q = new_query();
    struct err err = {0};

    query_parameter(q, "a", "2");
    query_parameter(q, "b", "b");
    query_parameter(q, "1", "one");
    query_parameter(q, "2", "two");
    query_parameter(q, "a", "3");
    for (size_t i = 0; i < COUNT(cases); i++) {
        char *rows = sql_rows_well(q, cases[i].sql);

        ck_assert_str_eq(rows, cases[i].rows);
        free(rows);
    }
    ck_assert_ptr_null(sql_rows(q, "SELECT :a, :aa", &err));
    ck_assert_str_eq(err.message,
                     "the parameter :aa has no value: --param aa=VALUE");
    err = (struct err){0};
    ck_assert_ptr_null(sql_rows(q, "SELECT ?, ?, ?", &err));
    ck_assert_str_eq(err.message,
                     "the parameter ?3 has no value: --param 3=VALUE");
    query_free(q);
}

/* What a row has, as a value of its type. */
TEST(rows_have_types)
{
    static const struct {
        const char *sql;
        enum query_type type;
        const char *text;
        size_t len;
    } cases[] = {
        {"SELECT 1", QUERY_NUMBER, "1", 1},
        {"SELECT 1.5", QUERY_NUMBER, "1.5", 3},
        {"SELECT -1e300", QUERY_NUMBER, "-1.0e+300", 9},
        {"SELECT 9e999", QUERY_TEXT, "Inf", 3},
        {"SELECT -9e999", QUERY_TEXT, "-Inf", 4},
        {"SELECT 'IN'", QUERY_TEXT, "IN", 2},
        {"SELECT ''", QUERY_TEXT, "", 0},
        {"SELECT x'4142'", QUERY_BLOB, "AB", 2},
        {"SELECT x''", QUERY_TEXT, "", 0},
        {"SELECT NULL", QUERY_NULL, NULL, 0},
    };
    struct query *q = new_query();

    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *sql = cases[i].sql;
        struct err err = {0};
        struct query_result *r = query_next(q, &sql, &err);
        struct query_value v;

        ck_assert(r && query_step(r));
        ck_assert_uint_eq(query_columns(r), 1);
        v = query_value(r, 0);
        ck_assert_msg(v.type == cases[i].type, "%s", cases[i].sql);
        ck_assert_uint_eq(v.len, cases[i].len);
        if (cases[i].text)
            ck_assert_int_eq(memcmp(v.text, cases[i].text, v.len), 0);
        else
            ck_assert_ptr_null(v.text);
        ck_assert(!query_step(r));
        ck_assert_int_eq(query_end(r, &err), ERR_NONE);
    }
    query_free(q);
}
