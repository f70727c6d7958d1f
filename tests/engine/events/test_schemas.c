/* Schemas as their sources write them: built-in texts, TraceLogging, nettrace
 * descriptions. */
#include "engine/events/trace_impl.h"
#include "tests/support/blob.h"
#include "tests/support/payloads.h"
#include "tests/support/suite.h"

static void expect(const struct event_schema *schema, const char *wanted,
                   const char *what)
{
    char *text = schema ? schema_text(schema) : NULL;

    ck_assert_msg(text && !strcmp(text, wanted), "%s: %s, not %s", what,
                  text ? text : "none", wanted);
    free(text);
}

/* ---- built in ---- */

TEST(short_texts)
{
    static const char *const texts[][2] = {
        {"u8 a", NULL},
        {"u8 a, i8 b, u16 c, i16 d, u32 e, i32 f, u64 g, i64 h", NULL},
        {"f32 a, f64 b, bool8 c, bool32 d, ptr e, guid f", NULL},
        {"filetime a, systemtime b, sid c, wbemsid d, wstr e, astr f, ustr g",
         NULL},
        {"cwstr a, castr b, custr c, wrest d, arest e, bin f, cbin g, rest h",
         NULL},
        {"char16 a, char8 b, varuint c, pad64 -d", NULL},
        {"u32.hex a, u32.pid b, u32.tid c, u16.port d, u32.ip4 e", NULL},
        {"bin.ip6(16) a, cbin.socket b, u32.win32 c, u32.ntstatus d", NULL},
        {"u32.hresult a, u8.bool b, u64.time c, u64.ticks d, ptr.code e",
         NULL},
        {"u32.unix a, bin.str(12) b, ptr.dec c", NULL},
        {" u8  a ,u8 b,", "u8 a, u8 b"},
        {"wstr(24) a, astr(3) b", "wfix(24) a, afix(3) b"},
        {"u8 n, bin(n) a, wstr(n) b", "u8 n, bin(#0) a, wfix(#0) b"},
        {"u8 m, u8 n, u8 a[n], u8 b[u16], u8 c[u32], u8 d[90], u8 e[]",
         "u8 m, u8 n, u8 a[#1], u8 b[u16], u8 c[u32], u8 d[90], u8 e[]"},
        {"{u8 a, {u8 b} c, u8 d} e, u8 f", NULL},
        {"{u8 a} b[u16], {u8 c, u8 d} e[2]", NULL},
        {"u32 a:GCReason, {u32 b:GCReason} c[u16]", NULL},
        /* The last of its name is meant. */
        {"u8 n, u16 n, u8 a[n]", "u8 n, u16 n, u8 a[#1]"},
    };

    for (size_t i = 0; i < COUNT(texts); i++) {
        struct arena arena = {0};

        expect(schema_of_text(&arena, texts[i][0]),
               texts[i][1] ? texts[i][1] : texts[i][0], texts[i][0]);
        arena_release(&arena);
    }
}

/* ---- TraceLogging ---- */

#define B(text) text, sizeof(text) - 1

static const struct {
    const char *bytes;
    size_t size;
    const char *name, *schema; /* NULL: it is damaged */
} tracelogging[] = {
    {B("\x05\0\0E\0"), "E", ""},
    {B("\x08\0\0E\0a\0\x08"), "E", "u32 a"},
    /* Tags, a bit says that another one follows. */
    {B("\x0a\0\x80\x81\1E\0a\0\x08"), "E", "u32 a"},
    {B("\x0e\0\0E\0a\0\x88\x84\x80\1b\0\4"), "E", "u32.hex a, u8 b"},
    /* The size of the whole; nonsense is as good as none. */
    {B("\x08\0\0E\0a\0\x08" "b\0\x08"), "E", "u32 a"},
    {B("\x02\0\0E\0a\0\x08"), NULL, NULL},
    {B("\x01\0\0E\0a\0\x08"), "E", "u32 a"},
    {B("\xff\0\0E\0a\0\x08"), "E", "u32 a"},
    /* Counts: fixed, in the payload, of a type of its own. */
    {B("\x0a\0\0E\0a\0\x28\3\1"), "E", "u32 a[259]"},
    {B("\x08\0\0E\0a\0\x48"), "E", "u32 a[u16]"},
    {B("\x0f\0\0E\0a\0\x68\2\0xyb\0\4"), "E", "u8 a[u16], u8 b"},
    {B("\x09\0\0E\0a\0\x82\x23"), "E", "ustr a"},
    {B("\x09\0\0E\0a\0\x82\x22"), "E", "astr a"},
    {B("\x09\0\0E\0a\0\x88\x05"), "E", "u32.pid a"},
    /* Structs hold the fields that follow them. */
    {B("\x14\0\0E\0s\0\x98\2a\0\4b\0\6c\0\x08"), "E", "{u8 a, u16 b} s, u32 c"},
    {B("\x17\0\0E\0s\0\x98\2t\0\x98\1a\0\4b\0\6c\0\x08"), "E",
     "{{u8 a} t, u16 b} s, u32 c"},
    {B("\x0e\0\0E\0s\0\xb8\1\5\0a\0\4"), "E", "{u8 a} s[5]"},
    {B("\x0c\0\0E\0s\0\x98\7a\0\4"), "E", "{u8 a} s"},
    {B("\x13\0\0E\0s\0\x98\1t\0\x98\7a\0\4b\0\6"), "E", "{{u8 a, u16 b} t} s"},
    /* What breaks off. */
    {B("\x08\0\0E\0a\0"), NULL, NULL},
    {B("\x09\0\0E\0a\0\x28\3"), NULL, NULL},
};

TEST(tracelogging_schemas)
{
    for (size_t i = 0; i < COUNT(tracelogging); i++) {
        struct bytes blob = {(const uint8_t *)tracelogging[i].bytes,
                             tracelogging[i].size};
        struct arena arena = {0};
        struct described d;
        bool read = tracelogging_read(&arena, blob, &d);
        char what[24];

        snprintf(what, sizeof(what), "row %zu", i);
        ck_assert_msg(read == !!tracelogging[i].name, "%s", what);
        if (read) {
            ck_assert_str_eq(d.name, tracelogging[i].name);
            ck_assert_int_eq(d.schema->source, SCHEMA_TRACE_LOGGING);
            expect(d.schema, tracelogging[i].schema, what);
        }
        arena_release(&arena);
    }
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

static const struct {
    const char *hex;
    bool v6;
    const char *schema; /* NULL: it is damaged */
} described[] = {
    {"00000000", false, ""},
    {"01000000 0a000000 6100 0000", false, "u32 a"},
    {"02000000 0a000000 6100 0000 06000000 6200 0000", false, "u32 a, u8 b"},
    {"01000000 13000000 0a000000 6100 0000", false, "u32 a[u16]"},
    {"01000000 13000000 13000000 0a000000 6100 0000", false,
     "{u32 Value[u16]} a[u16]"},
    {"02000000 01000000 02000000 06000000 7800 0000 08000000 7900 0000 "
     "6f00 0000 0a000000 6100 0000",
     false, "{u8 x, u16 y} o, u32 a"},
    {"01000000 13000000 01000000 01000000 06000000 7800 0000 6f00 0000", false,
     "{u8 x} o[u16]"},
    {"01000000 01000000 01000000 01000000 01000000 06000000 7800 0000 "
     "7000 0000 6f00 0000",
     false, "{{u8 x} p} o"},
    {"01000000 01000000 00000000 6f00 0000", false, "{} o"},
    {"01000000 02000000 6100 0000", false, NULL},
    {"01000000 1b000000 6100 0000", false, NULL},
    {"01000000 16000000 0a000000 6100 0000", false, NULL},
    {"01000000 0a0000", false, NULL},
    {"02000000 0a000000 6100 0000", false, NULL},
    {"06000000 0a000000 6100 0000", false, NULL},
    {"0000", false, NULL},
    /* Tags: an opcode (checked below), others, fields again. */
    {"00000000 02000000 09 aaaa 10000000 02 01000000 0c000000 6100 0000 "
     "0a000000",
     false, "u32 a"},
    {"00000000 1f000000 02 02000000 10000000 6100 0000 13000000 0a000000 "
     "0b000000 6200 0000 060000 ff",
     false, NULL},
    {"00000000 20000000 02 02000000 10000000 6100 0000 13000000 0a000000 "
     "0c000000 6200 0000 06000000",
     false, "u32 a[u16], u8 b"},
    {"01000000 0a000000 6100 0000 00000000", false, "u32 a"},
    {"01000000 0a000000 6100 0000 09000000 01 05", false, "u32 a"},
    /* Version 6. */
    {"0000", true, ""},
    {"0100 0300 01 61 0a", true, "u32 a"},
    {"0200 0500 01 61 0a ffff 0300 01 62 06", true, "u32 a, u8 b"},
    {"0100 0600 01 61 16 0a 0301", true, "u32 a[259]"},
    {"0100 0400 01 61 18 06", true, "relloc{u8 } a"},
    {"0100 0400 01 61 19 06", true, "dataloc{u8 } a"},
    {"0100 0400 01 61 13 06", true, "u8 a[u16]"},
    {"0100 0700 01 61 13 16 0a 0300", true, "{u32 Value[3]} a[u16]"},
    {"0100 0700 01 61 16 13 0a 0300", true, "{u32 Value[u16]} a[3]"},
    {"0100 0500 01 61 13 18 06", true, "relloc{u8 } a[u16]"},
    {"0100 0500 01 61 18 13 06", true, "relloc{u8 [u16]} a"},
    {"0200 0a00 01 6f 01 0100 0300 01 78 06 0300 01 61 0a", true,
     "{u8 x} o, u32 a"},
    {"0200 0400 01 61 18 06 0a00 01 6f 01 0100 0300 01 78 06", true,
     "relloc{u8 } a, {u8 x} o"},
    {"0100 0200 01 61", true, NULL},
    {"0100 0300 01 61 02", true, NULL},
};

static bool read_description(struct arena *arena, const char *hex, bool v6,
                             struct described *d)
{
    uint8_t bytes[PAYLOAD_ROOM];
    size_t n = payload_of_hex(hex, bytes);

    return nettrace_fields_read(arena, (struct bytes){bytes, n}, v6, d);
}

TEST(nettrace_descriptions)
{
    for (size_t i = 0; i < COUNT(described); i++) {
        struct arena arena = {0};
        struct described d;
        bool read =
            read_description(&arena, described[i].hex, described[i].v6, &d);

        ck_assert_msg(read == !!described[i].schema, "%s", described[i].hex);
        if (read)
            expect(d.schema, described[i].schema, described[i].hex);
        arena_release(&arena);
    }
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
        [3] = "bool32",  [4] = "char16",   [5] = "i8",      [6] = "u8",
        [7] = "i16",     [8] = "u16",      [9] = "i32",     [10] = "u32",
        [11] = "i64",    [12] = "u64",     [13] = "f32",    [14] = "f64",
        [15] = "decimal", [16] = "filetime", [17] = "guid", [18] = "wstr",
        [20] = "varint", [21] = "varuint", [23] = "char8",  [26] = "bool8",
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
            nettrace_fields_read(&arena, (struct bytes){arrays.data, arrays.len},
                                 false, &d),
            levels <= 8);
        blob_u32(&objects, 1);
        for (unsigned i = 0; i < levels; i++) {
            blob_pack(&objects, "II", 1, 1);
        }
        blob_u32(&objects, 6);
        for (unsigned i = 0; i <= levels; i++)
            blob_utf16(&objects, "a", 4);
        ck_assert_int_eq(
            nettrace_fields_read(&arena,
                                 (struct bytes){objects.data, objects.len},
                                 false, &d),
            levels < EVENT_DEPTH);
        vec_release(&arrays);
        vec_release(&objects);
        arena_release(&arena);
    }
}
