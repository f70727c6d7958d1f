/* Blocks and records of a recording: where they begin and end, and the facts
 * that they become. */
#include "engine/format/vsp/vsp.h"
#include "tests/support/observed.h"
#include "tests/support/suite.h"
#include "tests/support/vsp_writer.h"

enum { EVENTS = 4, INDEX = 1, METHODS = 5, MAPS = 8, COUNTERS = 9 };

static struct blob b;
static struct vsp_file file;
static struct vsp_blocks blocks;
static struct vsp_reading reading;
static struct observed o;
static size_t block;
static uint32_t count;

static void begin(uint32_t width)
{
    b = (struct blob){0};
    blob_zero(&b, 8); /* stands for the header of the file */
    file = (struct vsp_file){
        .name = "a.vsp",
        .header = {.size = 8, .width = width, .mhz = 1, .block_size = 100}};
    observed_begin(&o);
}

static void begin_block(uint32_t type)
{
    block = b.len;
    count = 0;
    blob_bytes(&b, "BEAR", 4);
    blob_u32(&b, type);
    blob_zero(&b, type == EVENTS ? 32 : type == INDEX ? 24 : 40);
}

static void end_block(void)
{
    blob_set(&b, block + 12, count, 4);
    blob_set(&b, block + 16, b.len - block < 48 ? 48 : b.len - block, 4);
    while (b.len - block < 48)
        blob_u8(&b, 0);
}

static void read_blocks(void)
{
    file.data = b.data;
    file.size = b.len;
    blocks = (struct vsp_blocks){.first_time = 0};
    vsp_blocks_read(&blocks, &file, o.p);
}

static void end(void)
{
    vsp_blocks_release(&blocks);
    observed_end(&o);
    free(b.data);
}

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

START_TEST(sizes_of_events)
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
END_TEST

/* By time, then by number, then as they stand. */
START_TEST(order_of_events)
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
END_TEST

/* ---- blocks ---- */

static void put_sample_block(void)
{
    begin_block(EVENTS);
    put_event(false, 500, 1, 64, 64);
    end_block();
}

START_TEST(what_is_no_block)
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
END_TEST

START_TEST(blocks_that_are_missing)
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
                     "a.vsp: the file ends before its last 1 blocks");
    end();
}
END_TEST

/* No more than are counted; all there are, where nobody counted. */
START_TEST(numbers_of_blocks)
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
END_TEST

START_TEST(nothing_in_it)
{
    begin(4);
    read_blocks();
    ck_assert_uint_eq(blocks.first_time, 0);
    ck_assert_uint_eq(blocks.last_time, 0);
    end();
}
END_TEST

/* ---- index records ---- */

/* A record of that kind with its time, zeros else. */
static size_t put_record(uint32_t kind, size_t size, size_t time_at,
                         uint64_t time)
{
    size_t at = b.len;

    blob_zero(&b, size);
    blob_set(&b, at, kind, 4);
    if (time_at)
        blob_set(&b, at + time_at, time, 8);
    count++;
    return at;
}

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
START_TEST(sizes_of_index_records)
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
END_TEST

/* A mark ends with its name. */
START_TEST(marks)
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
END_TEST

/* ---- facts ---- */

static void put_text(size_t at, const char *text)
{
    for (; *text; text++, at += 2)
        blob_set(&b, at, (uint8_t)*text, 2);
}

static void put_process(uint64_t time, uint32_t pid, const char *path)
{
    size_t at = path ? put_record(VSP_PROCESS_START, 552, 12, time)
                     : put_record(VSP_PROCESS_END, 20, 12, time);

    blob_set(&b, at + 4, pid, 4);
    if (path)
        put_text(at + 32, path);
}

static void put_thread(uint64_t time, bool start, uint32_t tid)
{
    bool wide = file.header.width == 8;
    size_t at = start ? put_record(VSP_THREAD_START, wide ? 36 : 32,
                                   wide ? 28 : 24, time)
                      : put_record(VSP_THREAD_END, 28, 20, time);

    blob_set(&b, at + 4, 10, 4);
    blob_set(&b, at + 8, tid, 4);
}

static void put_module(uint64_t time, bool load, uint64_t base, uint32_t size)
{
    uint32_t width = file.header.width;
    size_t at = put_record(load ? VSP_MODULE_LOAD : VSP_MODULE_UNLOAD,
                           width == 8 ? 572 : 564, 4, time);

    blob_set(&b, at + 20, base, width);
    blob_set(&b, at + 20 + width, size, 4);
    blob_set(&b, at + 24 + width, 77, 4);
    put_text(at + 28 + width, "C:\\a.dll");
}

static void take(void)
{
    static struct vsp_saved saved;

    read_blocks();
    memset(&saved, 0, sizeof(saved));
    reading = (struct vsp_reading){
        .file = &file, .blocks = &blocks, .saved = &saved, .seen = o.seen};
    vsp_records_take(&reading);
}

static const char *string_of(uint32_t id)
{
    return strings_get(o.p->strings, id);
}

START_TEST(processes_and_threads)
{
    static const char *const names[] = {"a.exe", "b", "c.exe", ""};
    static const char *const paths[] = {"C:\\x\\a.exe", "/usr/b", "c.exe",
                                        "C:\\x\\"};

    begin(_i ? 8 : 4);
    begin_block(INDEX);
    for (uint32_t i = 0; i < 4; i++)
        put_process(100 + i, 10 + i / 2, paths[i]);
    put_process(300, 10, NULL);
    put_thread(200, true, 11);
    put_thread(250, false, 11);
    end_block();
    take();
    ck_assert_uint_eq(o.seen->processes.len, 5);
    for (size_t i = 0; i < 4; i++) {
        const struct observed_process *p = &o.seen->processes.data[i];

        ck_assert_int_eq(p->time, 1000 * (int64_t)i);
        ck_assert_int_eq(p->event, SEEN_AT_START);
        ck_assert_uint_eq(p->pid, 10 + i / 2);
        ck_assert_str_eq(string_of(p->name), names[i]);
    }
    ck_assert_int_eq(o.seen->processes.data[4].event, SEEN_END);
    ck_assert_int_eq(o.seen->processes.data[4].time, 200000);
    ck_assert_uint_eq(o.seen->threads.len, 2);
    ck_assert_int_eq(o.seen->threads.data[0].event, SEEN_BEGIN);
    ck_assert_int_eq(o.seen->threads.data[0].time, 100000);
    ck_assert_uint_eq(o.seen->threads.data[0].pid, 10);
    ck_assert_uint_eq(o.seen->threads.data[0].tid, 11);
    ck_assert_int_eq(o.seen->threads.data[1].event, SEEN_END);
    ck_assert_uint_eq(reading.pid, NO_PID); /* there are two */
    end();
}
END_TEST

/* A module is one of every process; of two at one base the larger counts. */
START_TEST(modules)
{
    static const struct {
        bool load;
        uint32_t size;
        bool counts;
    } steps[] = {{true, 0x2000, true},   {true, 0x1000, false},
                 {true, 0x2000, true},   {true, 0x3000, true},
                 {false, 0x2000, false}, {false, 0x3000, true},
                 {false, 0x1000, true},  {true, 0x1000, true}};
    size_t n = 0;

    begin(_i ? 8 : 4);
    begin_block(INDEX);
    put_process(100, 10, "a");
    put_process(100, 12, "b");
    put_process(100, 10, "a");
    for (uint32_t i = 0; i < 8; i++)
        put_module(200 + i, steps[i].load, 0x700000, steps[i].size);
    end_block();
    take();
    for (uint32_t i = 0; i < 8; i++) {
        for (uint32_t k = 0; steps[i].counts && k < 2; k++) {
            const struct observed_image *image = &o.seen->images.data[n++];

            ck_assert_int_eq(image->time, 100000 + 1000 * (int64_t)i);
            ck_assert_int_eq(image->event,
                             steps[i].load ? SEEN_BEGIN : SEEN_END);
            ck_assert_uint_eq(image->pid, 10 + 2 * k);
            ck_assert_uint_eq(image->base, 0x700000);
            ck_assert_uint_eq(image->size, steps[i].size);
            ck_assert_str_eq(string_of(o.p->modules.data[image->module].path),
                             "C:\\a.dll");
            ck_assert_uint_eq(
                o.p->modules.data[image->module].identity.timestamp, 77);
        }
    }
    ck_assert_uint_eq(o.seen->images.len, n);
    end();
}
END_TEST

START_TEST(the_only_process)
{
    begin(4);
    begin_block(INDEX);
    put_process(100, 10, "a");
    put_process(100, 10, "a");
    end_block();
    take();
    ck_assert_uint_eq(reading.pid, 10);
    end();
}
END_TEST

/* ---- methods ---- */

static size_t put_method(uint64_t time, uint64_t start, uint32_t length,
                         uint32_t token, uint8_t mvid)
{
    uint32_t width = file.header.width;
    size_t at = put_record(VSP_EVENT_JIT, 40 + 2 * (size_t)width, 4, time);

    blob_set(&b, at + 12, start, width);
    blob_set(&b, at + 12 + width, length, 4);
    blob_set(&b, at + 16 + 2 * width, token, 4);
    blob_set(&b, at + 20 + 2 * width, 10, 4);
    blob_set(&b, at + 24 + 2 * width, mvid, 1);
    return at;
}

/* What is the same is one, as early as it was seen. */
START_TEST(methods_once)
{
    begin(_i ? 8 : 4);
    begin_block(METHODS);
    put_method(500, 0x2000, 0x40, 1, 1);
    put_method(400, 0x1000, 0x40, 1, 1);
    put_method(300, 0x2000, 0x40, 1, 1);
    put_method(600, 0x2000, 0x40, 1, 1);
    put_method(350, 0x2000, 0x40, 2, 1);
    put_method(360, 0x2000, 0x50, 2, 1);
    put_method(370, 0x2000, 0x50, 2, 2);
    end_block();
    take();
    ck_assert_uint_eq(o.seen->methods.len, 5);
    for (size_t i = 0; i < 5; i++) {
        static const struct {
            int64_t time;
            uint64_t start;
            uint32_t size, token;
        } wanted[] = {{100000, 0x1000, 0x40, 1},
                      {0, 0x2000, 0x40, 1},
                      {50000, 0x2000, 0x40, 2},
                      {60000, 0x2000, 0x50, 2},
                      {70000, 0x2000, 0x50, 2}};
        const struct observed_method *m = &o.seen->methods.data[i];

        ck_assert_int_eq(m->time, wanted[i].time);
        ck_assert_uint_eq(m->start, wanted[i].start);
        ck_assert_uint_eq(m->size, wanted[i].size);
        ck_assert_uint_eq(m->token, wanted[i].token);
        ck_assert_int_eq(m->event, i < 2 ? SEEN_AT_START : SEEN_BEGIN);
        ck_assert_uint_eq(m->pid, 10);
        ck_assert_uint_eq(m->method_id, i);
        ck_assert_uint_eq(m->module_id, UINT64_MAX);
    }
    vec_release(&reading.methods);
    end();
}
END_TEST

/* A record with a map says how long it is; entries of 12 bytes. */
static const struct {
    uint32_t size; /* beyond the record without a map */
    uint32_t there;
    size_t methods;
    uint32_t entries;
} maps[] = {
    {5, 5, 1, 0}, {17, 17, 1, 1}, {16, 16, 1, 0}, {29, 29, 1, 2},
    {4, 5, 0, 0}, {6, 5, 0, 0},   {0, 4, 0, 0},
};

START_TEST(sizes_of_maps)
{
    uint32_t width = _i % 2 ? 8 : 4, fixed = 40 + 2 * width;
    size_t row = (size_t)_i / 2, at;

    begin(width);
    begin_block(MAPS);
    at = put_method(100, 0x1000, 0x40, 1, 1);
    blob_zero(&b, 40);
    blob_set(&b, at + fixed + 1, fixed + maps[row].size, 4);
    b.len = at + fixed + maps[row].there;
    end_block();
    take();
    ck_assert_uint_eq(o.seen->methods.len, maps[row].methods);
    ck_assert_uint_eq(o.p->quality.skipped_ranges, !maps[row].methods);
    if (maps[row].methods)
        ck_assert_uint_eq(reading.methods.data[0].map_entries,
                          maps[row].entries);
    vec_release(&reading.methods);
    end();
}
END_TEST

START_TEST(times_by_the_clock)
{
    file.header.mhz = 3;
    blocks = (struct vsp_blocks){.first_time = 100};
    reading = (struct vsp_reading){.file = &file, .blocks = &blocks};
    ck_assert_int_eq(vsp_time(&reading, 100), 0);
    ck_assert_int_eq(vsp_time(&reading, 99), 0);
    ck_assert_int_eq(vsp_time(&reading, 107), 2333);
    ck_assert_int_eq(vsp_time(&reading, 100 + UINT64_C(3000000)), 1000000000);
    file.header.mhz = 1;
    blocks.first_time = 0;
    ck_assert_int_eq(vsp_time(&reading, INT64_MAX / 1000 - 1),
                     (INT64_MAX / 1000 - 1) * 1000);
    ck_assert_int_eq(vsp_time(&reading, INT64_MAX / 1000), INT64_MAX);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("vsp records");

    tcase_add_loop_test(tests, sizes_of_events, 0,
                        sizeof(events) / sizeof(*events));
    tcase_add_test(tests, order_of_events);
    tcase_add_test(tests, what_is_no_block);
    tcase_add_test(tests, blocks_that_are_missing);
    tcase_add_test(tests, numbers_of_blocks);
    tcase_add_test(tests, nothing_in_it);
    tcase_add_loop_test(tests, sizes_of_index_records, 0,
                        sizeof(index_records) / sizeof(*index_records));
    tcase_add_test(tests, marks);
    tcase_add_loop_test(tests, processes_and_threads, 0, 2);
    tcase_add_loop_test(tests, modules, 0, 2);
    tcase_add_test(tests, the_only_process);
    tcase_add_loop_test(tests, methods_once, 0, 2);
    tcase_add_loop_test(tests, sizes_of_maps, 0,
                        2 * sizeof(maps) / sizeof(*maps));
    tcase_add_test(tests, times_by_the_clock);
    return suite_run_case("vsp records", tests);
}
