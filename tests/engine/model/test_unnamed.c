#include "engine/model/profile.h"

#include "engine/analysis/rank.h"
#include "tests/support/profile_builder.h"
#include "tests/support/profile_check.h"
#include "tests/support/suite.h"

static struct profile *half_named(void)
{
    struct builder *b = builder_new("app.etl");
    uint32_t t = builder_thread(b, 10, "a.exe", 11);

    builder_samples(b, t, 5, "a.exe!main;clr.dll!+0x10;clr.dll!+0x20");
    builder_samples(b, t, 4, "a.exe!main;clr.dll!+0x10");
    builder_samples(b, t, 3, "a.exe!main;CLR.dll!+0x30;clr.dll!Jit");
    builder_samples(b, t, 2, "0x7ff812;ntdll.dll!+0x10");
    builder_samples(b, t, 1, "0x7ff900");
    return builder_finish(b);
}

static const struct {
    const char *module, *name;
    uint64_t exclusive, inclusive;
} rows[] = {
    {"clr.dll", "[no symbols]", 9, 12}, /* once a sample, in either case */
    {"clr.dll", "Jit", 3, 3},           {"ntdll.dll", "[no symbols]", 2, 2},
    {"[unknown]", "[unknown]", 1, 3},   {"a.exe", "main", 0, 12},
};

enum { ROWS = COUNT(rows) };

static void check_rows(const struct profile *p)
{
    struct selection *sel = selection_new(p, NULL);
    struct ranking *r = ranking_new(p, sel, RANK_FUNCTION, SORT_EXCLUSIVE);

    ck_assert_uint_eq(r->len, ROWS);
    for (size_t i = 0; i < ROWS; i++) {
        ck_assert_str_eq(r->rows[i].module, rows[i].module);
        ck_assert_str_eq(r->rows[i].name, rows[i].name);
        ck_assert_uint_eq(r->rows[i].exclusive, rows[i].exclusive);
        ck_assert_uint_eq(r->rows[i].inclusive, rows[i].inclusive);
    }
    ranking_free(r);
    selection_free(sel);
}

TEST(unnamed_code_is_one_row_a_module)
{
    struct profile *p = half_named();

    unnamed_fold(p);
    ck_assert_msg(!profile_check(p), "%s", profile_check(p));
    check_rows(p);
    unnamed_fold(p);
    check_rows(p);
    profile_free(p);
}
