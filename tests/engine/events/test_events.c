/*
 * Events of synthetic logs: schemas that travel in the log, order, filters,
 * stacks, and what nothing describes.
 */
#include "engine/base/text.h"
#include "engine/events/schema.h"
#include "engine/input/trace_events.h"
#include "tests/support/etl_events.h"
#include "tests/support/etl_log.h"
#include "tests/support/event_info.h"
#include "tests/support/suite.h"

static const struct etl_guid provider = {
    0x11111111, 0x2222, 0x3333, {1, 2, 3, 4, 5, 6, 7, 8}};
static const char provider_text[] = "11111111-2222-3333-0102-030405060708";

/* Every event that passes as "Provider Name: fields", a line each. */
static void expect(struct event_trace *trace,
                   const struct event_options *options, const char *wanted)
{
    struct event_cursor *c = event_cursor_new(trace, options);
    struct out *out = out_memory();
    const struct event *e;

    while ((e = event_next(c))) {
        struct event_decoder d = event_decode(e);
        struct event_value v;

        if (!strcmp(e->kind->name, "EventTrace"))
            continue;
        out_fmt(out, "%s %s:", e->kind->provider, e->kind->full_name);
        while (event_next_field(&d, &v)) {
            out_fmt(out, " %s=", v.field->name);
            event_value_text(out, &d, &v);
        }
        if (d.stopped || !e->kind->schema)
            out_fmt(out, " +%zu", event_rest(&d).len);
        out_char(out, '\n');
    }
    ck_assert_str_eq(out_text(out, NULL), wanted);
    out_close(out, NULL);
    event_cursor_free(c);
}

/* ---- TRACE_EVENT_INFO ---- */

static void put_info(struct etl_log *log, int64_t ms, const struct event_info *b)
{
    struct etl_guid metadata;

    etl_guid_parse("bbccf6c1-6cd1-48c4-80ff-839482e37671", &metadata);
    etl_begin_full(log->w, etl_log_at(log, 0, ms), &metadata, 32, 0);
    etl_put_bytes(log->w, b->bytes, b->size);
    etl_end(log->w);
}

/* Id 9: u16 count, an array of structs {SID, SOCKADDR of 16 bytes}, text. */
static void make_info(struct event_info *b)
{
    uint8_t guid[16];

    guid_parse(guid, provider_text);
    event_info_begin(b, guid, 5);
    event_info_set(b, INFO_ID, 9);
    event_info_set_text(b, INFO_PROVIDER, "Net ");
    event_info_set_text(b, INFO_OPCODE, "win:Stop");
    event_info_set_text(b, INFO_TASK, "Connection");
    event_info_set(b, INFO_TOP, 3);
    event_info_property(b, 0, 0, "n", 6, 1);
    event_info_property(b, 1, 1 | 4, "peers", 3 | 2 << 16, 0);
    event_info_property(b, 2, 0, "what", 1, 1);
    event_info_property(b, 3, 0, "user", 19, 1);
    event_info_property(b, 4, 0x10, "address", 14 | 25 << 16, 1 | 16 << 16);
}

static void put_peer(struct etl_log *log, unsigned last)
{
    etl_put_bytes(log->w, "\1\1\0\0\0\0\0\5\x12\0\0", 11);
    etl_put_u8(log->w, 0);
    etl_put_bytes(log->w, "\2\0\0\x50\x0a\0\0", 7);
    etl_pack(log->w, "B8x", last);
}

TEST(embedded_schemas_describe_events)
{
    const struct etl_descriptor d = {.provider = provider, .id = 9,
                                     .opcode = 2};
    struct event_options options = {
        .providers = {(const char *[]){provider_text}, 1}};
    struct etl_log log = {0};
    struct event_trace *trace;
    struct event_info info;

    etl_log_begin(&log, &(struct etl_options){.cpus = 1});
    etl_begin_event(log.w, etl_log_at(&log, 0, 1), &d);
    etl_put_u16(log.w, 2);
    put_peer(&log, 1);
    put_peer(&log, 2);
    etl_put_wstr(log.w, "x");
    etl_end(log.w);
    make_info(&info);
    put_info(&log, 2, &info);
    trace = etl_log_end(&log);
    expect(trace, &options,
           "Net Connection/Stop: n=2 "
           "peers=[{user=S-1-5-18,address=10.0.0.1:80},"
           "{user=S-1-5-18,address=10.0.0.2:80}] what=x\n");
    etl_log_close(&log, trace);
}

/* A struct that holds itself is no schema: the bytes are shown. */
TEST(cyclic_schemas_are_refused)
{
    const struct etl_descriptor d = {.provider = provider, .id = 9};
    struct event_options options = {
        .providers = {(const char *[]){provider_text}, 1}};
    struct etl_log log = {0};
    struct event_trace *trace;
    struct event_info info;

    etl_log_begin(&log, &(struct etl_options){.cpus = 1});
    etl_begin_event(log.w, etl_log_at(&log, 0, 1), &d);
    etl_put_u32(log.w, 2);
    etl_end(log.w);
    make_info(&info);
    event_info_set(&info, INFO_PROPERTIES + 24 + 8, 1 | 2 << 16);
    put_info(&log, 2, &info);
    trace = etl_log_end(&log);
    expect(trace, &options,
           "Net EventID(9): +4\n");
    etl_log_close(&log, trace);
}

/* ---- order and filters ---- */

static int ask(void *context)
{
    return ++*(int *)context == 1;
}

/* Also where the filter lets nothing through. */
TEST(walks_can_be_ended)
{
    const char *const paths[] = {"testdata/etl/orders.etl"};
    const char *const nobody[] = {"Nobody/Nothing"};
    int asked = 0;
    struct event_options o = {
        .events = {nobody, 1}, .is_over = ask, .context = &asked};
    struct err err = {0};
    struct event_trace *trace = event_trace_open(paths, 1, &err);
    struct event_cursor *c;

    ck_assert_msg(trace != NULL, "%s", err.message);
    c = event_cursor_new(trace, &o);
    ck_assert_ptr_null(event_next(c));
    ck_assert_int_eq(asked, 1);
    ck_assert_uint_eq(event_cursor_effort(c).events_passed, 0);
    ck_assert_uint_eq(event_cursor_effort(c).events, 4096);
    event_cursor_free(c);
    event_trace_close(trace);
}
