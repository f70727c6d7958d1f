/* Schemas that a trace brings along: of merged logs, of manifests. */
#include "engine/base/text.h"
#include "engine/events/trace_impl.h"
#include "tests/support/blob.h"
#include "tests/support/event_info.h"
#include "tests/support/payloads.h"
#include "tests/support/suite.h"

static const uint8_t provider[16] = {1, 2, 3, 4, 5, 6, 7, 8,
                                     9, 10, 11, 12, 13, 14, 15, 16};
static const uint8_t other[16] = {1, 2, 3, 4, 5, 6, 7, 8,
                                  9, 10, 11, 12, 13, 14, 15, 17};

static void close_trace(struct event_trace *t)
{
    schemas_release(t);
    arena_release(&t->arena);
}

static void expect(const struct described *d, const char *wanted,
                   const char *what)
{
    char *text = schema_text(d->schema);

    ck_assert_msg(!strcmp(text, wanted), "%s: %s, not %s", what, text, wanted);
    free(text);
}

/* ---- TRACE_EVENT_INFO ---- */

static struct bytes bytes_of(const struct event_info *b)
{
    return (struct bytes){b->bytes, b->size};
}

TEST(properties_are_fields)
{
    static const struct {
        uint32_t flags, types, lengths;
        const char *field;
    } cases[] = {
        {0, 8, 1, "u32 a"},
        {0, 8 | 20 << 16, 0, "u32.pid a"},
        {0, 1, 1, "wstr a"},
        {0, 1, 1 | 5 << 16, "wfix(5) a"},
        {2, 1, 1, "wfix(#0) a"},
        {2, 1, 1 | 3 << 16, "wfix(#3) a"},
        {0, 2, 1 | 5 << 16, "afix(5) a"},
        {0, 2 | 35 << 16, 1, "ustr a"},
        {0, 2 | 35 << 16, 1 | 5 << 16, "afix(5) a"},
        {0, 14, 1, "rest a"},
        {0, 14, 1 | 3 << 16, "bin(3) a"},
        {2, 14, 1 | 3 << 16, "bin(#3) a"},
        {0, 14 | 24 << 16, 1, "bin.ip6(16) a"},
        {0, 14 | 24 << 16, 1 | 4 << 16, "bin.ip6(4) a"},
        {0, 8 | 24 << 16, 1, "u32.ip6 a"},
        {0, 8, 2, "u32 a[2]"},
        {0x20, 8, 1, "u32 a[1]"},
        {4, 8, 7, "u32 a[#7]"},
        {4 | 0x20, 8, 7, "u32 a[#7]"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct event_trace t = {.texts = {.left = 1 << 20}};
        struct event_info b;
        struct described d;

        event_info_begin(&b, provider, 1);
        event_info_property(&b, 0, cases[i].flags, "a", cases[i].types,
                            cases[i].lengths);
        ck_assert(tei_read(&t, bytes_of(&b), &d));
        ck_assert_int_eq(d.schema->source, SCHEMA_TRACE_EVENT_INFO);
        expect(&d, cases[i].field, cases[i].field);
        close_trace(&t);
    }
}

TEST(properties_are_counted)
{
    static const struct {
        size_t size;
        uint32_t count, top;
        bool read;
    } cases[] = {
        {112, 0, 0, true},  {111, 0, 0, false}, {160, 2, 2, true},
        {160, 3, 2, false}, {159, 2, 2, false}, {160, 2, 1, true},
        {160, 2, 3, false},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct event_trace t = {.texts = {.left = 1 << 20}};
        struct event_info b;
        struct described d;

        event_info_begin(&b, provider, 3);
        event_info_set(&b, INFO_COUNT, cases[i].count);
        event_info_set(&b, INFO_TOP, cases[i].top);
        b.size = cases[i].size;
        ck_assert_msg(tei_read(&t, bytes_of(&b), &d) == cases[i].read,
                      "row %zu", i);
        close_trace(&t);
    }
}

static void take(struct event_trace *t, uint8_t opcode, struct bytes blob)
{
    uint8_t metadata[16];

    guid_parse(metadata, "bbccf6c1-6cd1-48c4-80ff-839482e37671");
    schemas_take_classic(t, metadata, opcode, blob);
}

TEST(embedded_schemas_have_names)
{
    struct event_trace t = {.texts = {.left = 1 << 20}};
    struct event_id id = {.id = 9, .version = 2};
    struct event_info b;
    struct described d;

    memcpy(id.guid, provider, 16);
    event_info_begin(&b, provider, 0);
    event_info_set(&b, INFO_ID, 9 | 2 << 16);
    event_info_set_text(&b, INFO_PROVIDER, "My-Provider ");
    event_info_set_text(&b, INFO_TASK, "Request  ");
    event_info_set_text(&b, INFO_OPCODE, "win:Start");
    event_info_set_text(&b, INFO_MESSAGE, "said  %1");
    take(&t, 31, bytes_of(&b));
    schemas_take_classic(&t, provider, 32, bytes_of(&b));
    ck_assert_ptr_null(schemas_provider(&t, provider));
    take(&t, 32, bytes_of(&b));
    ck_assert(schemas_find(&t, &id, &d));
    ck_assert_str_eq(d.provider, "My-Provider");
    ck_assert_str_eq(d.name, "Request");
    ck_assert_str_eq(d.type_name, "Start");
    ck_assert_str_eq(d.message, "said  %1");
    ck_assert_str_eq(schemas_provider(&t, provider), "My-Provider");
    ck_assert_ptr_null(schemas_provider(&t, other));
    id.version = 1;
    ck_assert(!schemas_find(&t, &id, &d));
    ck_assert(!schemas_find(&t, &id, &d));
    id = (struct event_id){.id = 9, .version = 2};
    memcpy(id.guid, other, 16);
    ck_assert(!schemas_find(&t, &id, &d));
    ck_assert_ptr_null(schemas_provider(&t, other));
    close_trace(&t);
}

/* The first one that describes an event stays. */
TEST(later_schemas_change_nothing)
{
    struct event_trace t = {.texts = {.left = 1 << 20}};
    struct event_id id = {.id = 9};
    struct event_info b;
    struct described d;

    memcpy(id.guid, provider, 16);
    event_info_begin(&b, provider, 0);
    event_info_set(&b, INFO_ID, 9);
    event_info_set_text(&b, INFO_TASK, "First");
    take(&t, 32, bytes_of(&b));
    event_info_set_text(&b, INFO_TASK, "Second");
    take(&t, 32, bytes_of(&b));
    take(&t, 32, (struct bytes){b.bytes, 111});
    ck_assert(schemas_find(&t, &id, &d));
    ck_assert_str_eq(d.name, "First");
    ck_assert_uint_eq(t.found.len, 1);
    close_trace(&t);
}

/* Events of MOF classes are known by class and opcode. */
TEST(classes_have_opcodes)
{
    struct event_info b;
    struct event_id id;

    event_info_begin(&b, provider, 0);
    memcpy(b.bytes + 16, other, 16);
    event_info_set(&b, INFO_ID, 9 | 3 << 16);
    event_info_set(&b, INFO_OPCODES, 4 | 77 << 8);
    ck_assert(tei_id(bytes_of(&b), &id));
    ck_assert(!id.classic && id.id == 9 && id.version == 3);
    ck_assert_mem_eq(id.guid, provider, 16);
    event_info_set(&b, INFO_SOURCE, 1);
    ck_assert(tei_id(bytes_of(&b), &id));
    ck_assert(id.classic && id.id == 77 && id.version == 3);
    ck_assert_mem_eq(id.guid, other, 16);
    ck_assert(!tei_id((struct bytes){b.bytes, 111}, &id));
    event_info_set(&b, INFO_SOURCE, 2);
    ck_assert(tei_id(bytes_of(&b), &id) && !id.classic);
}

/* ---- enumerations ---- */

static void put_map(struct blob *b, uint32_t flags, uint32_t count)
{
    blob_bytes(b, provider, 16);
    blob_u32(b, 40); /* the name, from behind the provider */
    blob_pack(b, "III", flags, count, 0);
    blob_u32(b, 52); /* texts and values, one by one */
    blob_pack(b, "IIIII", 7, 60, 9, 0, 8);
    blob_utf16(b, "Color", 12);
    blob_utf16(b, "red", 8);
    blob_utf16(b, "green ", 14);
}

TEST(enumerations_name_values)
{
    struct event_trace t = {.texts = {.left = 1 << 20}};
    const struct event_names *names;
    struct blob b = {0};
    struct event_info info;
    struct described d;

    ck_assert_ptr_null(schemas_names(&t, provider, "Color"));
    put_map(&b, 2, 3);
    take(&t, 33, (struct bytes){b.data, b.len});
    ck_assert_ptr_null(schemas_names(&t, provider, "Colors"));
    ck_assert_ptr_null(schemas_names(&t, other, "Color"));
    names = schemas_names(&t, provider, "Color");
    ck_assert_ptr_nonnull(names);
    ck_assert_uint_eq(names->count, 3);
    ck_assert(names->bits);
    ck_assert_uint_eq(names->list[0].value, 7);
    ck_assert_str_eq(names->list[0].name, "red");
    ck_assert_uint_eq(names->list[1].value, 9);
    ck_assert_str_eq(names->list[1].name, "green");
    ck_assert_str_eq(names->list[2].name, "");
    event_info_begin(&info, provider, 1);
    event_info_property(&info, 0, 0, "a", 8, 1);
    event_info_set_text(&info, INFO_PROPERTIES + 12, "Color");
    ck_assert(tei_read(&t, bytes_of(&info), &d));
    expect(&d, "u32 a:Color", "map");
    vec_release(&b);
    close_trace(&t);
}

TEST(enumerations_are_counted)
{
    struct event_trace t = {.texts = {.left = 1 << 20}};
    struct found_names found;
    struct blob b = {0};
    /* Behind the header of 32 bytes are 58, room for 7 of 8. */
    static const struct {
        uint32_t count;
        bool read;
    } cases[] = {{7, true}, {8, false}};

    for (size_t i = 0; i < COUNT(cases); i++) {
        b.len = 0;
        put_map(&b, 1, cases[i].count);
        ck_assert_int_eq(
            event_map_read(&t, (struct bytes){b.data, b.len}, &found),
            cases[i].read);
    }
    ck_assert(!found.names.bits);
    ck_assert(!event_map_read(&t, (struct bytes){b.data, 31}, &found));
    vec_release(&b);
    close_trace(&t);
}
