/* Names and paths as bytes: case, endings, last parts, numbers in braces. */
#include "engine/base/text.h"

#include "tests/support/suite.h"

static const struct {
    const char *glob, *text;
    bool matches;
} glob_cases[] = {
    {"", "", true},
    {"", "a", false},
    {"*", "", true},
    {"*", "abc", true},
    {"?", "", false},
    {"?", "a", true},
    {"a*c", "abbc", true},
    {"a*c", "abcb", false},
    {"*.DLL", "a.dll", true},
    {"**b", "aab", true},
    {"a*b*c", "a1b2b3c", true},
    {"*a*a*a*a*b", "aaaaaaaaaaaaaaaa", false},
    {"a?", "ab", true},
    {"a?c", "ac", false},
    {"*?", "", false},
    {"*?", "a", true},
    {"a*", "b", false},
    {"*b*", "abc", true},
    {"ab*ba", "aba", false},
    {"a*a", "a", false},
    {"x*", "", false},
    {"?*?", "ab", true},
    {"abc", "ab", false},
    {"[jit]", "[jit]", true},
};

TEST(globs_match)
{
    for (size_t i = 0; i < COUNT(glob_cases); i++)
        ck_assert(glob_match(glob_cases[i].glob, glob_cases[i].text) ==
                  glob_cases[i].matches);
}

/* "e13c0d23-..." is stored as 23 0d 3c e1 ... */
TEST(guids)
{
    static const uint8_t wanted[16] = {0x23, 0x0D, 0x3C, 0xE1, 0xBC, 0xCC,
                                       0x12, 0x4E, 0x93, 0x1B, 0xD9, 0xCC,
                                       0x2E, 0xEE, 0x27, 0xE4};
    static const char *const good[] = {
        "e13c0d23-ccbc-4e12-931b-d9cc2eee27e4",
        "{e13c0d23-ccbc-4e12-931b-d9cc2eee27e4}",
        "E13C0D23-CCBC-4E12-931B-D9CC2EEE27E4",
    };
    static const char *const bad[] = {
        "",
        "{}",
        "e13c0d23",
        "e13c0d23-ccbc-4e12-931b-d9cc2eee27e",
        "e13c0d23-ccbc-4e12-931b-d9cc2eee27e45",
        "e13c0d23-ccbc-4e12-931b-d9cc2eee27e4}",
        "{e13c0d23-ccbc-4e12-931b-d9cc2eee27e4",
        "{e13c0d23-ccbc-4e12-931b-d9cc2eee27e4}}",
        "e13c0d23xccbc-4e12-931b-d9cc2eee27e4",
        "e13c0d23-ccbcx4e12-931b-d9cc2eee27e4",
        "e13c0d23-ccbc-4e12x931b-d9cc2eee27e4",
        "e13c0d23-ccbc-4e12-931bxd9cc2eee27e4",
        "e13c0d2-3ccbc-4e12-931b-d9cc2eee27e4",
        "g13c0d23-ccbc-4e12-931b-d9cc2eee27e4",
        "eg3c0d23-ccbc-4e12-931b-d9cc2eee27e4",
        "e13c0d23-ccbc-4e12-931b-d9cc2eee27e/",
        "e13c0d23-ccbc-4e12-931b-d9cc2eee27e:",
        "e13c0d23-ccbc-4e12-931b-d9cc2eee27e`",
        "e13c0d23-ccbc-4e12-931b-d9cc2eee27e@",
    };

    for (size_t i = 0; i < COUNT(good); i++) {
        uint8_t guid[16] = {0};

        ck_assert_msg(guid_parse(guid, good[i]), "%s", good[i]);
        ck_assert_mem_eq(guid, wanted, 16);
    }
    for (size_t i = 0; i < COUNT(bad); i++) {
        uint8_t guid[16];

        ck_assert_msg(!guid_parse(guid, bad[i]), "%s", bad[i]);
    }
}

TEST(guids_have_all_digits)
{
    uint8_t guid[16];

    ck_assert(guid_parse(guid, "01234567-89ab-cdef-AF90-0fF009a9fa00"));
    ck_assert_mem_eq(guid,
                     "\x67\x45\x23\x01\xAB\x89\xEF\xCD\xAF\x90\x0F\xF0"
                     "\x09\xA9\xFA\x00",
                     16);
}

static const char *fruit(const void *context, size_t i)
{
    static const char *const names[] = {"apple", "pear", "orange", "grape",
                                        NULL};

    (void)context;
    return names[i];
}

TEST(the_nearest_word)
{
    ck_assert_str_eq(text_nearest("aple", fruit, NULL), "apple");
    ck_assert_str_eq(text_nearest("peer", fruit, NULL), "pear");
    ck_assert_str_eq(text_nearest("oragne", fruit, NULL), "orange");
    ck_assert_str_eq(text_nearest("grape", fruit, NULL), "grape");
    ck_assert_ptr_null(text_nearest("banana", fruit, NULL));
    ck_assert_str_eq(text_nearest("paer", fruit, NULL), "pear");
    ck_assert_ptr_null(text_nearest("ap", fruit, NULL));
    ck_assert_ptr_null(text_nearest("", fruit, NULL));
    ck_assert_ptr_null(
        text_nearest("a word that is longer than any name can be", fruit, NULL));
}

TEST(a_login_is_not_shown)
{
    static const char *const urls[][2] = {
        {"https://joe:secret@host/x", "https://host/x"},
        {"https://joe:p@ss@host:8080", "https://host:8080"},
        {"https://host/a@b", "https://host/a@b"},
        {"https://host?q=a@b", "https://host?q=a@b"},
        {"joe@host", "joe@host"},
    };

    for (size_t i = 0; i < COUNT(urls); i++) {
        char *shown = url_without_login(urls[i][0]);

        ck_assert_str_eq(shown, urls[i][1]);
        free(shown);
    }
}
