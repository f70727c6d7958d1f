/* Features of version 6 only: defined threads, labels, several processes, and
 * the mappings and symbols of the Linux recorder. */
#include "tests/engine/format/nettrace/stream.h"

enum { CPU = 1, SYSTEM = 10 };

/* Ids of Universal.System are behind SYSTEM. */
static struct nettrace_writer *recorder(void)
{
    static const char *const names[] = {
        "ExistingProcess", "ProcessCreate", "ProcessExit",
        "ProcessMapping",  "ProcessSymbol", "ProcessMappingMetadata",
    };
    struct nettrace_writer *w = nettrace_writer_new(6, true);

    nettrace_kind(w, CPU, "Universal.Events", 1, "cpu", 0);
    nettrace_kind(w, CPU + 1, "Universal.Events", 2, "", 0);
    for (uint32_t i = 0; i < 6; i++)
        nettrace_kind(w, SYSTEM + i, "Universal.System", i, names[i], 0);
    return w;
}

static void put_payload(struct nettrace_writer *w, uint32_t kind,
                        uint64_t thread, uint64_t time, byte_vec *payload)
{
    struct nettrace_event e = {
        .kind = kind,
        .thread = thread,
        .capture_thread = thread,
        .time = time,
        .payload = payload->data,
        .size = payload->len,
    };

    nettrace_begin_block(w, NT_BLOCK_NONE); /* numbers start again */
    nettrace_event(w, &e);
    vec_release(payload);
}

static void put_process(struct nettrace_writer *w, uint32_t id,
                        uint64_t thread, uint64_t time, const char *name)
{
    byte_vec p = {0};

    put_varint(&p, 0);
    put_short_string(&p, name);
    put_short_string(&p, "");
    put_payload(w, SYSTEM + id, thread, time, &p);
}

static void put_mapping(struct nettrace_writer *w, uint64_t thread,
                        uint64_t time, uint64_t id, uint64_t start,
                        uint64_t end, const char *name)
{
    byte_vec p = {0};

    put_varint(&p, id);
    put_varint(&p, start);
    put_varint(&p, end);
    put_varint(&p, 0x2000);
    put_short_string(&p, name);
    put_varint(&p, *name == '/' ? 5 : 0);
    put_short_string(&p, "{}"); /* written although not declared */
    put_payload(w, SYSTEM + 3, thread, time, &p);
}

static void put_symbol(struct nettrace_writer *w, uint64_t mapping,
                       uint64_t start, uint64_t last, const char *name)
{
    byte_vec p = {0};

    put_varint(&p, 1);
    put_varint(&p, mapping);
    put_varint(&p, start);
    put_varint(&p, last);
    put_short_string(&p, name);
    put_payload(w, SYSTEM + 4, 1, 0, &p);
}

/* A sample of one address. */
static void put_sample(struct nettrace_writer *w, uint64_t thread,
                       uint64_t time, uint64_t address)
{
    byte_vec p = {0};
    struct nettrace_event e = {
        .kind = CPU,
        .thread = thread,
        .capture_thread = thread,
        .stack = (uint32_t)(time + thread * 1000),
        .time = time,
        .size = 1,
    };

    nettrace_begin_block(w, NT_BLOCK_NONE);
    nettrace_stack(w, e.stack, &address, 1);
    put_varint(&p, 1);
    e.payload = p.data;
    nettrace_event(w, &e);
    vec_release(&p);
}

static void two_processes(struct nettrace_writer *w)
{
    nettrace_thread(w, 1, 100, 101);
    nettrace_thread(w, 2, 200, 201);
    nettrace_end_block(w);
    put_process(w, 0, 1, 0, "parent");
    put_process(w, 0, 2, 0, "child");
}

static struct profile *finish(struct nettrace_writer *w)
{
    nettrace_end(w);
    return read_stream(w, NULL);
}

TEST(symbols_belong_to_the_mapping)
{
    struct nettrace_writer *w = recorder();
    struct profile *p;

    two_processes(w);
    put_mapping(w, 1, 0, 7, 0x10000, 0x20000, "/lib/libc.so.6");
    put_mapping(w, 2, 0, 7, 0x10000, 0x20000, "/lib/libc.so.6");
    put_symbol(w, 7, 0x10100, 0x101ff, "__libc_fork");
    put_symbol(w, 7, 0x10100, 0x101ff, "fork");
    put_symbol(w, 7, 0x10100, 0x101ff, "__fork");
    put_symbol(w, 7, 0x10100, 0x101ff, "fork");
    put_sample(w, 1, 10, 0x10100);
    put_sample(w, 2, 11, 0x101ff);
    put_sample(w, 2, 12, 0x10200);
    p = finish(w);
    ck_assert_int_eq(p->trace.metric.id, METRIC_CPU_SAMPLES);
    assert_function(p, "fork", "libc.so.6", 2, 2);
    assert_function(p, "libc.so.6!+0x2200", "libc.so.6", 1, 1);
    ck_assert_uint_eq(p->processes.len, 2);
    ck_assert_str_eq(strings_get(p->strings, p->processes.data[1].name),
                     "child");
    profile_free(p);
}

TEST(ends_of_mappings_come_in_two_kinds)
{
    struct nettrace_writer *w = recorder();
    struct profile *p;

    two_processes(w);
    put_mapping(w, 1, 0, 1, 0x10000, 0x20000, "/exclusive");
    put_mapping(w, 1, 0, 2, 0x30000, 0x3ffff, "/inclusive");
    put_mapping(w, 1, 0, 3, 0, UINT64_MAX, "/everything");
    put_mapping(w, 1, 0, 4, UINT64_MAX << 47, UINT64_MAX, "vmlinux");
    put_mapping(w, 1, 0, 5, 0xffffffffff600000, 0xffffffffff600fff,
                "[vsyscall]");
    put_sample(w, 1, 10, 0x20000);
    put_sample(w, 1, 11, 0x3ffff);
    put_sample(w, 1, 12, 0xffffffffff600400);
    put_sample(w, 1, 13, 0xffffffff81000000);
    p = finish(w);
    assert_function(p, "0x20000", "[unknown]", 1, 1);
    assert_function(p, "inclusive!+0x11fff", "inclusive", 1, 1);
    assert_function(p, "[vsyscall]!+0x2400", "[vsyscall]", 1, 1);
    assert_function(p, "vmlinux!+0x7fff81002000", "vmlinux", 1, 1);
    profile_free(p);
}

/* ---- blocks ---- */

TEST(unknown_blocks_are_skipped)
{
    struct nettrace_writer *w = recorder();
    struct profile *p;

    two_processes(w);
    nettrace_begin_block(w, 99);
    put_number(&w->block, 0, 7);
    put_sample(w, 1, 10, 0x10010);
    p = finish(w);
    ck_assert_uint_eq(p->trace.events, 3);
    ck_assert_ptr_nonnull(strstr(warning(p, 0), "unknown types skipped: 1"));
    profile_free(p);
}

/* Reading stops where the file contradicts itself, and says where. */
static void assert_stops(struct nettrace_writer *w, uint64_t events,
                         const char *why)
{
    struct profile *p;

    put_sample(w, 1, 99, 0x10010);
    p = finish(w);
    ck_assert_uint_eq(p->trace.events, events);
    ck_assert_uint_eq(p->quality.skipped.len, 1);
    ck_assert_str_eq(
        strings_get(p->strings, p->quality.skipped.data[0].reason), why);
    profile_free(p);
}

TEST(threads_must_be_defined)
{
    struct nettrace_writer *w = recorder();

    two_processes(w);
    put_sample(w, 7, 10, 0x10010);
    assert_stops(w, 2, "event of an undefined thread");
    w = recorder();
    two_processes(w);
    nettrace_thread(w, 1, 100, 102);
    assert_stops(w, 2, "thread index defined twice");
    w = recorder();
    two_processes(w);
    nettrace_remove_thread(w, 1, 0);
    nettrace_remove_thread(w, 1, 0);
    assert_stops(w, 2, "removal of an undefined thread");
}

/* An index may mean another thread after its removal, or a sequence point
 * that says so. */
TEST(threads_may_be_defined_again)
{
    struct nettrace_writer *w = recorder();
    struct profile *p;

    two_processes(w);
    put_sample(w, 1, 10, 0x10010);
    nettrace_remove_thread(w, 1, 0);
    nettrace_thread(w, 1, 200, 202);
    put_sample(w, 1, 20, 0x10010);
    nettrace_sequence_point(w, 1, NULL, 0);
    nettrace_thread(w, 1, 100, 103);
    put_sample(w, 1, 30, 0x10010);
    p = finish(w);
    ck_assert_uint_eq(p->threads.len, 3);
    ck_assert_uint_eq(p->threads.data[0].tid, 101);
    ck_assert_uint_eq(p->threads.data[1].tid, 202);
    ck_assert_uint_eq(p->threads.data[2].tid, 103);
    profile_free(p);
}

TEST(references_to_nothing_are_counted)
{
    struct nettrace_writer *w = recorder();
    struct nettrace_event e = {.kind = 77, .thread = 1, .capture_thread = 1};
    struct profile *p;

    two_processes(w);
    nettrace_event(w, &e);
    nettrace_begin_block(w, NT_BLOCK_NONE);
    e.kind = CPU;
    e.stack = 5;
    nettrace_event(w, &e);
    p = finish(w);
    ck_assert_uint_eq(p->trace.events, 3);
    ck_assert_ptr_nonnull(strstr(warning(p, 0), "an undefined event kind"));
    ck_assert_ptr_nonnull(strstr(warning(p, 1), "an undefined stack"));
    assert_function(p, "[no stack]", "[unknown]", 1, 1);
    profile_free(p);
}
