#include "engine/attribution/jit_name.h"

#include "tests/support/cells.h"
#include "tests/support/suite.h"

static void check_name(const struct cells *row)
{
    const char *text = row->cell[0];
    struct jit_name name;
    bool is = jit_name_parse(&name, text, strlen(text));

    cells_expect(row, 1, is ? "is" : "-");
    if (!is)
        return;
    cells_expect_that(
        row, name.module_len == row->len[2] &&
                 (!name.module_len ||
                  !memcmp(name.module, row->cell[2], name.module_len)));
    *vec_add(&name.method) = '\0';
    cells_expect(row, 3, name.method.data);
    cells_expect_number(row, 4, name.tier);
    jit_name_release(&name);
}

TEST(parses)
{
    cells_each("tests/engine/attribution/jit_name.cells", "names", check_name);
}
