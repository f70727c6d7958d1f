/* Names as Microsoft's compilers decorate them. */
#include <string.h>
#include "symbols/names/demangle.h"
#include "tests/support/suite.h"

struct name_case {
    const char *decorated, *name, *arguments;
};

static const struct name_case cases[] = {
    {"?f@@YAHH@Z", "f", "(int)"},
    {"?mix@app@@YAHHPEBD@Z", "app::mix", "(int, char const *)"},
    {"?f@@YAXXZ", "f", "(void)"},
    {"?f@@YAXHZZ", "f", "(int, ...)"},
    {"?push@?$Ring@H$07@mixer@@QEAAHH@Z", "mixer::Ring<int, 8>::push", "(int)"},
    {"??0A@@QEAA@XZ", "A::A", "(void)"},
    {"??1A@b@@UEAA@XZ", "b::A::~A", "(void)"},
    {"??RBase@inner@app@@QEBAHH@Z", "app::inner::Base::operator()",
     "(int) const"},
    {"??BDerived@app@@QEBAHXZ", "app::Derived::operator int", "(void) const"},
    {"??4A@@QEAAAEAV0@AEBV0@@Z", "A::operator=", "(A const &)"},
    {"??_GA@@UEAAPEAXI@Z", "A::`scalar deleting destructor'", "(unsigned int)"},
    {"??2@YAPEAX_K@Z", "operator new", "(unsigned __int64)"},
    {"??_U@YAPEAX_K@Z", "operator new[]", "(unsigned __int64)"},
    {"?f@?A0x12345678@@YAXXZ", "`anonymous namespace'::f", "(void)"},
    {"?f@A@@SAXP6AHH@Z@Z", "A::f", "(int (*)(int))"},
    {"?f@@YAXP8A@@EAAHD@Z@Z", "f", "(int (A::*)(char))"},
    {"?f@@YAX$$QEAUS@@@Z", "f", "(S &&)"},
    {"?f@@YAXAEAY02H@Z", "f", "(int (&)[3])"},
    {"?f@@YAXW4E@n@@_N_W_J@Z", "f", "(n::E, bool, wchar_t, __int64)"},
    {"?f@@YAXPEAUS@@0PEBU1@1@Z", "f", "(S *, S *, S const *, S const *)"},
    {"?f@@YAXQBQAD@Z", "f", "(char * const * const)"},
    {"?x@?1??g@@YAHXZ@4HA", "`g'::`2'::x", ""},
    {"?catch$0@?0?f@4HA", "`f'::`1'::catch$0", ""},
    {"?dtor$1@?0??f@@YAXXZ@4HA", "`f'::`1'::dtor$1", ""},
    {"??__Ex@@YAXXZ", "`dynamic initializer for 'x''", "(void)"},
    {"??$max@H@std@@YAAEBHAEBH0@Z", "std::max<int>",
     "(int const &, int const &)"},
    {"??$?BX@P@@QBEPAXXZ", "P::operator void *<void>", "(void) const"},
    {"??$f@$0DE@$$V@@YAXXZ", "f<52>", "(void)"},
    {"?g@@3HA", "g", ""},
    {"??$?HDU?$char_traits@D@std@@V?$allocator@D@1@@std@@YA?AV?$basic_string@"
     "DU?$char_traits@D@std@@V?$allocator@D@2@@0@AEBV10@PEBD@Z",
     "std::operator+<char, std::char_traits<char>, std::allocator<char>>",
     "(std::basic_string<char, std::char_traits<char>, std::allocator<char>> "
     "const &, char const *)"},
    {"?f@@YA?A?<auto>@@H@Z", "f", "(int)"},
    {"?f@@YA?A?<decltype-auto>@@AEAH@Z", "f", "(int &)"},
    {"??$f@H@@YA?A?<auto>@@H@Z", "f<int>", "(int)"},
    {"??$?RH@<lambda_1>@?0???$au@H@Op@@QAE?A?<auto>@@H@Z@QBE?A?1@H@Z",
     "`Op::au<int>'::`1'::<lambda_1>::operator()<int>", "(int) const"},
    {"??$ptr@$1?glob@@3HA@@YAHXZ", "ptr<&glob>", "(void)"},
    {"??$ptr@$1?glob@@3PEAHEA@@YAHXZ", "ptr<&glob>", "(void)"},
    {"??$val@$MH02@@YAXXZ", "val<3>", "(void)"},
    {"??$val@$MPEAH1?glob@@3HA@@YAXXZ", "val<&glob>", "(void)"},
    {"??__E?Foo@@0HA@@YAXXZ", "`dynamic initializer for 'Foo''", "(void)"},
    {"??_7A@@6B@", "A::`vftable'", ""},
    {"??_C@_01CLKCMJKC@?5?$AA@", "`string'", ""},
    {"?f@A@@WBA@EAAXXZ", "A::f", "(void)"},
    {"?f@@9", "f", ""},
};

static const char *const strange[] = {
    "",
    "f",
    "?",
    "??",
    "?f",
    "?f@",
    "?f@@",
    "?f@@YA",
    "?f@@YAH",
    "?f@@YAHH",
    "?f@@YAHH@",
    "?9@@YAXXZ",
    "?f@@YAX9@Z",
    "??0@@QEAA@XZ",
    "??@0123456789abcdef0123456789abcdef@",
    "?f@@YAXPEAPEAPEA",
    "?f@?1?",
    "??__E?x@@",
};

static void assert_text(const char *decorated, const char *text,
                        const char *expected)
{
    ck_assert_msg(text && !strcmp(text, expected), "%s is %s, not %s",
                  decorated, text ? text : "not understood", expected);
}

TEST(names)
{
    struct arena arena = {0};
    char full[200];

    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct name_case *c = &cases[i];

        assert_text(c->decorated, undecorate(&arena, c->decorated, false),
                    c->name);
        snprintf(full, sizeof(full), "%s%s", c->name, c->arguments);
        assert_text(c->decorated, undecorate(&arena, c->decorated, true),
                    full);
    }
    arena_release(&arena);
}

/* Every operator, type, kind of function and reference: a decorated name, what
 * it is, and arguments, with tabs between; "-" for one that is none. Where
 * llvm-undname knows them, too, it says the same. */
TEST(every_letter)
{
    FILE *file = fopen("testdata/names/microsoft.tsv", "r");
    struct arena arena = {0};
    char line[1000], full[1000];
    unsigned n = 0;

    ck_assert_ptr_nonnull(file);
    for (; fgets(line, sizeof(line), file); n++) {
        char *name = strchr(line, '\t'), *arguments;

        *name++ = '\0';
        arguments = strchr(name, '\t');
        *arguments++ = '\0';
        arguments[strcspn(arguments, "\n")] = '\0';
        if (!strcmp(name, "-")) {
            ck_assert_msg(!undecorate(&arena, line, true), "%s", line);
            continue;
        }
        assert_text(line, undecorate(&arena, line, false), name);
        snprintf(full, sizeof(full), "%s%s", name, arguments);
        assert_text(line, undecorate(&arena, line, true), full);
    }
    ck_assert_uint_gt(n, 300);
    fclose(file);
    arena_release(&arena);
}

TEST(strange_names_are_left_alone)
{
    struct arena arena = {0};

    for (size_t i = 0; i < COUNT(strange); i++) {
        char *text = undecorate(&arena, strange[i], true);

        ck_assert_msg(!text || !strncmp(strange[i], "?f@@", 4),
                      "%s became %s", strange[i], text);
    }
    arena_release(&arena);
}

/* Every level doubles the text; and one nests without end. */
TEST(bounded)
{
    struct arena arena = {0};
    char deep[4000] = "?f@@YAX", *end = deep + strlen(deep);
    static const char bomb[] =
        "?f@@YAXU?$a@HH@@U?$b@U?$a@HH@@U1@@@U?$c@U?$b@U?$a@HH@@U1@@@U2@@@"
        "U?$d@U3@U3@U3@U3@@@U?$e@U4@U4@U4@U4@@@U?$g@U5@U5@U5@U5@@@@Z";

    for (int i = 0; i < 900; i++, end += 4)
        memcpy(end, "PEAP", 4);
    ck_assert_ptr_null(undecorate(&arena, deep, true));
    undecorate(&arena, bomb, true);
    arena_release(&arena);
}

TEST(c_names)
{
    static const char *const names[][2] = {
        {"_f", "f"},      {"_f@8", "f"},   {"@f@8", "f"},
        {"f@@8", "f"},    {"f", "f"},      {"__crt", "_crt"},
        {"_f@x", "f@x"},  {"@", "@"},
    };
    struct arena arena = {0};

    for (size_t i = 0; i < COUNT(names); i++)
        ck_assert_str_eq(undecorate_c(&arena, names[i][0]), names[i][1]);
    ck_assert_ptr_null(undecorate_c(&arena, ""));
    ck_assert_ptr_null(undecorate_c(&arena, "_"));
    arena_release(&arena);
}
