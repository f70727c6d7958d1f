/* Of JSON that is damaged the part before that, and what is read of it. */
#include "engine/base/json_mend.h"

#include "engine/base/json_read.h"
#include "tests/support/suite.h"

static const struct {
    const char *text, *mended;
} rows[] = {
    {"", NULL},
    {"12", NULL},
    {"[", "[]"},
    {"{\"a\"", "{}"},
    {"{\"a\":1", "{}"},
    {"{\"a\":1,\"b", "{\"a\":1}"},
    {"[1,2,3", "[1,2]"},
    {"[1,{\"a\":[2", "[1,{\"a\":[]}]"},
    {"[[1],[2],", "[[1],[2]]"},
    {"[\"],{\\\"[\",5", "[\"],{\\\"[\"]"},
    {"[\"text without an end", "[]"},
    {"[\"\\", "[]"},
    {"[1}", "[]"},
    {"[1],2", "[1]"},
};

START_TEST(ends_with_what_is_whole)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        size_t n, used;
        char *text = json_mend(rows[i].text, strlen(rows[i].text), &n, &used);

        ck_assert_uint_le(used, strlen(rows[i].text));
        ck_assert_msg(!text == !rows[i].mended, "%s", rows[i].text);
        if (!text)
            continue;
        ck_assert_uint_eq(n, strlen(rows[i].mended));
        ck_assert_mem_eq(text, rows[i].mended, n);
        free(text);
    }
}
END_TEST

static void assert_read(const char *text, const char *expected, size_t whole)
{
    struct err err = {0};
    size_t n;
    json_t *root =
        json_read("a", (const uint8_t *)text, strlen(text), &n, &err);
    json_t *wanted = json_loads(expected, 0, NULL);

    ck_assert_msg(root, "%s: %s", text, err.message);
    ck_assert_msg(json_equal(root, wanted), "%s", text);
    ck_assert_uint_eq(n, whole);
    ck_assert((n == strlen(text)) == (err.code == ERR_NONE));
    json_decref(root);
    json_decref(wanted);
}

START_TEST(reads_what_stands_before_damage)
{
    struct err err = {0};
    size_t n;

    assert_read("[1,2]", "[1,2]", 5);
    assert_read("[1,2,", "[1,2]", 4);
    assert_read("\xEF\xBB\xBF[1,2,", "[1,2]", 7);
    assert_read("{\"a\":[1,2,x,4],\"b\":5}", "{\"a\":[1,2]}", 9);
    assert_read("{\"a\":[1,2,\"\x01\",4]}", "{\"a\":[1,2]}", 9);
    assert_read("[1,\"\xFF\",2]", "[1]", 2);
    assert_read("[1,[2,3],} ] [9]", "[1,[2,3]]", 8);
    ck_assert_ptr_null(json_read("a", (const uint8_t *)"x", 1, &n, &err));
    ck_assert_int_eq(err.code, ERR_CORRUPT);
}
END_TEST

int main(void)
{
    return suite_run("mended JSON", ends_with_what_is_whole,
                     reads_what_stands_before_damage);
}
