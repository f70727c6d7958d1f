#include "engine/diff/units.h"

#include <math.h>

#include "tests/support/compare_two.h"
#include "tests/support/drawn_profile.h"
#include "tests/support/profile_builder.h"
#include "tests/support/suite.h"

/* Rows that are not functions. */

/* Samples in turn, so that counts are those of independent ones. */
static struct profile *recording(uint32_t pid, unsigned slow)
{
    struct builder *b = builder_new("a.etl");
    uint32_t app = builder_thread(b, pid, "App.exe", pid + 1);
    uint32_t tool = builder_thread(b, pid + 2, "tool.exe", pid + 3);

    for (unsigned i = 0; i < 1000; i++) {
        builder_samples(b, app, 1,
                        i * 7919 % 1000 < slow ? "app.exe!main;lib.dll!slow"
                                               : "app.exe!main;app.exe!work");
        builder_samples(b, tool, 1, "tool.exe!main");
    }
    return builder_finish(b);
}

static struct comparison *compare_by(enum rank_by by, bool inclusive)
{
    static struct profile *a, *b;
    struct diff_options o = DIFF_DEFAULTS;

    if (!a) {
        a = recording(10, 200);
        b = recording(70, 500);
    }
    o.by = by;
    o.inclusive = inclusive;
    return compare_two(a, b, &o);
}

static void assert_row(const struct comparison *c, const char *name,
                       double before, double after)
{
    const struct diff_row *row = comparison_row(c, name);

    ck_assert_msg(row != NULL, "%s", name);
    ck_assert_msg(fabs(row->value[0] - before) < 1e-9, "%s", name);
    ck_assert_msg(fabs(row->value[1] - after) < 1e-9, "%s", name);
}

TEST(code_without_lines_is_its_function)
{
    struct comparison *c = compare_by(RANK_LINE, false);

    ck_assert_uint_eq(c->diff->len, 3);
    assert_row(c, "slow", 10, 25);
    assert_row(c, "work", 40, 25);
    comparison_free(c);
    c = compare_by(RANK_FILE, false);
    ck_assert_uint_eq(c->diff->len, 1);
    assert_row(c, "[unknown]", 100, 100);
    comparison_free(c);
}

TEST(what_can_be_grouped)
{
    ck_assert(diff_groups_can(RANK_MODULE) && diff_groups_can(RANK_LINE));
    ck_assert(!diff_groups_can(RANK_FUNCTION));
    ck_assert(!diff_groups_can(RANK_ADDRESS) && !diff_groups_can(RANK_KIND));
}

TEST(the_mirror_is_exact)
{
    struct program program = program_new(40, 4);
    struct profile *a = program_record(&program, 5000, 1);
    struct profile *b = program_record(&program, 7000, 2);

    for (int by = RANK_MODULE; by < RANK_GROUPINGS; by++) {
        struct diff_options o = DIFF_DEFAULTS;
        struct comparison *c, *m;

        if (!diff_groups_can((enum rank_by)by))
            continue;
        o.by = (enum rank_by)by;
        o.normalize = DIFF_WALL;
        c = compare_two(a, b, &o);
        m = compare_two(b, a, &o);
        ck_assert_uint_eq(c->diff->len, m->diff->len);
        for (size_t i = 0; i < c->diff->len; i++) {
            const struct diff_row *row = &c->diff->rows[i];
            const struct diff_row *other = comparison_row(m, row->name);

            ck_assert(row->low == -other->high && row->q == other->q);
        }
        ck_assert(c->diff->total.low == -m->diff->total.high);
        comparison_free(c);
        comparison_free(m);
    }
    profile_free(a);
    profile_free(b);
}
