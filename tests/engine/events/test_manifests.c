/* Manifests of EventSources: what their elements make of events, and the parts
 * in which they come. */
#include "engine/events/trace_impl.h"
#include "tests/support/blob.h"
#include "tests/support/cells.h"
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

/* ---- fields ---- */

static const char maps[] =
    "<maps><valueMap name='Colors'><map value='1' message='$(string.red)'/>"
    "<map value='0x2' message='plain'/><map value='3'/>"
    "<map value='4' message='$(string.none)'/></valueMap>"
    "<bitMap name='Flags'><map value='1' message='$(string.red)'/></bitMap>"
    "</maps>";
static const char strings[] =
    "<localization><string id='re' value='no'/><string id='red2' value='no'/>"
    "<string id='red' value='Red'/><string id='said' value='said %1'/>"
    "</localization>";

/* The schema of event 7 of a manifest with this template; NULL: none. */
static struct found_manifest *read_template(struct event_trace *t,
                                            const char *data)
{
    char xml[4096];
    int n = snprintf(xml, sizeof(xml),
                     "<m><provider name='P'><templates><template tid='T'>%s"
                     "</template></templates>%s<events>"
                     "<event value='7' version='2' template='T'/></events>"
                     "</provider>%s</m>",
                     data, maps, strings);

    return manifest_read(t, provider, (const uint8_t *)xml, (size_t)n);
}

static void check_template(const struct cells *row)
{
    struct event_trace t = {.texts = {.left = 1 << 20}};
    struct found_manifest *m = read_template(&t, row->cell[0]);
    struct described d;
    char *text;

    if (m) {
        manifest_describe(m, 0, &d);
        ck_assert_int_eq(d.schema->source, SCHEMA_MANIFEST);
        text = schema_text(d.schema);
        cells_expect(row, 1, text);
        free(text);
        manifest_free(m);
    } else {
        cells_expect(row, 1, "-");
    }
    close_trace(&t);
}

TEST(data_are_fields)
{
    cells_each("tests/engine/events/manifests.cells", "templates",
               check_template);
}

/* As many fields as that are kept of a template. */
TEST(fields_have_an_end)
{
    enum { MOST = 4096 };
    static const char before[] = "<m><template tid='T'>", after[] = "</template>"
        "<event template='T'/></m>", data[] = "<data inType='win:UInt8'/>";
    struct event_trace t = {.texts = {.left = 1 << 20}};
    struct found_manifest *m;
    struct blob xml = {0};
    struct described d;

    blob_bytes(&xml, before, sizeof(before) - 1);
    for (unsigned i = 0; i < MOST + 1; i++)
        blob_bytes(&xml, data, sizeof(data) - 1);
    blob_bytes(&xml, after, sizeof(after) - 1);
    m = manifest_read(&t, provider, xml.data, xml.len);
    manifest_describe(m, 0, &d);
    ck_assert_uint_eq(d.schema->top, MOST);
    manifest_free(m);
    vec_release(&xml);
    close_trace(&t);
}

/* ---- events ---- */

static const char events[] =
    "<m><provider name='My-Source'><events>"
    "<event value='7' version='2' task='win:Request' opcode='win:Start' "
    "symbol='S' message='$(string.said)'/>"
    "<event value='65543' version='258' symbol='OnlySymbol' message='plain'/>"
    "<event value='9' template='none'/><event value='7' version='3' task='T'/>"
    "</events></provider><string id='said' value='said %1'/></m>";

TEST(events_have_names)
{
    static const struct {
        uint16_t id;
        uint8_t version;
        const char *name, *type, *message;
    } wanted[] = {
        {7, 2, "Request", "Start", "said %1"},
        {7, 2, "OnlySymbol", "", "plain"},
        {9, 0, NULL, "", ""},
        {7, 3, "T", "", ""},
    };
    struct event_trace t = {.texts = {.left = 1 << 20}};
    struct found_manifest *m = manifest_read(
        &t, provider, (const uint8_t *)events, sizeof(events) - 1);
    struct event_id id;

    ck_assert_str_eq(manifest_provider(m), "My-Source");
    for (uint32_t i = 0; i < COUNT(wanted); i++) {
        struct described d;

        ck_assert(manifest_event(m, i, &id));
        ck_assert_mem_eq(id.guid, provider, 16);
        ck_assert(id.id == wanted[i].id && id.version == wanted[i].version &&
                  !id.classic);
        manifest_describe(m, i, &d);
        ck_assert_str_eq(d.provider, "My-Source");
        ck_assert_pstr_eq(d.name, wanted[i].name);
        ck_assert_str_eq(d.type_name, wanted[i].type);
        ck_assert_str_eq(d.message, wanted[i].message);
        ck_assert_uint_eq(d.schema->top, 0);
    }
    ck_assert(!manifest_event(m, COUNT(wanted), &id));
    manifest_free(m);
    close_trace(&t);
}

/* Elements without a name or in a wrong place are skipped; a struct outside of
 * a template is no manifest. */
TEST(elements_out_of_place)
{
    static const char xml[] =
        "<m><provider name='P'><data name='a' inType='win:UInt8'/>"
        "<map value='1' message='lost'/><tasks><task name='T' value='1'/>"
        "</tasks><opcodes><opcode name='O' value='2'/></opcodes>"
        "<templates><template/><template tid='S'>"
        "<data name='n' inType='win:UInt8'/></template><template tid='T'>"
        "<data name='b' inType='win:UInt8' map='C'/>"
        "<data name='c' inType='win:UInt8' map='D'/></template>"
        "<data name='late' inType='win:UInt8'/></templates>"
        "<maps><valueMap><map value='2' message='nameless'/></valueMap>"
        "<map value='3' message='between'/>"
        "<valueMap name='B'/><bitMap name='C'>"
        "<map value='4' message='$(string.s)'/></bitMap>"
        "<map value='5' message='behind'/></maps>"
        "<events><event value='1' task='T' opcode='O' template='T'/></events>"
        "</provider><string value='nameless'/><string id='s'/>"
        "<string id='s' value='Said'/></m>";
    static const char refused[] = "<m><struct name='s'/></m>";
    struct event_trace t = {.texts = {.left = 1 << 20}};
    struct found_manifest *m = manifest_read(
        &t, provider, (const uint8_t *)xml, sizeof(xml) - 1);
    const struct event_field *f;
    struct described d;

    ck_assert_ptr_nonnull(m);
    manifest_describe(m, 0, &d);
    ck_assert_str_eq(d.name, "T");
    ck_assert_str_eq(d.type_name, "O");
    ck_assert_uint_eq(d.schema->top, 2);
    ck_assert_uint_eq(d.schema->count, 2);
    f = d.schema->fields;
    ck_assert_str_eq(f[0].name, "b");
    ck_assert_uint_eq(f[0].names->count, 1);
    ck_assert(f[0].names->bits && f[0].names->list[0].value == 4);
    ck_assert_str_eq(f[0].names->list[0].name, "Said");
    ck_assert_ptr_null(f[1].names);
    manifest_free(m);
    ck_assert_ptr_null(manifest_read(&t, provider, (const uint8_t *)refused,
                                     sizeof(refused) - 1));
    close_trace(&t);
}

/* Entities could make gigabytes of a few bytes. */
TEST(a_document_type_is_refused)
{
    static const char xml[] = "<!DOCTYPE m [<!ENTITY a 'b'>]><m/>";
    struct event_trace t = {.texts = {.left = 1 << 20}};

    ck_assert_ptr_null(manifest_read(&t, provider, (const uint8_t *)xml,
                                     sizeof(xml) - 1));
    close_trace(&t);
}

/* ---- parts ---- */

struct part {
    unsigned total, number;
    uint32_t pid, tid;
    bool of_other;
    unsigned format, magic;
};

/* A third of the manifest, as an event of its own. */
static void take_part(struct event_trace *t, const struct part *p)
{
    size_t third = (sizeof(events) - 1) / 3 + 1, at = p->number * third;
    size_t n = sizeof(events) - 1 - at;
    struct blob b = {0};

    if (p->number > 2)
        at = n = 0;
    blob_pack(&b, "BBBBHH", (uint8_t)p->format, 1, 0, (uint8_t)p->magic,
              (uint16_t)p->total, (uint16_t)p->number);
    blob_bytes(&b, events + at, n < third ? n : third);
    schemas_take_manifest(t, p->of_other ? other : provider, p->pid, p->tid,
                          (struct bytes){b.data, b.len});
    vec_release(&b);
}

#define PART(number) {3, number, 1, 1, false, 1, 0x5B}

static const struct {
    const char *what;
    struct part parts[7];
    bool complete;
} sequences[] = {
    {"in order", {PART(0), PART(1), PART(2)}, true},
    {"again from the start", {PART(0), PART(1), PART(0), PART(1), PART(2)},
     true},
    {"one twice", {PART(0), PART(1), PART(1), PART(2)}, true},
    {"one is missing", {PART(0), PART(2)}, false},
    {"not from the start", {PART(1), PART(2)}, false},
    {"of other threads between",
     {PART(0), {3, 1, 1, 2, false, 1, 0x5B}, PART(1),
      {3, 1, 2, 1, false, 1, 0x5B}, {3, 2, 1, 1, true, 1, 0x5B}, PART(2)},
     true},
    {"of two threads",
     {{3, 0, 1, 2, false, 1, 0x5B}, PART(1), PART(2)}, false},
    {"of another total", {PART(0), {4, 1, 1, 1, false, 1, 0x5B}, PART(2)},
     false},
    {"behind all", {PART(0), PART(1), {3, 3, 1, 1, false, 1, 0x5B}}, false},
    {"another form", {PART(0), {3, 1, 1, 1, false, 2, 0x5B}, PART(2)}, false},
    {"another mark", {PART(0), {3, 1, 1, 1, false, 1, 0x5A}, PART(2)}, false},
};

TEST(manifests_come_in_parts)
{
    for (size_t i = 0; i < COUNT(sequences); i++) {
        struct event_trace t = {.texts = {.left = 1 << 20}};
        struct event_id id = {.id = 7, .version = 2};
        struct described d;

        memcpy(id.guid, provider, 16);
        for (size_t k = 0; k < 7 && sequences[i].parts[k].total; k++)
            take_part(&t, &sequences[i].parts[k]);
        ck_assert_msg(schemas_find(&t, &id, &d) == sequences[i].complete, "%s",
                      sequences[i].what);
        ck_assert_uint_eq(t.manifests.len, sequences[i].complete);
        if (sequences[i].complete) {
            ck_assert_str_eq(d.name, "Request");
            ck_assert_str_eq(schemas_provider(&t, provider), "My-Source");
            ck_assert_ptr_null(schemas_provider(&t, other));
        }
        close_trace(&t);
    }
}

/* 16 MB in all; a header alone is no part. */
TEST(parts_have_an_end)
{
    static const uint8_t header[8] = {1, 0, 0, 0x5B, 2};
    struct event_trace t = {.texts = {.left = 1 << 20}};
    struct blob b = {0};

    schemas_take_manifest(&t, provider, 1, 1, (struct bytes){header, 7});
    ck_assert_uint_eq(t.parts.len, 0);
    blob_bytes(&b, header, 8);
    blob_zero(&b, 16 << 20);
    schemas_take_manifest(&t, provider, 1, 1, (struct bytes){b.data, b.len});
    ck_assert_uint_eq(t.parts.data[0].size, 16 << 20);
    ck_assert_uint_eq(t.parts.data[0].next, 1);
    b.data[6] = 1;
    schemas_take_manifest(&t, provider, 1, 1, (struct bytes){b.data, 9});
    ck_assert_uint_eq(t.parts.data[0].next, 1);
    schemas_take_manifest(&t, provider, 1, 1, (struct bytes){b.data, 8});
    ck_assert_uint_eq(t.parts.data[0].next, 2);
    vec_release(&b);
    close_trace(&t);
}
