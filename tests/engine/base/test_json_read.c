/* JSON of strangers: what it is, and what is read of it where it is damaged. */
#include "engine/base/json_read.h"

#include <math.h>

#include "engine/base/mem.h"
#include "engine/base/out.h"
#include "tests/support/cells.h"
#include "tests/support/suite.h"

static struct json_text *read_text(const char *text, size_t n, size_t *whole,
                                   struct err *err)
{
    struct json_text *json;
    uint8_t *bytes = mem_new(n + 1, 1);

    memcpy(bytes, text, n);
    json = json_read("a", bytes, n, whole, err);
    free(bytes);
    return json;
}

/* Arrays, numbers and texts as they are, of objects the member "a". */
static void show(struct out *out, struct json_value v)
{
    if (json_is_object(v)) {
        out_str(out, "{");
        show(out, json_member(v, "a"));
        out_str(out, "}");
    } else if (json_is_array(v)) {
        out_str(out, "[");
        for (size_t i = 0; i < json_length(v); i++) {
            out_str(out, i ? "," : "");
            show(out, json_element(v, i));
        }
        out_str(out, "]");
    } else if (json_text_of(v)) {
        out_fmt(out, "'%s'", json_text_of(v));
    } else if (json_is_number(v)) {
        out_fmt(out, "%g", json_number_of(v));
    } else {
        out_str(out, json_is_there(v) ? "?" : "");
    }
}

static void check_text(const struct cells *row)
{
    struct err err = {0};
    struct out *out = out_memory();
    size_t whole, n;
    struct json_text *json = read_text(row->cell[0], row->len[0], &whole, &err);

    if (json)
        show(out, json_root(json));
    else
        out_str(out, "-");
    cells_expect(row, 1, out_text(out, &n));
    cells_expect_number(row, 2, whole);
    ck_assert_int_eq(err.code, row->len[3] ? ERR_CORRUPT : ERR_NONE);
    if (row->len[3])
        cells_expect_that(row, strstr(err.message, row->cell[3]));
    json_close(json);
    out_close(out, NULL);
}

TEST(values_and_damage)
{
    cells_each("tests/engine/base/json_read.cells", "values", check_text);
}

TEST(what_is_of_another_kind)
{
    static const char text[] =
        "{\"n\":7,\"r\":7.5,\"e\":7e0,\"m\":-7,\"t\":\"7\","
        "\"l\":99999999999999999999,\"a\":[1]}";
    struct err err = {0};
    size_t whole;
    struct json_text *json = read_text(text, strlen(text), &whole, &err);
    struct json_value root = json_root(json), none = json_member(root, "x");

    ck_assert_uint_eq(json_get_number(root, "n", 1), 7);
    ck_assert_uint_eq(json_get_number(root, "r", 1), 1);
    ck_assert_uint_eq(json_get_number(root, "e", 1), 1);
    ck_assert_uint_eq(json_get_number(root, "m", 1), 1);
    ck_assert_uint_eq(json_get_number(root, "t", 1), 1);
    ck_assert_uint_eq(json_get_number(root, "l", 1), 1);
    ck_assert_uint_eq(json_get_number(root, "a", 1), 1);
    ck_assert(fabs(json_get_real(root, "r") - 7.5) < 1e-9);
    ck_assert(fabs(json_get_real(root, "l") - 1e20) < 1e9);
    ck_assert_str_eq(json_get_text(root, "t"), "7");
    ck_assert_str_eq(json_get_text(root, "n"), "");
    ck_assert_uint_eq(json_number_at(json_member(root, "a"), 0, 9), 1);
    ck_assert_uint_eq(json_number_at(json_member(root, "a"), 1, 9), 9);
    ck_assert_uint_eq(json_length(root), 0);
    ck_assert(!json_is_there(none) && !json_is_array(none));
    ck_assert(!json_is_there(json_member(none, "x")));
    ck_assert(!json_is_there(json_element(none, 0)));
    ck_assert_ptr_null(json_text_of(none));
    json_close(json);
}

TEST(whole_numbers_end_at_63_bits)
{
    static const struct {
        const char *text;
        uint64_t whole;
    } numbers[] = {
        {"[0]", 0},
        {"[19]", 19},
        {"[9223372036854775799]", INT64_MAX - 8},
        {"[9223372036854775800]", INT64_MAX - 7},
        {"[9223372036854775807]", INT64_MAX},
        {"[9223372036854775808]", 77},
        {"[18446744073709551616]", 77},
        {"[1E5]", 77},
        {"[1.0]", 77},
        {"[-1]", 77},
        {"[true]", 77},
        {"[null]", 77},
        {"[\"5\"]", 77},
        {"[{}]", 77},
        {"[]", 77},
    };

    for (size_t i = 0; i < COUNT(numbers); i++) {
        const char *text = numbers[i].text;
        struct err err = {0};
        size_t whole;
        struct json_text *json = read_text(text, strlen(text), &whole, &err);

        ck_assert_ptr_nonnull(json);
        ck_assert_uint_eq(json_number_at(json_root(json), 0, 77),
                          numbers[i].whole);
        json_close(json);
    }
}

/* As deep as may be, and one more. */
TEST(depth_is_bounded)
{
    enum { DEEPEST = 2048 };
    char text[2 * DEEPEST + 2];

    for (size_t depth = DEEPEST; depth <= DEEPEST + 1; depth++) {
        struct err err = {0};
        struct json_text *json;
        size_t whole;

        memset(text, '[', depth);
        memset(text + depth, ']', DEEPEST);
        json = read_text(text, depth + DEEPEST, &whole, &err);
        ck_assert_ptr_nonnull(json);
        ck_assert_int_eq(err.code, depth > DEEPEST ? ERR_CORRUPT : ERR_NONE);
        ck_assert_uint_eq(whole, depth > DEEPEST ? DEEPEST : 2 * DEEPEST);
        if (depth > DEEPEST)
            ck_assert_ptr_nonnull(strstr(err.message, "more than 2,048"));
        json_close(json);
    }
}

/* Slots that "unit", again and again, makes of a text of `n` bytes. */
static size_t slots_of(const char *begin, const char *unit, size_t n)
{
    struct out *out = out_memory();
    struct err err = {0};
    struct json_text *json;
    size_t whole, slots, all;
    const char *text;

    out_str(out, begin);
    for (size_t i = 0; i < n; i += strlen(unit))
        out_str(out, unit);
    text = out_text(out, &all);
    json = read_text(text, all, &whole, &err);
    ck_assert_ptr_nonnull(json);
    slots = json_slots(json);
    json_close(json);
    out_close(out, NULL);
    return slots;
}

/* 4 bytes each: never more of them than the text has bytes. */
TEST(in_proportion_to_the_text)
{
    enum { SIZE = 1 << 16 };
    static const char *const units[] = {"0,",   "[],",   "{},", "\"\",",
                                        "[0],", "[[]],", "[",   "{\"\":0},"};

    for (size_t i = 0; i < COUNT(units); i++)
        ck_assert_msg(slots_of("[", units[i], SIZE) <= SIZE, "%s", units[i]);
    ck_assert_uint_le(slots_of("{", "\"\":0,", SIZE), SIZE);
    ck_assert_uint_le(slots_of("[", "[", SIZE), 2 * 2048);
}

/* More than is moved at once, in an array that is not the first. */
TEST(long_arrays)
{
    enum { VALUES = 600000 };
    struct out *out = out_memory();
    struct err err = {0};
    struct json_text *json;
    struct json_value list;
    size_t whole, n;
    const char *text;

    out_str(out, "[5,[6],[");
    for (unsigned i = 0; i < VALUES; i++)
        out_fmt(out, "%s%u", i ? "," : "", i);
    out_str(out, "],7]");
    text = out_text(out, &n);
    json = read_text(text, n, &whole, &err);
    ck_assert_ptr_nonnull(json);
    ck_assert_uint_eq(json_number_at(json_root(json), 0, 0), 5);
    ck_assert_uint_eq(json_number_at(json_root(json), 3, 0), 7);
    list = json_element(json_root(json), 2);
    ck_assert_uint_eq(json_length(list), VALUES);
    for (unsigned i = 0; i < VALUES; i++)
        if (json_number_at(list, i, 0) != i)
            ck_abort_msg("%u", i);
    json_close(json);
    out_close(out, NULL);
}

TEST(booleans_and_the_names_of_members)
{
    static const char text[] =
        "{\"a\": true, \"b\": false, \"c\": null, \"d\": \"t\"}";
    struct err err = {0};
    size_t whole;
    struct json_text *json = read_text(text, sizeof(text) - 1, &whole, &err);
    struct json_value root = json_root(json);

    ck_assert(json_is_boolean(json_member(root, "a")));
    ck_assert(json_is_true(json_member(root, "a")));
    ck_assert(json_is_boolean(json_member(root, "b")));
    ck_assert(!json_is_true(json_member(root, "b")));
    ck_assert(!json_is_boolean(json_member(root, "c")));
    ck_assert(!json_is_boolean(json_member(root, "d")));
    ck_assert(!json_is_boolean(root));
    ck_assert_str_eq(json_key_at(root, 0), "a");
    ck_assert_str_eq(json_key_at(root, 3), "d");
    ck_assert_ptr_null(json_key_at(root, 4));
    ck_assert_ptr_null(json_key_at(json_member(root, "a"), 0));
    json_close(json);
}
