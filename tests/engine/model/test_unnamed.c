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

TEST(addresses_and_causes_stay_apart)
{
    struct profile *p = half_named();
    struct selection *before = selection_new(p, NULL), *after;
    struct ranking *r;

    unnamed_fold(p);
    after = selection_new(p, NULL);
    ck_assert_uint_eq(before->unresolved, 12);
    ck_assert_uint_eq(after->unresolved, 12);
    ck_assert_mem_eq(before->by_cause, after->by_cause,
                     sizeof(before->by_cause));
    ck_assert_uint_eq(after->by_cause[CAUSE_NO_IMAGE], 1);
    ck_assert_uint_eq(after->by_cause[CAUSE_NO_SYMBOLS], 11);
    r = ranking_new(p, after, RANK_ADDRESS, SORT_EXCLUSIVE);
    ck_assert_uint_eq(r->len, 8);
    ck_assert_str_eq(r->rows[0].name, "clr.dll!+0x20");
    ranking_free(r);
    selection_free(before);
    selection_free(after);
    profile_free(p);
}

/* Also where it comes first of all, and where all is named. */
TEST(the_first_code_may_be_unnamed)
{
    struct builder *b = builder_new("app.etl");
    uint32_t t = builder_thread(b, 10, "a.exe", 11);
    char name[FUNCTION_NAME_SIZE];
    struct profile *p;

    builder_samples(b, t, 1, "a.exe!+0x10;a.exe!main");
    builder_samples(b, t, 1, "a.exe!+0x20;a.exe!main");
    p = builder_finish(b);
    unnamed_fold(p);
    ck_assert_str_eq(profile_function_name(p, p->frames.data[0].function, name),
                     "[no symbols]");
    ck_assert_uint_eq(p->frames.data[2].function, p->frames.data[0].function);
    ck_assert_str_eq(profile_function_name(p, p->frames.data[1].function, name),
                     "main");
    profile_free(p);
}

/* "module!name module!name ", by location. */
static const char *all_functions(const struct profile *p, char text[400])
{
    char name[FUNCTION_NAME_SIZE];
    size_t n = 0;

    for (size_t i = 0; i < p->frames.len; i++) {
        uint32_t f = p->frames.data[i].function;

        n += (size_t)snprintf(
            text + n, 400 - n, "%s!%s/%d ",
            strings_get(p->strings, p->functions.data[f].module),
            profile_function_name(p, f, name), p->functions.data[f].cause);
    }
    return text;
}

static uint32_t string(struct profile *p, const char *text)
{
    return strings_add(p->strings, text, strlen(text));
}

static void add(struct profile *p, uint64_t address, uint32_t module,
                uint32_t method, enum name_cause cause)
{
    profile_location(p, &(struct location){.address = address,
                                           .module = module,
                                           .method = method,
                                           .kind = CODE_NATIVE,
                                           .cause = (uint8_t)cause});
}

static struct profile *unfinished(void)
{
    struct profile *p = profile_new();

    *vec_add(&p->modules) = (struct module){.name = string(p, "clr.dll")};
    *vec_add(&p->modules) = (struct module){.name = string(p, "CLR.dll")};
    methods_add(&p->methods, &(struct method){.full_name = string(p, "M.Run()"),
                                              .module = NO_ID});
    add(p, 0x1000, NO_ID, NO_ID, CAUSE_NO_IMAGE);
    add(p, 0x10, 1, NO_ID, CAUSE_MISMATCH);
    add(p, 0x8, NO_ID, 0, CAUSE_NONE);
    add(p, 0x10, 0, NO_ID, CAUSE_NO_SYMBOLS);
    add(p, 0x20, 0, NO_ID, CAUSE_NO_SYMBOLS);
    add(p, 0x2000, NO_ID, NO_ID, CAUSE_NO_STACK);
    add(p, 0x3000, NO_ID, NO_ID, CAUSE_UNLOADED);
    profile_set_line(p, 4, string(p, "a.c"), 7);
    return p;
}

/* Where functions by address are not wanted they are not made, and all else
 * is the same. */
TEST(folded_from_the_start)
{
    struct profile *p = unfinished(), *q = unfinished();
    char folded[400], made[400];

    profile_finish(p);
    unnamed_fold(p);
    q->folds_unnamed = true;
    profile_finish(q);
    ck_assert_str_eq(all_functions(q, made), all_functions(p, folded));
    ck_assert_str_eq(
        made, "![unknown]/1 clr.dll![no symbols]/2 [jit]!M.Run()/0 "
              "clr.dll![no symbols]/2 clr.dll![no symbols]/2 "
              "[unknown]![no stack]/0 ![unknown]/1 ");
    ck_assert_uint_lt(q->functions.len, p->functions.len);
    unnamed_fold(q);
    ck_assert_str_eq(all_functions(q, made), folded);
    ck_assert_msg(!profile_check(q), "%s", profile_check(q));
    profile_free(p);
    profile_free(q);
}
