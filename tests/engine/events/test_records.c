/* Records of logs of Windows, one of each header, byte by byte. */
#include "engine/base/text.h"
#include "engine/events/schema.h"
#include "engine/format/etl/etl.h"
#include "engine/input/recording.h"
#include "engine/input/traces.h"
#include "tests/support/etl_log.h"
#include "tests/support/payloads.h"
#include "tests/support/suite.h"

static const struct etl_guid provider = {
    0x11111111, 0x2222, 0x3333, {1, 2, 3, 4, 5, 6, 7, 8}};

/* A log, and the event behind its header. */
struct read {
    struct etl_log log;
    struct event_trace *trace;
    struct event_cursor *cursor;
    const struct event *event;
};

static void begin(struct read *r)
{
    etl_log_begin(&r->log, &(struct etl_options){.cpus = 1});
}

static const struct event *next(struct read *r)
{
    do
        r->event = event_next(r->cursor);
    while (r->event && !strcmp(r->event->kind->name, "EventTrace"));
    return r->event;
}

static void read_back(struct read *r)
{
    static const struct event_options options = {.stacks = true};

    r->trace = etl_log_end(&r->log);
    r->cursor = event_cursor_new(r->trace, &options);
    ck_assert_ptr_nonnull(next(r));
}

static uint64_t count_of(const struct profile *p, const char *name)
{
    for (size_t i = 0; i < p->trace.event_counts.len; i++)
        if (!strcmp(strings_get(p->strings, p->trace.event_counts.data[i].name),
                    name))
            return p->trace.event_counts.data[i].count;
    return 0;
}

/* A profile counts the events under the names that they have. */
static void compare_counts(const struct read *r)
{
    static const struct event_options all = {.unordered = true};
    const struct entry entry = {
        .name = "log.etl",
        .inner = "",
        .data = (const uint8_t *)r->log.bytes,
        .size = r->log.size,
    };
    const struct read_options none = {0};
    struct event_cursor *c = event_cursor_new(r->trace, &all);
    struct profile *p = profile_new();
    const struct event *e;
    struct err err = {0};
    uint64_t events = 0;

    ck_assert_msg(!recording_read(&etl_format, &entry, 1, &none, p, &err), "%s",
                  err.message);
    for (; (e = event_next(c)); events++) {
        char name[200];

        snprintf(name, sizeof(name), "%s/%s", e->kind->provider,
                 e->kind->full_name);
        ck_assert_msg(count_of(p, name) || count_of(p, e->kind->full_name),
                      "%s is not counted", name);
    }
    ck_assert_uint_eq(p->trace.events, events);
    event_cursor_free(c);
    profile_free(p);
}

static void end(struct read *r)
{
    ck_assert_ptr_null(next(r));
    compare_counts(r);
    event_cursor_free(r->cursor);
    etl_log_close(&r->log, r->trace);
}

static void expect_payload(const struct event *e, const char *hex)
{
    uint8_t bytes[PAYLOAD_ROOM];
    size_t n = payload_of_hex(hex, bytes);

    ck_assert_uint_eq(e->size, n);
    if (n)
        ck_assert_mem_eq(e->payload, bytes, n);
}

static void put_hex(struct etl_writer *w, const char *hex)
{
    uint8_t bytes[PAYLOAD_ROOM];

    etl_put_bytes(w, bytes, payload_of_hex(hex, bytes));
}

#define GUID "11111111 2222 3333 0102030405060708"
#define GUID_TEXT "11111111-2222-3333-0102-030405060708"
#define NO_GUID "00000000-0000-0000-0000-000000000000"

/* ---- messages of the preprocessor ---- */

static const struct message_case {
    const char *bytes; /* behind the first dword */
    const char *provider;
    uint32_t pid, tid, width, malformed;
    const char *payload;
} messages[] = {
    {"0700 0000 aabb", NO_GUID, EVENT_UNKNOWN, EVENT_UNKNOWN, 8, 0, "aabb"},
    {"0700 0100 01000000 aabb", NO_GUID, EVENT_UNKNOWN, EVENT_UNKNOWN, 8, 0,
     "aabb"},
    {"0700 0200 " GUID " aabb", GUID_TEXT, EVENT_UNKNOWN, EVENT_UNKNOWN, 8, 0,
     "aabb"},
    {"0700 0400 01000000 aabb", NO_GUID, EVENT_UNKNOWN, EVENT_UNKNOWN, 8, 0,
     "aabb"},
    {"0700 0600 " GUID " aabb", GUID_TEXT, EVENT_UNKNOWN, EVENT_UNKNOWN, 8, 0,
     "aabb"},
    {"0700 2000 05000000 06000000 aabb", NO_GUID, 6, 5, 8, 0, "aabb"},
    {"0700 4000 aabb", NO_GUID, EVENT_UNKNOWN, EVENT_UNKNOWN, 4, 0, "aabb"},
    {"0700 6300 01000000 " GUID " 05000000 06000000 aabb", GUID_TEXT, 6, 5, 4,
     0, "aabb"},
    {"0700 1000 aabb", NO_GUID, EVENT_UNKNOWN, EVENT_UNKNOWN, 8, 0, "aabb"},
    {"0700 0200 11111111 2222 3333", NO_GUID, EVENT_UNKNOWN, EVENT_UNKNOWN, 8,
     1, "11111111 2222 3333"},
};

/* The bytes that GUIDs have in a record. */
static void put_message(struct etl_writer *w, const char *hex)
{
    const char *guid = strstr(hex, GUID);
    char before[200];

    if (!guid) {
        put_hex(w, hex);
        return;
    }
    snprintf(before, sizeof(before), "%.*s", (int)(guid - hex), hex);
    put_hex(w, before);
    etl_put_guid(w, &provider);
    put_hex(w, guid + strlen(GUID));
}

TEST(messages_say_what_precedes_arguments)
{
    for (size_t i = 0; i < COUNT(messages); i++) {
        const struct message_case *m = &messages[i];
        const struct event *e;
        struct read r;

        begin(&r);
        etl_begin_raw(r.log.w, etl_log_at(&r.log, 0, 5), 0, 1, 0x90, 0);
        put_message(r.log.w, m->bytes);
        etl_end(r.log.w);
        read_back(&r);
        e = r.event;
        ck_assert_str_eq(e->kind->full_name, "Message");
        ck_assert_str_eq(e->kind->provider, m->provider);
        ck_assert(e->kind->classic && e->kind->id == 7);
        ck_assert_uint_eq(e->pid, m->pid);
        ck_assert_uint_eq(e->tid, m->tid);
        ck_assert_uint_eq(e->stack_pid, m->pid);
        ck_assert_uint_eq(e->stack_tid, m->tid);
        ck_assert_uint_eq(e->pointer_size, m->width);
        expect_payload(e, m->payload);
        ck_assert_uint_eq(event_trace_notes(r.trace)->quality.malformed,
                          m->malformed);
        end(&r);
    }
}

/* A time of its own is one that is not before the record in front of it. */
TEST(messages_have_times)
{
    static const int64_t ms[] = {20, 10, 30};
    struct read r;

    begin(&r);
    for (unsigned i = 0; i < 3; i++) {
        etl_begin_raw(r.log.w, etl_log_at(&r.log, 0, 5), 0, 1, 0x90, 0);
        etl_pack(r.log.w, "HHQ", 7, 8, etl_log_at(&r.log, 0, ms[i]).tick);
        etl_end(r.log.w);
    }
    read_back(&r);
    ck_assert_int_eq(r.event->time, 20000000);
    ck_assert_int_eq(next(&r)->time, 20000000);
    ck_assert_int_eq(next(&r)->time, 30000000);
    end(&r);
}

TEST(other_records_are_their_bytes)
{
    struct read r;

    begin(&r);
    etl_begin_raw(r.log.w, etl_log_at(&r.log, 0, 5), 0, 9, 0xB0, 0);
    put_hex(r.log.w, "01020304 05060708");
    etl_end(r.log.w);
    etl_begin_raw(r.log.w, etl_log_at(&r.log, 0, 5), 0, 3, 0x90, 0);
    put_hex(r.log.w, "07000000");
    etl_end(r.log.w);
    read_back(&r);
    ck_assert_str_eq(r.event->kind->name, "Record");
    ck_assert(r.event->kind->classic && r.event->kind->id == 9 &&
              r.event->kind->opcode == 9);
    expect_payload(r.event, "01020304 05060708");
    /* A message needs no more than its number and options. */
    ck_assert_str_eq(next(&r)->kind->name, "Message");
    expect_payload(r.event, "");
    end(&r);
}

/* ---- classic events ---- */

static void put_classic(struct etl_writer *w, struct etl_at at, unsigned type)
{
    etl_begin_raw(w, at, 0, type, 0xC0, 0);
    put_hex(w, "05 03 0200 44000000 64000000"); /* opcode, level, version */
    etl_put_u64(w, at.tick);
    etl_put_guid(w, &provider);
    put_hex(w, "09000000 08000000"); /* kernel and user time */
}

TEST(instances_have_parents)
{
    static const struct {
        unsigned type, width;
    } types[] = {{11, 4}, {21, 8}};

    for (size_t i = 0; i < 2; i++) {
        struct read r;

        begin(&r);
        put_classic(r.log.w, etl_log_at(&r.log, 0, 5), types[i].type);
        put_hex(r.log.w, "0c000000 0d000000");
        etl_put_guid(r.log.w, &provider);
        put_hex(r.log.w, "aabb");
        etl_end(r.log.w);
        read_back(&r);
        ck_assert_uint_eq(r.event->instance, 12);
        ck_assert_uint_eq(r.event->parent_instance, 13);
        ck_assert_ptr_nonnull(r.event->parent_guid);
        ck_assert_uint_eq(load_u32(r.event->parent_guid), provider.a);
        ck_assert_uint_eq(r.event->pointer_size, types[i].width);
        expect_payload(r.event, "aabb");
        end(&r);
    }
}

/* Classes of the kernel are what its hooks are, with another header. */
TEST(kernel_classes_have_hooks)
{
    struct etl_guid thread;
    struct read r;

    etl_guid_parse("3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c", &thread);
    begin(&r);
    etl_begin_full(r.log.w, etl_log_at(&r.log, 0, 5), &thread, 1, 1);
    put_hex(r.log.w, "07000000 09000000");
    etl_end(r.log.w);
    read_back(&r);
    ck_assert_str_eq(r.event->kind->full_name, "Thread/Start");
    ck_assert_uint_eq(r.event->opcode, 1);
    /* Whom it is about, and who logged it. */
    ck_assert(r.event->pid == 7 && r.event->tid == 9);
    ck_assert(r.event->stack_pid == 100 && r.event->stack_tid == 104);
    end(&r);
}

/* ---- manifest events ---- */

static void put_header(struct etl_writer *w, struct etl_at at, unsigned flags)
{
    etl_begin_raw(w, at, 0, 19, 0xC0, 0);
    etl_put_u16(w, flags);
    put_hex(w, "0000 44000000 64000000");
    etl_put_u64(w, at.tick);
    etl_put_guid(w, &provider);
    /* id, version, channel, level, opcode, task, keywords */
    put_hex(w, "0700 02 01 04 01 0600 0300000000000080");
    put_hex(w, "09000000 08000000 000102030405060708090a0b0c0d0e0f");
}

TEST(items_stand_before_the_payload)
{
    static const struct {
        const char *item; /* type, size and data, as they stand */
        unsigned frames;
        uint64_t first, last;
        bool related;
        unsigned malformed;
    } cases[] = {
        {"0600 0000 1800 0000000000000000 0100000000000000 0200000000000000", 2,
         1, 2, false, 0},
        {"0500 0000 1000 0000000000000000 01000000 02000000", 2, 1, 2, false,
         0},
        {"0600 0000 0800 0000000000000000", 0, 0, 0, false, 0},
        {"0600 0000 0700 0000000000000000", 0, 0, 0, false, 0},
        {"0600 0000 1700 0000000000000000 0100000000000000 0200000000000000", 1,
         1, 1, false, 0},
        {"0100 0000 1000 000102030405060708090a0b0c0d0e0f", 0, 0, 0, true, 0},
        {"0100 0000 0f00 000102030405060708090a0b0c0d0e00", 0, 0, 0, false, 0},
        {"0c00 0000 0800 0500 4142 4300 0000", 0, 0, 0, false, 0},
        {"0100 0100 1000 000102030405060708090a0b0c0d0e0f", 0, 0, 0, true, 1},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct read r;

        begin(&r);
        put_header(r.log.w, etl_log_at(&r.log, 0, 5), 1);
        etl_put_u16(r.log.w, 0);
        put_hex(r.log.w, cases[i].item);
        put_hex(r.log.w, "aabb");
        etl_end(r.log.w);
        read_back(&r);
        ck_assert_msg(r.event->stack_count == cases[i].frames, "row %zu", i);
        if (cases[i].frames) {
            ck_assert_uint_eq(event_frame(r.event, 0), cases[i].first);
            ck_assert_uint_eq(event_frame(r.event, cases[i].frames - 1),
                              cases[i].last);
        }
        ck_assert_int_eq(!!r.event->related, cases[i].related);
        ck_assert_uint_eq(event_trace_notes(r.trace)->quality.malformed,
                          cases[i].malformed);
        ck_assert_str_eq(r.event->kind->provider, GUID_TEXT);
        expect_payload(r.event, "aabb");
        end(&r);
    }
}
