#include "engine/diff/debug_info.h"
#include "engine/diff/hints.h"

#include "tests/support/compare_two.h"
#include "tests/support/profile_builder.h"
#include "tests/support/suite.h"

/* The hint of a row; "" where there is none. */
static const struct {
    const char *before, *after, *row, *hint;
} rows[] = {
    /* Caller, samples and lines. */
    {"a!main;a!old@x.c:5|a!f", "a!main;a!fresh@x.c:9|a!main|a!f", "fresh",
     "was old"},
    /* Caller, samples and name. */
    {"a!main;a!sum_rows|a!main", "a!main;a!sum_rows_fast|a!main",
     "sum_rows_fast", "was sum_rows"},
    /* The program has another name, too. */
    {"a1!main;a1!sum_rows|a1!main", "a2!main;a2!sum_rows_fast|a2!main",
     "sum_rows_fast", "was sum_rows"},
    /* Caller and samples alone. */
    {"a!main;a!old|a!main", "a!main;a!fresh|a!main", "fresh",
     "perhaps renamed from old"},
    {"a!main;a!old|a!main", "a!main;a!fresh|a!main", "old",
     "perhaps renamed to fresh"},
    /* Another caller, another module, other lines, three times the samples. */
    {"a!main;a!old|a!main|a!f", "a!f;a!fresh|a!main|a!f", "fresh", ""},
    {"a!main;a!old|a!main|b!f", "a!main;b!fresh|a!main|b!f", "fresh", ""},
    {"a!main;a!old@x.c:5|a!main", "a!main;a!fresh@y.c:5|a!main", "fresh", ""},
    {"a!main;a!old|a!main",
     "a!main;a!fresh|a!main;a!fresh|a!main;a!fresh|a!main;a!fresh|a!main",
     "fresh", ""},
    /* Two fit as well: which of them it is, nobody can say. */
    {"a!main;a!old@x.c:5|a!main",
     "a!main;a!fresh@x.c:5|a!main;a!other@x.c:6|a!main", "old",
     "perhaps renamed to fresh"},
    {"a!main;b!f|b!g", "a!main;a!f|b!g", "f", "moved from b"},
    /* All of a module moved: it has another name. */
    {"a!main;b1!f|b1!g", "a!main;b2!f|b2!g", "f", ""},
    /* Inlined without debug information. */
    {"a!main;a!f;a!mix|a!main;a!f|a!x", "a!main;a!f|a!main;a!f|a!x", "mix",
     "moved into its caller f"},
    {"a!main;a!f;a!mix|a!main;a!f|a!x", "a!main;a!f|a!main;a!f|a!x", "f",
     "now contains mix"},
    {"a!main;a!f|a!main;a!f|a!x", "a!main;a!f;a!mix|a!main;a!f|a!x", "mix",
     "moved out of its caller f"},
    {"a!main;a!f|a!main;a!f|a!x", "a!main;a!f;a!mix|a!main;a!f|a!x", "f",
     "no longer contains mix"},
    /* The stack lacks the caller of a leaf function. */
    {"a!main;a!mix|a!main;a!f|a!x", "a!main;a!f|a!main;a!f|a!x", "mix",
     "perhaps moved into f"},
    {"a!main;a!f|a!main;a!f|a!x", "a!main;a!mix|a!main;a!f|a!x", "mix",
     "perhaps moved out of f"},
    /* Its caller did not grow. */
    {"a!main;a!f;a!mix|a!main;a!f|a!x", "a!main;a!f|a!x", "mix", ""},
};

TEST(rows_say_what_they_were)
{
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct profile *a = compared_stacks(rows[i].before);
        struct profile *b = compared_stacks(rows[i].after);
        struct diff_options o = DIFF_DEFAULTS;
        struct out *text = out_memory();
        struct comparison *c;

        o.normalize = DIFF_NONE;
        c = compare_two(a, b, &o);
        ck_assert_msg(comparison_row(c, rows[i].row), "row %zu", i);
        diff_hint_print(c->diff, comparison_row(c, rows[i].row), text);
        ck_assert_msg(!strcmp(out_text(text, NULL), rows[i].hint),
                      "row %zu: %s", i, out_text(text, NULL));
        out_close(text, NULL);
        comparison_free(c);
        profile_free(a);
        profile_free(b);
    }
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
