/* Groups of a payload: entered, left early, passed over, and too deep. */
#include "tests/support/payloads.h"
#include "tests/support/suite.h"

/* {u8 k, u16 v[u8]} s[2], {u8 a} hidden, u8 z */
static const struct event_field fields[] = {
    {.name = "s",
     .type = TYPE_STRUCT,
     .counting = COUNT_FIXED,
     .count = 2,
     .first = 3,
     .members = 3},
    {.name = "h",
     .type = TYPE_STRUCT,
     .first = 6,
     .members = 1,
     .hidden = true},
    {.name = "z", .type = TYPE_U8},
    {.name = "k", .type = TYPE_U8},
    {.name = "v", .type = TYPE_U16, .counting = COUNT_PREFIX},
    {.name = "w", .type = TYPE_U8},
    {.name = "a", .type = TYPE_U8},
};
static const struct event_schema schema = {fields, COUNT(fields), 3,
                                           SCHEMA_BUILT_IN};
static const uint8_t payload[] = {1, 2, 0, 10, 0, 11, 0, 3,
                                  4, 1, 0, 12, 0, 5,  6, 7};

static struct event_decoder begin(void)
{
    return event_decode_bytes(&schema, payload, sizeof(payload), 8);
}

static void next_is(struct event_decoder *d, const char *name, uint64_t u)
{
    struct event_value v;

    ck_assert(event_next_value(d, &v));
    ck_assert_str_eq(v.field->name, name);
    ck_assert_uint_eq(v.u, u);
}

static void enter_next(struct event_decoder *d)
{
    struct event_value v;

    ck_assert(event_next_value(d, &v) && v.kind == FIELD_GROUP);
    ck_assert(event_enter(d, &v));
}

static void end_is(struct event_decoder *d, bool array)
{
    struct event_value v;

    ck_assert(event_next_value(d, &v) && v.kind == FIELD_END);
    ck_assert_int_eq(v.array, array);
}

/* What is in a group and not entered is passed over as well. */
TEST(groups_in_groups_are_passed_over)
{
    struct event_decoder d = begin();
    struct event_value v;

    ck_assert(event_next_field(&d, &v) && event_enter(&d, &v));
    enter_next(&d);
    next_is(&d, "k", 1);
    ck_assert(event_next_value(&d, &v) && v.kind == FIELD_GROUP);
    next_is(&d, "w", 3);
    end_is(&d, false);
    ck_assert(event_next_value(&d, &v) && v.kind == FIELD_GROUP);
    end_is(&d, true);
    ck_assert(event_next_field(&d, &v) && v.u == 7);
    /* From the middle of a group to the next field. */
    d = begin();
    ck_assert(event_next_field(&d, &v) && event_enter(&d, &v));
    enter_next(&d);
    next_is(&d, "k", 1);
    enter_next(&d);
    next_is(&d, "v", 10);
    ck_assert(event_next_field(&d, &v) && v.u == 7);
}

/* Only the group that was given last can be entered, and that once. */
TEST(what_cannot_be_entered)
{
    struct event_decoder d = begin();
    struct event_value group, v;

    ck_assert(!event_next_value(&d, &v));
    ck_assert(event_next_field(&d, &group) && event_enter(&d, &group));
    ck_assert(!event_enter(&d, &group));
    enter_next(&d);
    next_is(&d, "k", 1);
    ck_assert(event_next_value(&d, &group));
    v = group;
    v.kind = FIELD_UINT;
    ck_assert(!event_enter(&d, &v));
    ck_assert(event_enter(&d, &group));
    ck_assert_ptr_null(d.stopped);
}

static void nest(struct event_field *list, unsigned levels)
{
    for (unsigned i = 0; i < levels; i++)
        list[i] = (struct event_field){
            .name = "s", .type = TYPE_STRUCT, .first = i + 1, .members = 1};
    list[levels] = (struct event_field){.name = "z", .type = TYPE_U8};
}

/* Too deep is too deep, whether it is entered, passed over or written. */
TEST(what_is_too_deep_ends_the_event)
{
    struct event_field list[EVENT_DEPTH + 1];
    const struct event_schema deep = {list, EVENT_DEPTH + 1, 1,
                                      SCHEMA_BUILT_IN};
    const struct event_kind kind = {.schema = &deep};
    const struct event e = {
        .kind = &kind, .payload = payload, .size = 1, .pointer_size = 8};
    struct event_decoder d = event_decode(&e);
    struct out *out = out_memory();
    struct event_value v;

    nest(list, EVENT_DEPTH);
    ck_assert(event_next_field(&d, &v) && v.kind == FIELD_GROUP);
    ck_assert(!event_next_field(&d, &v));
    ck_assert_str_eq(d.stopped, "nested too deeply");
    d = event_decode(&e);
    ck_assert(event_next_field(&d, &v));
    for (unsigned i = 1; i < EVENT_DEPTH; i++)
        ck_assert(event_enter(&d, &v) && event_next_value(&d, &v));
    ck_assert(!event_enter(&d, &v));
    ck_assert_str_eq(d.stopped, "nested too deeply");
    ck_assert(!event_next_value(&d, &v));
    event_payload_json(out, &e);
    ck_assert_ptr_nonnull(
        strstr(out_text(out, NULL),
               "\"_rest\":\"0x01\",\"_stopped\":\"nested too deeply\"}"));
    out_close(out, NULL);
}

/* Four values a byte and 1024 more; from 16 MiB on 2^26. */
TEST(large_payloads_hold_so_many_values)
{
    enum { LARGE = 1 << 24 };
    static uint8_t zeros[LARGE];
    static const struct {
        size_t size;
        uint32_t most; /* elements, beside the field itself */
    } cases[] = {
        {LARGE - 1, (LARGE - 1) * 4 + 1023},
        {LARGE, (1 << 26) - 1},
    };

    for (size_t i = 0; i < COUNT(cases); i++)
        for (unsigned more = 0; more < 2; more++) {
            const struct event_field none[] = {{.name = "a",
                                                .type = TYPE_NULL,
                                                .counting = COUNT_FIXED,
                                                .count = cases[i].most + more}};
            const struct event_schema s = {none, 1, 1, SCHEMA_BUILT_IN};
            struct event_decoder d =
                event_decode_bytes(&s, zeros, cases[i].size, 8);
            struct event_value v;

            ck_assert_int_eq(event_next_field(&d, &v), !more);
        }
}
