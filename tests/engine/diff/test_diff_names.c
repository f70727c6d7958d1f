#include "engine/diff/pair.h"

#include <stdbool.h>

#include "tests/support/cells.h"
#include "tests/support/suite.h"

#define CELLS_FILE "tests/engine/diff/names.cells"

static void check_name(const struct cells *row)
{
    static const char *const words[DIFF_RULES] = {
        [DIFF_EXACT] = "exact",      [DIFF_SPELLING] = "spelling",
        [DIFF_SUFFIX] = "suffix",    [DIFF_TIER] = "tier",
        [DIFF_HASH] = "hash",        [DIFF_LAMBDA] = "lambda",
        [DIFF_TEMPLATE] = "template"};
    struct arena arena = {0};
    int rule = 0;

    while (!words[rule] || strcmp(words[rule], row->cell[0]))
        ck_assert_int_lt(++rule, DIFF_RULES);
    cells_expect(row, 2,
                 diff_clean(row->cell[1], (enum diff_rule)rule, &arena));
    arena_release(&arena);
}

TEST(names_are_cleaned)
{
    cells_each(CELLS_FILE, "names", check_name);
}

/* A word ends where neither letter, digit, _ nor point goes on. */
TEST(words_are_whole)
{
    static const char word[] = "class System.String";
    struct arena arena = {0};

    for (int c = 1; c < 128; c++) {
        bool goes_on = strchr("abcdefghijklmnopqrstuvwxyz"
                              "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.",
                              c);
        const char *of = goes_on ? word : "string";
        char name[40], wanted[40];

        snprintf(name, sizeof(name), "%s%c", word, c);
        snprintf(wanted, sizeof(wanted), "%s%c", of, c);
        ck_assert_str_eq(diff_clean(name, DIFF_SPELLING, &arena), wanted);
        snprintf(name, sizeof(name), "%c%s", c, word);
        snprintf(wanted, sizeof(wanted), "%c%s", c, of);
        ck_assert_str_eq(diff_clean(name, DIFF_SPELLING, &arena), wanted);
    }
    arena_release(&arena);
}

/* Every tier that a runtime writes, in brackets. */
TEST(tiers_are_cut)
{
    static const char *const tiers[] = {
        "Tier0", "Tier1", "OptimizedTier1", "OptimizedTier1OSR", "PreJIT",
        "ReadyToRun", "Optimized", "MinOptJitted", "Unknown", "Instrumented",
        "QuickJitted", "InstrumentedTier", "OSR", "Tier0Instrumented",
    };
    struct arena arena = {0};

    for (size_t i = 0; i < COUNT(tiers); i++) {
        char name[40];

        snprintf(name, sizeof(name), "f[%s]", tiers[i]);
        ck_assert_str_eq(diff_clean(name, DIFF_TIER, &arena), "f");
    }
    arena_release(&arena);
}

/* What is clean stays as it is, for every rule. */
static void check_twice(const struct cells *row)
{
    struct arena arena = {0};

    for (int rule = 0; rule < DIFF_RULES; rule++) {
        enum diff_rule r = (enum diff_rule)rule;
        char *once = diff_clean(row->cell[1], r, &arena);

        ck_assert_str_eq(diff_clean(once, r, &arena), once);
    }
    arena_release(&arena);
}

TEST(cleaning_twice_is_cleaning_once)
{
    cells_each(CELLS_FILE, "names", check_twice);
}

/* No name may make it read beyond its end: every cut of every name. */
static void check_cuts(const struct cells *row)
{
    size_t n = row->len[1];

    for (size_t from = 0; from <= n; from++) {
        struct arena arena = {0};
        char *cut = arena_strndup(&arena, row->cell[1] + from, n - from);

        ck_assert(strlen(diff_clean(cut, DIFF_TEMPLATE, &arena)) <= n - from);
        cut[(n - from) / 2] = '\0';
        diff_clean(cut, DIFF_TEMPLATE, &arena);
        arena_release(&arena);
    }
}

TEST(any_text_is_a_name)
{
    cells_each(CELLS_FILE, "names", check_cuts);
}
