/* Labels in columns too narrow for them. */
#include "report/shorten.h"

#include "tests/support/suite.h"

static const struct {
    size_t width;
    const char *label, *expected;
} cases[] = {
    {40, "System.Threading.WaitHandle.WaitOne",
     "System.Threading.WaitHandle.WaitOne"},
    {34, "System.Threading.WaitHandle.WaitOne",
     "S.Threading.WaitHandle.WaitOne"},
    {25, "System.Threading.WaitHandle.WaitOne", "S.T.WaitHandle.WaitOne"},
    {20, "System.Threading.WaitHandle.WaitOne", "…WaitHandle.WaitOne"},
    {10, "System.Threading.WaitHandle.WaitOne", "WaitOne"},
    {1, "System.Threading.WaitHandle.WaitOne", "WaitOne"},
    {42, "icu_72::Collation::compare(unsigned short const*,int)",
     "icu_72::Collation::compare(…)"},
    {28, "icu_72::Collation::compare(unsigned short const*,int)",
     "i::Collation::compare(…)"},
    {27, "std::vector<std::map<int, long>>::push_back",
     "std::vector<…>::push_back"},
    {14, "Shop.Program.Main lambda 0_1", "Main lambda 0_1"},
    {30, "System.Collections.Generic.Dictionary<__Canon,int>..ctor",
     "S.C.G.Dictionary<…>..ctor"},
    {5, "System.Collections.Generic.Dictionary<__Canon,int>..ctor", ".ctor"},
    {16, "shop::Table<char, long>::It::operator<", "…It::operator<"},
    {15, "Shop.Order.operator <", "operator <"},
    {5, "msort_with_tmp [part]", "msort_with_tmp [part]"},
    {6, "日本::関数", "関数"},
    {10, "日本::関数", "日本::関数"},
    {0, "", ""},
};

START_TEST(names_give_way_and_the_last_stays)
{
    struct arena arena = {0};

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const char *text = shorten(cases[i].label, cases[i].width, &arena);

        ck_assert_msg(!strcmp(text, cases[i].expected), "%zu: %s, not %s",
                      cases[i].width, text, cases[i].expected);
    }
    arena_release(&arena);
}
END_TEST

START_TEST(places_on_a_terminal)
{
    ck_assert_uint_eq(text_width("abc", 3), 3);
    ck_assert_uint_eq(text_width("…", 3), 1);
    ck_assert_uint_eq(text_width("関", 3), 2);
    ck_assert_uint_eq(text_width("e\xCC\x81", 3), 1);
}
END_TEST

int main(void)
{
    return suite_run("shorten", names_give_way_and_the_last_stays,
                     places_on_a_terminal);
}
