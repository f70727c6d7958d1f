/* Blocks and records of a recording: where they begin and end. */
#include "tests/engine/format/vsp/recording.h"

/* ---- events ---- */

/* A sample or a wait, of that size as it says. */
static void put_event(bool wait, uint64_t time, uint32_t sequence,
                      uint32_t size, uint32_t there)
{
    uint32_t width = file.header.width, wide = 3 * (width - 4);
    size_t at = b.len;

    blob_zero(&b, there < 128 ? 128 : there);
    blob_set(&b, at, wait ? VSP_EVENT_WAIT : VSP_EVENT_SAMPLE, 4);
    blob_set(&b, at + (wait ? 12 : 4), time, 8);
    blob_set(&b, at + (wait ? 20 : 12), size, 4);
    blob_set(&b, at + 48 + wide + (wait ? 8 : 0), sequence, 4);
    b.len = at + there;
    count++;
}

/* What a record is at least, of each kind and width. */
static const struct {
    uint32_t width;
    bool wait;
    uint32_t least;
} events[] = {{4, false, 64}, {8, false, 76}, {4, true, 84}, {8, true, 96}};

TEST_LOOP(sizes_of_events, COUNT(events))
{
    uint32_t least = events[_i].least;
    bool wait = events[_i].wait;

    begin(events[_i].width);
    begin_block(EVENTS);
    put_event(wait, 500, 7, least, least);
    put_event(wait, 400, 9, least + 8, least + 8);
    end_block();
    begin_block(EVENTS);
    put_event(wait, 300, 7, least - 1, least);
    end_block();
    begin_block(EVENTS);
    put_event(wait, 300, 7, least + 1, least);
    end_block();
    begin_block(EVENTS);
    put_event(wait, 300, 7, least, 63);
    end_block();
    read_blocks();
    ck_assert_uint_eq(blocks.samples.len, 2);
    ck_assert_uint_eq(blocks.samples.data[0].time, 400);
    ck_assert_uint_eq(blocks.samples.data[0].sequence, 9);
    ck_assert_uint_eq(blocks.samples.data[0].size, least + 8);
    ck_assert_uint_eq(blocks.samples.data[1].sequence, 7);
    ck_assert_uint_eq(blocks.first_time, 400);
    ck_assert_uint_eq(blocks.last_time, 500);
    ck_assert_uint_eq(o.p->quality.skipped_ranges, 3);
    ck_assert_uint_eq(o.p->trace.event_counts.data[0].count, 2);
    end();
}

/* By time, then by number, then as they stand. */
TEST(order_of_events)
{
    static const uint32_t order[] = {2, 1, 3, 0};

    begin(4);
    begin_block(EVENTS);
    put_event(false, 500, 3, 64, 64);
    put_event(false, 400, 9, 64, 64);
    put_event(false, 400, 1, 64, 64);
    put_event(false, 400, 9, 64, 64);
    end_block();
    read_blocks();
    for (size_t i = 0; i < 4; i++)
        ck_assert_ptr_eq(blocks.samples.data[i].at,
                         b.data + 8 + 40 + (size_t)64 * order[i]);
    end();
}

/* ---- blocks ---- */

static void put_sample_block(void)
{
    begin_block(EVENTS);
    put_event(false, 500, 1, 64, 64);
    end_block();
}

TEST(what_is_no_block)
{
    begin(4);
    put_sample_block();
    blob_zero(&b, 100); /* passed over by the size of blocks */
    put_sample_block();
    begin_block(7);
    end_block();
    begin_block(COUNTERS);
    count = 5;
    end_block();
    put_sample_block();
    file.header.blocks = 7;
    read_blocks();
    ck_assert_uint_eq(blocks.samples.len, 3);
    ck_assert_uint_eq(o.p->quality.skipped_ranges, 2);
    ck_assert_uint_eq(o.p->quality.skipped_bytes, 148);
    ck_assert_uint_eq(o.p->trace.event_counts.len, 2);
    ck_assert_uint_eq(o.p->trace.event_counts.data[1].count, 5);
    ck_assert_uint_eq(o.p->quality.warnings.len, 0);
    end();
}

TEST(blocks_that_are_missing)
{
    begin(4);
    put_sample_block();
    put_sample_block();
    blob_zero(&b, 47);
    file.header.blocks = 4;
    read_blocks();
    ck_assert_uint_eq(blocks.samples.len, 2);
    ck_assert_uint_eq(o.p->quality.warnings.len, 1);
    ck_assert_str_eq(strings_get(o.p->strings, o.p->quality.warnings.data[0]),
                     "a.vsp: truncated file: it ends before its last 1 blocks");
    end();
}

/* No more than are counted; all there are, where nobody counted. */
TEST(numbers_of_blocks)
{
    for (uint32_t counted = 0; counted < 3; counted++) {
        begin(4);
        put_sample_block();
        put_sample_block();
        put_sample_block();
        blob_zero(&b, 300);
        put_sample_block();
        file.header.blocks = counted ? counted + 1 : 0;
        read_blocks();
        ck_assert_uint_eq(blocks.samples.len, counted ? counted : 3);
        ck_assert_uint_eq(o.p->quality.skipped_ranges, 0);
        ck_assert_uint_eq(o.p->quality.warnings.len, 0);
        end();
    }
}

TEST(nothing_in_it)
{
    begin(4);
    read_blocks();
    ck_assert_uint_eq(blocks.first_time, 0);
    ck_assert_uint_eq(blocks.last_time, 0);
    end();
}

/* ---- index records ---- */

static const struct {
    uint32_t width, kind;
    size_t size, time_at;
} index_records[] = {
    {4, VSP_PROCESS_START, 552, 12},
    {8, VSP_PROCESS_START, 552, 12},
    {4, VSP_PROCESS_END, 20, 12},
    {8, VSP_PROCESS_END, 20, 12},
    {4, VSP_THREAD_START, 32, 24},
    {8, VSP_THREAD_START, 36, 28},
    {4, VSP_THREAD_END, 28, 20},
    {8, VSP_THREAD_END, 28, 20},
    {4, VSP_MARK, 42, 8},
    {4, VSP_MODULE_LOAD, 564, 4},
    {8, VSP_MODULE_LOAD, 572, 4},
    {4, VSP_MODULE_UNLOAD, 564, 4},
    {8, VSP_MODULE_UNLOAD, 572, 4},
    {4, VSP_DATA_BLOCK, 44, 0},
    {4, 6, 0, 0},
    {8, 9, 0, 0},
};

/* Two, and one of which a byte is missing. */
TEST_LOOP(sizes_of_index_records, COUNT(index_records))
{
    size_t size = index_records[_i].size, time_at = index_records[_i].time_at;

    begin(index_records[_i].width);
    begin_block(INDEX);
    put_record(index_records[_i].kind, size ? size : 40, time_at, 900);
    put_record(index_records[_i].kind, size ? size : 40, time_at, 800);
    end_block();
    begin_block(INDEX);
    put_record(index_records[_i].kind, (size ? size : 40) - 1, time_at, 700);
    end_block();
    if (b.len - block == 48 && size) /* too small to miss anything */
        b.len = block;
    read_blocks();
    ck_assert_uint_eq(blocks.index.len, time_at ? 2 : 0);
    ck_assert_uint_eq(blocks.last_time, time_at ? 900 : 0);
    ck_assert_uint_eq(o.p->quality.skipped_ranges, size ? b.len > block : 2);
    if (size)
        ck_assert_uint_eq(o.p->trace.event_counts.data[0].count, 2);
    end();
}

/* A mark ends with its name. */
TEST(marks)
{
    size_t at;

    begin(4);
    begin_block(INDEX);
    at = put_record(VSP_MARK, 48, 8, 100);
    memcpy(b.data + at + 40, "a\0b\0c\0", 6);
    put_record(VSP_PROCESS_END, 20, 12, 200);
    end_block();
    read_blocks();
    ck_assert_uint_eq(blocks.index.len, 2);
    ck_assert_uint_eq(blocks.index.data[0].size, 48);
    ck_assert_uint_eq(blocks.index.data[1].time, 200);
    end();
}

/* ... or with the block. */
TEST(a_mark_at_the_end)
{
    size_t at;

    begin(4);
    begin_block(INDEX);
    put_record(VSP_PROCESS_END, 20, 12, 100);
    at = put_record(VSP_MARK, 44, 8, 200);
    memcpy(b.data + at + 40, "a\0b\0", 4);
    end_block();
    read_blocks();
    ck_assert_uint_eq(blocks.index.len, 2);
    ck_assert_uint_eq(blocks.index.data[1].size, 44);
    ck_assert_uint_eq(o.p->quality.skipped_ranges, 0);
    end();
}
