/* Payloads by schemas in their short form: values as text and as JSON. */
#include "engine/base/text.h"
#include "engine/events/builtin.h"
#include "engine/events/trace_impl.h"
#include "tests/support/cells.h"
#include "tests/support/payloads.h"
#include "tests/support/suite.h"

struct decode_case {
    const char *fields;
    const char *payload; /* in hex, blanks between */
    unsigned width;
    const char *text; /* name=value, blanks between; then where it stopped */
    const char *json;
};

static void try_case(const struct decode_case *c, bool omits_null)
{
    struct arena arena = {0};
    const struct event_schema *schema = schema_of_text(&arena, c->fields);
    uint8_t payload[PAYLOAD_ROOM];
    size_t n = payload_of_hex(c->payload, payload);
    struct event_kind kind = {.schema = schema, .omits_null = omits_null};
    struct event e = {.kind = &kind,
                      .payload = payload,
                      .size = (uint32_t)n,
                      .pointer_size = (uint8_t)c->width};
    struct event_decoder d = event_decode(&e);
    struct out *out = out_memory();
    char *text = decoded_text(&d);

    ck_assert_str_eq(text, c->text);
    free(text);
    event_payload_json(out, &e);
    if (c->json)
        ck_assert_str_eq(out_text(out, NULL), c->json);
    out_close(out, NULL);
    arena_release(&arena);
}

static void try_row(const struct cells *row, bool omits_null)
{
    try_case(
        &(struct decode_case){
            .fields = row->cell[0],
            .payload = row->cell[1],
            .width = (unsigned)cells_number(row, 2),
            .text = row->cell[3],
            .json = row->len[4] ? row->cell[4] : NULL,
        },
        omits_null);
}

static void check_values(const struct cells *row)
{
    try_row(row, false);
}

TEST(values_have_texts)
{
    cells_each("tests/engine/events/decode.cells", "values", check_values);
}

static void check_without_null(const struct cells *row)
{
    try_row(row, true);
}

TEST(texts_that_are_null_may_be_left_out)
{
    cells_each("tests/engine/events/decode.cells", "without_null",
               check_without_null);
}

/* What JSON has as a number: not what people read in hex, nor names. */
TEST(decimal_numbers_and_exact_ones)
{
    static const char fields[] =
        "u8 a, i16 b, ptr.dec c, u32.hresult d, u32.ntstatus e, u32.hex f, "
        "ptr g, u32 h:GCReason, bool8 i, f32 j, u64 k, i64 l, u64 m";
    static const char decimal[] = "YYYNNNNNNNYYY", exact[] = "YYYYYYYYYYNNY";
    struct arena arena = {0};
    uint8_t payload[PAYLOAD_ROOM];
    size_t n = payload_of_hex("01 ffff 0100000000000000 09151380 010000c0 "
                              "01000000 0100000000000000 01000000 01 0000803f "
                              "0100000000002000 feffffffffffdfff "
                              "0000000000002000",
                              payload);
    struct event_decoder d = event_decode_bytes(
        schema_of_text(&arena, fields), payload, n, 8);
    struct event_value v;
    size_t at = 0;

    for (; event_next_field(&d, &v); at++) {
        ck_assert_msg(event_value_is_decimal(&v) == (decimal[at] == 'Y'), "%s",
                      v.field->name);
        if (decimal[at] == 'Y')
            ck_assert_msg(event_value_is_exact(&v) == (exact[at] == 'Y'), "%s",
                          v.field->name);
    }
    ck_assert_uint_eq(at, 13);
    arena_release(&arena);
}

/* A struct without bytes, as often as a count likes to. */
TEST(values_are_bounded)
{
    static const struct event_field fields[] = {
        {.name = "s", .type = TYPE_STRUCT, .counting = COUNT_FIXED,
         .count = 60000, .first = 1, .members = 1},
        {.name = "t", .type = TYPE_STRUCT, .counting = COUNT_FIXED,
         .count = 60000, .first = 2, .members = 1},
        {.name = "u", .type = TYPE_NULL},
    };
    static const struct event_field cyclic[] = {
        {.name = "s", .type = TYPE_STRUCT, .first = 0, .members = 1},
    };
    const struct event_schema wide = {fields, 3, 1, SCHEMA_BUILT_IN};
    const struct event_schema deep = {cyclic, 1, 1, SCHEMA_BUILT_IN};
    const uint8_t payload[20000] = {0};
    struct event_decoder d =
        event_decode_bytes(&wide, payload, sizeof(payload), 8);

    free(decoded_text(&d));
    ck_assert_str_eq(d.stopped, "more values than the payload could hold");
    d = event_decode_bytes(&deep, payload, sizeof(payload), 8);
    free(decoded_text(&d));
    ck_assert_str_eq(d.stopped, "nested too deeply");
}

/* Layouts that changed between versions of Windows and .NET, or have holes. */
static const struct layout_case {
    const struct builtin_provider *provider;
    uint16_t id;
    uint8_t version, width;
    const char *payload, *text;
} layouts[] = {
    {&builtin_providers[0], 0x0611, 2, 8, "0200 0900",
     "Proto=2 FailureCode=9"},
    {&builtin_providers[0], 0x0611, 1, 8, "02000000 09000000",
     "Proto=2 FailureCode=9"},
    {&builtin_providers[0], 0x0811, 2, 4, "1700 0900",
     "Proto=23 FailureCode=9"},
    {&builtin_providers[0], 0x0532, 2, 8, "2a000000 01 02 09 00",
     "AwakenedThreadID=42 AdjustReason=Unwait AdjustIncrement=2 "
     "Flags=ReadiedFromDPC|DirectSwitchAttempt"},
    {&builtin_providers[0], 0x0B15, 3, 8,
     "ff00000000000000 0100 0000 0a000000 04000000 4100 0000",
     "IRQAffinity=0xff IRQGroup=1 IRQNum=10 DeviceDescriptionLen=4 "
     "DeviceDescription=A"},
    {&builtin_providers[0], 0x0B15, 2, 8,
     "ff00000000000000 0a000000 04000000 4100 0000",
     "IRQAffinity=0xff IRQNum=10 DeviceDescriptionLen=4 DeviceDescription=A"},
    {&builtin_providers[0], 0x0B1C, 2, 8, "60000000 90000000",
     "MachineDPI=96 UserDPI=144"},
    {&builtin_providers[0], 0x1021, 2, 8,
     "0000bd353d010000 0001000000000000 6008bd353d010000 03000000",
     "HeapHandle=0x13d35bd0000 AllocSize=256 AllocAddress=0x13d35bd0860 "
     "SourceID=3"},
    {&builtin_providers[0], 0x1024, 2, 4, "0000bd35 6008bd35 03000000",
     "HeapHandle=0x35bd0000 FreeAddress=0x35bd0860 SourceID=3"},
    {&builtin_providers[1], 208, 0, 8,
     "0800 0100 01000000 11000000 02000000 00000000 "
     "0300000000000000 0400000000000000",
     "ClrInstanceID=8 Count=1 Values=[{TimePlan=1,TimeCompact=17,"
     "TimeRelocate=2,TotalRefs=0x3,ZeroRefs=0x4}]"},
    {&builtin_providers[1], 208, 0, 4,
     "0800 0100 01000000 11000000 02000000 03000000 04000000",
     "ClrInstanceID=8 Count=1 Values=[{TimePlan=1,TimeCompact=17,"
     "TimeRelocate=2,TotalRefs=0x3,ZeroRefs=0x4}]"},
    {&builtin_providers[1], 209, 0, 8,
     "0800 0100 0067000000000000 0100 0100 0000 d7000000 2067000000000000",
     "ClrInstanceID=8 BucketKind=PlugsInCondemned TotalSize=26368 Count=1 "
     "Values=[{Index=1,Count=215,Size=0x6720}]"},
};

static const struct builtin_event *row_of(const struct layout_case *c)
{
    const struct builtin_event *best = NULL;

    for (size_t i = 0; i < c->provider->count; i++) {
        const struct builtin_event *e = &c->provider->events[i];

        if (e->id == c->id && e->version <= c->version &&
            (!best || e->version > best->version))
            best = e;
    }
    ck_assert_ptr_nonnull(best);
    return best;
}

TEST(layouts_go_by_version_and_width)
{
    for (size_t i = 0; i < COUNT(layouts); i++)
        try_case(&(struct decode_case){
            .fields = row_of(&layouts[i])->fields,
            .payload = layouts[i].payload,
            .width = layouts[i].width,
            .text = layouts[i].text,
        },
                 false);
}

TEST(guids_and_times)
{
    uint8_t guid[16];
    char text[EVENT_TIME_SIZE];

    ck_assert(guid_parse(guid, "{33221100-5544-7766-8899-AABBCCDDEEFF}"));
    event_guid_text(text, guid);
    ck_assert_str_eq(text, "{33221100-5544-7766-8899-aabbccddeeff}");
    ck_assert(!guid_parse(guid, "{33221100-5544-7766-8899-AABBCCDDEEFF"));
    ck_assert(!guid_parse(guid, "33221100-5544-7766-8899-AABBCCDDEEF"));
    event_time_text(text, 0);
    ck_assert_str_eq(text, "1601-01-01 00:00:00.0000000");
    event_time_text(text, 125911584000000001);
    ck_assert_str_eq(text, "2000-01-01 00:00:00.0000001");
    event_time_text(text, 125962559999999999);
    ck_assert_str_eq(text, "2000-02-28 23:59:59.9999999");
    event_time_text(text, 125962560000000000 + 864000000000);
    ck_assert_str_eq(text, "2000-03-01 00:00:00.0000000");
}
