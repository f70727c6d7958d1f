#include "engine/diff/pair.h"

#include <stdbool.h>

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
    {DIFF_SPELLING, "A.F(unsigned int16,unsigned int32,unsigned int64)",
     "A.F(uint16,uint32,uint64)"},
    {DIFF_SPELLING,
     "A.F(valuetype System.Boolean,value class System.Int32,value class "
     "System.Int64,class System.Object)",
     "A.F(bool,int32,int64,object)"},
    {DIFF_SPELLING, "class System.Stringclass System.String",
     "class System.Stringclass System.String"},
    {DIFF_SPELLING, "A.F(class System.String,class System.String)",
     "A.F(string,string)"},
    {DIFF_EXACT, "A.F(class System.String).isra.0",
     "A.F(class System.String).isra.0"},
    {DIFF_SUFFIX, "work.isra.0", "work"},
    {DIFF_SUFFIX, "work.constprop.0.isra.12", "work"},
    {DIFF_SUFFIX, "work.lto_priv.0", "work"},
    {DIFF_SUFFIX, "work.hot", "work"},
    {DIFF_SUFFIX, "work.part.1.2", "work"},
    {DIFF_SUFFIX, "work.part.1a", "work.part.1a"},
    {DIFF_SUFFIX, "work.cold(int)", "work(int)"},
    {DIFF_SUFFIX, "a.b.cold", "a.b"},
    {DIFF_SUFFIX, ".cold", ".cold"},
    {DIFF_SUFFIX, ".cold.cold", ".cold"},
    {DIFF_SUFFIX, "f(.cold)", "f()"},
    {DIFF_SUFFIX, "f (.cold) [clone .part.0]", "f"},
    {DIFF_SUFFIX, "f (.isra.0) (.cold)", "f"},
    {DIFF_SUFFIX, "f().cold", "f()"},
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
    {DIFF_TIER, "B::C()  [Tier0]", "B::C()"},
    {DIFF_TIER, "[Tier0]", ""},
    {DIFF_TIER, "  [Tier0]", ""},
    {DIFF_TIER, "B::C()[Tier0] ", "B::C()[Tier0] "},
    {DIFF_TIER, "B::C()[Tier]", "B::C()[Tier]"},
    {DIFF_TIER, "B::C()[Tier01]", "B::C()[Tier01]"},
    {DIFF_TIER, "B::C()[Tier2]", "B::C()[Tier2]"},
    {DIFF_TIER, "B::C()[]", "B::C()[]"},
    {DIFF_TIER, "B::C]", "B::C]"},
    {DIFF_TIER, "B[Tier0]::C()[Tier1]", "B[Tier0]::C()"},
    {DIFF_HASH, "core::fmt::hello", "core::fmt::hello"},
    {DIFF_HASH, "a::h0123456789abcdef", "a"},
    {DIFF_HASH, "::h0123456789abcdef", "::h0123456789abcdef"},
    {DIFF_HASH, "a::h0123456789abcdeg", "a::h0123456789abcdeg"},
    {DIFF_HASH, "a::h0123456789abcde", "a::h0123456789abcde"},
    {DIFF_HASH, "a::h0123456789abcdef0", "a::h0123456789abcdef0"},
    {DIFF_HASH, "a::g0123456789abcdef", "a::g0123456789abcdef"},
    {DIFF_LAMBDA, "P.<Main>b__3_1", "P.<Main>b__"},
    {DIFF_LAMBDA, "P+<>c__DisplayClass12_0.<Run>b__4",
     "P+<>c__DisplayClass.<Run>b__"},
    {DIFF_LAMBDA, "P.<Run>g__Step|4_0", "P.<Run>g__Step|"},
    {DIFF_LAMBDA, "f()::{lambda(int)#2}::operator()(int) const",
     "f()::{lambda(int)#}::operator()(int) const"},
    {DIFF_LAMBDA, "main.run.func2", "main.run.func"},
    {DIFF_LAMBDA, "P.<Run>d__5.MoveNext", "P.<Run>d__.MoveNext"},
    {DIFF_LAMBDA, "main.run.func2.1", "main.run.func.1"},
    {DIFF_LAMBDA, "a.func1.func2", "a.func.func"},
    {DIFF_LAMBDA, "f::$_3::operator()", "f::$_::operator()"},
    {DIFF_LAMBDA, "f::{{closure}}1", "f::{{closure}}"},
    {DIFF_LAMBDA, "f::<lambda_7>", "f::<lambda_>"},
    {DIFF_LAMBDA, "A.lambda$run$0", "A.lambda$run$0"},
    {DIFF_LAMBDA, "A$$Lambda$14", "A$$Lambda$"},
    {DIFF_LAMBDA, "CS$1", "CS$"},
    {DIFF_LAMBDA, "main.functional2", "main.functional2"},
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
    {DIFF_TEMPLATE, "operator<=>(A, B)", "operator<=>(A, B)"},
    {DIFF_TEMPLATE, "A::operator<=>(A, B)", "A::operator<=>(A, B)"},
    {DIFF_TEMPLATE, "operators<int>", "operators<>"},
    {DIFF_TEMPLATE, "perator<int>", "perator<>"},
    {DIFF_TEMPLATE, "<int>", "<int>"},
    {DIFF_TEMPLATE, "a<b>c<d>", "a<>c<>"},
    {DIFF_TEMPLATE, "a<b<c>>::d<e>", "a<>::d<>"},
    {DIFF_TEMPLATE, "a<b->c<d>, e>", "a<>"},
    {DIFF_TEMPLATE, "impl <A>", "impl <A>"},
    {DIFF_TEMPLATE, "[a] f", "[a] f"},
    {DIFF_TEMPLATE, "f [a]", "f [a]"},
    {DIFF_TEMPLATE, "a[b]", "a[]"},
    {DIFF_TEMPLATE, "a[]b[c]", "a[]b[]"},
    {DIFF_TEMPLATE, "a[,]", "a[,]"},
    {DIFF_TEMPLATE, "a[b", "a[b"},
    {DIFF_TEMPLATE, "", ""},
};

TEST(names_are_cleaned)
{
    struct arena arena = {0};

    for (size_t i = 0; i < COUNT(rows); i++)
        ck_assert_str_eq(diff_clean(rows[i].name, rows[i].rule, &arena),
                         rows[i].cleaned);
    arena_release(&arena);
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
TEST(cleaning_twice_is_cleaning_once)
{
    struct arena arena = {0};

    for (size_t i = 0; i < COUNT(rows); i++) {
        for (int rule = 0; rule < DIFF_RULES; rule++) {
            enum diff_rule r = (enum diff_rule)rule;
            char *once = diff_clean(rows[i].name, r, &arena);

            ck_assert_str_eq(diff_clean(once, r, &arena), once);
        }
    }
    arena_release(&arena);
}

/* No name may make it read beyond its end: every cut of every name. */
TEST(any_text_is_a_name)
{
    for (size_t i = 0; i < COUNT(rows); i++) {
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
