/* Records of a recording, and the facts that they become. */
#include "tests/engine/format/vsp/recording.h"

static struct vsp_reading reading;

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

TEST_LOOP(processes_and_threads, 2)
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

/* A module is one of every process; of two at one base the larger counts. */
TEST_LOOP(modules, 2)
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

TEST(the_only_process)
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
TEST_LOOP(methods_once, 2)
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

TEST_LOOP(sizes_of_maps, 2 * COUNT(maps))
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

TEST(times_by_the_clock)
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
