/* Names as Microsoft's compilers decorate them. */
#include <string.h>
#include "symbols/names/demangle.h"
#include "tests/support/suite.h"

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
            ck_assert_msg(!undecorate(&arena, line, true, NULL), "%s", line);
            continue;
        }
        assert_text(line, undecorate(&arena, line, false, NULL), name);
        snprintf(full, sizeof(full), "%s%s", name, arguments);
        assert_text(line, undecorate(&arena, line, true, NULL), full);
    }
    ck_assert_uint_gt(n, 300);
    fclose(file);
    arena_release(&arena);
}

TEST(strange_names_are_left_alone)
{
    struct arena arena = {0};

    for (size_t i = 0; i < COUNT(strange); i++) {
        char *text = undecorate(&arena, strange[i], true, NULL);

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
    ck_assert_ptr_null(undecorate(&arena, deep, true, NULL));
    undecorate(&arena, bomb, true, NULL);
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
