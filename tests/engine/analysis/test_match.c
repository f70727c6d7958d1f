#include "engine/analysis/match.h"

#include "tests/support/profile_builder.h"
#include "tests/support/suite.h"

static struct profile *small_profile(void)
{
    struct builder *b = builder_new("app.etl");
    uint32_t t = builder_thread(b, 10, "a.exe", 11);

    builder_samples(b, t, 9, "a!Shop::Order::total(int, char)");
    builder_samples(b, t, 8, "a!Shop::Order::total");
    builder_samples(b, t, 7, "a!Shop::Order::operator()(int)");
    builder_samples(b, t, 6, "a!(anonymous namespace)::mix(void (*)(int))");
    builder_samples(b, t, 5, "a!parse*(int)");
    builder_samples(b, t, 4, "a!Parser.Run(class System.String)");
    builder_samples(b, t, 3, "b!Parser.Run(class System.String)");
    builder_samples(b, t, 2, "a!parse_all");
    builder_samples(b, t, 1, "a!cold_a;a!cold_b;a!leaf;b!+0x10");
    builder_samples(b, t, 1, "a!main;a!cold_b;b!+0x10");
    return builder_finish(b);
}

static void with_ranking(void (*use)(const struct ranking *))
{
    struct profile *p = small_profile();
    struct selection *sel = selection_new(p, NULL);
    struct ranking *r = ranking_new(p, sel, RANK_FUNCTION, SORT_EXCLUSIVE);

    use(r);
    ranking_free(r);
    selection_free(sel);
    profile_free(p);
}

static void assert_nearest(const struct ranking *r, const char *name,
                           const char *first, size_t count)
{
    const char *nearest[2];

    ck_assert_uint_eq(match_nearest(NULL, r, name, nearest, 2), count);
    if (count)
        ck_assert_str_eq(nearest[0], first);
}

static void check_nearest(const struct ranking *r)
{
    char longest[200];

    memset(longest, 'x', sizeof(longest) - 1);
    longest[sizeof(longest) - 1] = '\0';
    assert_nearest(r, "ORDER::", "Shop::Order::total(int, char)", 2);
    assert_nearest(r, "Parsr.Run", "Parser.Run(class System.String)", 2);
    assert_nearest(r, "parse_al", "parse_all", 1);
    assert_nearest(r, "qqqqqqqqqqqq", NULL, 0);
    assert_nearest(r, longest, NULL, 0);
}

TEST(what_was_meant_is_found_by_spelling)
{
    with_ranking(check_nearest);
}

static const struct {
    const char *name, *chosen; /* one a line, as "module!name" */
} label_cases[] = {
    {"Shop::Order::total", "a!Shop::Order::total\n"},
    {"Parser.Run", "a!Parser.Run(class System.String)\n"
                   "b!Parser.Run(class System.String)\n"},
    {"Parser.Run [a]", "a!Parser.Run(class System.String)\n"},
    {"order::t", "a!Shop::Order::total(int, char)\n"
                 "a!Shop::Order::total\n"},
    {"parse", "a!parse*(int)\n"
              "a!Parser.Run(class System.String)\n"
              "b!Parser.Run(class System.String)\n"
              "a!parse_all\n"},
    {"cold_?", "a!cold_b\na!cold_a\n"},
    {"system.string", "a!Parser.Run(class System.String)\n"
                      "b!Parser.Run(class System.String)\n"},
    {"total", "a!Shop::Order::total(int, char)\na!Shop::Order::total\n"},
    {"b!Parser.Run", "b!Parser.Run(class System.String)\n"},
    {"re:^Shop.*int", "a!Shop::Order::total(int, char)\n"
                      "a!Shop::Order::operator()(int)\n"},
    {"parse*", "a!parse*(int)\n"},
    {"re:(", ""},
    {"nothing so called", ""},
    {"", ""},
};

TEST(a_name_means_labels_and_parts_of_them)
{
    struct profile *p = small_profile();
    struct selection *sel = selection_new(p, NULL);
    struct ranking *r = ranking_new(p, sel, RANK_FUNCTION, SORT_EXCLUSIVE);
    const char *nearest[2];

    for (size_t i = 0; i < COUNT(label_cases); i++) {
        enum match_rule rule;
        struct ranking *found =
            match_labels(p, sel, label_cases[i].name, 0, &rule);
        char text[1000] = "";

        for (size_t j = 0; found && j < found->len; j++)
            snprintf(text + strlen(text), sizeof(text) - strlen(text),
                     "%s!%s\n", found->rows[j].module, found->rows[j].name);
        ck_assert_str_eq(text, label_cases[i].chosen);
        ranking_free(found);
    }
    ck_assert_uint_eq(match_nearest(p, r, "Parsr.Rn", nearest, 2), 0);
    ck_assert_uint_eq(match_nearest(p, r, "parse_al", nearest, 2), 1);
    ck_assert_str_eq(nearest[0], "parse_all");
    ranking_free(r);
    selection_free(sel);
    profile_free(p);
}

static const struct {
    const char *name;
    size_t bare;
} bare_names[] = {
    {"", 0},
    {"f", 1},
    {"f()", 1},
    {"f(int)", 1},
    {"f)", 2},
    {"f(", 2},
    {"()", 2},
    {"(f)", 3},
    {"((a))", 5},
    {"x((a))", 1},
    {"f(a)(b)", 4},
    {"f(int) const", 1},
    {"f(void (*)(int))", 1},
    {"A::operator()(int)", 13},
    {"(anonymous namespace)::f(int)", 24},
    {"f /srv/a.js:1:2", 1},
    {"get size file:///my srv/a.js:1:2", 8},
    {"f C:\\my srv\\a.js:1:2", 1},
    {"f (a.py:12)", 1},
    {"f - a.rb:12", 1},
    {"py::f:/srv/a.py", 5},
    {"py::f", 5},
    {"py:::/a.py", 10},
    {"f a.py:12)", 10},
    {"f (a.py:12", 10},
    {" a:1", 4},
    {"a:1", 3},
    {"f :1", 1},
};

TEST(arguments_are_the_last_parentheses)
{
    for (size_t i = 0; i < COUNT(bare_names); i++)
        ck_assert_msg(match_bare_length(bare_names[i].name) ==
                          bare_names[i].bare,
                      "%s", bare_names[i].name);
}

/* Functions that differ from each other in nearly all letters, the first with
 * most samples. */
static struct profile *spellings(const char *const *names, size_t n)
{
    struct builder *b = builder_new("app.etl");
    uint32_t t = builder_thread(b, 10, "a.exe", 11);
    char stack[100];

    for (size_t i = 0; i < n; i++) {
        snprintf(stack, sizeof(stack), "a!%s", names[i]);
        builder_samples(b, t, (unsigned)(n - i), stack);
    }
    return builder_finish(b);
}

#define K60 "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk"

/* A third of the letters, and one, may be others; 64 are compared. */
static const struct {
    const char *name, *nearest[3];
} spelled[] = {
    {"abcxyz", {"abcdef"}},
    {"abwxyz", {NULL}},
    {"ABCDEX", {"abcdef"}},
    {"abdef", {"abcdef"}},
    {"abcdeef", {"abcdef"}},
    {"bcdefa", {"abcdef"}},
    {"qrstux", {"qrstuv", "qrstuw"}}, /* more are as near */
    {"qrst", {"qrstuv", "qrstuw"}},   /* it is in them */
    {"mnopq", {"mnopr"}},             /* mnxxq is less near */
    {"z", {"z1"}},
    {"y", {NULL}},
    {"y1", {"z1"}},
    {K60 "kkkz", {K60 "kkkk"}},
    {K60 "kkkkz", {NULL}},
};

TEST(the_nearest_spellings_are_found)
{
    static const char *const names[] = {"abcdef", "qrstuv",   "qrstuw",
                                        "qrstuo", "mnxxq",    "mnopr",
                                        "z1",     K60 "kkkk", K60 "jjjjj"};
    struct profile *p = spellings(names, COUNT(names));
    struct selection *sel = selection_new(p, NULL);
    struct ranking *r = ranking_new(p, sel, RANK_FUNCTION, SORT_EXCLUSIVE);

    for (size_t i = 0; i < COUNT(spelled); i++) {
        const char *nearest[2] = {NULL, NULL};
        size_t n = match_nearest(NULL, r, spelled[i].name, nearest, 2);
        size_t wanted = 0;

        while (spelled[i].nearest[wanted])
            wanted++;
        ck_assert_msg(n == wanted, "%s: %zu", spelled[i].name, n);
        for (size_t k = 0; k < n; k++)
            ck_assert_str_eq(nearest[k], spelled[i].nearest[k]);
    }
    ranking_free(r);
    selection_free(sel);
    profile_free(p);
}
