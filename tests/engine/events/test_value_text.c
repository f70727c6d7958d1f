/* Single values as text: bytes that are no text, addresses of the network,
 * names of bits; what columns and people call types. */
#include "engine/events/schema.h"

#include "tests/support/payloads.h"
#include "tests/support/suite.h"

static void expect(const struct event_value *v, const char *wanted)
{
    struct out *out = out_memory();

    event_value_text(out, &(struct event_decoder){0}, v);
    ck_assert_str_eq(out_text(out, NULL), wanted);
    out_close(out, NULL);
}

#define BAD "\357\277\275" /* U+FFFD */

TEST(texts_are_valid_utf8)
{
    static const struct {
        enum event_encoding encoding;
        const char *hex, *text;
    } cases[] = {
        {ENCODING_UTF8, "41c3a942", "A\303\251B"},
        {ENCODING_UTF8, "41e942", "A" BAD "B"},
        {ENCODING_UTF8, "ffc3", BAD BAD},
        {ENCODING_UTF8, "e282ac", "\342\202\254"},
        /* What is not UTF-8 as a whole is Latin 1. */
        {ENCODING_ANSI, "41c3a942", "A\303\251B"},
        {ENCODING_ANSI, "41e942", "A\303\251B"},
        {ENCODING_ANSI, "c3a9e9", "\303\203\302\251\303\251"},
        {ENCODING_ANSI, "41c3", "A\303\203"},
        {ENCODING_UTF16, "41003dd8", "A" BAD},
        {ENCODING_UTF16, "3dd800de42", "\360\237\230\200"},
        {ENCODING_UTF16, "00de4100", BAD "A"},
        {ENCODING_UTF16, "", ""},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        uint8_t bytes[PAYLOAD_ROOM];
        size_t n = payload_of_hex(cases[i].hex, bytes);

        expect(&(struct event_value){.kind = FIELD_TEXT,
                                     .encoding = cases[i].encoding,
                                     .bytes = {bytes, n}},
               cases[i].text);
    }
}

/* Zeroes are left out once: the first of the longest runs, of two or more. */
TEST(addresses_of_the_network)
{
    static const struct {
        const char *hex, *text;
    } cases[] = {
        {"00000000000000000000000000000000", "::"},
        {"00000000000000000000000000000001", "::1"},
        {"00010000000000000000000000000000", "1::"},
        {"00010002000300040005000600070008", "1:2:3:4:5:6:7:8"},
        {"00010000000300040005000600070008", "1:0:3:4:5:6:7:8"},
        {"00010002000300040005000600070000", "1:2:3:4:5:6:7:0"},
        {"00000002000300040005000600070008", "0:2:3:4:5:6:7:8"},
        {"00010000000000040005000600070008", "1::4:5:6:7:8"},
        {"00010002000300040005000600000000", "1:2:3:4:5:6::"},
        {"00000000000300040005000600000000", "::3:4:5:6:0:0"},
        {"00000000000300040005000000000000", "0:0:3:4:5::"},
        {"00000000000000040005000000000008", "::4:5:0:0:8"},
        {"20010db80000000000010000000000ff", "2001:db8::1:0:0:ff"},
        {"20010db80000000100000000000000ff", "2001:db8:0:1::ff"},
        {"abcd0000ef010000000000000000ffff", "abcd:0:ef01::ffff"},
        {"7f000001", "127.0.0.1"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        uint8_t bytes[PAYLOAD_ROOM];
        size_t n = payload_of_hex(cases[i].hex, bytes);

        expect(&(struct event_value){.kind = FIELD_IP, .bytes = {bytes, n}},
               cases[i].text);
    }
}

static const struct event_name colours[] = {
    {0, "None"}, {1, "Red"}, {2, "Green"}, {6, "Leaf"}, {0x80, "Dark"}};

static const struct event_names one_of = {"Colour", colours, 5, false};
static const struct event_names bits_of = {"Colours", colours, 5, true};
static const struct event_names no_zero = {"Tones", colours + 1, 4, true};

TEST(numbers_have_names)
{
    static const struct {
        const struct event_names *names;
        uint64_t value;
        uint8_t width;
        const char *text;
    } cases[] = {
        {&one_of, 0, 4, "None"},
        {&one_of, 2, 4, "Green"},
        {&one_of, 3, 4, "3"},
        {&bits_of, 0, 4, "None"},
        {&bits_of, 3, 4, "Red|Green"},
        {&bits_of, 6, 4, "Leaf"},
        {&bits_of, 7, 4, "Red|Green|0x4"},
        {&bits_of, 0x81, 4, "Red|Dark"},
        {&bits_of, 0x41, 4, "Red|0x40"},
        {&bits_of, 0x40, 4, "0x40"},
        {&no_zero, 0, 4, "0x0"},
        {&no_zero, 1, 4, "Red"},
        /* What a narrow signed number has in front is no bit of it. */
        {&bits_of, UINT64_MAX - 0x7E, 1, "Red|Dark"},
        {&bits_of, 0x181, 1, "Red|Dark"},
        {&bits_of, 0x181, 2, "Red|Dark|0x100"},
        {&bits_of, 1ull << 63 | 1, 8, "Red|0x8000000000000000"},
        {&bits_of, 1ull << 63 | 1, 0, "Red|0x8000000000000000"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct event_field field = {.name = "f", .names = cases[i].names};

        expect(&(struct event_value){.kind = FIELD_UINT,
                                     .field = &field,
                                     .u = cases[i].value,
                                     .width = cases[i].width},
               cases[i].text);
    }
    expect(&(struct event_value){.kind = FIELD_ADDRESS, .u = 0x1F}, "0x1f");
    expect(&(struct event_value){.kind = FIELD_UINT, .u = 31}, "31");
}

/* 64 KiB are shown, and of more how many there are. */
TEST(long_bytes_are_cut)
{
    enum { SHOWN = 1 << 16 };
    static const uint8_t bytes[SHOWN + 1] = {0xab};

    for (size_t more = 0; more < 2; more++) {
        struct out *out = out_memory();
        const struct event_value v = {.kind = FIELD_BYTES,
                                      .bytes = {bytes, SHOWN + more}};
        const char *text;
        size_t n;

        event_value_text(out, &(struct event_decoder){0}, &v);
        text = out_text(out, &n);
        ck_assert_mem_eq(text, "0xab00", 6);
        ck_assert_str_eq(text + 2 + 2 * SHOWN, more ? "... (65537 bytes)" : "");
        out_close(out, NULL);
    }
}

/* Type, its name, the one of an array of three and that of its column. */
static const struct {
    enum event_type type;
    const char *text, *column;
} types[] = {
    {TYPE_UTF16Z, "unicode string", "STRING"},
    {TYPE_I8, "int8", "INTEGER"},
    {TYPE_U8, "uint8", "INTEGER"},
    {TYPE_I16, "int16", "INTEGER"},
    {TYPE_U16, "uint16", "INTEGER"},
    {TYPE_I32, "int32", "INTEGER"},
    {TYPE_U32, "uint32", "INTEGER"},
    {TYPE_I64, "int64", "INTEGER"},
    {TYPE_U64, "uint64", "INTEGER"},
    {TYPE_F32, "float", "REAL"},
    {TYPE_F64, "double", "REAL"},
    {TYPE_BOOL8, "boolean", "INTEGER"},
    {TYPE_BOOL32, "boolean", "INTEGER"},
    {TYPE_BINARY, "binary", "STRING"},
    {TYPE_GUID, "guid", "STRING"},
    {TYPE_POINTER, "pointer", "INTEGER"},
    {TYPE_FILETIME, "filetime", "TIMESTAMP"},
    {TYPE_SYSTEMTIME, "systemtime", "TIMESTAMP"},
    {TYPE_SID, "sid", "STRING"},
    {TYPE_VARINT, "int64", "INTEGER"},
    {TYPE_VARUINT, "uint64", "INTEGER"},
    {TYPE_STRUCT, "struct", "STRING"},
};

static void expect_type(const struct event_field *field, const char *text,
                        const char *end, const char *column)
{
    struct out *out = out_memory();
    char wanted[64];

    snprintf(wanted, sizeof(wanted), "%s%s", text, end);
    event_type_text(out, field);
    ck_assert_str_eq(out_text(out, NULL), wanted);
    out_close(out, NULL);
    ck_assert_msg(!strcmp(event_column_type(field), column), "%s", wanted);
}

TEST(types_have_names_and_columns)
{
    for (size_t i = 0; i < COUNT(types); i++) {
        struct event_field field = {.name = "f",
                                    .type = (uint8_t)types[i].type};

        expect_type(&field, types[i].text, "", types[i].column);
        field.names = &one_of;
        expect_type(&field, types[i].text, "", "STRING");
        field.names = NULL;
        field.counting = COUNT_FIXED;
        field.count = 3;
        expect_type(&field, types[i].text, "[3]", "STRING");
        field.counting = COUNT_PREFIX;
        expect_type(&field, types[i].text, "[]", "STRING");
    }
    expect_type(&(struct event_field){.type = TYPE_U64, .format = SHOW_TIME},
                "uint64", "", "TIMESTAMP");
    expect_type(&(struct event_field){.type = TYPE_U32, .format = SHOW_IPV4},
                "uint32", "", "STRING");
}

/* A number stays one where readers of JSON keep all of it: up to 2^53. */
TEST(numbers_of_json)
{
    static const struct {
        enum event_type type;
        const char *payload, *json;
    } cases[] = {
        {TYPE_U64, "0000000000002000", "9007199254740992"},
        {TYPE_U64, "0100000000002000", "\"9007199254740993\""},
        {TYPE_I64, "0000000000002000", "9007199254740992"},
        {TYPE_I64, "0100000000002000", "\"9007199254740993\""},
        {TYPE_I64, "000000000000e0ff", "-9007199254740992"},
        {TYPE_I64, "ffffffffffffdfff", "\"-9007199254740993\""},
        {TYPE_BOOL8, "02", "true"},
        {TYPE_BOOL8, "00", "false"},
        {TYPE_F32, "cdcccc3d", "0.1"},
        {TYPE_F64, "000000000000f07f", "\"Infinity\""},
        {TYPE_F64, "000000000000f87f", "\"NaN\""},
        {TYPE_NULL, "00", "null"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct event_field field = {.name = "a",
                                          .type = (uint8_t)cases[i].type};
        const struct event_schema schema = {&field, 1, 1, SCHEMA_BUILT_IN};
        uint8_t bytes[PAYLOAD_ROOM];
        size_t n = payload_of_hex(cases[i].payload, bytes);
        struct event_decoder d = event_decode_bytes(&schema, bytes, n, 8);
        struct out *out = out_memory();
        struct event_value v;

        ck_assert(event_next_field(&d, &v));
        event_value_json(out, &d, &v);
        ck_assert_str_eq(out_text(out, NULL), cases[i].json);
        out_close(out, NULL);
    }
}
