/*
 * Streams of BinaryFormatter that nrbf.txt describes (tests/support/recipe.h),
 * and how much there may be in one. Notes of a recipe:
 *
 *     - error corrupt            what is wrong with it; else nothing is
 *     - object 1 0x5 "a" null    the values of an object; "none": no such one
 *     - member 1 NAME 0x5        a member of an object; - for a name without
 *                                characters
 */
#include "symbols/saved/nrbf.h"

#include "engine/base/out.h"
#include "engine/base/unpacking.h"
#include "tests/support/recipe.h"
#include "tests/support/suite.h"

static void add_value(struct out *out, const struct nrbf *n,
                      const struct nrbf_value *value)
{
    struct bytes text = nrbf_text(n, value);

    if (!value)
        out_str(out, " none");
    else if (value->kind == NRBF_NUMBER)
        out_fmt(out, " 0x%llx", (unsigned long long)nrbf_number(value, 7));
    else if (text.data && text.len && !text.data[0])
        out_fmt(out, " text of %zu", text.len);
    else if (text.data)
        out_fmt(out, " \"%.*s\"", (int)text.len, (const char *)text.data);
    else
        out_str(out, value->kind == NRBF_NULL ? " null" : " reference");
}

static void check_object(const struct nrbf *n, const char *recipe,
                         const char *note)
{
    char *expected;
    uint32_t id = (uint32_t)strtoul(note, &expected, 10);
    const struct nrbf_object *object = nrbf_object(n, id);
    struct out *out = out_memory();

    for (uint32_t i = 0; object && i < object->count; i++)
        add_value(out, n, &n->values.data[object->first + i]);
    if (!object)
        add_value(out, n, NULL);
    ck_assert_msg(!strcmp(out_text(out, NULL), expected), "%s: %s", recipe,
                  out_text(out, NULL));
    out_close(out, NULL);
}

static void check_member(const struct nrbf *n, const char *recipe,
                         const char *note)
{
    struct out *out = out_memory();
    char name[40], expected[40];
    unsigned id;

    ck_assert_int_eq(sscanf(note, "%u %39s %39s", &id, name, expected), 3);
    add_value(
        out, n,
        nrbf_member(n, nrbf_object(n, id), strcmp(name, "-") ? name : ""));
    ck_assert_msg(!strcmp(out_text(out, NULL) + 1, expected), "%s: %s is%s",
                  recipe, name, out_text(out, NULL));
    out_close(out, NULL);
}

static struct nrbf *read_stream(const struct blob *b, enum err_code expected)
{
    struct err err = {0};
    struct nrbf *n = nrbf_read("made", b->data, b->len, &err);

    ck_assert_msg(err.code == expected, "%s", err.message);
    ck_assert((n != NULL) == !expected);
    return n;
}

static void check(const struct recipes *all, const char *name)
{
    const char *error = recipe_note(all, name, "error", 0), *note;
    struct blob b = {0};
    struct nrbf *n;

    recipe_make(all, name, 0, &b);
    n = read_stream(&b, !error                       ? ERR_NONE
                        : strcmp(error, "truncated") ? ERR_CORRUPT
                                                     : ERR_TRUNCATED);
    for (size_t i = 0; (note = recipe_note(all, name, "object", i)); i++)
        check_object(n, name, note);
    for (size_t i = 0; (note = recipe_note(all, name, "member", i)); i++)
        check_member(n, name, note);
    nrbf_free(n);
    free(b.data);
}

TEST(streams)
{
    struct recipes *all = recipes_read("tests/symbols/saved/nrbf.txt");
    const char *name;

    for (size_t i = 0; (name = recipe_name(all, i)); i++)
        check(all, name);
    recipes_free(all);
}

/* Members that are not there, and members of another kind. */
TEST(other_values)
{
    struct recipes *all = recipes_read("tests/symbols/saved/nrbf.txt");
    const struct nrbf_object *array;
    struct blob b = {0};
    struct nrbf *n;

    recipe_make(all, "values-of-arrays", 0, &b);
    n = read_stream(&b, ERR_NONE);
    array = nrbf_object(n, n->root);
    ck_assert_ptr_null(nrbf_element(n, array, 8));
    ck_assert_ptr_null(nrbf_element(n, NULL, 0));
    ck_assert_ptr_null(nrbf_target(n, nrbf_element(n, array, 7)));
    ck_assert_ptr_null(nrbf_target(n, nrbf_element(n, array, 3)));
    ck_assert_ptr_null(nrbf_target(n, NULL));
    ck_assert_ptr_null(nrbf_member(n, NULL, "a"));
    ck_assert_uint_eq(nrbf_number(nrbf_element(n, array, 0), 7), 7);
    ck_assert_uint_eq(nrbf_number(NULL, 7), 7);
    nrbf_free(n);
    free(b.data);
    recipes_free(all);
}

/* Values, all of them null. */
TEST(values_of_a_small_file)
{
    enum { SIZE = 17 + 9 + 5 + 1 };

    for (uint32_t more = 0; more < 2; more++) {
        uint32_t n =
            (uint32_t)((UNPACK_FREE + UNPACK_RATIO_COSTLY * (SIZE / 4)) / 16 +
                       more);
        struct blob b = {0};

        blob_pack(&b, "BI12xBIIBIB", 0, 1, 16, 1, n, 14, n, 11);
        ck_assert_uint_eq(b.len, SIZE);
        nrbf_free(read_stream(&b, more ? ERR_LIMIT : ERR_NONE));
        free(b.data);
    }
}

TEST(zeros)
{
    struct blob b = {0};

    blob_zero(&b, 64 << 20);
    read_stream(&b, ERR_CORRUPT);
    blob_zero(&b, 1);
    read_stream(&b, ERR_LIMIT);
    free(b.data);
}
