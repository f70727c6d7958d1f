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
