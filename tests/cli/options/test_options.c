#include "cli/options/options.h"

#include "engine/analysis/algebra.h"

#include "tests/support/suite.h"

/* No more patterns of one kind than a word has bits. */
TEST(focus_has_an_end)
{
    struct options o;
    struct err err;
    char *argv[2 * (FOCUS_MOST + 1)];
    char option[] = "--focus", value[] = "f";

    for (size_t i = 0; i <= FOCUS_MOST; i++) {
        argv[2 * i] = option;
        argv[2 * i + 1] = value;
    }
    err = (struct err){0};
    ck_assert_int_eq(options_parse(&o, 2 * FOCUS_MOST, argv, &err), ERR_NONE);
    ck_assert_uint_eq(o.report.filter.focus.len, FOCUS_MOST);
    options_release(&o);
    ck_assert_int_eq(options_parse(&o, 2 * FOCUS_MOST + 2, argv, &err),
                     ERR_USAGE);
    options_release(&o);
}
