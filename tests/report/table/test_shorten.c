/* Labels in columns too narrow for them. */
#include "report/table/text.h"

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
    /* One place less, one thing less. */
    {53, "icu_72::Collation::compare(unsigned short const*,int)",
     "icu_72::Collation::compare(unsigned short const*,int)"},
    {52, "icu_72::Collation::compare(unsigned short const*,int)",
     "icu_72::Collation::compare(…)"},
    {29, "icu_72::Collation::compare(unsigned short const*,int)",
     "icu_72::Collation::compare(…)"},
    {24, "icu_72::Collation::compare(unsigned short const*,int)",
     "i::Collation::compare(…)"},
    {23, "icu_72::Collation::compare(unsigned short const*,int)",
     "…Collation::compare(…)"},
    {22, "icu_72::Collation::compare(unsigned short const*,int)",
     "…Collation::compare(…)"},
    {21, "icu_72::Collation::compare(unsigned short const*,int)", "compare(…)"},
    {30, "System.Threading.WaitHandle.WaitOne",
     "S.Threading.WaitHandle.WaitOne"},
    {29, "System.Threading.WaitHandle.WaitOne", "S.T.WaitHandle.WaitOne"},
    {22, "System.Threading.WaitHandle.WaitOne", "S.T.WaitHandle.WaitOne"},
    {21, "System.Threading.WaitHandle.WaitOne", "…WaitHandle.WaitOne"},
    {19, "System.Threading.WaitHandle.WaitOne", "…WaitHandle.WaitOne"},
    {18, "System.Threading.WaitHandle.WaitOne", "WaitOne"},
    {12, "a.bb.ccc.dddd.f", "a.b.c.dddd.f"},
    {11, "a.bb.ccc.dddd.f", "…ccc.dddd.f"},
    /* Names with a place of a script: function, file and line. */
    {60, "checkBlock file:///srv/lib/_tsc.js:83214:20",
     "checkBlock file:///srv/lib/_tsc.js:83214:20"},
    {42, "checkBlock file:///srv/lib/_tsc.js:83214:20",
     "checkBlock _tsc.js:83214:20"},
    {26, "checkBlock file:///srv/lib/_tsc.js:83214:20",
     "checkBlock _tsc.js:83214"},
    {23, "checkBlock file:///srv/lib/_tsc.js:83214:20", "checkBlock"},
    {5, "Basket.total /srv/shop.js:1:2", "total"},
    {22, "get size /srv/my shop/a.js:10:3", "get size a.js:10:3"},
    {19, "f node:internal/timers:569:7", "f timers:569:7"},
    {20, "handle (shop/app/views.py:12)", "handle views.py:12"},
    {25, "block in handle - shop/lib/app.rb:12", "block in handle app.rb:12"},
    {20, "py::handle:/srv/shop/views.py", "handle views.py"},
    {20, "py::_find_spec:<frozen importlib._bootstrap>", "_find_spec"},
    /* What is shorter than its mark stays. */
    {9, "f(int) const", "f(int) const"},
    {9, "f(abc)::ghijk", "ghijk"},
    {11, "f(abcd)::ghijk", "f(…)::ghijk"},
    {14, "f(abc)::ghijkl", "f(abc)::ghijkl"},
    {13, "f<abc>::ghijkl", "ghijkl"},
    /* Names of operators hold no brackets. */
    {22, "A::operator()(int, char) const", "A::operator()(…) const"},
    {18, "A::operator[](unsigned)", "A::operator[](…)"},
    {19, "Shop.operator >>(Shop.Order)", "Shop.operator >>(…)"},
    {20, "ns::A::operator()<int, long>", "ns::A::operator()<…>"},
    {8, "ns::myoperator<int, long>::f", "f"},
    {20, "ns::myoperator<int, long>::f", "ns::myoperator<…>::f"},
    {16, "ns::operators<int, long>", "ns::operators<…>"},
    {22, "std::map<K, std::less<(A<B>::operator<)> >::find",
     "std::map<…>::find"},
    /* An arrow closes nothing. */
    {22, "std::f<decltype(a->b), c=>d, long>::get", "std::f<…>::get"},
    {12, "run(fn(int) -> long)", "run(…)"},
    /* Not every bracket holds arguments. */
    {27, "ns::(anonymous namespace)::f", "n::(anonymous namespace)::f"},
    {12, "(lambda one)::call_me", "call_me"},
    {18, "a [long text in it]", "a [long text in it]"},
    {6, "{closure#0}::f", "f"},
    {10, "core::ops::f::<i32, u64>", "f::<…>"},
    {14, "core::ops::f::<i32, u64>", "c::ops::f::<…>"},
    /* Words behind a name are no namespaces. */
    {8, "A.B.Main closure 1.2", "Main closure 1.2"},
    {8, "A.B.Main async 1.2", "Main async 1.2"},
    {8, "A.B.Main iterator 1.2", "Main iterator 1.2"},
    {8, "A.B.Main state machine 1.2", "Main state machine 1.2"},
    {8, "A.B.Main #1.2", "Main #1.2"},
    {8, "A.B.Main lambda 1.2", "Main lambda 1.2"},
    {8, "A.B.Main [1.2]", "Main [1.2]"},
    {8, "A.B.Main words 1.2", "2"},
    /* Code without a name: the dots of a file's name part no namespaces. */
    {19, "libz.so.1.3!+0x1234", "libz.so.1.3!+0x1234"},
    {18, "libz.so.1.3!+0x1234", "+0x1234"},
    {1, "libz.so.1.3!+0x1234", "+0x1234"},
    {15, "app.exe!+0x1a2b", "app.exe!+0x1a2b"},
    {14, "app.exe!+0x1a2b", "+0x1a2b"},
    {20, "[kernel.kallsyms]!+0x500", "+0x500"},
    {12, "Some.Type.a!+b", "S.Type.a!+b"},
    /* Separators, and what is none. */
    {3, "main/work", "work"},
    {4, "/a/bc", "bc"},
    {3, "a.b.", "b."},
    {3, "a..b", ".b"},
    {3, "a. b", "a. b"},
    {2, "::f", "::f"},
    {2, "a::", "a::"},
    {2, "a/b/", "b/"},
    {0, "Lio/", "Lio/"},
};

static const struct {
    size_t width;
    const char *path, *expected;
} paths[] = {
    {20, "/src/lib/a.c:12", "/src/lib/a.c:12"},
    {15, "/src/lib/a.c:12", "/src/lib/a.c:12"},
    {14, "/src/lib/a.c:12", "…/lib/a.c:12"},
    {12, "/src/lib/a.c:12", "…/lib/a.c:12"},
    {11, "/src/lib/a.c:12", "…/a.c:12"},
    {8, "/src/lib/a.c:12", "…/a.c:12"},
    {7, "/src/lib/a.c:12", "…a.c:12"},
    {6, "/src/lib/a.c:12", "a.c:12"},
    {1, "/src/lib/a.c:12", "a.c:12"},
    {13, "C:\\src\\lib\\a.cs", "…\\lib\\a.cs"},
    {3, "a_long_name.c", "a_long_name.c"},
    {8, "日本/関数.c", "…/関数.c"},
    {7, "日本/関数.c", "…関数.c"},
};

TEST(names_give_way_and_the_last_stays)
{
    struct arena arena = {0};

    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *text = shorten(cases[i].label, cases[i].width, &arena);

        ck_assert_msg(!strcmp(text, cases[i].expected), "%zu: %s, not %s",
                      cases[i].width, text, cases[i].expected);
    }
    arena_release(&arena);
}

TEST(folders_give_way_and_the_file_stays)
{
    struct arena arena = {0};

    for (size_t i = 0; i < COUNT(paths); i++) {
        const char *text = shorten_path(paths[i].path, paths[i].width, &arena);

        ck_assert_msg(!strcmp(text, paths[i].expected), "%zu: %s, not %s",
                      paths[i].width, text, paths[i].expected);
    }
    arena_release(&arena);
}

TEST(a_long_module_has_a_short_name)
{
    static const char dynamic[] = "Anonymously Hosted DynamicMethods Assembly";

    ck_assert_str_eq(shorten_module(dynamic, 42), dynamic);
    ck_assert_str_eq(shorten_module(dynamic, 41), "[dynamic]");
    ck_assert_str_eq(shorten_module("System.Private.CoreLib", 3),
                     "System.Private.CoreLib");
}

/* The first and the last of blocks of Unicode, and their neighbours. */
TEST(blocks_of_characters)
{
    static const struct {
        const char *text;
        size_t width;
    } rows[] = {
        {"\xCB\xBF", 1},         /* U+02FF */
        {"\xCC\x80", 0},         /* U+0300 */
        {"\xCD\xAF", 0},         /* U+036F */
        {"\xCD\xB0", 1},         /* U+0370 */
        {"\xE2\x80\x8A", 1},     /* U+200A */
        {"\xE2\x80\x8B", 6},     /* U+200B, shown as an escape */
        {"\xE1\x84\x80", 2},     /* U+1100 */
        {"\xE1\x85\x9E", 2},     /* U+115E */
        {"\xE1\x85\xA1", 1},     /* U+1161 */
        {"\xED\x9E\xA3", 2},     /* U+D7A3 */
        {"\xED\x9E\xA4", 1},     /* U+D7A4 */
        {"\xF0\x9F\x8C\x80", 2}, /* U+1F300 */
        {"\xF0\x9F\x8B\xBF", 1}, /* U+1F2FF */
        {"\xF0\xA0\x80\x80", 2}, /* U+20000 */
        /* Bytes that begin no character. */
        {"\x80", 1},
        {"\xBF\xBF", 2},
        {"\xE2\x80", 4}, /* shown as an escape */
        {"\xE2"
         "a",
         2},
    };

    for (size_t i = 0; i < COUNT(rows); i++)
        ck_assert_msg(
            text_width(rows[i].text, strlen(rows[i].text)) == rows[i].width,
            "%zu: %zu", i, text_width(rows[i].text, strlen(rows[i].text)));
}

TEST(places_on_a_terminal)
{
    ck_assert_uint_eq(text_width("abc", 3), 3);
    ck_assert_uint_eq(text_width("…", 3), 1);
    ck_assert_uint_eq(text_width("関", 3), 2);
    ck_assert_uint_eq(text_width("e\xCC\x81", 3), 1);
}
