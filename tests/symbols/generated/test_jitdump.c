/* What a runtime says of generated code: the last word holds. */
#include "symbols/debug.h"
#include "tests/support/jitdump_writer.h"
#include "tests/support/suite.h"

static struct debug_file *open_blob(const struct blob *b)
{
    struct err err = {0};
    struct debug_file *file = debug_open("jit-7.dump", b->data, b->len, &err);

    ck_assert_msg(file != NULL, "%s", err.message);
    ck_assert_str_eq(file->kind->name, "jitdump");
    return file;
}

/* "run a.js:3", "run" or "". */
static void assert_at(struct debug_file *file, uint64_t address,
                      const char *expected)
{
    struct debug_frame f = {0};
    size_t n = debug_frames(file, address, &f, 1);
    char text[100] = "";

    if (n && f.file)
        snprintf(text, sizeof(text), "%s %s:%u", f.function, f.file, f.line);
    else if (n)
        snprintf(text, sizeof(text), "%s", f.function);
    ck_assert_str_eq(text, expected);
}

static const struct jitdump_line lines[] = {
    {0x1010, 4, "a.js"}, {0x1000, 3, "a.js"}, {0x1020, 9, "\xFF"},
    {0x1020, 5, "\xFF"}, {0x1030, 1, "b.js"},
};

static void put_everything(struct jitdump_writer *w)
{
    jitdump_begin(w);
    jitdump_other(w, 4, 24);
    jitdump_lines(w, 0x1000, lines, 5);
    jitdump_load(w, 0x1000, 0x40, 1, "run");
    jitdump_load(w, 0x2000, 0x40, 2, "gone");
    jitdump_other(w, 99, 3);
    jitdump_load(w, 0x2010, 0x10, 3, "new");
    jitdump_move(w, 0x1000, 0x5000, 0x40, 1);
    jitdump_move(w, 0x9000, 0x6000, 0x40, 77); /* never loaded */
    jitdump_load(w, 0x1000, 0x8, 4, "other");
    jitdump_load(w, 0x8000, 0, 5, "empty");
    jitdump_load(w, 0x2030, 0x8, 6, "");
    jitdump_other(w, 3, 0);
}

static void check_everything(struct debug_file *file)
{
    assert_at(file, 0xFFF, "");
    assert_at(file, 0x1000, "other");
    assert_at(file, 0x1008, "run a.js:3");
    assert_at(file, 0x101F, "run a.js:4");
    assert_at(file, 0x1020, "run a.js:5");
    assert_at(file, 0x103F, "run b.js:1");
    assert_at(file, 0x1040, "");
    assert_at(file, 0x2008, "gone");
    assert_at(file, 0x2010, "new");
    assert_at(file, 0x2020, "gone");
    assert_at(file, 0x2030, "");
    assert_at(file, 0x5000, "run a.js:3");
    assert_at(file, 0x5038, "run b.js:1");
    assert_at(file, 0x6000, "");
    assert_at(file, 0x8000, "");
}

TEST(both_byte_orders)
{
    for (int big = 0; big < 2; big++) {
        struct jitdump_writer w = {.big_endian = big};
        struct debug_file *file;

        put_everything(&w);
        file = open_blob(&w.b);
        check_everything(file);
        debug_close(file);
        free(w.b.data);
    }
}

/* Whatever was whole before the end is there. */
TEST(cut_off)
{
    struct jitdump_writer w = {.big_endian = false};
    struct debug_file *file;
    struct err err = {0};
    size_t first, whole;

    jitdump_begin(&w);
    for (size_t n = 0; n < w.b.len; n++)
        ck_assert_ptr_null(debug_open("cut", w.b.data, n, NULL));
    jitdump_load(&w, 0x1000, 0x40, 1, "run");
    first = w.b.len;
    jitdump_load(&w, 0x2000, 0x40, 2, "next");
    whole = w.b.len;
    for (w.b.len = first; w.b.len <= whole; w.b.len++) {
        file = open_blob(&w.b);
        assert_at(file, 0x1000, "run");
        assert_at(file, 0x2000, w.b.len == whole ? "next" : "");
        debug_close(file);
    }
    w.b.len = whole;
    blob_set(&w.b, first + 4, 0, 4); /* a record of no size */
    file = open_blob(&w.b);
    assert_at(file, 0x1000, "run");
    debug_close(file);
    blob_set(&w.b, 8, 39, 4);
    ck_assert_ptr_null(debug_open("header", w.b.data, w.b.len, &err));
    ck_assert_str_eq(err.message,
                     "header: offset 0x8: a header of 39 bytes");
    free(w.b.data);
}

/* More lines than the record can hold, and a name without an end. */
TEST(claims)
{
    struct jitdump_writer w = {.big_endian = false};
    struct debug_file *file;
    size_t at;

    jitdump_begin(&w);
    at = w.b.len;
    jitdump_lines(&w, 0x1000, lines, 2);
    blob_set(&w.b, at + 24, UINT64_MAX, 8);
    jitdump_load(&w, 0x1000, 0x40, 1, "run");
    jitdump_load(&w, UINT64_MAX - 1, 1, 2, "top");
    at = w.b.len;
    jitdump_load(&w, 0x2000, 0, 3, "ab");
    blob_set(&w.b, at + 32 + 8, 0x40, 8);
    w.b.len--;
    blob_set(&w.b, at + 4, w.b.len - at, 4);
    file = open_blob(&w.b);
    assert_at(file, 0x1010, "run a.js:4");
    assert_at(file, UINT64_MAX - 1, "top");
    assert_at(file, UINT64_MAX, "");
    assert_at(file, 0x2000, "ab");
    debug_close(file);
    free(w.b.data);
}

/* Before the first line there is none, nor where no file was named; lines
 * that are cut off or none at all do no harm. */
TEST(lines_that_say_little)
{
    static const struct jitdump_line late[] = {{0x1010, 1, "a.js"}};
    static const struct jitdump_line nowhere[] = {
        {0x2000, 7, "\xFF"}, {0x2010, 8, ""}, {0x2018, 9, "b.js"}};
    struct jitdump_writer w = {.big_endian = false};
    struct debug_file *file;
    struct debug_frame f;
    size_t at;

    jitdump_begin(&w);
    jitdump_lines(&w, 0x1000, late, 1);
    jitdump_load(&w, 0x1000, 0x20, 1, "late");
    jitdump_lines(&w, 0x2000, nowhere, 3);
    jitdump_load(&w, 0x2000, 0x20, 2, "nowhere");
    jitdump_lines(&w, 0x3000, late, 0);
    jitdump_load(&w, 0x3000, 0x20, 3, "none");
    at = w.b.len;
    jitdump_lines(&w, 0x4000, late, 1);
    w.b.len -= 8;
    blob_set(&w.b, at + 4, w.b.len - at, 4);
    jitdump_load(&w, 0x4000, 0x20, 4, "cut");
    file = open_blob(&w.b);
    assert_at(file, 0x100F, "late");
    assert_at(file, 0x1010, "late a.js:1");
    ck_assert_uint_eq(debug_frames(file, 0x1010, &f, 0), 0);
    assert_at(file, 0x2000, "nowhere");
    ck_assert_uint_eq(debug_frames(file, 0x2000, &f, 1), 1);
    ck_assert_uint_eq(f.line, 7);
    assert_at(file, 0x2010, "nowhere");
    assert_at(file, 0x2018, "nowhere b.js:9");
    assert_at(file, 0x3000, "none");
    assert_at(file, 0x4010, "cut");
    debug_close(file);
    free(w.b.data);
}
