#include "engine/diff/debug_info.h"
#include "engine/diff/hints.h"

#include "tests/support/cells.h"
#include "tests/support/compare_two.h"
#include "tests/support/profile_builder.h"

static void check_hint(const struct cells *row)
{
    struct profile *a = compared_stacks(row->cell[0]);
    struct profile *b = compared_stacks(row->cell[1]);
    struct diff_options o = DIFF_DEFAULTS;
    struct out *text = out_memory();
    struct comparison *c;

    o.normalize = DIFF_NONE;
    c = compare_two(a, b, &o);
    cells_expect_that(row, comparison_row(c, row->cell[2]));
    diff_hint_print(c->diff, comparison_row(c, row->cell[2]), text);
    cells_expect(row, 3, out_text(text, NULL));
    out_close(text, NULL);
    comparison_free(c);
    profile_free(a);
    profile_free(b);
}

TEST(rows_say_what_they_were)
{
    cells_each("tests/engine/diff/hints.cells", "hints", check_hint);
}

static const struct {
    const char *before, *after, *modules;
    bool gone; /* function `rnd`, not counted any more */
} builds[] = {
    /* One side alone has lines. */
    {"a!rnd@r.h:3<a!fill@f.c:9", "a!fill", "a", true},
    {"a!rnd@r.h:3<a!fill@f.c:9", "b!fill", "a", true},
    /* Inlining differs, or lines are of neither side. */
    {"a!rnd@r.h:3<a!fill@f.c:9", "a!fill@f.c:9", "", false},
    {"a!rnd<a!fill", "a!fill", "", false},
    /* Nothing was inlined. */
    {"a!fill@f.c:9|a!rnd@r.h:3", "a!fill", "", false},
    /* Other functions. */
    {"a!rnd@r.h:3<a!fill@f.c:9", "a!main", "", false},
};

TEST(debug_information_on_one_side_is_no_change)
{
    for (size_t i = 0; i < COUNT(builds); i++) {
        struct profile *p[2] = {compared_stacks(builds[i].before),
                                compared_stacks(builds[i].after)};
        struct out *modules = out_memory();
        struct comparison *c;

        diff_debug_info_level(p, 2, modules);
        ck_assert_msg(!strcmp(out_text(modules, NULL), builds[i].modules),
                      "row %zu: %s", i, out_text(modules, NULL));
        out_close(modules, NULL);
        c = compare_two(p[0], p[1], NULL);
        ck_assert_msg(!comparison_row(c, "rnd") == builds[i].gone, "row %zu",
                      i);
        comparison_free(c);
        profile_free(p[0]);
        profile_free(p[1]);
    }
}
