/* Kinds that nettrace files describe, and kinds that are only described. */
#include "engine/base/text.h"
#include "engine/events/trace_impl.h"
#include "tests/support/event_info.h"
#include "tests/support/payloads.h"
#include "tests/support/suite.h"

static const char own_guid[] = "11111111-2222-3333-0102-030405060708";

static struct event_trace new_trace(void)
{
    return (struct event_trace){.notes = profile_new(),
                                .texts = {.left = 1 << 20},
                                .descriptions = {.left = 1 << 20},
                                .surveyed = true};
}

/* ---- parts of manifests ---- */

/* Only both numbers together mean one. */
TEST(manifests_have_an_id_and_an_opcode)
{
    static const struct {
        uint16_t id;
        uint8_t opcode;
        bool is;
    } cases[] = {
        {0xFFFE, 0xFE, true}, {0xFFFE, 0xFD, false}, {0xFFFD, 0xFE, false}};

    for (size_t i = 0; i < COUNT(cases); i++) {
        static const uint8_t nobody[16] = {9};
        const struct kind_request request = {
            .guid = nobody, .id = cases[i].id, .opcode = cases[i].opcode};
        struct event_trace t = new_trace();
        const struct event_kind *k = &event_kind_of(&t, &request)->kind;

        ck_assert_int_eq(!strcmp(k->name, "ManifestData"), cases[i].is);
        ck_assert_int_eq(k->schema != NULL, cases[i].is);
        event_trace_forget(&t);
    }
}

/* ---- described, whether or not they occur ---- */

/* Ids 5 of "Net" and 6 of another. */
static void take_two(struct event_trace *t)
{
    static const uint8_t metadata[16] = {0xc1, 0xf6, 0xcc, 0xbb, 0xd1, 0x6c,
                                         0xc4, 0x48, 0x80, 0xff, 0x83, 0x94,
                                         0x82, 0xe3, 0x76, 0x71};
    struct event_info info;
    uint8_t guid[16];

    ck_assert(guid_parse(guid, own_guid));
    event_info_begin(&info, guid, 0);
    event_info_set(&info, INFO_ID, 5);
    event_info_set_text(&info, INFO_PROVIDER, "Net");
    schemas_take_classic(t, metadata, 32,
                         (struct bytes){info.bytes, info.size});
    guid[0]++;
    event_info_begin(&info, guid, 0);
    event_info_set(&info, INFO_ID, 6);
    schemas_take_classic(t, metadata, 32,
                         (struct bytes){info.bytes, info.size});
}

TEST(kinds_of_a_provider)
{
    static const struct {
        const char *provider;
        size_t kinds;
    } cases[] = {
        {"Net", 1},
        {"nET", 1},
        {"Ne", 0},
        {"Nets", 0},
        {own_guid, 1},
        {"11111112-2222-3333-0102-030405060708", 1},
        {"11111113-2222-3333-0102-030405060708", 0},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct event_trace t = new_trace();

        take_two(&t);
        t.notes->trace.pointer_size = 4;
        event_kinds_describe(&t, cases[i].provider);
        ck_assert_msg(event_kind_count(&t) == cases[i].kinds, "%s",
                      cases[i].provider);
        if (cases[i].kinds)
            ck_assert_uint_eq(event_kind_at(&t, 0)->id, 5 + (i == 5));
        if (cases[i].kinds)
            ck_assert_uint_eq(event_kind_at(&t, 0)->pointer_size, 4);
        event_trace_forget(&t);
    }
}
