#include "report/table/text.h"

#include "tests/support/suite.h"

static const struct {
    const char *text;
    size_t width;
    const char *wrapped;
} cases[] = {
    {"", 10, ""},
    {"a · b · c", 0, "a · b · c"},
    {"a · b · c", 9, "a · b · c"},
    {"a · b · c", 8, "a · b ·\n  c"},
    {"aa · bb · cc · dd\n", 9, "aa · bb ·\n  cc · dd\n"},
    /* a part too long by itself is broken at blanks, words never */
    {"one two three · four", 10, "one two\n  three ·\n  four"},
    {"Überlänge · ä", 11, "Überlänge ·\n  ä"},
    {"supercalifragilistic x", 10, "supercalifragilistic\n  x"},
    {"aa · bb", 7, "aa · bb"},
    {"aa · bb", 6, "aa ·\n  bb"},
    {"aaa · bbb · ccc", 11, "aaa · bbb ·\n  ccc"},
    {"aaa · bbb · ccc", 10, "aaa ·\n  bbb ·\n  ccc"},
    /* a path is broken behind its arrows */
    {"main 9 % › work 5 %", 12, "main 9 % ›\n  work 5 %"},
    /* a number stays with its percent sign, but not with other words */
    {"names 16.7 % of a thing", 11, "names\n  16.7 % of\n  a thing"},
    {"abc 7 %", 6, "abc\n  7 %"},
    {"abc d e%", 6, "abc d\n  e%"},
    /* nor with its name or unit, as long as that fits */
    {"of them mscorlib.dll 518, ab.dll 42, …", 22,
     "of them\n  mscorlib.dll 518,\n  ab.dll 42, …"},
    {"every time 12.5 ms passed", 17, "every\n  time 12.5 ms\n  passed"},
    /* and an explanation in parentheses with what it explains */
    {"first of all [unknown] (no such module) 159", 36,
     "first of all\n  [unknown] (no such module) 159"},
    {"abc d ", 5, "abc d\n  "},
    /* lines are wrapped one by one */
    {"ab · cd · ef\ngh\n\n", 8, "ab ·\n  cd ·\n  ef\ngh\n\n"},
};

TEST(lines_break_behind_dots_then_at_blanks)
{
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct out *out = out_memory();

        wrap(cases[i].text, cases[i].width, out);
        ck_assert_str_eq(out_text(out, NULL), cases[i].wrapped);
        out_close(out, NULL);
    }
}
