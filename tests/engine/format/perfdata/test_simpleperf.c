/* What Android's simpleperf writes: its own records, names of functions. */
#include "tests/engine/format/perfdata/tool_records.h"

enum {
    KERNEL_SYMBOL = 32769,
    SPLIT = 32772,
    SPLIT_END,
    EVENT_ID,
    TRACING = 32777,
    FILES = 128,
    META_INFO,
    FILES2 = 132,
};

static void begin_file(int big)
{
    perfdata_begin(&w, big ? PERFDATA_BIG : 0);
    body = (struct blob){0};
}

static uint64_t count_of(const struct profile *p, const char *event)
{
    for (size_t i = 0; i < p->trace.event_counts.len; i++)
        if (!strcmp(strings_get(p->strings, p->trace.event_counts.data[i].name),
                    event))
            return p->trace.event_counts.data[i].count;
    return 0;
}

/* ---- records ---- */

/* The upper half of a large size is in the upper half of the word. */
static void put_large_record(uint32_t type, size_t size)
{
    perfdata_put(&w, &w.records, type, 4);
    perfdata_put(&w, &w.records, (8 + size) >> 16, 2);
    perfdata_put(&w, &w.records, (8 + size) & 0xFFFF, 2);
    blob_zero(&w.records, size);
}

TEST_LOOP(records_of_other_types_are_skipped, 4)
{
    struct profile *p;

    begin(_i % 2);
    w.how |= _i >= 2 ? PERFDATA_PACKED : 0;
    put_large_record(TRACING, 400000); /* more than what is unpacked at once */
    put_large_record(33000, 8);
    for (unsigned i = 0; i < 3; i++) {
        blob_zero(&body, 24);
        end_record(i < 2 ? 40 : 95, 0);
    }
    sample_at(10, 0x401000);
    p = end();
    ck_assert_uint_eq(p->samples.len, 1);
    ck_assert_uint_eq(p->quality.skipped_ranges, 0);
    ck_assert_uint_eq(count_of(p, "SIMPLEPERF_TRACING_DATA"), 1);
    ck_assert_uint_eq(count_of(p, "record type 40"), 2);
    ck_assert_uint_eq(count_of(p, "record type 33000"), 1);
    ck_assert_uint_eq(p->quality.warnings.len, 1);
    ck_assert_ptr_nonnull(
        strstr(strings_get(p->strings, p->quality.warnings.data[0]),
               "4 records of unknown types"));
    profile_free(p);
}

/* Bytes that look like no record of any type. */
TEST_LOOP(damage_is_none_of_them, 2)
{
    struct profile *p;

    begin(_i);
    blob_zero(&w.records, 64);
    for (unsigned i = 0; i < 3; i++)
        sample_at(10 + i, 0x401000);
    blob_bytes(&w.records, "text that is no record at all...", 32);
    for (unsigned i = 0; i < 3; i++)
        sample_at(20 + i, 0x401000);
    p = end();
    ck_assert_uint_eq(p->samples.len, 6);
    ck_assert_uint_eq(p->quality.skipped_ranges, 2);
    ck_assert_uint_eq(p->quality.skipped_bytes, 96);
    profile_free(p);
}

/* Counters that were opened while it recorded. */
TEST_LOOP(ids_that_come_later, 2)
{
    struct profile *p;

    begin(_i);
    perfdata_event(&w, 1, 0, 1000, "cpu-clock");
    perfdata_event(&w, 1, 2, 1000, "page-faults");
    put(1, 8);
    put(1, 8);
    put(105, 8); /* what the writer calls event 5 */
    end_record(EVENT_ID, 0);
    perfdata_sample(&w, &(struct perfdata_sample){
                            .event = 5, .time = 10, .pid = 40, .tid = 40});
    p = end();
    ck_assert_uint_eq(count_of(p, "page-faults"), 1);
    ck_assert_uint_eq(p->quality.malformed, 0);
    profile_free(p);
}

static const char kallsyms[] = "ffffffff81000000 T _stext\n"
                               "ffffffff81000400 t do_it\t[driver]\n"
                               "ffffffff81000500 d some_data\n"
                               "not a row\n"
                               "ffffffff81000200 W open_it";

/* Where it is split, in pieces of any size: records are not aligned then. */
static void put_kallsyms(bool split)
{
    enum { PIECE = 13 };
    struct blob whole = {0};

    put(sizeof(kallsyms) - 1, 4);
    blob_bytes(&body, kallsyms, sizeof(kallsyms) - 1);
    blob_align(&body, 8);
    if (!split) {
        end_record(KERNEL_SYMBOL, 0);
        return;
    }
    perfdata_put(&w, &whole, KERNEL_SYMBOL, 4);
    perfdata_put(&w, &whole, 0, 4);
    blob_bytes(&whole, body.data, body.len);
    body.len = 0;
    for (size_t at = 0; at < whole.len; at += PIECE) {
        blob_bytes(&body, whole.data + at,
                   whole.len - at < PIECE ? whole.len - at : PIECE);
        end_record(SPLIT, 0);
    }
    end_record(SPLIT_END, 0);
    vec_release(&whole);
}

TEST_LOOP(names_of_the_kernel, 4)
{
    struct profile *p;

    begin(_i % 2);
    put_kallsyms(_i >= 2);
    perfdata_kernel(&w, KERNEL_BASE, 0x1000000);
    for (unsigned i = 0; i < 5; i++)
        perfdata_sample(
            &w, &(struct perfdata_sample){.time = 10 + i,
                                          .ip = KERNEL_BASE + 0x100 + 0x100 * i,
                                          .pid = 40,
                                          .tid = 40,
                                          .mode = 1});
    p = end();
    assert_stack(p, 0, "_stext");
    assert_stack(p, 1, "open_it");
    assert_stack(p, 2, "open_it");
    assert_stack(p, 3, "do_it");
    assert_stack(p, 4, "do_it");
    profile_free(p);
}

/* ---- names of functions ---- */

static void put_number(unsigned field, uint64_t value)
{
    blob_u8(&body, (uint8_t)(field << 3));
    for (; value >= 0x80; value >>= 7)
        blob_u8(&body, (uint8_t)(value | 0x80));
    blob_u8(&body, (uint8_t)value);
}

static void put_bytes(unsigned field, const void *bytes, size_t n)
{
    ck_assert_uint_lt(n, 128);
    blob_pack(&body, "BB", (uint8_t)(field << 3 | 2), (uint8_t)n);
    blob_bytes(&body, bytes, n);
}

static void put_symbol_message(uint64_t address, const char *name)
{
    struct blob before = body, symbol;

    body = (struct blob){0};
    put_number(1, address);
    put_number(2, 0x10);
    put_bytes(3, name, strlen(name));
    symbol = body;
    body = before;
    put_bytes(4, symbol.data, symbol.len);
    vec_release(&symbol);
}

/* Newer ones are messages of Protocol Buffers. */
TEST_LOOP(files_as_messages, 2)
{
    static const uint8_t elf[] = {1 << 3, 0x80, 0x20}; /* offset 0x1000 */
    struct blob all = {0};
    struct profile *p;

    begin_file(_i);
    put_bytes(1, "/lib/a.so", 9);
    put_number(2, 2);
    put_number(3, 0x11000);
    put_symbol_message(0x11100, "first");
    put_symbol_message(0x11110, "second");
    put_bytes(6, elf, sizeof(elf));
    perfdata_put(&w, &all, body.len, 4);
    blob_bytes(&all, body.data, body.len);
    body.len = 0;
    perfdata_put(&w, &all, 1000, 4); /* is cut off */
    blob_u8(&all, 0);
    w.features[0] = (struct perfdata_feature){FILES2, &all};
    perfdata_mmap(&w, 0, 40, 0x7000000, 0x4000, 0x1000, "/lib/a.so");
    sample_at(1, 0x7000100);
    sample_at(2, 0x7000118);
    p = end();
    assert_stack(p, 0, "first");
    assert_stack(p, 1, "second");
    profile_free(p);
    vec_release(&all);
}

/* ---- what it says of itself ---- */

TEST_LOOP(meta_info, 2)
{
    static const char text[] =
        "simpleperf_version\0001.2\0timestamp\0001600000000\0"
        "event_type_info\0cpu-cycles,0,0\nsched:sched_switch,2,91\0"
        "product_props\0Maker:Phone:code\0unknown\0value";
    struct blob info = {0};
    struct profile *p;

    begin_file(_i);
    perfdata_event(&w, 0, 0, 1000, "");
    perfdata_event(&w, 2, 91, 1, "");
    blob_bytes(&info, text, sizeof(text));
    w.features[0] = (struct perfdata_feature){META_INFO, &info};
    for (unsigned i = 0; i < 3; i++)
        perfdata_sample(&w, &(struct perfdata_sample){.event = i > 0,
                                                      .time = 10 + i,
                                                      .period = 1,
                                                      .pid = 40,
                                                      .tid = 40,
                                                      .mode = 2});
    p = end();
    ck_assert_uint_eq(count_of(p, "cpu-cycles"), 1);
    ck_assert_uint_eq(count_of(p, "sched:sched_switch"), 2);
    ck_assert_int_eq(p->trace.start_unix_ns, 1600000000000000000);
    profile_free(p);
    vec_release(&info);
}
