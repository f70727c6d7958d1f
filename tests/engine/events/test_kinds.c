/* What events are called where schemas say little, and what is built in. */
#include "engine/base/text.h"
#include "engine/events/builtin.h"
#include "engine/events/schema.h"
#include "engine/events/trace_impl.h"
#include "tests/support/payloads.h"
#include "tests/support/suite.h"

static const uint8_t guid[16] = {1, 2, 3, 4, 5, 6, 7, 8,
                                 9, 10, 11, 12, 13, 14, 15, 16};
static const char guid_text[] = "04030201-0605-0807-090a-0b0c0d0e0f10";

/* ---- names ---- */

#define TL {(const uint8_t *)"", 1}

static const struct {
    struct kind_request request;
    struct described known;
    const char *provider, *name, *type, *full;
} named[] = {
    /* Manifest events of nobody: id and opcode. */
    {{.guid = guid, .id = 7}, {.opcode = 0}, guid_text, "EventID(7)", "",
     "EventID(7)"},
    {{.guid = guid, .id = 7, .opcode = 1}, {.opcode = 0}, guid_text,
     "EventID(7)", "Start", "EventID(7)/Start"},
    {{.guid = guid, .id = 7, .opcode = 9}, {.opcode = 0}, guid_text,
     "EventID(7)", "Send", "EventID(7)/Send"},
    {{.guid = guid, .id = 7, .opcode = 10}, {.opcode = 0}, guid_text,
     "EventID(7)", "Opcode(10)", "EventID(7)/Opcode(10)"},
    {{.guid = guid, .id = 7, .opcode = 240}, {.opcode = 0}, guid_text,
     "EventID(7)", "Receive", "EventID(7)/Receive"},
    {{.guid = guid, .id = 7, .opcode = 241}, {.opcode = 0}, guid_text,
     "EventID(7)", "Opcode(241)", "EventID(7)/Opcode(241)"},
    {{.guid = guid, .opcode = 2, .provider = "P"}, {.opcode = 0}, "P",
     "EventID(0)", "Stop", "EventID(0)/Stop"},
    {{.guid = guid}, {.provider = "Q", .name = "N"}, "Q", "N", "", "N"},
    {{.guid = guid}, {.provider = "Q", .name = "N", .type_name = "T"}, "Q",
     "N", "T", "N/T"},
    {{.guid = guid}, {.provider = "Q", .name = "N", .type_name = "Info"}, "Q",
     "N", "Info", "N"},
    {{.guid = guid}, {.provider = "Q", .name = "N", .type_name = "Header"},
     "Q", "N", "Header", "N"},
    {{.guid = guid}, {.provider = "Q", .name = "NStart"}, "Q", "NStart", "",
     "NStart"},
    {{.provider = NULL}, {.name = "N"}, "", "N", "", "N"},
    /* Classic ones: of a class by opcode, of the kernel by group. */
    {{.guid = guid, .classic = true, .opcode = 5}, {.opcode = 0}, guid_text,
     "Opcode(5)", "", "Opcode(5)"},
    {{.guid = guid, .classic = true, .opcode = 5}, {.name = "C"}, guid_text,
     "C", "Extension", "C/Extension"},
    {{.guid = guid, .classic = true, .opcode = 5}, {.type_name = "T"},
     guid_text, "Opcode(5)", "T", "Opcode(5)/T"},
    {{.is_hook = true, .classic = true, .hook = 0x0F03}, {.opcode = 0},
     "Windows Kernel", "Group(15)", "Opcode(3)", "Group(15)/Opcode(3)"},
    /* TraceLogging: an opcode in the name. */
    {{.guid = guid, .tracelogging = TL}, {.name = "RequestStart"}, guid_text,
     "Request", "Start", "Request/Start"},
    {{.guid = guid, .tracelogging = TL}, {.name = "RequestStop"}, guid_text,
     "Request", "Stop", "Request/Stop"},
    {{.guid = guid, .tracelogging = TL, .opcode = 1}, {.name = "RequestStart"},
     guid_text, "Request", "Start", "Request/Start"},
    {{.guid = guid, .tracelogging = TL, .opcode = 2}, {.name = "RequestStart"},
     guid_text, "RequestStart", "Stop", "RequestStart/Stop"},
    {{.guid = guid, .tracelogging = TL}, {.name = "Start"}, guid_text, "Start",
     "", "Start"},
    {{.guid = guid, .tracelogging = TL, .opcode = 1}, {.name = ""}, guid_text,
     "", "Start", "Start"},
    /* nettrace: names of the file, numbers of the provider's own. */
    {{.described = true, .provider = "P", .name = "WorkStop"}, {.opcode = 0},
     "P", "Work", "Stop", "Work/Stop"},
    {{.described = true, .provider = "P", .name = "Work"}, {.opcode = 2}, "P",
     "Work", "Stop", "Work/Stop"},
    {{.described = true, .provider = "P", .name = "Work", .opcode = 12},
     {.opcode = 2}, "P", "Work", "12", "Work/12"},
    {{.described = true, .provider = "P", .id = 3}, {.opcode = 0}, "P",
     "EventID(3)", "", "EventID(3)"},
};

TEST(every_kind_has_names)
{
    for (size_t i = 0; i < COUNT(named); i++) {
        struct event_trace t = {.texts = {.left = 1 << 20}};
        struct described d = named[i].known;

        kind_complete_names(&t, &named[i].request, &d);
        ck_assert_msg(!strcmp(d.provider, named[i].provider) &&
                          !strcmp(d.name, named[i].name) &&
                          !strcmp(d.type_name, named[i].type),
                      "row %zu: %s %s %s", i, d.provider, d.name, d.type_name);
        ck_assert_str_eq(kind_full_name(&t.arena, d.name, d.type_name),
                         named[i].full);
        event_trace_forget(&t);
    }
}

/* ---- what is built in ---- */

static void count_row(void *context, const struct builtin_provider *p,
                      const struct builtin_event *e)
{
    (void)p, (void)e;
    ++*(unsigned *)context;
}

static unsigned rows_of(const char *provider)
{
    unsigned n = 0;

    builtin_each(provider, count_row, &n);
    return n;
}

TEST(providers_by_guid_and_name)
{
    uint8_t runtime[16];

    guid_parse(runtime, builtin_providers[1].guid);
    ck_assert_str_eq(builtin_name(runtime), "Microsoft-Windows-DotNETRuntime");
    ck_assert_ptr_null(builtin_name(guid));
    /* Classes that are logged apart have the provider's name as well. */
    ck_assert_uint_gt(rows_of("microsoft-windows-dotnetruntime"),
                      builtin_providers[1].count);
    ck_assert_uint_eq(rows_of(builtin_providers[1].guid),
                      builtin_providers[1].count);
    ck_assert_uint_gt(rows_of("Windows Kernel"), builtin_providers[0].count);
    ck_assert_uint_eq(rows_of("Nobody"), 0);
}

/* A newer version has the layout of the last one known, an older one than any
 * has a name alone. */
TEST(versions_of_kernel_events)
{
    static const struct {
        uint16_t hook;
        uint8_t version;
        const char *fields; /* how they begin; NULL: not known */
    } cases[] = {
        {0x0501, 0, "u32.tid ThreadID, u32.pid ProcessID"},
        {0x0501, 1, "u32.pid ProcessID, u32.tid ThreadID"},
        {0x0501, 200, "u32.pid ProcessID, u32.tid ThreadID"},
    };
    struct event_trace t = {.texts = {.left = 1 << 20}};
    struct described d;

    for (size_t i = 0; i < COUNT(cases); i++) {
        char *text;

        ck_assert(builtin_hook(&t, cases[i].hook, cases[i].version, &d));
        ck_assert_str_eq(d.name, "Thread");
        ck_assert_str_eq(d.type_name, "Start");
        text = schema_text(d.schema);
        ck_assert_int_eq(
            strncmp(text, cases[i].fields, strlen(cases[i].fields)), 0);
        free(text);
    }
    ck_assert(!builtin_hook(&t, 0x5555, 0, &d));
    /* Older than any that is known: a name without fields. */
    ck_assert(builtin_hook(&t, 0x0440, 1, &d));
    ck_assert_str_eq(d.name, "FileIO");
    ck_assert_str_eq(d.type_name, "Create");
    ck_assert_ptr_null(d.schema);
    ck_assert(builtin_hook(&t, 0x0440, 2, &d) && d.schema);
    event_trace_forget(&t);
}

TEST(events_by_name)
{
    static const struct {
        const char *name, *id;
    } cases[] = {
        {"GC/Start", "Microsoft-Windows-DotNETRuntime/1"},
        {"gc/start", "Microsoft-Windows-DotNETRuntime/1"},
        {"Microsoft-Windows-DotNETRuntime/GC/Start",
         "Microsoft-Windows-DotNETRuntime/1"},
        {"Microsoft-Windows-DotNETRuntimePrivate/GC/Settings",
         "Microsoft-Windows-DotNETRuntimePrivate/2"},
        {"Microsoft-Windows-DotNETRuntime:GC/Start", NULL},
        {"GC", NULL},
        {"GC/", NULL},
        {"GC/Star", NULL},
        {"GC/Starts", NULL},
        /* Some have a name and no type. */
        {"GCDynamicEvent", "Microsoft-Windows-DotNETRuntime/39"},
        {"microsoft-windows-dotnetruntimeprivate/failfast",
         "Microsoft-Windows-DotNETRuntimePrivate/191"},
        {"GCDynamicEvent/", NULL},
        {"GCDynamicEvents", NULL},
        {"Process/Start", NULL},
        {"", NULL},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        char *id = event_id_of_name(cases[i].name);

        ck_assert_pstr_eq(id, cases[i].id);
        free(id);
    }
}

/* ---- kinds ---- */

TEST(events_alike_are_one_kind)
{
    static const uint8_t fields[] = {0, 0, 0, 0};
    static const struct kind_request requests[] = {
        {.guid = guid, .id = 7},
        {.guid = guid, .id = 8},
        {.guid = guid, .id = 7, .version = 1},
        {.guid = guid, .id = 7, .opcode = 1},
        {.guid = guid, .id = 7, .task = 1},
        {.guid = guid, .id = 7, .width = 4},
        {.guid = guid, .id = 7, .classic = true},
        {.is_hook = true, .hook = 0x0501, .width = 8},
        {.is_hook = true, .hook = 0x0501, .width = 4},
        {.is_hook = true, .hook = 0x0501, .width = 8, .version = 1},
        {.is_hook = true, .hook = 0x0502, .width = 8},
        {.provider = "P", .name = "N", .described = true, .fields = {fields, 4}},
        {.provider = "P", .name = "M", .described = true, .fields = {fields, 4}},
        {.provider = "Q", .name = "N", .described = true, .fields = {fields, 4}},
        {.provider = "P", .name = "N", .described = true, .fields = {fields, 2}},
        {.provider = "P", .name = "N", .described = true, .v6 = true,
         .fields = {fields, 2}},
        {.guid = guid, .tracelogging = {(const uint8_t *)"\6\0\0E\0", 6}},
        {.guid = guid, .tracelogging = {(const uint8_t *)"\6\0\0F\0", 6}},
        {.guid = guid, .tracelogging = {(const uint8_t *)"\6\0\0E\0", 6},
         .traits = {(const uint8_t *)"\4\0P", 4}},
    };
    struct event_trace t = {.notes = profile_new(), .surveyed = true};
    uint8_t kernel[16];

    for (unsigned again = 0; again < 2; again++)
        for (uint32_t i = 0; i < COUNT(requests); i++)
            ck_assert_uint_eq(event_kind_of(&t, &requests[i])->kind.index, i);
    ck_assert_uint_eq(event_kind_count(&t), COUNT(requests));
    ck_assert_str_eq(event_kind_at(&t, 7)->full_name, "Thread/Start");
    ck_assert_uint_eq(event_kind_at(&t, 7)->id, 1);
    ck_assert_uint_eq(event_kind_at(&t, 7)->opcode, 1);
    ck_assert(event_kind_at(&t, 7)->classic && !event_kind_at(&t, 0)->classic);
    ck_assert_mem_eq(event_kind_at(&t, 0)->guid, guid, 16);
    ck_assert_mem_eq(event_kind_at(&t, 6)->class_guid, guid, 16);
    ck_assert_str_eq(event_kind_at(&t, 18)->provider, "P");
    guid_parse(kernel, builtin_providers[0].guid);
    ck_assert_mem_eq(event_kind_at(&t, 6)->guid, kernel, 16);
    event_trace_forget(&t);
}

/* A manifest event carries a manifest: its own layout is known. */
TEST(parts_of_manifests_are_events)
{
    const struct kind_request request = {.guid = guid, .id = 0xFFFE,
                                         .opcode = 0xFE};
    struct event_trace t = {.notes = profile_new(), .surveyed = true};
    const struct event_kind *k = &event_kind_of(&t, &request)->kind;

    ck_assert_str_eq(k->full_name, "ManifestData");
    ck_assert_uint_eq(k->schema->top, 7);
    event_trace_forget(&t);
}

/* ---- threads ---- */

TEST(threads_have_lives)
{
    static const struct thread_life lives[] = {
        {100, 7, 3}, {50, 7, 2}, {50, 8, 4}, {100, 9, 6}, {100, 9, 5}};
    static const struct {
        uint32_t tid;
        uint64_t time;
        uint32_t pid;
    } cases[] = {
        {7, 0, 2},   {7, 49, 2},  {7, 50, 2},
        {7, 99, 2},  {7, 100, 3}, {7, 1000, 3},
        {8, 0, 4},   {8, 200, 4}, {6, 100, EVENT_UNKNOWN},
        {9, 0, 5},   {9, 100, 6}, {10, 100, EVENT_UNKNOWN},
    };
    struct event_trace t = {.notes = profile_new()};

    ck_assert_uint_eq(event_thread_pid(&t, 7, 0), EVENT_UNKNOWN);
    for (size_t i = 0; i < COUNT(lives); i++)
        *vec_add(&t.threads) = lives[i];
    event_sort_threads(&t);
    for (size_t i = 0; i < COUNT(cases); i++)
        ck_assert_msg(event_thread_pid(&t, cases[i].tid, cases[i].time) ==
                          cases[i].pid,
                      "row %zu", i);
    event_trace_forget(&t);
}

/* ---- events as text ---- */

TEST(times_of_a_trace)
{
    static const struct {
        int64_t start, time;
        const char *text;
    } cases[] = {
        {0, 0, "0.000000000"},
        {0, 1500000001, "1.500000001"},
        {0, -1500000001, "-1.500000001"},
        {946684800000000000, 0, "2000-01-01 00:00:00.0000000"},
        {946684800000000099, 1, "2000-01-01 00:00:00.0000001"},
        {946684800000000050, 149, "2000-01-01 00:00:00.0000001"},
        {946684800000000000, 86400000000199, "2000-01-02 00:00:00.0000001"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct event_trace t = {.notes = profile_new()};
        char text[EVENT_TIME_SIZE];

        t.notes->trace.start_unix_ns = cases[i].start;
        event_stamp_text(text, &t, cases[i].time);
        ck_assert_str_eq(text, cases[i].text);
        event_trace_forget(&t);
    }
}

TEST(payloads_as_text)
{
    static const struct {
        const char *fields, *payload, *text, *values;
    } cases[] = {
        {"u8 a, u8 b", "01 02", "a=1; b=2", "1; 2"},
        {"u8 a", "01 02", "a=1", "1"},
        {"u8 a, u32 b", "01 02",
         "a=1; 0x02 (1 byte; the payload ends inside a field)",
         "1; 0x02 (1 byte; the payload ends inside a field)"},
        {NULL, "01 02", "0x0102 (2 bytes)", "0x0102 (2 bytes)"},
        {NULL, "", "", ""},
    };

    for (size_t i = 0; i < COUNT(cases); i++)
        for (int named_too = 0; named_too < 2; named_too++) {
            struct arena arena = {0};
            uint8_t payload[PAYLOAD_ROOM];
            struct event_kind kind = {
                .schema = cases[i].fields
                              ? schema_of_text(&arena, cases[i].fields)
                              : NULL};
            const struct event e = {
                .kind = &kind,
                .payload = payload,
                .size = (uint32_t)payload_of_hex(cases[i].payload, payload),
                .pointer_size = 8,
            };
            struct out *out = out_memory();

            event_payload_text(out, &e, "; ", named_too);
            ck_assert_str_eq(out_text(out, NULL),
                             named_too ? cases[i].text : cases[i].values);
            out_close(out, NULL);
            arena_release(&arena);
        }
}
