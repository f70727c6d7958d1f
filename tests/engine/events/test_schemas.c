/* Schemas as their sources write them: built-in texts, TraceLogging, nettrace
 * descriptions. */
#include "engine/events/trace_impl.h"
#include "tests/support/blob.h"
#include "tests/support/cells.h"
#include "tests/support/payloads.h"

static void expect(const struct event_schema *schema, const char *wanted,
                   const char *what)
{
    char *text = schema ? schema_text(schema) : NULL;

    ck_assert_msg(text && !strcmp(text, wanted), "%s: %s, not %s", what,
                  text ? text : "none", wanted);
    free(text);
}

/* ---- built in ---- */

#define SCHEMAS "tests/engine/events/schemas.cells"

static void check_text(const struct cells *row)
{
    struct arena arena = {0};

    expect(schema_of_text(&arena, row->cell[0]), row->cell[row->len[1] > 0],
           row->cell[0]);
    arena_release(&arena);
}

TEST(short_texts)
{
    cells_each(SCHEMAS, "texts", check_text);
}

/* ---- TraceLogging ---- */

#define B(text) text, sizeof(text) - 1

static void check_tracelogging(const struct cells *row)
{
    struct bytes blob = {(const uint8_t *)row->cell[0], row->len[0]};
    struct arena arena = {0};
    struct described d;
    bool read = tracelogging_read(&arena, blob, &d);

    cells_expect_that(row, read == (row->len[1] > 0));
    if (read) {
        cells_expect(row, 1, d.name);
        ck_assert_int_eq(d.schema->source, SCHEMA_TRACE_LOGGING);
        expect(d.schema, row->cell[2], row->cell[1]);
    }
    arena_release(&arena);
}

TEST(tracelogging_schemas)
{
    cells_each(SCHEMAS, "tracelogging", check_tracelogging);
}

TEST(traits_name_the_provider)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *name;
    } cases[] = {
        {B("\7\0My.P\0"), "My.P"}, {B("\3\0\0"), NULL}, {B("\1"), NULL}};

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct arena arena = {0};

        ck_assert_pstr_eq(
            traits_name(&arena, (struct bytes){(const uint8_t *)cases[i].bytes,
                                               cases[i].size}),
            cases[i].name);
        arena_release(&arena);
    }
}

/* ---- nettrace ---- */

static bool read_description(struct arena *arena, const char *hex, bool v6,
                             struct described *d)
{
    uint8_t bytes[PAYLOAD_ROOM];
    size_t n = payload_of_hex(hex, bytes);

    return nettrace_fields_read(arena, (struct bytes){bytes, n}, v6, d);
}

static void check_nettrace(const struct cells *row)
{
    struct arena arena = {0};
    struct described d;
    bool good = strcmp(row->cell[2], "-") != 0;

    cells_expect_that(row,
                      read_description(&arena, row->cell[1],
                                       cells_number(row, 0) == 6, &d) == good);
    if (good)
        expect(d.schema, row->cell[2], row->cell[1]);
    arena_release(&arena);
}

TEST(nettrace_descriptions)
{
    cells_each(SCHEMAS, "nettrace", check_nettrace);
}

TEST(nettrace_opcodes)
{
    struct arena arena = {0};
    struct described d;

    ck_assert(read_description(&arena, "00000000 01000000 01 05", false, &d));
    ck_assert_uint_eq(d.opcode, 5);
    ck_assert_int_eq(d.schema->source, SCHEMA_NETTRACE);
    /* A tag that is not all there says nothing. */
    ck_assert(read_description(&arena, "00000000 02000000 01 05", false, &d));
    ck_assert_uint_eq(d.opcode, 0);
    ck_assert(read_description(&arena, "", false, &d));
    ck_assert_ptr_null(d.schema);
    arena_release(&arena);
}

TEST(nettrace_types)
{
    static const char *const words[28] = {
        [3] = "bool32",   [4] = "char16",    [5] = "i8",     [6] = "u8",
        [7] = "i16",      [8] = "u16",       [9] = "i32",    [10] = "u32",
        [11] = "i64",     [12] = "u64",      [13] = "f32",   [14] = "f64",
        [15] = "decimal", [16] = "filetime", [17] = "guid",  [18] = "wstr",
        [20] = "varint",  [21] = "varuint",  [23] = "char8", [26] = "bool8",
    };

    for (unsigned code = 2; code < COUNT(words); code++) {
        struct arena arena = {0};
        struct described d;
        char hex[40], wanted[20];
        bool read;

        snprintf(hex, sizeof(hex), "01000000 %02x000000 6100 0000", code);
        read = read_description(&arena, hex, false, &d);
        ck_assert_msg(read == !!words[code], "%u", code);
        snprintf(wanted, sizeof(wanted), "%s a", words[code]);
        if (read)
            expect(d.schema, wanted, hex);
        arena_release(&arena);
    }
}

/* Arrays of arrays: eight deep, and no more; objects in objects: 15. */
TEST(nettrace_nesting_has_an_end)
{
    for (unsigned levels = 7; levels < 17; levels++) {
        struct blob arrays = {0}, objects = {0};
        struct arena arena = {0};
        struct described d;

        blob_u32(&arrays, 1);
        for (unsigned i = 0; i < levels; i++)
            blob_u32(&arrays, 19);
        blob_u32(&arrays, 6);
        blob_utf16(&arrays, "a", 4);
        ck_assert_int_eq(
            nettrace_fields_read(
                &arena, (struct bytes){arrays.data, arrays.len}, false, &d),
            levels <= 8);
        blob_u32(&objects, 1);
        for (unsigned i = 0; i < levels; i++) {
            blob_pack(&objects, "II", 1, 1);
        }
        blob_u32(&objects, 6);
        for (unsigned i = 0; i <= levels; i++)
            blob_utf16(&objects, "a", 4);
        ck_assert_int_eq(
            nettrace_fields_read(
                &arena, (struct bytes){objects.data, objects.len}, false, &d),
            levels < EVENT_DEPTH);
        vec_release(&arrays);
        vec_release(&objects);
        arena_release(&arena);
    }
}
