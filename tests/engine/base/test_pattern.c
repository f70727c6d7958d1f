#include "engine/base/pattern.h"

#include "tests/support/suite.h"

struct pattern_case {
    const char *pattern, *name;
    const char *with, *becomes; /* NULL: it does not match */
};

static const struct pattern_case pattern_cases[] = {
    {"main", "main", "x", "x"},
    {"main", "Main", "x", "x"},
    {"main", "mains", "x", NULL},
    {"m*n", "main", "<$1>", "<ai>"},
    {"*", "", "<$1>", "<>"},
    {"*!*", "a.dll!b!c", "$1|$2", "a.dll|b!c"},
    {"a*b*c", "aXbYbZc", "$2$1", "YbZX"},
    {"*.*.*", "a.b.c.d", "$1-$2-$3", "a-b-c.d"},
    {"a?c*", "abcd", "$1", "d"},
    {"**x", "aax", "$1|$2", "|aa"},
    {"*", "all", "$$1 $9 $", "$1  $"},
    {"*", "all", "$0 $a", "$0 $a"},
    {"re:ai", "main", "x", "x"},
    {"re:AI", "main", "x", NULL},
    {"re:(?i)AI", "main", "x", "x"},
    {"re:^(.)(x)?", "main", "$1$2.", "m."},
    {"re:(m)(a)(i)(n)", "main", "$4$3$2$1", "niam"},
    {"re:(.)(.)(.)(.)(.)(.)(.)(.)(.)(.)(.)", "0123456789abc", "$9$1", "80"},
    {"re:^$", "", "x", "x"},
    {"a", "a", "$", "$"},
    {"a", "a", "$:$/", "$:$/"},
    {"a?", "a", "x", NULL},
    {"?", "", "x", NULL},
    {"a*", "a", "<$1>", "<>"},
    {"*", "ab", "$1$1", "abab"},
    {"*a*a*a*a*a*a*a*a*a*", "1a2a3a4a5a6a7a8a9azz", "$9$8$1", "981"},
    {"re:(a)|(b)", "b", "<$1$2>", "<b>"},
    {"re:(.)(.)(.)(.)(.)(.)(.)(.)(.)", "abcdefghi", "$9$8", "ih"},
    {"re", "re", "x", "x"},
    {"re:", "anything", "x", "x"},
};

TEST(names_match_and_give_their_parts)
{
    size_t n = COUNT(pattern_cases);

    for (size_t i = 0; i < n; i++) {
        const struct pattern_case *c = &pattern_cases[i];
        struct pattern *p = pattern_new(c->pattern, NULL);
        char *becomes = pattern_replace(p, c->name, c->with);

        ck_assert_int_eq(pattern_match(p, c->name), c->becomes != NULL);
        ck_assert_pstr_eq(becomes, c->becomes);
        ck_assert_uint_eq(pattern_gave_up(p), 0);
        free(becomes);
        pattern_free(p);
    }
}

/* Each a may belong to either plus: 2 to the 60th ways to fail. */
TEST(names_cannot_make_it_run_forever)
{
    struct pattern *p = pattern_new("re:^(a+)+$", NULL);
    char name[64];

    memset(name, 'a', 60);
    strcpy(name + 60, "!");
    ck_assert(!pattern_match(p, name));
    ck_assert_uint_eq(pattern_gave_up(p), 1);
    ck_assert(pattern_match(p, "aaa"));
    ck_assert_uint_eq(pattern_gave_up(p), 1);
    pattern_free(p);
}
