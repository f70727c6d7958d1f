/* What diff and gate are told, value by value. */
#include "cli/options/options.h"

#include "tests/support/suite.h"

/* The first "=" that is no part of an operator's name splits. */
TEST(renames)
{
    static const struct {
        const char *value, *from, *to; /* NULL: none */
    } rows[] = {
        {"a=b", "a", "b"},
        {"a=b=c", "a", "b=c"},
        {"A::operator==(A)=A::equals", "A::operator==(A)", "A::equals"},
        {"A::operator=(A)=A::copy", "A::operator=(A)", "A::copy"},
        {"A::operator!=(A)=B::f", "A::operator!=(A)", "B::f"},
        {"A::operator<=(A)=B::f", "A::operator<=(A)", "B::f"},
        {"A::operator>=(A)=B::f", "A::operator>=(A)", "B::f"},
        {"operator=(A)=f", "operator=(A)", "f"},
        {"perator=f", "perator", "f"},
        {"f=operator==", "f", "operator=="},
        {"operator==", NULL, NULL},
        {"a==b", NULL, NULL},
        {"a!=b", NULL, NULL},
        {"a<=b", NULL, NULL},
        {"a>=b", NULL, NULL},
        {"=b", NULL, NULL},
        {"a=", NULL, NULL},
        {"a", NULL, NULL},
        {"", NULL, NULL},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct diff_settings s = DIFF_SETTINGS_DEFAULTS;

        ck_assert_msg(diff_set_rename(&s, rows[i].value) ==
                          (rows[i].from != NULL),
                      "%s", rows[i].value);
        ck_assert_uint_eq(s.renames.len, rows[i].from != NULL);
        if (rows[i].from) {
            ck_assert_str_eq(s.renames.data[0].from, rows[i].from);
            ck_assert_str_eq(s.renames.data[0].to, rows[i].to);
        }
        diff_settings_release(&s);
    }
}

TEST(limits)
{
    struct diff_settings s = DIFF_SETTINGS_DEFAULTS;

    ck_assert(!s.rules.has_max && !s.rules.has_total && !s.has_relevant);
    ck_assert(diff_set_max_regression(&s, "12.5%") && s.rules.has_max);
    ck_assert_double_eq(s.rules.max, 12.5);
    ck_assert(diff_set_max_total(&s, "0.07") && s.rules.has_total);
    ck_assert_double_eq(s.rules.max_total, 0.07);
    ck_assert(diff_set_relevant(&s, "100") && s.has_relevant);
    ck_assert_double_eq(s.options.relevant, 100);
    ck_assert(!diff_set_relevant(&s, "101") && !s.has_relevant);
    ck_assert(!diff_set_max_regression(&s, "x") && !s.rules.has_max);
    ck_assert(!diff_set_max_total(&s, "-1") && !s.rules.has_total);
    diff_settings_release(&s);
}

/* What the last '=' has behind it is the limit. */
TEST(functions_and_their_limits)
{
    struct diff_settings s = DIFF_SETTINGS_DEFAULTS;

    ck_assert(diff_set_max_regression(&s, "a*=2%"));
    ck_assert(diff_set_max_regression(&s, "A::operator==(A)=5"));
    ck_assert(!s.rules.has_max);
    ck_assert(diff_set_require(&s, "main"));
    ck_assert_uint_eq(s.rules.limits.len, 2);
    ck_assert_str_eq(s.rules.limits.data[0].glob, "a*");
    ck_assert_double_eq(s.rules.limits.data[0].max, 2);
    ck_assert_str_eq(s.rules.limits.data[1].glob, "A::operator==(A)");
    ck_assert_double_eq(s.rules.limits.data[1].max, 5);
    ck_assert_uint_eq(s.rules.required.len, 1);
    ck_assert_str_eq(s.rules.required.data[0], "main");
    ck_assert(!diff_set_max_regression(&s, "=5%"));
    ck_assert(!diff_set_max_regression(&s, "a="));
    ck_assert(!diff_set_require(&s, ""));
    diff_settings_release(&s);
}

TEST(sides)
{
    struct diff_settings s = DIFF_SETTINGS_DEFAULTS;

    ck_assert(!diff_has(&s, PART_BEFORE));
    *vec_add(&s.marks) = (struct diff_mark){PART_HISTORY, 1};
    *vec_add(&s.marks) = (struct diff_mark){PART_AFTER, 3};
    ck_assert(diff_has(&s, PART_AFTER) && diff_has(&s, PART_HISTORY));
    ck_assert(!diff_has(&s, PART_BEFORE));
    diff_settings_release(&s);
}
