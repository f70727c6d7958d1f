/* JsonSlabs as JSON: every type of slab, and files that lie. */
#include "engine/base/json_slabs.h"

#include <math.h>

#include "tests/support/slabs_writer.h"
#include "tests/support/suite.h"

/* The text of a file, or what is wrong with it; to be freed. */
static char *text_of(const uint8_t *data, size_t size)
{
    struct err err = {0};
    uint8_t *copy = malloc(size + !size);
    size_t n = 0;
    char *text;

    ck_assert_ptr_nonnull(copy);
    memcpy(copy, data, size);
    text = json_slabs_text("a", copy, size, &n, &err);
    free(copy);
    ck_assert((text == NULL) == (err.code != ERR_NONE));
    if (!text)
        return strdup(err.message);
    ck_assert_uint_eq(strlen(text), n);
    return text;
}

static void check(struct slabs_writer *w, const char *root,
                  const char *expected)
{
    struct blob file;
    char *text;

    slabs_add(w, SLABS_JSON, root, strlen(root));
    file = slabs_file(w, w->count - 1);
    ck_assert(json_slabs_begin(file.data, file.len));
    ck_assert(!json_slabs_begin(file.data, 7));
    text = text_of(file.data, file.len);
    ck_assert_str_eq(text, expected);
    free(text);
    free(file.data);
}

TEST(every_type)
{
    static const uint8_t bytes[] = {0,    0,    0,    0,    0,    0,
                                    0xF0, 0x3F, 0xFF, 0xFF, 0xFF, 0xFF,
                                    0xFF, 0xFF, 0xFF, 0xFF};
    static const char *const said[] = {
        "[0,0,0,0,0,0,-16,63,-1,-1,-1,-1,-1,-1,-1,-1]",
        "[0,0,0,0,0,0,240,63,255,255,255,255,255,255,255,255]",
        "[0,0,0,16368,-1,-1,-1,-1]",
        "[0,0,0,16368,65535,65535,65535,65535]",
        "[0,1072693248,-1,-1]",
        "[0,1072693248,4294967295,4294967295]",
        "[0,1.875,null,null]",
        "[1,null]",
        "[4607182418800017408,-1]",
        "[4607182418800017408,18446744073709551615]",
    };

    for (uint32_t type = 0; type < 10; type++) {
        struct slabs_writer w = {.count = 0};

        slabs_add(&w, type, bytes, sizeof(bytes));
        check(&w, "{\"$s\":0}", said[type]);
    }
}

/* Objects that stand for slabs, and others that do not. */
TEST(placeholders)
{
    static const char inner[] = "{\"b\":{\"$s\":0}}";
    struct slabs_writer w = {.count = 0};

    slabs_add(&w, 1, "\1\2", 2);
    slabs_add(&w, SLABS_JSON, inner, strlen(inner));
    slabs_add(&w, 4, "", 0);
    check(&w,
          "{\"a\":[ { \"$s\" : 1 } ],\"c\":\"{\\\"$s\\\":0}\",\"d\":"
          "{\"$s\":0,\"e\":1},\"f\":{\"$t\":0},\"g\":{\"$s\":-1},"
          "\"h\":{\"$s\":2},\"i\":{\"$s\"",
          "{\"a\":[ {\"b\":[1,2]} ],\"c\":\"{\\\"$s\\\":0}\",\"d\":"
          "{\"$s\":0,\"e\":1},\"f\":{\"$t\":0},\"g\":{\"$s\":-1},"
          "\"h\":[],\"i\":{\"$s\"");
}

TEST(files_that_lie)
{
    static const char twice[] = "[{\"$s\":0},{\"$s\":0}]";
    struct slabs_writer w = {.count = 0};
    struct blob file;
    char *text;

    slabs_add(&w, 1, "\1", 1);
    check(&w, twice, "a: slab 0 is used twice");
    w = (struct slabs_writer){.count = 0};
    check(&w, "{\"$s\":7}", "a: slab 7 is not in the file");
    w = (struct slabs_writer){.count = 0};
    check(&w, "[{\"$s\":0}]", "a: slab 0 is used twice");
    w = (struct slabs_writer){.count = 0};
    slabs_add(&w, 1, "\1", 1);
    file = slabs_file(&w, 0);
    text = text_of(file.data, file.len);
    ck_assert_str_eq(text, "a: the root slab 0 is not JSON");
    free(text);
    file.data[8] = 2;
    text = text_of(file.data, file.len);
    ck_assert_str_eq(
        text, "a: unknown version 2 of JsonSlabs; topfn reads version 1");
    free(text);
    file.data[8] = 1;
    /* A type that there is not, a slab behind the end, two on one place. */
    file.data[20] = 11;
    text = text_of(file.data, file.len);
    ck_assert_str_eq(
        text, "a: slab 0, of type 11 at 0x20, has no room for its 1 bytes");
    free(text);
    file.data[20] = 1;
    file.data[28] = 99;
    text = text_of(file.data, file.len);
    ck_assert_str_eq(
        text, "a: slab 0, of type 1 at 0x20, has no room for its 99 bytes");
    free(text);
    free(file.data);
    w = (struct slabs_writer){.count = 0};
    slabs_add(&w, 1, "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz",
              52);
    slabs_add(&w, 1, "", 0);
    slabs_add(&w, 1, "", 0);
    file = slabs_file(&w, 0);
    for (size_t i = 1; i < 3; i++) {
        memcpy(file.data + 20 + 12 * i, file.data + 20, 12);
        file.data[20 + 12 * i] = 1;
    }
    text = text_of(file.data, file.len);
    ck_assert_str_eq(
        text, "a: slab 2, of type 1 at 0x38, has no room for its 52 bytes");
    free(text);
    for (size_t n = 8; n < 56; n++)
        free(text_of(file.data, n));
    free(file.data);
}
