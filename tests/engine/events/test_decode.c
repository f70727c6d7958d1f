/* Payloads by schemas in their short form: values as text and as JSON. */
#include "engine/base/text.h"
#include "engine/events/builtin.h"
#include "engine/events/trace_impl.h"
#include "tests/support/payloads.h"
#include "tests/support/suite.h"

struct decode_case {
    const char *fields;
    const char *payload; /* in hex, blanks between */
    unsigned width;
    const char *text; /* name=value, blanks between; then where it stopped */
    const char *json;
};

static const struct decode_case cases[] = {
    {"u8 a, i8 b, u16 c, i16 d", "ff ff ffff feff", 8,
     "a=255 b=-1 c=65535 d=-2", "{\"a\":255,\"b\":-1,\"c\":65535,\"d\":-2}"},
    {"u64 a, i64 b", "0000000000000080 ffffffffffffffff", 8,
     "a=9223372036854775808 b=-1", "{\"a\":\"9223372036854775808\",\"b\":-1}"},
    {"f32 a, f64 b", "cdcccc3d 9a9999999999b93f", 8, "a=0.1 b=0.1",
     "{\"a\":0.1,\"b\":0.1}"},
    {"bool32 a, bool8 b", "02000000 00", 8, "a=true b=false",
     "{\"a\":true,\"b\":false}"},
    /* Pointers have the event's width. */
    {"ptr a, u16 b", "78563412 0100", 4, "a=0x12345678 b=1",
     "{\"a\":\"0x12345678\",\"b\":1}"},
    {"ptr a, u16 b", "7856341200000000 0100", 8, "a=0x12345678 b=1", NULL},
    {"ptr.dec a", "0a000000", 4, "a=10", "{\"a\":10}"},
    {"guid g", "00112233 4455 6677 8899 aabbccddeeff", 8,
     "g={33221100-5544-7766-8899-aabbccddeeff}", NULL},
    {"filetime t", "00a0785a672fd601", 8, "t=2020-05-21 12:00:00.0000000",
     NULL},
    {"systemtime t", "e407 0500 0400 1500 0c00 0000 0000 0700", 8,
     "t=2020-05-21 12:00:00.007", NULL},
    {"sid s",
     "01 05 000000000005 15000000 01000000 02000000 03000000 "
     "e9030000",
     8, "s=S-1-5-21-1-2-3-1001", NULL},
    /* A user that is none is four zeroes. */
    {"wbemsid s, u16 n", "00000000 0700", 8, "s= n=7", "{\"s\":null,\"n\":7}"},
    {"wbemsid s, u16 n",
     "0100000000000000 0000000000000000 01 01 000000000005 12000000 0700", 8,
     "s=S-1-5-18 n=7", NULL},
    {"wbemsid s, u16 n", "01000000 00000000 01 01 000000000005 12000000 0700",
     4, "s=S-1-5-18 n=7", NULL},
    {"u32.ip4 a, u16.port p", "7f000001 1f90", 8, "a=127.0.0.1 p=8080",
     "{\"a\":\"127.0.0.1\",\"p\":8080}"},
    {"bin.ip6(16) a", "fe80 0000 0000 0000 0000 0000 0000 0001", 8, "a=fe80::1",
     NULL},
    {"bin.ip6(16) a", "0000 0000 0000 0000 0000 0000 0000 0000", 8,
     "a=::", NULL},
    {"bin.ip6(16) a", "2001 0db8 0000 0001 0000 0000 0000 0001", 8,
     "a=2001:db8:0:1::1", NULL},
    {"cbin.socket s", "1000 0200 0050 c0a80102 0000000000000000", 8,
     "s=192.168.1.2:80", NULL},
    {"cbin.socket s",
     "1c00 1700 01bb 00000000 fe800000000000000000000000000001 00000000", 8,
     "s=[fe80::1]:443", NULL},
    {"wstr a, astr b, u8 c", "4100 ac20 0000 4200 07", 8,
     "a=A\342\202\254 b=B c=7", NULL},
    {"cwstr a, castr b, u8 c", "0200 4100 0200 4242 07", 8, "a=A b=BB c=7",
     NULL},
    {"wstr(4) a, astr(3) b, u8 c", "4100 4200 0000 4300 41 00 42 07", 8,
     "a=AB b=A c=7", NULL},
    {"wstr a", "00d8", 8, "a=\357\277\275", NULL}, /* half a pair */
    {"varuint a, custr b", "ac02 0300 616263", 8, "a=300 b=abc", NULL},
    {"u32 r:GCReason, u32 f:MethodFlags", "01000000 09030000", 8,
     "r=Induced f=Dynamic|Jitted|QuickJittedInstrumented", NULL},
    {"u32 r:GCReason, u32 f:MethodFlags", "63000000 08800000", 8,
     "r=99 f=Jitted|0x8000", NULL},
    {"u16 n, u32 v[n], u8 z", "0200 01000000 02000000 07", 8, "n=2 v=[1,2] z=7",
     "{\"n\":2,\"v\":[1,2],\"z\":7}"},
    {"u16 v[u16], u8 b[2], u8 z", "0100 0500 aabb 07", 8, "v=[5] b=0xaabb z=7",
     NULL},
    {"u32 v[]", "01000000 02000000", 8, "v=[1,2]", NULL},
    /* Structs in arrays, and arrays in these. */
    {"u8 n, {u8 k, u16 v[u16]} s[n], u8 z", "02 01 0200 0a00 0b00 02 0000 07",
     8, "n=2 s=[{k=1,v=[10,11]},{k=2,v=[]}] z=7",
     "{\"n\":2,\"s\":[{\"k\":1,\"v\":[10,11]},{\"k\":2,\"v\":[]}],\"z\":7}"},
    {"{{u8 a, u8 b} in, u8 c} out, u8 z", "01 02 03 04", 8,
     "out={in={a=1,b=2},c=3} z=4",
     "{\"out\":{\"in\":{\"a\":1,\"b\":2},\"c\":3},\"z\":4}"},
    {"{wstr key, wstr value} pairs[u16]", "0100 6b00 0000 7600 0000", 8,
     "pairs=[{key=k,value=v}]", NULL},
    /* Older versions are prefixes; padding is not shown. */
    {"u8 a, u8 -pad, u8 b, u32 c", "01 00 02", 8, "a=1 b=2",
     "{\"a\":1,\"b\":2}"},
    /* What does not fit says where. */
    {"u8 a, u32 b", "01 0200", 8,
     "a=1 ! the payload ends in a field at 1, 2 bytes left",
     "{\"a\":1,\"_rest\":\"0x0200\",\"_stopped\":\"the payload ends in a "
     "field\"}"},
    /* What a compiler puts before a pointer is there in 64 bits only. */
    {"{u8 n, pad64 -Pad, ptr p} s[2]",
     "01 ffffffff 0200000000000000 03 ffffffff 0400000000000000", 8,
     "s=[{n=1,p=0x2},{n=3,p=0x4}]",
     "{\"s\":[{\"n\":1,\"p\":\"0x2\"},{\"n\":3,\"p\":\"0x4\"}]}"},
    {"{u8 n, pad64 -Pad, ptr p} s[2]", "01 02000000 03 04000000", 4,
     "s=[{n=1,p=0x2},{n=3,p=0x4}]", NULL},
    {"u32 n, u64 v[n]", "ffffffff 00", 8,
     "n=4294967295 ! a count is larger than the payload at 4, 1 bytes left",
     NULL},
    {"u32 n, bin(n) v", "ffffffff 00", 8,
     "n=4294967295 ! the payload ends in a field at 4, 1 bytes left", NULL},
    {"sid s", "01 ff 000000000005", 8,
     "! the payload ends in a field at 0, 8 bytes left", NULL},
    {"u8 n, {u8 k} s[n]", "05 01 02", 8,
     "n=5 s=[{k=1},{k=2},{ ! the payload ends in a field at 3, 0 bytes left",
     NULL},
};

/* Of a recorder that leaves texts out which are null. */
static const struct decode_case without_null[] = {
    /* An exception: type, message, EIP, HRESULT, flags, instance. */
    {"wstr t, wstr m, ptr p, u32.hresult h, u16 f, u16 i",
     "4100 0000 7856000000000000 09151380 1000 0900", 8,
     "t=A m= p=0x5678 h=0x80131509 f=16 i=9",
     "{\"t\":\"A\",\"m\":null,\"p\":\"0x5678\",\"h\":\"0x80131509\","
     "\"f\":16,\"i\":9}"},
    {"wstr t, wstr m, ptr p, u16 i", "4100 0000 78560000 0900", 4,
     "t=A m= p=0x5678 i=9", NULL},
    /* Empty is not null, nor is one letter that lacks its end. */
    {"wstr t, wstr m, ptr p, u16 i", "4100 0000 0000 78560000 0900", 4,
     "t=A m= p=0x5678 i=9", "{\"t\":\"A\",\"m\":\"\",\"p\":\"0x5678\",\"i\":9}"},
    {"wstr t, u16 i", "4100 0000 0900", 8, "t=A i=9", NULL},
    {"wstr t, wstr m, u16 i", "0900", 8, "t= m= i=9",
     "{\"t\":null,\"m\":null,\"i\":9}"},
    /* What has no length of its own cannot tell. */
    {"wstr t, u8 v[u16]", "4100 0000 0100 07", 8, "t=A v=0x07", NULL},
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

TEST(values_have_texts)
{
    for (size_t i = 0; i < COUNT(cases); i++)
        try_case(&cases[i], false);
}

TEST(texts_that_are_null_may_be_left_out)
{
    for (size_t i = 0; i < COUNT(without_null); i++)
        try_case(&without_null[i], true);
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

/* A group that nobody enters is passed over. */
TEST(groups_can_be_passed_over)
{
    struct arena arena = {0};
    const struct event_schema *schema = schema_of_text(
        &arena, "{u8 k, u16 v[u16]} s[2], {u8 a} t, u8 z");
    const uint8_t payload[] = {1, 1, 0, 10, 0, 2, 0, 0, 3, 7};
    struct event_decoder d =
        event_decode_bytes(schema, payload, sizeof(payload), 8);
    struct event_value v;

    ck_assert(event_next_field(&d, &v) && v.kind == FIELD_GROUP);
    ck_assert(event_enter(&d, &v));
    ck_assert(event_next_value(&d, &v) && v.kind == FIELD_GROUP);
    ck_assert(event_next_field(&d, &v) && !strcmp(v.field->name, "t"));
    ck_assert(event_next_field(&d, &v) && v.u == 7);
    ck_assert(!event_next_field(&d, &v) && !d.stopped);
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

static void read_row(void *context, const struct builtin_provider *p,
                     const struct builtin_event *e)
{
    struct arena *arena = context;

    ck_assert(p->name);
    if (e->fields)
        schema_of_text(arena, e->fields);
}

/* Every built-in text is one: what is wrong with it is an assert. */
TEST(builtin_schemas_can_be_read)
{
    static const char *const providers[] = {
        "Windows Kernel", "KernelTraceControl", "Microsoft-JScript",
        "Microsoft-Windows-DotNETRuntime",
        "Microsoft-Windows-DotNETRuntimeRundown",
        "Microsoft-Windows-DotNETRuntimePrivate",
        "Microsoft-Windows-DotNETRuntimeStress",
        "Microsoft-DotNETCore-SampleProfiler", "Universal.System",
        "Universal.Events", "Microsoft-Diagnostics-DiagnosticSource",
        "Microsoft-DotNETCore-EventPipe",
    };
    struct arena arena = {0};

    for (size_t i = 0; i < COUNT(providers); i++)
        builtin_each(providers[i], read_row, &arena);
    arena_release(&arena);
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

/* Ends of February, and of years, as calendars have them. */
TEST(dates_of_the_calendar)
{
    static const struct {
        uint64_t time;
        const char *date;
    } days[] = {
        {31291488000000000, "1700-02-28"},
        {31292352000000000, "1700-03-01"},
        {32553792000000000, "1704-02-29"},
        {94404960000000000, "1900-02-28"},
        {94405824000000000, "1900-03-01"},
        {125910720000000000, "1999-12-31"},
        {125962560000000000, "2000-02-29"},
        {126908640000000000, "2003-02-28"},
        {126909504000000000, "2003-03-01"},
        {127224864000000000, "2004-02-29"},
        {127489248000000000, "2004-12-31"},
        {157519296000000000, "2100-02-28"},
        {157520160000000000, "2100-03-01"},
        {252190368000000000, "2400-02-29"},
        {441481536000000000, "3000-01-01"},
    };

    for (size_t i = 0; i < COUNT(days); i++) {
        char text[EVENT_TIME_SIZE];

        event_time_text(text, days[i].time);
        text[10] = '\0';
        ck_assert_str_eq(text, days[i].date);
    }
}
