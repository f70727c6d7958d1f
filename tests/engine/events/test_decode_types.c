/* Types that only schemas of traces have, formats, and where values end. */
#include "tests/support/payloads.h"
#include "tests/support/suite.h"

/* ---- single fields ---- */

#define ONE(t) {.name = "a", .type = TYPE_##t}
#define AS(t, f) {.name = "a", .type = TYPE_##t, .format = SHOW_##f}
#define MANY(t, n)                                                             \
    {.name = "a", .type = TYPE_##t, .counting = COUNT_FIXED, .count = n}
#define REST(t) {.name = "a", .type = TYPE_##t, .counting = COUNT_REST}
#define LONG(t, n) {.name = "a", .type = TYPE_##t, .length = n}
#define BYTES(f, n)                                                            \
    {.name = "a", .type = TYPE_BINARY, .format = SHOW_##f, .length = n}

/* Every row has a byte behind its field, which "z" shows, but for those that
 * go to the end. */
static const struct {
    struct event_field field;
    const char *payload, *text;
} single[] = {
    {ONE(UTF16_COUNTED_BE), "0002 4100 07", "a=A z=7"},
    {ONE(ANSI_COUNTED_BE), "0002 4142 07", "a=AB z=7"},
    {ONE(BINARY_COUNTED), "0200 aabb 07", "a=0xaabb z=7"},
    {ONE(BINARY_COUNTED_32), "02000000 aabb 07", "a=0xaabb z=7"},
    {ONE(UTF8_VAR), "02 c3a9 07", "a=\303\251 z=7"},
    {ONE(UTF8_VAR), "8200 4142 07", "a=AB z=7"},
    {ONE(UTF16_REST), "4100 4200 0000 4300", "a=AB"},
    {ONE(UTF16_REST), "4100 42", "a=A"},
    {ONE(ANSI_REST), "4142 00 43", "a=AB"},
    {ONE(BINARY_REST), "010203", "a=0x010203"},
    {ONE(UTF16Z), "4100 0000 07", "a=A z=7"},
    {ONE(UTF16Z), "41", "a="},
    {LONG(UTF16_FIXED, 2), "4100 4200 07", "a=AB z=7"},
    {LONG(UTF16_FIXED, 2), "4100 0000 07", "a=A z=7"},
    {LONG(UTF16_FIXED, 2), "0001 0041 07", "a=\304\200\344\204\200 z=7"},
    {LONG(ANSI_FIXED, 3), "41 00 42 07", "a=A z=7"},
    {ONE(CHAR16), "ac20 07", "a=\342\202\254 z=7"},
    {ONE(CHAR8), "41 07", "a=A z=7"},
    {MANY(CHAR16, 3), "4100 0000 4200 07", "a=A z=7"},
    {MANY(CHAR8, 3), "41 42 00 07", "a=AB z=7"},
    {REST(CHAR16), "4100 4200 43", "a=AB z=67"},
    {REST(CHAR8), "41 42", "a=AB"},
    {MANY(U8, 2), "01 02 07", "a=0x0102 z=7"},
    {REST(U8), "01 02", "a=0x0102"},
    {MANY(I8, 2), "01 ff 07", "a=[1,-1] z=7"},
    {ONE(VARUINT), "ff01 07", "a=255 z=7"},
    {ONE(VARINT), "00 07", "a=0 z=7"},
    {ONE(VARINT), "01 07", "a=-1 z=7"},
    {ONE(VARINT), "02 07", "a=1 z=7"},
    {ONE(VARINT), "ff01 07", "a=-128 z=7"},
    {ONE(DECIMAL), "000102030405060708090a0b0c0d0e0f 07",
     "a=0x000102030405060708090a0b0c0d0e0f z=7"},
    {ONE(NULL), "07", "a= z=7"},
    /* Signed and unsigned ends. */
    {ONE(I8), "80 07", "a=-128 z=7"},
    {ONE(I16), "0080 07", "a=-32768 z=7"},
    {ONE(I32), "00000080 07", "a=-2147483648 z=7"},
    {ONE(I64), "0000000000000080 07", "a=-9223372036854775808 z=7"},
    {ONE(U32), "ffffffff 07", "a=4294967295 z=7"},
    {ONE(BOOL8), "02 07", "a=true z=7"},
    {ONE(BOOL32), "00000001 07", "a=true z=7"},
    {ONE(F32), "0000803f 07", "a=1 z=7"},
    {ONE(F64), "000000000000f03f 07", "a=1 z=7"},
    /* Formats. */
    {AS(U8, HEX), "0f 07", "a=0xf z=7"},
    {AS(I8, HEX), "ff 07", "a=0xff z=7"},
    {AS(I32, HEX), "ffffffff 07", "a=0xffffffff z=7"},
    {AS(I64, HEX), "ffffffffffffffff 07", "a=0xffffffffffffffff z=7"},
    {AS(U64, CODE), "0010000000000000 07", "a=0x1000 z=7"},
    {AS(U32, NTSTATUS), "050000c0 07", "a=0xc0000005 z=7"},
    {AS(U32, HRESULT), "05000080 07", "a=0x80000005 z=7"},
    {AS(U32, WIN32), "05000000 07", "a=5 z=7"},
    {AS(U32, PID), "05000000 07", "a=5 z=7"},
    {AS(U8, BOOL), "02 07", "a=true z=7"},
    {AS(U8, BOOL), "00 07", "a=false z=7"},
    {AS(U8, SIGNED), "ff 07", "a=-1 z=7"},
    {AS(U16, SIGNED), "feff 07", "a=-2 z=7"},
    {AS(U32, SIGNED), "fdffffff 07", "a=-3 z=7"},
    {AS(U64, SIGNED), "fcffffffffffffff 07", "a=-4 z=7"},
    {AS(I8, UNSIGNED), "ff 07", "a=255 z=7"},
    {AS(I32, UNSIGNED), "ffffffff 07", "a=4294967295 z=7"},
    {AS(U8, STRING), "41 07", "a=A z=7"},
    {AS(U16, STRING), "ac20 07", "a=\342\202\254 z=7"},
    {AS(U32, STRING), "41420000 07", "a=A z=7"},
    {AS(U64, TIME), "00a0785a672fd601 07", "a=2020-05-21 12:00:00.0000000 z=7"},
    {AS(U32, TIME), "05000000 07", "a=5 z=7"},
    {AS(U16, PORT), "1f90 07", "a=8080 z=7"},
    {AS(U32, PORT), "05000000 07", "a=5 z=7"},
    {AS(U32, IPV4), "01020304 07", "a=1.2.3.4 z=7"},
    {AS(U16, IPV4), "0500 07", "a=5 z=7"},
    {BYTES(IPV4, 4), "01020304 07", "a=1.2.3.4 z=7"},
    {BYTES(IPV4, 3), "010203 07", "a=0x010203 z=7"},
    {BYTES(IPV6, 3), "010203 07", "a=0x010203 z=7"},
    {BYTES(STRING, 2), "4142 07", "a=AB z=7"},
    {BYTES(XML, 2), "4142 07", "a=AB z=7"},
    {BYTES(JSON, 2), "4142 07", "a=AB z=7"},
    {BYTES(HEX, 2), "4142 07", "a=0x4142 z=7"},
    {BYTES(SOCKET, 1), "02 07", "a=0x02 z=7"},
    {BYTES(SOCKET, 2), "0200 07", "a=0x0200 z=7"},
    {BYTES(SOCKET, 7), "0200 0050 010203 07", "a=0x02000050010203 z=7"},
    {BYTES(SOCKET, 8), "0200 0050 01020304 07", "a=1.2.3.4:80 z=7"},
    {BYTES(SOCKET, 8), "0300 0050 01020304 07", "a=0x0300005001020304 z=7"},
    {BYTES(SOCKET, 24),
     "1700 0050 00000000 00000000000000000000000000000001 07",
     "a=[::1]:80 z=7"},
    {BYTES(SOCKET, 23), "1700 0050 00000000 000000000000000000000000000000 07",
     "a=0x1700005000000000000000000000000000000000000000 z=7"},
    /* SIDs: of no parts, of two. */
    {ONE(SID), "01 00 000000000001 07", "a=S-1-1 z=7"},
    {ONE(SID), "01 02 0102030405ff 01000000 02000000 07",
     "a=S-1-1108152157695-1-2 z=7"},
    {ONE(WBEM_SID), "00000000 07", "a= z=7"},
    /* A null pointer in front of a SID. */
    {ONE(WBEM_SID),
     "0000000000000000 0000000000000000 01 01 000000000005 12000000 07",
     "a=S-1-5-18 z=7"},
    {ONE(WBEM_SID), "0000000000000000 0000000000000000 01 00 000000000001 07",
     "a=S-1-1 z=7"},
    /* What stands behind a null pointer and is no SID: four zeroes. */
    {ONE(WBEM_SID), "0000000000000000 0000000000000000 02 00 000000000001",
     "a= z=0"},
    {ONE(WBEM_SID), "0000000000000000 0000000000000000 01 10 000000000001",
     "a= z=0"},
    {ONE(WBEM_SID), "0000000000000000 0000000000000000 01 00 010000000001",
     "a= z=0"},
    {ONE(WBEM_SID), "0000000000000000 0000000000000000 01 00 000100000001",
     "a= z=0"},
    {ONE(WBEM_SID), "0000000000000000 0000000000000000 01 00 0000000000",
     "a= z=0"},
    /* What ends too early. */
    {ONE(BINARY_COUNTED), "0300 aabb",
     "! the payload ends inside a field at 0, 4 bytes left"},
    {ONE(UTF8_VAR), "ffffffffffffffffff01 41",
     "! the payload ends inside a field at 0, 11 bytes left"},
    {MANY(CHAR16, 3), "4100 4200",
     "! a count is larger than the payload at 0, 4 bytes left"},
    {ONE(SID), "01 01 000000000001 010203",
     "! the payload ends inside a field at 0, 11 bytes left"},
    {ONE(DECIMAL), "0001",
     "! the payload ends inside a field at 0, 2 bytes left"},
    {ONE(POINTER), "00010203040506",
     "! the payload ends inside a field at 0, 7 bytes left"},
};

static void expect(const struct event_schema *schema, const char *payload,
                   unsigned width, const char *wanted)
{
    uint8_t bytes[PAYLOAD_ROOM];
    size_t n = payload_of_hex(payload, bytes);
    struct event_decoder d = event_decode_bytes(schema, bytes, n, width);
    char *text = decoded_text(&d);

    ck_assert_msg(!strcmp(text, wanted), "%s: %s, not %s", payload, text,
                  wanted);
    free(text);
}

TEST(types_and_formats)
{
    for (size_t i = 0; i < COUNT(single); i++) {
        const struct event_field fields[] = {
            single[i].field, {.name = "z", .type = TYPE_U8}};
        const struct event_schema schema = {fields, 2, 2, SCHEMA_BUILT_IN};

        expect(&schema, single[i].payload, 8, single[i].text);
    }
}

/* ---- values that lie elsewhere ---- */

static void expect_located(uint8_t type, uint8_t element, const char *payload,
                           const char *wanted)
{
    const struct event_field fields[] = {
        {.name = "a", .type = type, .first = 2, .members = 1},
        {.name = "z", .type = TYPE_U8},
        {.name = "", .type = element},
    };
    const struct event_schema schema = {fields, 3, 2, SCHEMA_NETTRACE};

    expect(&schema, payload, 8, wanted);
}

TEST(located_values)
{
    static const struct {
        uint8_t type, element;
        const char *payload, *text;
    } cases[] = {
        {TYPE_DATALOC, TYPE_U16, "0500 0400 07 0100 0200", "a=[1,2] z=7"},
        {TYPE_RELLOC, TYPE_U16, "0100 0400 07 0100 0200", "a=[1,2] z=7"},
        {TYPE_RELLOC, TYPE_CHAR8, "0100 0200 07 41 42", "a=AB z=7"},
        {TYPE_RELLOC, TYPE_CHAR16, "0100 0400 07 4100 ac20",
         "a=A\342\202\254 z=7"},
        {TYPE_DATALOC, TYPE_CHAR16, "0500 0400 07 4100 0000", "a=A z=7"},
        {TYPE_DATALOC, TYPE_U8, "0700 0000 07 01 02", "a=[] z=7"},
        /* Behind the payload, over its end, or not a whole number of them. */
        {TYPE_DATALOC, TYPE_U8, "0800 0000 07 01 02", "a= z=7"},
        {TYPE_DATALOC, TYPE_U8, "0500 0200 07 01 02", "a=[1,2] z=7"},
        {TYPE_DATALOC, TYPE_U8, "0500 0300 07 01 02", "a= z=7"},
        {TYPE_DATALOC, TYPE_U16, "0500 0300 07 01 02 03", "a= z=7"},
        {TYPE_DATALOC, TYPE_SID, "0500 0200 07 01 02", "a= z=7"},
        {TYPE_DATALOC, TYPE_U8, "0500 02",
         "! the payload ends inside a field at 0, 3 bytes left"},
    };

    for (size_t i = 0; i < COUNT(cases); i++)
        expect_located(cases[i].type, cases[i].element, cases[i].payload,
                       cases[i].text);
}

/* ---- limits ---- */

/* As many elements as the bytes could hold are tried, one more are not. */
TEST(counts_are_held_against_the_payload)
{
    static const struct {
        uint8_t type;
        unsigned least; /* bytes of an element */
    } types[] = {
        {TYPE_SID, 8},      {TYPE_WBEM_SID, 4}, {TYPE_RELLOC, 4},
        {TYPE_DATALOC, 4},  {TYPE_VARINT, 1},   {TYPE_VARUINT, 1},
        {TYPE_UTF16Z, 1},   {TYPE_ANSIZ, 1},    {TYPE_UTF8Z, 1},
        {TYPE_U16, 2},      {TYPE_U64, 8},      {TYPE_GUID, 16},
        {TYPE_POINTER, 4},  {TYPE_UTF16_COUNTED, 2},
        {TYPE_UTF16_COUNTED_BE, 2}, {TYPE_BINARY_COUNTED_32, 4},
        {TYPE_UTF8_VAR, 1},
    };
    static const uint8_t zeros[33] = {0};

    for (size_t i = 0; i < COUNT(types); i++) {
        struct event_field fields[] = {
            {.name = "a", .type = types[i].type, .counting = COUNT_FIXED,
             .first = 1, .members = 1},
            {.name = "", .type = TYPE_U8},
        };
        const struct event_schema schema = {fields, 2, 1, SCHEMA_BUILT_IN};
        unsigned most = 32 / types[i].least;

        for (unsigned more = 0; more < 2; more++) {
            struct event_decoder d =
                event_decode_bytes(&schema, zeros, 32, 4);
            struct event_value v;

            fields[0].count = most + more;
            ck_assert_int_eq(event_next_field(&d, &v), !more);
            if (more)
                ck_assert_str_eq(d.stopped,
                                 "a count is larger than the payload");
            else
                ck_assert_uint_eq(v.count, most);
        }
    }
}

TEST(counts_stand_before_elements)
{
    static const struct event_field fields[] = {
        {.name = "a", .type = TYPE_U16, .counting = COUNT_PREFIX_32},
        {.name = "b", .type = TYPE_U16, .counting = COUNT_PREFIX},
        {.name = "z", .type = TYPE_U8},
    };
    const struct event_schema schema = {fields, 3, 3, SCHEMA_BUILT_IN};

    expect(&schema, "02000000 0100 0200 0100 0300 07", 8, "a=[1,2] b=[3] z=7");
    expect(&schema, "020000", 8,
           "! the payload ends inside a field at 0, 3 bytes left");
    expect(&schema, "00000000 03", 8,
           "a=[] ! the payload ends inside a field at 4, 1 bytes left");
}

/* Four values a byte and 1024 more: the field and its elements. */
TEST(values_without_bytes_are_bounded)
{
    static const uint8_t payload[] = {7};
    struct event_field fields[] = {
        {.name = "a", .type = TYPE_NULL, .counting = COUNT_FIXED},
        {.name = "z", .type = TYPE_U8},
    };
    const struct event_schema schema = {fields, 2, 2, SCHEMA_BUILT_IN};
    static const struct {
        uint32_t count;
        const char *stopped;
    } cases[] = {
        {1026, NULL},
        {1027, "more values than the payload could hold"},
        {1028, "a count is larger than the payload"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct event_decoder d = event_decode_bytes(&schema, payload, 1, 8);

        fields[0].count = cases[i].count;
        free(decoded_text(&d));
        ck_assert_pstr_eq(d.stopped, cases[i].stopped);
    }
}

/* Counts are kept of the first 128 fields. */
TEST(counts_of_early_fields)
{
    enum { KEPT = 128 };
    struct event_field fields[KEPT + 2];
    uint8_t payload[KEPT + 3];

    for (unsigned i = 0; i < KEPT + 1; i++)
        fields[i] = (struct event_field){.name = "n", .type = TYPE_U8};
    memset(payload, 1, sizeof(payload));
    fields[KEPT + 1] = (struct event_field){
        .name = "a", .type = TYPE_I8, .counting = COUNT_FIELD};
    for (unsigned of = KEPT - 1; of <= KEPT; of++) {
        const struct event_schema schema = {fields, KEPT + 2, KEPT + 2,
                                            SCHEMA_BUILT_IN};
        struct event_decoder d =
            event_decode_bytes(&schema, payload, sizeof(payload), 8);

        fields[KEPT + 1].count = of;
        free(decoded_text(&d));
        ck_assert_pstr_eq(d.stopped, of < KEPT
                                         ? NULL
                                         : "a count is larger than the payload");
    }
}

/* The number of a field is kept in 32 bits: more is too much. */
TEST(counts_beyond_32_bits)
{
    static const struct event_field fields[] = {
        {.name = "n", .type = TYPE_U64},
        {.name = "a", .type = TYPE_I8, .counting = COUNT_FIELD, .count = 0},
    };
    static const struct event_field negative[] = {
        {.name = "n", .type = TYPE_I8},
        {.name = "a", .type = TYPE_BINARY, .length_of_field = true},
    };
    const struct event_schema schema = {fields, 2, 2, SCHEMA_BUILT_IN};
    const struct event_schema bytes = {negative, 2, 2, SCHEMA_BUILT_IN};

    expect(&schema, "0100000000000000 05", 8, "n=1 a=[5]");
    expect(&schema, "0100000001000000 05", 8,
           "n=4294967297 ! a count is larger than the payload at 8, 1 bytes "
           "left");
    expect(&bytes, "01 05", 8, "n=1 a=0x05");
    expect(&bytes, "ff 05", 8,
           "n=-1 ! the payload ends inside a field at 1, 1 bytes left");
}

static void nest(struct event_field *fields, unsigned levels)
{
    for (unsigned i = 0; i < levels; i++)
        fields[i] = (struct event_field){
            .name = "s", .type = TYPE_STRUCT, .first = i + 1, .members = 1};
    fields[levels] = (struct event_field){.name = "z", .type = TYPE_U8};
}

TEST(structs_may_be_nested_so_deep)
{
    struct event_field fields[EVENT_DEPTH + 1];
    const uint8_t payload[] = {7};

    for (unsigned levels = EVENT_DEPTH - 1; levels <= EVENT_DEPTH; levels++) {
        const struct event_schema schema = {fields, levels + 1, 1,
                                            SCHEMA_BUILT_IN};
        struct event_decoder d = event_decode_bytes(&schema, payload, 1, 8);

        nest(fields, levels);
        free(decoded_text(&d));
        ck_assert_pstr_eq(d.stopped,
                          levels < EVENT_DEPTH ? NULL : "nested too deeply");
    }
}

TEST(members_are_fields_of_the_schema)
{
    static const struct {
        uint32_t first, members;
        const char *stopped;
    } cases[] = {
        {1, 1, NULL},
        {2, 0, NULL},
        {1, 2, "a struct without members"},
        {3, 0, "a struct without members"},
    };
    const uint8_t payload[] = {7};

    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct event_field fields[] = {
            {.name = "s", .type = TYPE_STRUCT, .first = cases[i].first,
             .members = cases[i].members},
            {.name = "z", .type = TYPE_U8},
        };
        const struct event_schema schema = {fields, 2, 1, SCHEMA_BUILT_IN};
        struct event_decoder d = event_decode_bytes(&schema, payload, 1, 8);

        free(decoded_text(&d));
        ck_assert_pstr_eq(d.stopped, cases[i].stopped);
    }
}
