/* Members of the beginning of JSON: where they are, and where they are not. */
#include "engine/base/json_peek.h"

#include "tests/support/suite.h"

static const struct {
    const char *text, *path;
    int at; /* where the value begins; -1: there is none */
} values[] = {
    {"{}", "", 0},
    {" [", "", 1},
    {"\xEF\xBB\xBF {\"a\":1}", "a", 9},
    {"{\"a\":1}", "a", 5},
    {"{\"a\" : \"x\"}", "a", 7},
    {"{\"b\":{\"a\":1},\"a\":2}", "a", 17},
    {"{\"b\":[1,[2],{\"a\":3}],\"a\":2}", "a", 25},
    {"{\"b\":\"\\\"a\\\":\",\"a\":2}", "a", 18},
    {"{\"b\":\"\\\\\",\"a\":2}", "a", 14},
    {"{\"b\":{\"a\":1}}", "b.a", 10},
    {"{\"b\":{\"c\":{},\"a\":1}}", "b.a", 17},
    {"[{\"a\":1}]", "[].a", 6},
    {"{\"n\":[{\"a\":1},{\"b\":2}]}", "n[].a", 11},
    {"[[7]]", "[][]", 2},
    {"{\"a\":-1.5e3,\"b\":null,\"c\":4}", "c", 25},
    {"{\"aa\":1,\"a\":2}", "a", 12},
    {"{\"a\":", "a", -1},
    {"{\"a", "a", -1},
    {"{\"b\":{\"a\":1}}", "a", -1},
    {"{\"b\":\"a\",\"c\":[\"a\"]}", "a", -1},
    {"{\"n\":[{\"a\":1},{\"b\":2}]}", "n[].b", -1},
    {"{\"n\":[]}", "n[].b", -1},
    {"{\"n\":[]}", "n[]", -1},
    {"[]", "a", -1},
    {"{\"a\":1}", "[]", -1},
    {"{\"a\":1}", "a.b", -1},
    {"{\"a\":1}}{\"b\":2}", "b", -1},
    {"\"a\":1", "a", -1},
    {"x{\"a\":1}", "a", -1},
    {"{a:1}", "a", -1},
    {"{\"b\":\"\\", "a", -1},
    {"", "", -1},
    {" ", "a", -1},
};

TEST_LOOP(where_values_are, COUNT(values))
{
    size_t n = strlen(values[_i].text);
    uint8_t *text = malloc(n + !n);
    const uint8_t *value;

    ck_assert_ptr_nonnull(text);
    memcpy(text, values[_i].text, n);
    value = json_peek(text, n, values[_i].path);
    ck_assert_int_eq(value ? (int)(value - text) : -1, values[_i].at);
    /* Whatever is cut off, nothing behind it is looked at. */
    while (n--) {
        uint8_t *cut = malloc(n + !n);

        memcpy(cut, text, n);
        value = json_peek(cut, n, values[_i].path);
        ck_assert(!value || value - cut == values[_i].at);
        free(cut);
    }
    free(text);
}

TEST(what_values_are)
{
    static const char text[] = "{\"a\":\"one two\",\"b\":[\"one\"],\"c\":\"on";
    const uint8_t *data = (const uint8_t *)text;
    size_t n = sizeof(text) - 1;

    ck_assert(json_peek_is(data, n, "b", '['));
    ck_assert(!json_peek_is(data, n, "b", '{'));
    ck_assert(!json_peek_is(data, n, "d", '{'));
    ck_assert(json_peek_holds(data, n, "a", "two"));
    ck_assert(!json_peek_holds(data, n, "a", "three"));
    ck_assert(!json_peek_holds(data, n, "b", "one"));
    ck_assert(json_peek_holds(data, n, "b[]", "one"));
    ck_assert(json_peek_holds(data, n, "c", "on"));
    ck_assert(!json_peek_holds(data, n, "d", ""));
}
