#include "engine/base/json.h"

#include "tests/support/json_check.h"
#include "tests/support/suite.h"

static struct out *out;
static struct json json;

static void start(void)
{
    out = out_memory();
    json = json_to(out);
}

static void assert_written(const char *expected)
{
    ck_assert_str_eq(out_text(out, NULL), expected);
    ck_assert(is_json(expected));
    out_close(out, NULL);
}

static const struct {
    const char *text, *expected;
} texts[] = {
    {"", "\"\""},
    {"a\"b\\c/", "\"a\\\"b\\\\c/\""},
    {"ab\x7F-", "\"ab\\u007f-\""},
    {"\x01\n\x7F\xC3\xA9", "\"\\u0001\\u000a\\u007f\xC3\xA9\""},
    {"\x1F \x7E", "\"\\u001f \x7E\""},
    /* what acts unseen, in UTF-16 */
    {"a\u202Eb", "\"a\\u202eb\""},
    {"a\U000E0041b\U0001F525", "\"a\\udb40\\udc41b\U0001F525\""},
    {NULL, "null"},
};

TEST(texts_cannot_break_out)
{
    for (size_t i = 0; i < COUNT(texts); i++) {
        start();
        json_text(&json, NULL, texts[i].text);
        assert_written(texts[i].expected);
    }
    start();
    json_maybe(&json, NULL, "");
    assert_written("null");
}

TEST(keys_are_quoted_too)
{
    start();
    json_object(&json, NULL);
    json_text(&json, "a\"\n", "b");
    json_end(&json);
    assert_written("{\"a\\\"\\u000a\":\"b\"}");
}
