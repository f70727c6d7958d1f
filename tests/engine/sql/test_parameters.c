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
