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

TEST(values_are_separated_by_commas)
{
    start();
    json_object(&json, NULL);
    json_u64(&json, "most", UINT64_MAX);
    json_i64(&json, "least", INT64_MIN);
    json_array(&json, "some");
    json_null(&json, NULL);
    json_bool(&json, NULL, true);
    json_bool(&json, NULL, false);
    json_end(&json);
    json_object(&json, "none");
    json_end(&json);
    json_array(&json, "empty");
    json_end(&json);
    json_u64(&json, "last", 0);
    json_end(&json);
    assert_written("{\"most\":18446744073709551615,"
                   "\"least\":-9223372036854775808,\"some\":[null,true,false],"
                   "\"none\":{},\"empty\":[],\"last\":0}");
}

TEST(numbers_have_as_many_decimals_as_told)
{
    start();
    json_array(&json, NULL);
    json_real(&json, NULL, -1.5, 6);
    json_real(&json, NULL, -0.001, 2);
    json_real(&json, NULL, 2.4999, 0);
    json_percent(&json, NULL, 1, 3);
    json_percent(&json, NULL, 1, 0);
    json_decimal(&json, NULL, 1500, 3);
    json_decimal(&json, NULL, 1500, 0);
    json_address(&json, NULL, UINT64_MAX);
    json_end(&json);
    assert_written("[-1.500000,0.00,2,33.33,0.00,1.5,1500,\"0xffffffffffffffff\"]");
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
