/* The buffers of a log. */
#include "engine/format/etl/etl.h"
#include "tests/support/etl_records.h"
#include "tests/support/lz77_pack.h"
#include "tests/support/suite.h"

enum { BUFFER = 4096 };

static struct blob b;

struct buffer_head {
    uint32_t size, filled, again;
    uint16_t flags, type;
    uint8_t cpu;
    uint64_t time, sequence;
};

/* A buffer of `stride` bytes with one sample of that time. */
static void put_buffer(const struct buffer_head *h, size_t stride)
{
    size_t at = b.len, event;

    blob_zero(&b, BUFFER_HEADER);
    blob_set(&b, at, h->size, 4);
    blob_set(&b, at + 4, h->filled, 4);
    blob_set(&b, at + 0x18, h->sequence, 8);
    blob_set(&b, at + 0x28, h->cpu, 1);
    blob_set(&b, at + 0x29, 0xF9, 1);
    blob_set(&b, at + 0x30, h->again, 4);
    blob_set(&b, at + 0x34, h->flags, 2);
    blob_set(&b, at + 0x36, h->type, 2);
    event = b.len;
    raw_kernel(&b, 8, 0x0F2E, 2, h->time);
    blob_zero(&b, 16);
    raw_end(&b, event);
    blob_zero(&b, stride - (b.len - at));
}

static etl_buffers buffers;
static struct profile *p;

static void index_log(uint32_t mode, uint32_t written)
{
    struct etl_file f = {.name = "a.etl",
                         .data = b.data,
                         .size = b.len,
                         .buffer_size = BUFFER,
                         .first_time = 5,
                         .mode = mode,
                         .packed = mode & MODE_PACKED,
                         .buffers_written = written};

    p = profile_new();
    buffers.len = 0;
    etl_index_file(&buffers, &f, 0, p);
    etl_index_sort(&buffers);
}

static void end_index(void)
{
    profile_free(p);
    b.len = 0;
}

/* Sizes, types and flags that a buffer's header may have. */
static const struct {
    struct buffer_head head;
    uint32_t mode;
    uint32_t filled; /* as understood; 0: it is not read */
    uint64_t skipped;
} heads[] = {
    {{256, 104, 0, 0, 0, 1, 50, 0}, 0, 104, 0},
    {{256, 256, 0, 0x20, 1, 1, 50, 0}, 0, 256, 0},
    {{256, 257, 0, 0, 0, 1, 50, 0}, 0, 0, 256},
    {{256, 0, 104, 0, 2, 1, 50, 0}, 0, 104, 0},
    {{256, 0, 300, 0, 4, 1, 50, 0}, 0, 256, 0},
    {{256, 71, 104, 0, 5, 1, 50, 0}, 0, 104, 0},
    {{256, 72, 104, 0, 0, 1, 50, 0}, 0, 0, 0},
    {{256, 104, 0, 0, 3, 1, 50, 0}, 0, 0, 0},
    {{256, 104, 0, 0, 6, 1, 50, 0}, 0, 0, 0},
    {{256, 104, 0, 0, 7, 1, 50, 0}, 0, 0, 0},
    {{256, 104, 0, 0, 8, 1, 50, 0}, 0, 0, 256},
    {{256, 104, 0, 0x80, 0, 1, 50, 0}, 0, 0, 256},
    {{256, 104, 0, 0x5F & ~0x40, 0, 1, 50, 0}, 0, 104, 0},
    {{256, 104, 0, 0x40, 0, 1, 50, 0}, 0, 0, 256},
    {{71, 71, 0, 0, 0, 1, 50, 0}, 0, 0, 256},
};

TEST_LOOP(heads_of_buffers, COUNT(heads))
{
    const struct buffer_head *h = &heads[_i].head;

    put_buffer(h, 256);
    index_log(heads[_i].mode, 0);
    ck_assert_uint_eq(buffers.len, heads[_i].filled ? 1 : 0);
    if (buffers.len) {
        ck_assert_uint_eq(buffers.data[0].filled, heads[_i].filled);
        ck_assert_uint_eq(buffers.data[0].size, 256);
        ck_assert_uint_eq(buffers.data[0].first_time, 50);
        ck_assert_uint_eq(buffers.data[0].cpu, h->flags & 0x20 ? 0x101 : 1);
    }
    ck_assert_uint_eq(p->quality.skipped_bytes, heads[_i].skipped);
    end_index();
}

/* Bytes of a record without a time before one at time 50; what the buffer's
 * time becomes, 5 being the log's. */
static const struct {
    size_t untimed;
    uint64_t time;
} behind_untimed[] = {{0, 50}, {8, 50}, {16, 50}, {400, 50}, {3000, 5}};

TEST_LOOP(times_of_packed_buffers, COUNT(behind_untimed))
{
    size_t untimed = behind_untimed[_i].untimed, at;
    struct blob events = {0};
    uint8_t *packed;

    blob_zero(&events, untimed);
    if (untimed)
        blob_set(&events, 0, 0x90000000u | untimed, 4);
    at = events.len;
    raw_kernel(&events, 8, 0x0F2E, 2, 50);
    blob_zero(&events, 16);
    raw_end(&events, at);
    packed = mem_new(lz77_bound(events.len), 1);
    at = lz77_pack(events.data, events.len, packed);
    blob_zero(&b, BUFFER_HEADER);
    blob_set(&b, 0, BUFFER_HEADER + at, 4);
    blob_set(&b, 4, BUFFER_HEADER + events.len, 4);
    blob_set(&b, 0x34, 0x40, 2);
    blob_bytes(&b, packed, at);
    index_log(MODE_PACKED, 1);
    ck_assert_uint_eq(buffers.len, 1);
    ck_assert_uint_eq(buffers.data[0].first_time, behind_untimed[_i].time);
    end_index();
    free(events.data);
    free(packed);
}

static const struct buffer_head good = {256, 104, 0, 0, 0, 1, 50, 0};

TEST(damage_between_buffers)
{
    put_buffer(&good, 256);
    for (int i = 0; i < 100; i++)
        blob_u8(&b, 0xEE);
    blob_align(&b, 8);
    put_buffer(&good, 256);
    blob_zero(&b, 5000);
    put_buffer(&good, 256);
    blob_zero(&b, 300);
    index_log(0, 3);
    ck_assert_uint_eq(buffers.len, 3);
    ck_assert_uint_eq(buffers.data[1].offset, 360);
    ck_assert_uint_eq(buffers.data[2].offset, 616 + 5000);
    ck_assert_uint_eq(p->quality.skipped_ranges, 2);
    ck_assert_uint_eq(p->quality.skipped_bytes, 5104);
    ck_assert_uint_eq(p->quality.warnings.len, 0);
    end_index();
}

TEST(a_log_that_is_cut_off)
{
    static const char warning[] = "a.etl: truncated file: it ends at 0x1c8; 2 "
                                  "of 4 buffers are missing";

    put_buffer(&good, 256);
    put_buffer(&good, 200);
    index_log(0, 4);
    ck_assert_uint_eq(buffers.len, 2);
    ck_assert_uint_eq(buffers.data[1].size, 200);
    ck_assert_uint_eq(p->quality.skipped_bytes, 200);
    ck_assert_uint_eq(p->quality.warnings.len, 1);
    ck_assert_str_eq(strings_get(p->strings, p->quality.warnings.data[0]),
                     warning);
    profile_free(p);
    index_log(MODE_CIRCULAR, 4); /* counts what was overwritten, too */
    ck_assert_uint_eq(p->quality.warnings.len, 0);
    end_index();
}

TEST(how_far_a_step_looks)
{
    struct etl_index index = ETL_INDEX;
    struct etl_file f = {.buffer_size = BUFFER};

    put_buffer(&good, 256);
    f.data = b.data;
    f.size = b.len;
    ck_assert_uint_eq(etl_index_wanted(&index, &f), 256);
    index.at = 256 - BUFFER_HEADER;
    ck_assert_uint_eq(etl_index_wanted(&index, &f), index.at);
    index.at++;
    ck_assert_uint_eq(etl_index_wanted(&index, &f), 257);
    index.at = 300;
    ck_assert_uint_eq(etl_index_wanted(&index, &f), 372);
    b.len = 0;
}
