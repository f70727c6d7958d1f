/* Names that a rule makes equal: which of them are one, and in which order
 * they are paired. */
#include "engine/diff/pair.h"

#include "tests/support/compare_two.h"
#include "tests/support/counted_stacks.h"
#include "tests/support/suite.h"

/* A row "name 3 4", samples before and after, by its name alone. */
static const struct {
    const char *before, *after;
    const char *rows[4];
} cases[] = {
    /* As many on either side: in order of names. */
    {"1 a!r.func1|2 a!r.func2", "3 a!r.func3|4 a!r.func4",
     {"r.func3 1 3", "r.func4 2 4"}},
    {"2 a!r.func2|1 a!r.func1", "4 a!r.func4|3 a!r.func3",
     {"r.func3 1 3", "r.func4 2 4"}},
    {"1 a!r.func1|2 a!r.func4", "3 a!r.func2|4 a!r.func3",
     {"r.func2 1 3", "r.func3 2 4"}},
    {"1 a!r.func3|2 a!r.func4", "3 a!r.func1|4 a!r.func2",
     {"r.func1 1 3", "r.func2 2 4"}},
    {"1 a!r.func1|2 a!r.func2|3 a!r.func5", "4 a!r.func3|5 a!r.func4|"
     "6 a!r.func6",
     {"r.func3 1 4", "r.func4 2 5", "r.func6 3 6"}},
    /* Otherwise all are one. */
    {"1 a!r.func1|2 a!r.func2", "4 a!r.func3", {"r.func3 3 4"}},
    {"4 a!r.func3", "1 a!r.func1|2 a!r.func2", {"r.func2 4 3"}},
    /* What both have is not looked at, but as a part of a function. */
    {"1 a!r.func1|2 a!r.func2", "3 a!r.func1|4 a!r.func3",
     {"r.func1 1 3", "r.func3 2 4"}},
    {"3 a!f|2 a!f.cold", "4 a!f|1 a!f.cold", {"f 3 4", "f.cold 2 1"}},
    {"3 a!f|2 a!f.cold", "4 a!f", {"f 5 4"}},
    {"4 a!f", "3 a!f|2 a!f.cold", {"f 4 5"}},
    {"3 a!f.part.0|2 a!f.cold", "4 a!g|1 a!h",
     {"f.part.0 5 0", "g 0 4", "h 0 1"}},
    {"3 a!f[Tier0]|2 a!f[Tier1]", "4 a!f[Tier1]", {"f[Tier1] 5 4"}},
    /* Alone on one side it stays that. */
    {"1 a!r.func1|2 a!r.func2|5 a!x", "3 a!s.func1|5 a!x",
     {"r.func1 1 0", "r.func2 2 0", "s.func1 0 3", "x 5 5"}},
    /* Other modules are of the same name only. */
    {"1 a!f|2 b!f", "3 c!f|4 d!f", {"f 1 3", "f 2 4"}},
    {"1 a!f(class System.String)", "3 b!f(string)", {"f(string) 1 3"}},
    {"1 a!r.func1", "3 b!r.func2", {"r.func1 1 0", "r.func2 0 3"}},
};

static bool has_row(const struct diff *d, const char *wanted)
{
    for (size_t i = 0; i < d->len; i++) {
        char row[100];

        snprintf(row, sizeof(row), "%s %llu %llu", d->rows[i].name,
                 (unsigned long long)d->rows[i].samples[0],
                 (unsigned long long)d->rows[i].samples[1]);
        if (!strcmp(row, wanted))
            return true;
    }
    return false;
}

TEST(names_are_grouped)
{
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct profile *a = counted_stacks(cases[i].before);
        struct profile *b = counted_stacks(cases[i].after);
        struct comparison *c = compare_two(a, b, NULL);
        size_t n = 0;

        for (; n < 4 && cases[i].rows[n]; n++)
            ck_assert_msg(has_row(c->diff, cases[i].rows[n]), "%s to %s: %s",
                          cases[i].before, cases[i].after, cases[i].rows[n]);
        ck_assert_uint_eq(c->diff->len, n);
        comparison_free(c);
        profile_free(a);
        profile_free(b);
    }
}

/* Nine in one order before and in the other after, told apart by the second
 * argument, or by their modules. */
static struct profile *nine(const char *string, bool by_module, bool backwards)
{
    char text[1000] = "";
    size_t n = 0;

    for (unsigned i = 0; i < 9; i++) {
        unsigned which = backwards ? 8 - i : i;

        n += (size_t)snprintf(text + n, sizeof(text) - n,
                              "%s%u m%u!A.F(%s,T%u)", i ? "|" : "", which + 1,
                              by_module ? which : 0, string,
                              by_module ? 0 : which);
    }
    return counted_stacks(text);
}

TEST(many_are_told_apart)
{
    for (int by_module = 0; by_module < 2; by_module++) {
        struct profile *a = nine("class System.String", by_module, false);
        struct profile *b = nine("string", by_module, true);
        struct comparison *c = compare_two(a, b, NULL);

        ck_assert_uint_eq(c->diff->len, 9);
        for (size_t i = 0; i < 9; i++) {
            const struct diff_row *row = &c->diff->rows[i];

            ck_assert_uint_eq(row->samples[0], row->samples[1]);
            ck_assert_int_eq(row->rule, DIFF_SPELLING);
        }
        comparison_free(c);
        profile_free(a);
        profile_free(b);
    }
}
