/* What diff and gate are told, value by value. */
#include "cli/options/options.h"

#include "tests/support/suite.h"

static bool set(struct options *o, const char *name, const char *value)
{
    return option_set(option_find(name, strlen(name)), o, value);
}

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
        struct options o = {.diff = DIFF_SETTINGS_DEFAULTS};

        ck_assert_msg(set(&o, "rename", rows[i].value) ==
                          (rows[i].from != NULL),
                      "%s", rows[i].value);
        ck_assert_uint_eq(o.diff.renames.len, rows[i].from != NULL);
        if (rows[i].from) {
            ck_assert_str_eq(o.diff.renames.data[0].from, rows[i].from);
            ck_assert_str_eq(o.diff.renames.data[0].to, rows[i].to);
        }
        diff_settings_release(&o.diff);
    }
}

TEST(limits)
{
    struct options o = {.diff = DIFF_SETTINGS_DEFAULTS};

    ck_assert(!o.diff.rules.has_max && !o.diff.rules.has_total &&
              !o.diff.has_relevant);
    ck_assert(set(&o, "max-regression", "12.5%") && o.diff.rules.has_max);
    ck_assert_double_eq(o.diff.rules.max, 12.5);
    ck_assert(set(&o, "max-total", "0.07") && o.diff.rules.has_total);
    ck_assert_double_eq(o.diff.rules.max_total, 0.07);
    ck_assert(set(&o, "relevant", "100") && o.diff.has_relevant);
    ck_assert_double_eq(o.diff.options.relevant, 100);
    ck_assert(!set(&o, "relevant", "101") && !o.diff.has_relevant);
    ck_assert(!set(&o, "max-regression", "x") && !o.diff.rules.has_max);
    ck_assert(!set(&o, "max-total", "-1") && !o.diff.rules.has_total);
    diff_settings_release(&o.diff);
}

/* What the last '=' has behind it is the limit. */
TEST(functions_and_their_limits)
{
    struct options o = {.diff = DIFF_SETTINGS_DEFAULTS};

    ck_assert(set(&o, "max-regression", "a*=2%"));
    ck_assert(set(&o, "max-regression", "A::operator==(A)=5"));
    ck_assert(!o.diff.rules.has_max);
    ck_assert(set(&o, "require", "main"));
    ck_assert_uint_eq(o.diff.rules.limits.len, 2);
    ck_assert_str_eq(o.diff.rules.limits.data[0].glob, "a*");
    ck_assert_double_eq(o.diff.rules.limits.data[0].max, 2);
    ck_assert_str_eq(o.diff.rules.limits.data[1].glob, "A::operator==(A)");
    ck_assert_double_eq(o.diff.rules.limits.data[1].max, 5);
    ck_assert_uint_eq(o.diff.rules.required.len, 1);
    ck_assert_str_eq(o.diff.rules.required.data[0], "main");
    ck_assert(!set(&o, "max-regression", "=5%"));
    ck_assert(!set(&o, "max-regression", "a="));
    ck_assert(!set(&o, "require", ""));
    diff_settings_release(&o.diff);
}

TEST(sides)
{
    struct options o = {.diff = DIFF_SETTINGS_DEFAULTS};

    ck_assert(!diff_has(&o.diff, PART_BEFORE));
    *vec_add(&o.diff.marks) = (struct diff_mark){PART_HISTORY, 1};
    *vec_add(&o.diff.marks) = (struct diff_mark){PART_AFTER, 3};
    ck_assert(diff_has(&o.diff, PART_AFTER) && diff_has(&o.diff, PART_HISTORY));
    ck_assert(!diff_has(&o.diff, PART_BEFORE));
    diff_settings_release(&o.diff);
}
