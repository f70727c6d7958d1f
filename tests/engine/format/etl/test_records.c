/* Records of processes, threads and the machine, of every version. */
#include "engine/format/etl/records.h"

#include "tests/support/etl_records.h"
#include "tests/support/suite.h"

enum { TIME = 5000 };

static struct kept_records k;

/* ---- processes ---- */

static void put_pids(unsigned version, unsigned width)
{
    if (!version) {
        blob_number(&k.b, 40, width);
        blob_number(&k.b, 7, width);
        return;
    }
    blob_number(&k.b, 0xABCD, width);
    blob_pack(&k.b, "IIII", 40, 7, 1, 2);
    if (version >= 3)
        blob_number(&k.b, 0xBCDE, width);
    if (version >= 4)
        blob_u32(&k.b, 2);
}

static void put_names(void)
{
    blob_bytes(&k.b, "app.exe", 8);
    blob_utf16(&k.b, "app -x", 14);
}

/* A pointer that may be 0, another one, and a SID of n parts. */
static void put_sid(unsigned width, uint64_t first, uint8_t n)
{
    blob_number(&k.b, first, width);
    blob_number(&k.b, 0, width);
    blob_pack(&k.b, "BB", 1, n);
    for (unsigned i = 0; i < 6 + 4u * n; i++)
        blob_u8(&k.b, 'S');
}

/* Until the SID all is needed; of what follows, what is there. */
static const struct {
    unsigned version, width, least;
    bool command;
} versions[] = {
    {0, 4, 8, false}, {0, 8, 16, false}, {1, 4, 20, false}, {1, 8, 24, false},
    {2, 8, 24, true}, {3, 4, 24, true},  {3, 8, 32, true},  {4, 4, 28, true},
    {4, 8, 36, true},
};

TEST_LOOP(a_process_cut_off, COUNT(versions))
{
    kept_records_begin(&k);
    for (unsigned less = 0; less < 2; less++) {
        raw_kernel(&k.b, versions[_i].width, 0x0302, versions[_i].version,
                   TIME);
        put_pids(versions[_i].version, versions[_i].width);
        k.b.len -= less;
        kept_records_take(&k);
    }
    etl_records_finish(k.records);
    ck_assert_uint_eq(k.o.seen->processes.len, 1);
    ck_assert_int_eq(k.o.seen->processes.data->event, SEEN_END);
    ck_assert_uint_eq(k.o.seen->processes.data->name, 0);
    ck_assert_uint_eq(k.o.p->quality.malformed, 1);
    kept_records_end(&k);
}

static const char *name_with_sid(unsigned width, uint64_t first, uint8_t parts,
                                 unsigned missing)
{
    static char name[100];

    kept_records_begin(&k);
    raw_kernel(&k.b, width, 0x0303, 2, TIME);
    put_pids(2, width);
    put_sid(width, first, parts);
    if (missing)
        k.b.len -= missing;
    else
        put_names();
    kept_records_take(&k);
    etl_records_finish(k.records);
    ck_assert_int_eq(k.o.seen->processes.data->event, SEEN_AT_START);
    snprintf(name, sizeof(name), "%s",
             kept_string(&k, k.o.seen->processes.data->name));
    kept_records_end(&k);
    return name;
}

/* A SID has 1 to 15 parts and is there whole; what is none is the name. */
TEST(sids)
{
    static const unsigned widths[] = {4, 8};

    for (unsigned i = 0; i < 2; i++) {
        ck_assert_str_eq(name_with_sid(widths[i], 0xE0, 1, 0), "app.exe");
        ck_assert_str_eq(name_with_sid(widths[i], 0xE0, 15, 0), "app.exe");
        ck_assert_str_eq(name_with_sid(widths[i], 0, 15, 0), "app.exe");
        ck_assert_str_eq(name_with_sid(widths[i], 0, 16, 0), "");
        ck_assert_str_eq(name_with_sid(widths[i], 0xE0, 0, 0), "\001");
        ck_assert_mem_eq(name_with_sid(widths[i], 0xE0, 16, 0), "\001\020SS", 4);
        ck_assert_str_eq(name_with_sid(widths[i], 0xE0, 1, 1),
                         "\001\001SSSSSSSSS");
    }
}

/* ---- threads ---- */

static void check_thread(size_t i, enum observed_event event, uint32_t tid,
                         const char *name)
{
    const struct observed_thread *t = &k.o.seen->threads.data[i];

    ck_assert_int_eq(t->time, TIME);
    ck_assert_int_eq(t->event, event);
    ck_assert_uint_eq(t->tid, tid);
    ck_assert_uint_eq(t->pid, 40);
    ck_assert_str_eq(kept_string(&k, t->name), name);
}

TEST(threads_of_each_version)
{
    kept_records_begin(&k);
    for (unsigned version = 0; version <= 4; version++) {
        raw_kernel(&k.b, version & 1 ? 4 : 8, 0x0501, version, TIME);
        blob_pack(&k.b, "II", version ? 40 : 60, version ? 60 : 40);
        blob_zero(&k.b, 7 * (version & 1 ? 4u : 8u) + 8);
        blob_utf16(&k.b, "worker", 14);
        kept_records_take(&k);
    }
    raw_kernel(&k.b, 8, 0x0504, 3, TIME); /* without a name */
    blob_pack(&k.b, "II", 40, 61);
    kept_records_take(&k);
    raw_kernel(&k.b, 8, 0x0504, 3, TIME); /* cut off */
    blob_zero(&k.b, 7);
    kept_records_take(&k);
    etl_records_finish(k.records);
    ck_assert_uint_eq(k.o.seen->threads.len, 6);
    for (unsigned version = 0; version <= 4; version++)
        check_thread(version, SEEN_BEGIN, 60, version >= 3 ? "worker" : "");
    check_thread(5, SEEN_AT_STOP, 61, "");
    ck_assert_uint_eq(k.o.p->quality.malformed, 1);
    kept_records_end(&k);
}

TEST(a_thread_is_named)
{
    kept_records_begin(&k);
    raw_kernel(&k.b, 8, 0x0548, 2, TIME);
    blob_pack(&k.b, "II", 40, 60);
    blob_utf16(&k.b, "render", 14);
    kept_records_take(&k);
    raw_kernel(&k.b, 8, 0x0548, 2, TIME); /* cut off */
    blob_zero(&k.b, 7);
    kept_records_take(&k);
    etl_records_finish(k.records);
    ck_assert_uint_eq(k.o.seen->threads.len, 1);
    check_thread(0, SEEN_AT_START, 60, "render");
    ck_assert_uint_eq(k.o.p->quality.malformed, 1);
    kept_records_end(&k);
}

/* ---- the machine ---- */

static void put_computer(unsigned version, size_t room)
{
    raw_kernel(&k.b, 8, 0x0B0A, version, TIME);
    blob_zero(&k.b, 20);
    blob_utf16(&k.b, "BUILD7", room);
    kept_records_take(&k);
}

TEST(name_of_the_computer)
{
    kept_records_begin(&k);
    put_computer(2, 512);
    put_computer(3, 511);
    etl_records_finish(k.records);
    ck_assert_uint_eq(k.o.p->trace.machine, 0);
    put_computer(3, 512);
    etl_records_finish(k.records);
    ck_assert_str_eq(kept_string(&k, k.o.p->trace.machine), "BUILD7");
    kept_records_end(&k);
}

static void put_interval(unsigned hook, uint32_t source, uint32_t now,
                         uint32_t before, size_t size)
{
    raw_kernel(&k.b, 8, hook, 3, TIME);
    blob_pack(&k.b, "III", source, now, before);
    k.b.len = 16 + size;
    kept_records_take(&k);
}

/* At the start the new one holds, at a change the one before it. */
static const struct {
    unsigned hook;
    uint32_t source, now, before;
    size_t size;
    int64_t interval;
} intervals[] = {
    {0x0F49, 0, 10000, 5000, 12, 1000000}, {0x0F48, 0, 10000, 5000, 12, 500000},
    {0x0F4A, 0, 10000, 5000, 12, 500000},  {0x0F49, 1, 10000, 5000, 12, 0},
    {0x0F49, 0, 0, 5000, 12, 0},           {0x0F49, 0, 10000, 5000, 11, 0},
};

TEST_LOOP(interval_of_sampling, COUNT(intervals))
{
    kept_records_begin(&k);
    put_interval(intervals[_i].hook, intervals[_i].source, intervals[_i].now,
                 intervals[_i].before, intervals[_i].size);
    put_interval(0x0F4A, 2, 70, 70, 12);
    etl_records_finish(k.records);
    ck_assert_int_eq(k.o.p->trace.interval_ns, intervals[_i].interval);
    put_interval(0x0F48, 0, 70, 70, 12); /* the first one holds */
    etl_records_finish(k.records);
    ck_assert_int_eq(k.o.p->trace.interval_ns,
                     intervals[_i].interval ? intervals[_i].interval : 7000);
    kept_records_end(&k);
}

/* A record that is cut off inside its header is none. */
TEST(no_record)
{
    struct etl_fact fact = {.kind = ETL_RECORD, .count = 15};

    kept_records_begin(&k);
    raw_kernel(&k.b, 8, 0x0301, 2, TIME);
    raw_end(&k.b, 0);
    fact.bytes = k.b.data;
    etl_records_add(k.records, &fact, false);
    etl_records_finish(k.records);
    ck_assert_uint_eq(k.o.p->quality.malformed, 0);
    kept_records_end(&k);
}
