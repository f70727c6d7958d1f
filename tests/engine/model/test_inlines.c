#include "engine/model/profile.h"

#include "engine/analysis/rank.h"
#include "tests/support/profile_builder.h"
#include "tests/support/profile_check.h"
#include "tests/support/random_profile.h"
#include "tests/support/suite.h"

static struct profile *inlined_profile(void)
{
    struct builder *b = builder_new("app.etl");
    uint32_t t = builder_thread(b, 10, "a.exe", 11);

    builder_samples(b, t, 5,
                    "a!main@m.c:3;a!in@x.h:7<a!mid@x.h:9<a!out@m.c:20");
    builder_samples(b, t, 3, "a!main@m.c:3;a!out@m.c:21");
    builder_samples(b, t, 2, "a!main@m.c:3;a!in@x.h:7<a!main@m.c:4;a!leaf");
    return builder_finish(b);
}

struct folded_case {
    enum rank_by by;
    const char *name;
    uint64_t exclusive, inclusive;
};

static const struct folded_case folded_cases[] = {
    {RANK_FUNCTION, "out", 8, 8},
    {RANK_FUNCTION, "main", 0, 10},
    {RANK_FUNCTION, "leaf", 2, 2},
    {RANK_LINE, "m.c:20", 5, 5}, /* where the call stands */
    {RANK_LINE, "m.c:21", 3, 3},
    {RANK_LINE, "m.c:3", 0, 10},
    {RANK_LINE, "m.c:4", 0, 2},
    {RANK_FILE, "m.c", 8, 10},
};

static const struct rank_row *find_row(const struct ranking *r,
                                       const char *name)
{
    for (size_t i = 0; i < r->len; i++)
        if (!strcmp(r->rows[i].name, name))
            return &r->rows[i];
    return NULL;
}

static void check_row(const struct profile *p, const struct folded_case *c)
{
    struct selection *sel = selection_new(p, NULL);
    struct ranking *r = ranking_new(p, sel, c->by, SORT_EXCLUSIVE);
    const struct rank_row *row = find_row(r, c->name);

    ck_assert_msg(row, "no row %s", c->name);
    ck_assert_uint_eq(row->exclusive, c->exclusive);
    ck_assert_uint_eq(row->inclusive, c->inclusive);
    ck_assert_uint_eq(row->inlined_inclusive, 0);
    ck_assert_ptr_null(find_row(r, "in"));
    ck_assert_ptr_null(find_row(r, "x.h"));
    ranking_free(r);
    selection_free(sel);
}

TEST(folded_code_is_the_physical_function)
{
    struct profile *p = inlined_profile();

    inlines_fold(p);
    for (size_t i = 0; i < COUNT(folded_cases); i++)
        check_row(p, &folded_cases[i]);
    profile_free(p);
}

TEST(any_finished_profile_can_be_folded)
{
    for (uint32_t seed = 1; seed <= 20; seed++) {
        struct profile *p = random_profile(seed);

        inlines_fold(p);
        ck_assert(!inlines_any(p));
        ck_assert_msg(!profile_check(p), "%s", profile_check(p));
        profile_free(p);
    }
}

TEST(inlined_frames_are_noticed)
{
    struct builder *b = builder_new("app.etl");
    struct profile *p;

    builder_samples(b, builder_thread(b, 10, "a.exe", 11), 1, "a!in<a!out");
    p = builder_finish(b);
    ck_assert(inlines_any(p)); /* the first frame of all */
    profile_free(p);
    p = inlined_profile();

    ck_assert(inlines_any(p));
    inlines_fold(p);
    ck_assert(!inlines_any(p));
    profile_free(p);
}
