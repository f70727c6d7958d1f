/* The header of a log, and its clock. */
#include "engine/format/etl/etl.h"
#include "tests/support/etl_records.h"
#include "tests/support/suite.h"

enum { SECOND = 1000000000, BUFFER = 1024, PAYLOAD = BUFFER_HEADER + 32 };

static struct blob b;

/* A header event with pointers of that width, behind a buffer's header. */
static void put_header(unsigned width)
{
    size_t start;

    b.len = 0;
    blob_zero(&b, BUFFER_HEADER);
    blob_set(&b, 0, BUFFER, 4);
    blob_set(&b, 0x36, 4, 2);
    start = b.len;
    blob_pack(&b, "HBB12xQ8xI", 2, width == 8 ? 2 : 1, 0xC0, 7777, BUFFER);
    blob_bytes(&b, (uint8_t[]){10, 2, 3, 4}, 4);
    blob_pack(&b, "II16xIIIIII", 19045, 6, 0x4000002, 99, 1, width, 17, 2400);
    blob_zero(&b, width == 8 ? 200 : 192);
    blob_pack(&b, "QQII", 3000000, 133537248000000000u, CLOCK_QPC, 23);
    raw_end(&b, start);
    blob_set(&b, start + 4, b.len - start, 2);
    blob_set(&b, start, 2, 2);
}

static enum err_code open_header(struct etl_file *f, struct err *err)
{
    struct entry e = {.name = "a.etl", .data = b.data, .size = b.len};

    *err = (struct err){0};
    return etl_file_open(f, &e, err);
}

TEST_LOOP(header, 2)
{
    unsigned width = _i ? 8 : 4;
    struct etl_file f;
    struct err err;

    put_header(width);
    ck_assert_int_eq(open_header(&f, &err), ERR_NONE);
    ck_assert_uint_eq(f.buffer_size, BUFFER);
    ck_assert_uint_eq(f.os_major, 10);
    ck_assert_uint_eq(f.os_minor, 2);
    ck_assert_uint_eq(f.os_build, 19045);
    ck_assert_uint_eq(f.cpus, 6);
    ck_assert_uint_eq(f.mode, 0x4000002);
    ck_assert(f.packed);
    ck_assert_uint_eq(f.buffers_written, 99);
    ck_assert_uint_eq(f.pointer_size, width);
    ck_assert_uint_eq(f.events_lost, 17);
    ck_assert_uint_eq(f.frequency, 3000000);
    ck_assert_uint_eq(f.start, 133537248000000000u);
    ck_assert_int_eq(f.clock, CLOCK_QPC);
    ck_assert_uint_eq(f.buffers_lost, 23);
    ck_assert_uint_eq(f.first_time, 7777);
    /* Not a byte of it may be missing. */
    blob_set(&b, BUFFER_HEADER + 4, b.len - BUFFER_HEADER - 1, 2);
    ck_assert_int_eq(open_header(&f, &err), ERR_TRUNCATED);
}

/* What clock, what frequency it states, what MHz: ticks a second. */
static const struct {
    enum etl_clock clock;
    uint64_t counter;
    uint32_t mhz;
    uint64_t frequency;
} clocks[] = {
    {CLOCK_QPC, 3000000, 2400, 3000000},
    {CLOCK_QPC, 0, 2400, 10000000},
    {CLOCK_SYSTEM, 3000000, 2400, 10000000},
    {CLOCK_CYCLES, 3000000, 2400, 2400000000},
    {CLOCK_CYCLES, 3000000, 0, 3000000},
};

TEST_LOOP(frequencies, COUNT(clocks))
{
    struct etl_file f;
    struct err err;

    put_header(8);
    blob_set(&b, PAYLOAD + 52, clocks[_i].mhz, 4);
    blob_set(&b, PAYLOAD + 256, clocks[_i].counter, 8);
    blob_set(&b, PAYLOAD + 272, clocks[_i].clock, 4);
    ck_assert_int_eq(open_header(&f, &err), ERR_NONE);
    ck_assert_uint_eq(f.frequency, clocks[_i].frequency);
}

static const struct {
    uint32_t size;
    enum err_code code;
} buffer_sizes[] = {
    {BUFFER_HEADER - 1, ERR_CORRUPT},
    {BUFFER_HEADER, ERR_NONE},
    {LARGEST_BUFFER, ERR_NONE},
    {LARGEST_BUFFER + 1, ERR_CORRUPT},
};

TEST_LOOP(sizes_of_buffers, COUNT(buffer_sizes))
{
    struct etl_file f;
    struct err err;

    put_header(8);
    blob_set(&b, PAYLOAD, buffer_sizes[_i].size, 4);
    blob_set(&b, PAYLOAD + 44, 5, 4); /* no size of pointers */
    ck_assert_int_eq(open_header(&f, &err), buffer_sizes[_i].code);
    ck_assert_uint_eq(f.pointer_size, 8);
    if (err.code)
        ck_assert_ptr_nonnull(
            strstr(err.message, "offset 0x48: log file header: invalid buffer size"));
}

TEST(not_a_header)
{
    struct etl_file f;
    struct err err;

    put_header(8);
    ck_assert_int_eq(etl_probe(b.data, b.len), PROBE_YES);
    ck_assert_int_eq(etl_probe(b.data, BUFFER_HEADER + 32), PROBE_YES);
    ck_assert_int_eq(etl_probe(b.data, BUFFER_HEADER + 31), PROBE_NO);
    blob_set(&b, 0, BUFFER_HEADER, 4);
    ck_assert_int_eq(etl_probe(b.data, b.len), PROBE_YES);
    blob_set(&b, 0, BUFFER_HEADER - 1, 4);
    ck_assert_int_eq(etl_probe(b.data, b.len), PROBE_NO);
    blob_set(&b, 0, BUFFER, 4);
    blob_set(&b, 0x36, 3, 1);
    ck_assert_int_eq(etl_probe(b.data, b.len), PROBE_NO);
    blob_set(&b, 0x36, 4, 1);
    blob_set(&b, BUFFER_HEADER + 6, 1, 1);
    ck_assert_int_eq(etl_probe(b.data, b.len), PROBE_NO);
    ck_assert_int_eq(open_header(&f, &err), ERR_TRUNCATED);
    blob_set(&b, BUFFER_HEADER + 6, 0, 1);
    blob_set(&b, BUFFER_HEADER + 3, 0x90, 1);
    ck_assert_int_eq(etl_probe(b.data, b.len), PROBE_NO);
    put_header(8);
    blob_set(&b, BUFFER_HEADER + 2, 3, 1);
    ck_assert_int_eq(etl_probe(b.data, b.len), PROBE_NO);
    blob_set(&b, BUFFER_HEADER, 320, 2); /* a classic event */
    blob_set(&b, BUFFER_HEADER + 2, 20, 1);
    ck_assert_int_eq(open_header(&f, &err), ERR_TRUNCATED);
    ck_assert_ptr_nonnull(strstr(err.message, "log file header truncated"));
}
