/* Go's table of functions in an image for Windows, where it has no section of
 * its own. */
#include "symbols/pe/pe.h"

#include "symbols/debug.h"
#include "tests/support/go_table_writer.h"
#include "tests/support/pe_writer.h"
#include "tests/support/suite.h"

enum {
    TABLE_AT = 0x40,  /* among the constants */
    TREES_AT = 0x700, /* so are these */
    MODULE_RVA = 0x5000,
    MODULE_WORDS = 41,
    BASE = 0x400000,
};

/* A section that can be written, with the runtime's description in it. */
static void put_module(struct blob *b, uint64_t names)
{
    static const unsigned words[] = {0, 1, 22, 23, 38, 40};
    const uint64_t trees = BASE + IMAGE_DATA + TREES_AT;
    const uint64_t values[] = {BASE + IMAGE_DATA + TABLE_AT,
                               BASE + IMAGE_DATA + TABLE_AT + names,
                               GO_TEXT,
                               GO_TEXT + 0x60,
                               trees,
                               trees};
    struct blob header = {0};

    pe_put_section(&header, MODULE_WORDS * 8, MODULE_RVA, MODULE_WORDS * 8,
                   IMAGE_END, 0xC0000040);
    memcpy(b->data + pe_directory_at(true, PE_DIRECTORIES) + 2 * PE_SECTION,
           header.data, header.len);
    blob_set(b, IMAGE_HEADER + 6, 3, 2);
    blob_zero(b, MODULE_WORDS * 8);
    for (size_t i = 0; i < 6; i++)
        blob_set(b, IMAGE_END + words[i] * 8, values[i], 8);
    free(header.data);
}

/* `described`: with what the runtime has, as far as its version is known. */
static struct blob image_of(enum go_table_version version, bool described)
{
    struct blob trees = {0}, table = go_table_made(version, &trees);
    struct blob b = pe_image_of(PE_X64, true);
    struct go_table t;

    ck_assert(go_table_open(&t, (struct bytes){table.data, table.len}, false));
    memcpy(b.data + IMAGE_DATA_AT + TABLE_AT, table.data, table.len);
    memcpy(b.data + IMAGE_DATA_AT + TREES_AT, trees.data, trees.len);
    if (described)
        put_module(&b, t.names);
    free(trees.data);
    free(table.data);
    return b;
}

static const struct {
    enum go_table_version version;
    bool described;
    size_t frames; /* in what is inlined */
} rows[] = {
    {GO_1_20, true, 2}, {GO_1_18, true, 2},  {GO_1_20, false, 1},
    {GO_1_16, false, 1}, {GO_1_2, false, 1},
};

TEST_LOOP(names, COUNT(rows))
{
    struct blob b = image_of(rows[_i].version, rows[_i].described);
    struct err err = {0};
    struct debug_file *file = debug_open("app.exe", b.data, b.len, &err);
    struct debug_frame frames[DEBUG_FRAMES_MAX];
    struct debug_range range;
    size_t n;

    ck_assert_msg(file, "%s", err.message);
    ck_assert_int_eq(debug_names(file), NAMES_ALL);
    n = debug_frames(file, 0x1018, frames, DEBUG_FRAMES_MAX);
    ck_assert_uint_eq(n, rows[_i].frames);
    ck_assert_str_eq(frames[n - 1].function, "main.work");
    ck_assert_uint_eq(debug_frames(file, 0x1040, frames, DEBUG_FRAMES_MAX), 1);
    ck_assert_str_eq(frames[0].function, "main.run");
    ck_assert_str_eq(frames[0].file, "/src/a.go");
    ck_assert_uint_eq(frames[0].line, 20);
    ck_assert_uint_eq(debug_frames(file, 0x1060, frames, DEBUG_FRAMES_MAX), 0);
    ck_assert(debug_range(file, 0x1044, &range));
    ck_assert_uint_eq(range.start, 0x1040);
    ck_assert_uint_eq(range.end, 0x1060);
    debug_close(file);
    free(b.data);
}

/* What looks like a table has functions outside of the code. */
TEST(others)
{
    struct blob b = image_of(GO_1_20, false);
    struct err err = {0};
    struct debug_file *file;

    blob_set(&b, IMAGE_DATA_AT + TABLE_AT + 24, 0x10000, 8); /* the code */
    file = debug_open("app.exe", b.data, b.len, &err);
    ck_assert_msg(file, "%s", err.message);
    ck_assert_int_eq(debug_names(file), NAMES_EXPORTS);
    debug_close(file);
    free(b.data);
}
