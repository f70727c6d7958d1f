#include "engine/diff/names.h"

#include <string.h>

#include "tests/support/suite.h"

static const struct {
    enum diff_rule rule;
    const char *name, *cleaned;
} rows[] = {
    {DIFF_SPELLING, "A.F(class System.String,value class B)",
     "A.F(string,valuetype B)"},
    {DIFF_SPELLING, "A.F(class System.StringBuilder)",
     "A.F(class System.StringBuilder)"},
    {DIFF_SPELLING, "A.F(unsigned int8[])", "A.F(uint8[])"},
    {DIFF_SUFFIX, "work.isra.0", "work"},
    {DIFF_SUFFIX, "work.part.1.cold", "work"},
    {DIFF_SUFFIX, "work.llvm.123456", "work"},
    {DIFF_SUFFIX, "work(int) [clone .constprop.0]", "work(int)"},
    {DIFF_SUFFIX, "work(int) (.cold)", "work(int)"},
    {DIFF_SUFFIX, "a.partial", "a.partial"},
    {DIFF_SUFFIX, "Shop.cold_store.Get()", "Shop.cold_store.Get()"},
    {DIFF_TIER, "void [a] B::C(int)[OptimizedTier1]", "void [a] B::C(int)"},
    {DIFF_TIER, "B::C(int32[])", "B::C(int32[])"},
    {DIFF_TIER, "B::C() [Tier0]", "B::C()"},
    {DIFF_HASH, "core::fmt::write::h0123456789abcdef", "core::fmt::write"},
    {DIFF_HASH, "core::fmt::hello", "core::fmt::hello"},
    {DIFF_LAMBDA, "P.<Main>b__3_1", "P.<Main>b__"},
    {DIFF_LAMBDA, "P+<>c__DisplayClass12_0.<Run>b__4",
     "P+<>c__DisplayClass.<Run>b__"},
    {DIFF_LAMBDA, "P.<Run>g__Step|4_0", "P.<Run>g__Step|"},
    {DIFF_LAMBDA, "f()::{lambda(int)#2}::operator()(int) const",
     "f()::{lambda(int)#}::operator()(int) const"},
    {DIFF_LAMBDA, "main.run.func2", "main.run.func"},
    {DIFF_TEMPLATE, "std::vector<std::pair<int, A<B>>>::push_back(int)",
     "std::vector<>::push_back(int)"},
    {DIFF_TEMPLATE, "operator<(A<int> const&)", "operator<(A<> const&)"},
    {DIFF_TEMPLATE, "std::operator<< <char>(A&)",
     "std::operator<< <char>(A&)"},
    {DIFF_TEMPLATE, "P.<Main>b__", "P.<Main>b__"},
    {DIFF_TEMPLATE, "A::operator->()", "A::operator->()"},
    {DIFF_TEMPLATE, "less<int>(A->b)", "less<>(A->b)"},
    {DIFF_TEMPLATE, "List`1[System.Int32].Add(int32[])",
     "List`1[].Add(int32[])"},
    {DIFF_TEMPLATE, "broken<int", "broken<int"},
    {DIFF_TEMPLATE, "", ""},
};

START_TEST(names_are_cleaned)
{
    struct arena arena = {0};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        ck_assert_str_eq(diff_clean(rows[i].name, rows[i].rule, &arena),
                         rows[i].cleaned);
    arena_release(&arena);
}
END_TEST

/* What is clean stays as it is, for every rule. */
START_TEST(cleaning_twice_is_cleaning_once)
{
    struct arena arena = {0};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        for (int rule = 0; rule < DIFF_RULES; rule++) {
            enum diff_rule r = (enum diff_rule)rule;
            char *once = diff_clean(rows[i].name, r, &arena);

            ck_assert_str_eq(diff_clean(once, r, &arena), once);
        }
    }
    arena_release(&arena);
}
END_TEST

/* No name may make it read beyond its end: every cut of every name. */
START_TEST(any_text_is_a_name)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        size_t n = strlen(rows[i].name);

        for (size_t from = 0; from <= n; from++) {
            struct arena arena = {0};
            char *cut = arena_strndup(&arena, rows[i].name + from, n - from);

            ck_assert(strlen(diff_clean(cut, DIFF_TEMPLATE, &arena)) <=
                      n - from);
            cut[(n - from) / 2] = '\0';
            diff_clean(cut, DIFF_TEMPLATE, &arena);
            arena_release(&arena);
        }
    }
}
END_TEST

int main(void)
{
    return suite_run("diff_names", names_are_cleaned,
                     cleaning_twice_is_cleaning_once, any_text_is_a_name);
}
