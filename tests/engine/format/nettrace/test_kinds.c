/* Kinds of events: how a stream describes them, what they are used for and
 * called. */
#include "tests/engine/format/nettrace/events.h"

#define RUNTIME "Microsoft-Windows-DotNETRuntime"
#define RUNDOWN "Microsoft-Windows-DotNETRuntimeRundown"
#define SAMPLER "Microsoft-DotNETCore-SampleProfiler"

static struct nettrace_writer *w;

/* ---- descriptions ---- */

static const struct nt_kind *kind(size_t i)
{
    ck_assert_uint_lt(i, got.file.kinds.len);
    return &got.file.kinds.data[i];
}

static const char *string_of(uint32_t id)
{
    return strings_get(got.file.recording->strings, id);
}

/* A description of version 4, without its last bytes. */
static void put_described(size_t missing, size_t more)
{
    byte_vec p = {0};
    struct nettrace_event e = {.kind = 0};

    put_number(&p, 5, 4);
    put_utf16(&p, "Shop");
    put_number(&p, 70000, 4);
    put_utf16(&p, "Sold");
    blob_pack(&p, "QI", 0x1122334455667788, 3);
    put_number(&p, 4, more > 4 ? 4 : (unsigned)more);
    for (size_t i = 4; i < more; i++)
        put_number(&p, i, 1);
    e.payload = p.data;
    e.size = p.len - missing;
    nettrace_begin_block(w, NT_BLOCK_METADATA);
    blob_pack(&w->block, "HH", 20, 0);
    for (int i = 0; i < 16; i++)
        put_number(&w->block, 0, 1);
    nettrace_event(w, &e);
    vec_release(&p);
}

/* The level is what may be missing. */
TEST(descriptions_cut_off)
{
    static const struct {
        size_t missing, more, kinds;
    } rows[] = {{0, 4, 1}, {0, 3, 1}, {0, 0, 1}, {1, 0, 0}};

    for (size_t i = 0; i < 4; i++) {
        w = nettrace_writer_new(4, false);
        put_described(rows[i].missing, rows[i].more);
        events_read(w);
        ck_assert_uint_eq(got.file.kinds.len, rows[i].kinds);
        ck_assert_uint_eq(got.file.damaged, 1 - rows[i].kinds);
        if (rows[i].kinds)
            ck_assert_uint_eq(kind(0)->level, rows[i].more == 4 ? 4 : 0);
        events_end(w);
    }
}

static void put8(unsigned byte)
{
    put_number(&w->block, byte, 1);
}

static void begin_row(size_t size)
{
    put_number(&w->block, size, 2);
    put8(5);
    put_string(&w->block, "Shop");
    put_varint(&w->block, 300);
    put_string(&w->block, "Sold");
}

enum { ROW = 1 + 5 + 2 + 5 };

/* Two fields, and every optional entry; what follows an unknown one is not
 * read. */
TEST(described_in_v6)
{
    size_t row;

    w = nettrace_writer_new(6, true);
    nettrace_begin_block(w, NT_BLOCK_METADATA);
    put_number(&w->block, 3, 2); /* of a header to be passed */
    for (int i = 0; i < 3; i++)
        put8(0xEE);
    row = w->block.len;
    begin_row(0);
    put_number(&w->block, 2, 2);
    for (unsigned i = 1; i <= 2; i++) {
        put_number(&w->block, i, 2);
        for (unsigned k = 0; k < i; k++)
            put8(0xF0);
    }
    put_number(&w->block, 47, 2);
    put8(1);
    put8(77);
    put8(3);
    put_number(&w->block, 0x1122334455667788, 8);
    put8(4);
    put_string(&w->block, "msg");
    put8(5);
    put_string(&w->block, "");
    put8(6);
    put_string(&w->block, "k");
    put_string(&w->block, "v");
    put8(7);
    for (unsigned i = 0; i < 16; i++)
        put8(i);
    put8(8);
    put8(4);
    put8(9);
    put8(3);
    put8(2); /* unknown */
    put8(8);
    put8(5);
    w->block.data[row] = (uint8_t)(w->block.len - row - 2);
    begin_row(ROW); /* and one that ends behind its name */
    events_read(w);
    ck_assert_uint_eq(got.file.kinds.len, 2);
    ck_assert_str_eq(string_of(kind(0)->provider), "Shop");
    ck_assert_str_eq(string_of(kind(0)->name), "Sold");
    ck_assert_uint_eq(kind(0)->event_id, 300);
    ck_assert_uint_eq(kind(0)->fields.len, 9);
    ck_assert_uint_eq(kind(0)->opcode, 77);
    ck_assert_uint_eq(kind(0)->keywords, 0x1122334455667788);
    ck_assert_uint_eq(kind(0)->guid[15], 15);
    ck_assert_uint_eq(kind(0)->level, 4);
    ck_assert_uint_eq(kind(0)->version, 3);
    ck_assert_uint_eq(kind(1)->event_id, 300);
    ck_assert_uint_eq(kind(1)->version, 0);
    ck_assert_uint_eq(got.file.damaged, 1); /* it is defined twice */
    events_end(w);
}

TEST(rows_cut_off)
{
    w = nettrace_writer_new(6, true);
    nettrace_begin_block(w, NT_BLOCK_METADATA);
    put_number(&w->block, 0, 2);
    begin_row(ROW - 1); /* in its name */
    put8(0);
    put_number(&w->block, 900, 2); /* longer than the block */
    events_read(w);
    ck_assert_uint_eq(got.file.kinds.len, 0);
    ck_assert_uint_ge(got.file.damaged, 1);
    events_end(w);
}

/* Numbers of kinds have 32 bits. */
TEST(ids_of_32_bits)
{
    for (uint64_t more = 0; more < 2; more++) {
        w = nettrace_writer_new(6, true);
        nettrace_begin_block(w, NT_BLOCK_METADATA);
        blob_pack(&w->block, "HH", 0, ROW + 4);
        put_varint(&w->block, UINT32_MAX + more);
        put_string(&w->block, "Shop");
        put_varint(&w->block, 300);
        put_string(&w->block, "Sold");
        events_read(w);
        ck_assert_uint_eq(got.file.kinds.len, 1 - more);
        ck_assert_uint_eq(got.file.damaged, more);
        if (!more)
            ck_assert_uint_eq(map_get(&got.file.kind_ids, UINT32_MAX, 0), 0);
        events_end(w);
    }
}

/* ---- uses and names ---- */

static const struct {
    const char *provider;
    uint32_t id;
    const char *name;
    unsigned use;
    const char *label;
} kinds[] = {
    {SAMPLER, 0, "", CLR_UNUSED, SAMPLER "/Thread/Sample"},
    {SAMPLER, 1, "", CLR_UNUSED, SAMPLER "/EventID(1)"},
    {RUNTIME, 1, "", CLR_COLLECTION, RUNTIME "/GC/Start"},
    {RUNTIME, 2, "", CLR_COLLECTION, RUNTIME "/GC/Stop"},
    {RUNTIME, 3, "", CLR_COLLECTION, RUNTIME "/GC/RestartEEStop"},
    {RUNTIME, 4, "", CLR_COLLECTION, RUNTIME "/GC/HeapStats"},
    {RUNTIME, 7, "", CLR_UNUSED, RUNTIME "/GC/RestartEEStart"},
    {RUNTIME, 8, "", CLR_COLLECTION, RUNTIME "/GC/SuspendEEStop"},
    {RUNTIME, 9, "", CLR_COLLECTION, RUNTIME "/GC/SuspendEEStart"},
    {RUNTIME, 10, "", CLR_UNUSED, RUNTIME "/GC/AllocationTick"},
    {RUNTIME, 11, "", CLR_UNUSED, RUNTIME "/GC/CreateConcurrentThread"},
    {RUNTIME, 80, "", CLR_UNUSED, RUNTIME "/Exception/Start"},
    {RUNTIME, 81, "", CLR_UNUSED, RUNTIME "/Contention/Start"},
    {RUNTIME, 91, "", CLR_UNUSED, RUNTIME "/Contention/Stop"},
    {RUNTIME, 141, "", CLR_METHOD, RUNTIME "/Method/Load"},
    {RUNTIME, 142, "", CLR_METHOD, RUNTIME "/Method/Unload"},
    {RUNTIME, 143, "", CLR_METHOD, RUNTIME "/Method/LoadVerbose"},
    {RUNTIME, 144, "", CLR_METHOD, RUNTIME "/Method/UnloadVerbose"},
    {RUNTIME, 145, "", CLR_JIT, RUNTIME "/Method/JittingStarted"},
    {RUNTIME, 151, "", CLR_MODULE, RUNTIME "/Loader/DomainModuleLoad"},
    {RUNTIME, 152, "", CLR_MODULE, RUNTIME "/Loader/ModuleLoad"},
    {RUNTIME, 153, "", CLR_MODULE, RUNTIME "/Loader/ModuleUnload"},
    {RUNTIME, 154, "", CLR_MODULE, RUNTIME "/Loader/AssemblyLoad"},
    {RUNTIME, 155, "", CLR_UNUSED, RUNTIME "/Loader/AssemblyUnload"},
    {RUNTIME, 187, "", CLR_UNUSED, RUNTIME "/Runtime/Start"},
    {RUNTIME, 190, "", CLR_IL_MAP, RUNTIME "/Method/ILToNativeMap"},
    {RUNTIME, 303, "", CLR_UNUSED,
     RUNTIME "/AllocationSampling/AllocationSampled"},
    {RUNTIME, 65536 + 141, "", CLR_UNUSED, RUNTIME "/EventID(65535)"},
    {RUNDOWN, 144, "", CLR_METHOD, RUNDOWN "/Method/DCStopVerbose"},
    {RUNDOWN, 145, "", NT_RUNDOWN_END, RUNDOWN "/Method/DCStartComplete"},
    {RUNDOWN, 146, "", NT_RUNDOWN_END, RUNDOWN "/Method/DCStopComplete"},
    {RUNDOWN, 147, "", CLR_UNUSED, RUNDOWN "/Method/DCStartInit"},
    {RUNDOWN, 148, "", CLR_UNUSED, RUNDOWN "/Method/DCStopInit"},
    {RUNDOWN, 150, "", CLR_IL_MAP, RUNDOWN "/Method/ILToNativeMapDCStop"},
    {RUNDOWN, 152, "", CLR_MODULE, RUNDOWN "/Loader/DomainModuleDCStop"},
    {RUNDOWN, 153, "", CLR_MODULE, RUNDOWN "/Loader/ModuleDCStart"},
    {RUNDOWN, 154, "", CLR_MODULE, RUNDOWN "/Loader/ModuleDCStop"},
    {RUNDOWN, 156, "", CLR_MODULE, RUNDOWN "/Loader/AssemblyDCStop"},
    {RUNDOWN, 158, "", CLR_UNUSED, RUNDOWN "/Loader/AppDomainDCStop"},
    {RUNDOWN, 187, "", CLR_UNUSED, RUNDOWN "/Runtime/Start"},
    {"Universal.Events", 7, "cpu", CLR_UNUSED, "Universal.Events/cpu"},
    {"Universal.Events", 0, "cswitch", CLR_UNUSED, "Universal.Events/cswitch"},
    {"Universal.System", 3, "", NT_UNIVERSAL,
     "Universal.System/ProcessMapping"},
    {"Microsoft-DotNETCore-EventPipe", 1, "ProcessInfo", NT_PROCESS_INFO,
     "Microsoft-DotNETCore-EventPipe/ProcessInfo"},
    {"Microsoft-DotNETCore-EventPipe", 2, "", CLR_UNUSED,
     "Microsoft-DotNETCore-EventPipe/EventID(2)"},
    {"Shop", 0, "cpu", CLR_UNUSED, "Shop/cpu"},
};

enum { KINDS = COUNT(kinds) };

/* Counted, each as often as its number says. */
TEST(uses_and_names)
{
    struct profile *p;

    w = nettrace_writer_new(6, true);
    for (uint32_t i = 0; i < KINDS; i++)
        nettrace_kind(w, i, kinds[i].provider, kinds[i].id, kinds[i].name, 0);
    events_read(w);
    p = got.file.recording->profile;
    ck_assert_uint_eq(got.file.kinds.len, KINDS);
    for (uint32_t i = 0; i < KINDS; i++) {
        bool thread = i == 0, cpu = !strcmp(kinds[i].name, "cpu") && i < 41;

        ck_assert_msg(kind(i)->use == kinds[i].use, "%s", kinds[i].label);
        ck_assert_int_eq(kind(i)->source, thread ? NT_THREAD_SAMPLE
                                          : cpu  ? NT_CPU_SAMPLE
                                                 : NT_OTHER_EVENT);
        ck_assert(kind(i)->sampled == (thread || cpu));
        got.file.kinds.data[i].count = i;
    }
    nt_count_kinds(&got.file);
    ck_assert_uint_eq(p->trace.event_counts.len, KINDS - 1);
    for (uint32_t i = 1; i < KINDS; i++) {
        ck_assert_str_eq(string_of(p->trace.event_counts.data[i - 1].name),
                         kinds[i].label);
        ck_assert_uint_eq(p->trace.event_counts.data[i - 1].count, i);
    }
    ck_assert_uint_eq(p->trace.events, KINDS * (KINDS - 1) / 2);
    ck_assert_str_eq(nt_describe_choices(got.file.recording),
                     "cpu, cswitch, allocation, exception, contention");
    map_release(&got.file.recording->count_ids);
    events_end(w);
}

/* ---- losses ---- */

/* The first eight threads that lost any are named. */
TEST(losses_by_thread)
{
    struct profile *p;
    char text[300] = "test: events lost by thread ";

    for (uint32_t threads = 8; threads <= 9; threads++) {
        w = nettrace_writer_new(4, false);
        nettrace_kind(w, 5, "Shop", 1, "Sold", 0);
        for (uint32_t i = 0; i < threads + 1; i++) {
            struct nettrace_event e = {
                .kind = 5, .capture_thread = i, .thread = i, .sequence = 1};

            nettrace_event(w, &e);
            e.sequence += i + 1;
            nettrace_event(w, &e);
        }
        events_read(w);
        p = got.file.recording->profile;
        nt_report_losses(&got.file);
        if (threads == 8)
            for (unsigned i = 1; i <= 8; i++)
                snprintf(text + strlen(text), 20, "%s%u: %u", i > 1 ? ", " : "",
                         i, i);
        else
            strcat(text, ", ...");
        ck_assert_str_eq(string_of(p->quality.warnings.data[0]), text);
        ck_assert_uint_eq(p->quality.lost_events, threads * (threads + 1) / 2);
        events_end(w);
    }
}
