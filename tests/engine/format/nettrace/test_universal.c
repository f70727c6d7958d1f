/* What the Linux recorder says of processes, mappings and symbols. */
#include "engine/format/nettrace/nettrace.h"
#include "tests/support/nettrace_writer.h"
#include "tests/support/observed.h"
#include "tests/support/suite.h"

enum {
    EXISTING,
    CREATE,
    EXIT,
    MAPPING,
    SYMBOL,
    METADATA,
    OTHER,
    PID = 40,
    TIME = 77
};

static struct observed o;
static struct nt_recording recording;
static struct nt_file file;
static byte_vec payload;

static void begin(void)
{
    observed_begin(&o);
    recording = (struct nt_recording){
        .seen = o.seen, .profile = o.p, .strings = o.p->strings};
    file = (struct nt_file){.recording = &recording, .name = "test"};
    payload.len = 0;
}

/* The event of what was put, without its last bytes. */
static void take(uint32_t id, size_t missing)
{
    /* Names of symbols stay where they were read. */
    const uint8_t *bytes = arena_copy(&o.names, payload.data, payload.len);
    struct reader r = reader_of("test", bytes, payload.len - missing, 0, NULL);
    struct nt_kind kind = {.event_id = id};

    nt_universal_event(&file, &kind, PID, TIME, &r);
    payload.len = 0;
}

static void end(void)
{
    nt_universal_finish(&file);
    observed_end(&o);
    vec_release(&payload);
}

static const char *string_of(uint32_t id)
{
    return strings_get(o.p->strings, id);
}

static void put_process(void)
{
    put_varint(&payload, 4026531836);
    put_short_string(&payload, "app");
}

TEST(processes)
{
    begin();
    put_process();
    take(EXISTING, 0);
    put_process();
    take(CREATE, 0);
    take(EXIT, 0);
    put_process();
    take(CREATE, 1);
    put_process();
    take(OTHER, 0);
    ck_assert_uint_eq(o.seen->processes.len, 3);
    for (size_t i = 0; i < 3; i++) {
        static const enum observed_event events[] = {SEEN_AT_START, SEEN_BEGIN,
                                                     SEEN_END};

        ck_assert_int_eq(o.seen->processes.data[i].event, events[i]);
        ck_assert_uint_eq(o.seen->processes.data[i].pid, PID);
        ck_assert_int_eq(o.seen->processes.data[i].time, TIME);
        ck_assert_str_eq(string_of(o.seen->processes.data[i].name),
                         i < 2 ? "app" : "");
    }
    ck_assert_uint_eq(o.p->quality.malformed, 1);
    end();
}

static void put_mapping(uint64_t id, uint64_t start, uint64_t last,
                        const char *path, uint64_t metadata)
{
    put_varint(&payload, id);
    put_varint(&payload, start);
    put_varint(&payload, last);
    put_varint(&payload, 0x3000);
    put_short_string(&payload, path);
    put_varint(&payload, metadata);
}

/* Ends as they are told, and the sizes meant. */
static const struct {
    uint64_t start, end;
    bool mapping;
    uint64_t size;
} sizes[] = {
    {0x1000, 0x2FFF, true, 0x2000},
    {0x1000, 0x3000, true, 0x2000},
    {0x1000, 0x2FFE, true, 0x1FFE},
    {0x1000, 0x1000, true, 0},
    {0x1000, 0xFFF, false, 0},
    {0, UINT64_MAX, false, 0},
    {0x1000, UINT64_MAX, true, UINT64_MAX - 0x1000},
    {1, UINT64_MAX, true, UINT64_MAX - 1},
    {0, UINT64_MAX - 1, true, UINT64_MAX - 1},
};

TEST_LOOP(sizes_of_mappings, COUNT(sizes))
{
    const struct observed_image *image;

    begin();
    put_mapping(1, sizes[_i].start, sizes[_i].end, "/lib/a.so", 0);
    take(MAPPING, 0);
    nt_universal_finish(&file);
    ck_assert_uint_eq(o.p->quality.malformed, 0);
    ck_assert_uint_eq(o.seen->images.len, sizes[_i].mapping);
    if (sizes[_i].mapping) {
        image = o.seen->images.data;
        ck_assert_uint_eq(image->size, sizes[_i].size);
        ck_assert_uint_eq(image->base, sizes[_i].start);
        ck_assert_uint_eq(image->rva, 0x3000);
        ck_assert_uint_eq(image->pid, PID);
        ck_assert_int_eq(image->time, TIME);
        ck_assert_int_eq(image->event, SEEN_BEGIN);
        ck_assert(image->pages && !image->jit);
        ck_assert_str_eq(string_of(o.p->modules.data[image->module].path),
                         "/lib/a.so");
    }
    end();
}

TEST(mappings_cut_off)
{
    begin();
    put_mapping(1, 0x1000, 0x2000, "/lib/a.so", 0);
    take(MAPPING, 1);
    put_mapping(1, 0x1000, 0x2000, "/lib/a.so", 0);
    take(MAPPING, 2);
    nt_universal_finish(&file);
    ck_assert_uint_eq(o.p->quality.malformed, 2);
    ck_assert_uint_eq(o.seen->images.len, 0);
    end();
}

static void put_symbol(uint64_t mapping, uint64_t start, uint64_t last,
                       const char *name)
{
    put_varint(&payload, 9);
    put_varint(&payload, mapping);
    put_varint(&payload, start);
    put_varint(&payload, last);
    put_short_string(&payload, name);
}

/* Their end is their last byte; of one mapping they are one set. */
TEST(symbols)
{
    const struct observed_symbol *s;

    begin();
    put_symbol(1, 0x1000, 0x10FF, "run");
    take(SYMBOL, 0);
    put_symbol(2, 0x1000, 0x1000, "one");
    take(SYMBOL, 0);
    put_symbol(1, 0x2000, 0x2001, "stop");
    take(SYMBOL, 0);
    put_symbol(1, 0x2000, 0x1FFF, "backwards");
    take(SYMBOL, 0);
    put_symbol(1, 0, (uint64_t)INT64_MAX, "too long");
    take(SYMBOL, 0);
    put_symbol(1, 0, (uint64_t)INT64_MAX - 1, "longest");
    take(SYMBOL, 0);
    put_symbol(1, 0, 1, "");
    take(SYMBOL, 0);
    put_symbol(1, 0, 1, "cut");
    take(SYMBOL, 1);
    ck_assert_uint_eq(o.seen->symbols.len, 4);
    s = o.seen->symbols.data;
    ck_assert_uint_eq(s[0].start, 0x1000);
    ck_assert_uint_eq(s[0].size, 0x100);
    ck_assert_uint_eq(s[0].name.len, 3);
    ck_assert_mem_eq(s[0].name.data, "run", 3);
    ck_assert_uint_eq(s[1].size, 1);
    ck_assert_uint_ne(s[0].set, s[1].set);
    ck_assert_uint_eq(s[0].set, s[2].set);
    ck_assert_uint_eq(s[3].size, INT64_MAX);
    ck_assert_uint_eq(o.p->quality.malformed, 1);
    end();
}

static void put_metadata(uint64_t id, const char *json)
{
    put_varint(&payload, id);
    put_short_string(&payload, json);
}

/* It may come behind the mapping that it is of. */
TEST(metadata_of_mappings)
{
    const struct observed_image *image;

    begin();
    put_mapping(1, 0x1000, 0x1FFF, "/lib/a.so", 5);
    take(MAPPING, 0);
    put_mapping(2, 0x3000, 0x3FFF, "/lib/b.so", 6);
    take(MAPPING, 0);
    put_mapping(3, 0x5000, 0x5FFF, "/lib/c.so", 7);
    take(MAPPING, 0);
    put_metadata(5, "{\"type\":\"ELF\",\"build_id\":\"0a0b\","
                    "\"p_vaddr\":\"0x9000\",\"p_offset\":\"0x1000\"}");
    take(METADATA, 0);
    put_metadata(6, "{\"type\":\"ELF\",\"build_id\":\"0c0d\"}");
    take(METADATA, 0);
    put_metadata(7, "{}");
    take(METADATA, 1);
    nt_universal_finish(&file);
    ck_assert_uint_eq(o.p->quality.malformed, 1);
    ck_assert_uint_eq(o.seen->images.len, 3);
    image = o.seen->images.data;
    ck_assert_uint_eq(image[0].rva, 0x3000 + 0x9000 - 0x1000);
    ck_assert(!o.p->modules.data[image[0].module].by_file_offset);
    ck_assert_uint_eq(o.p->modules.data[image[0].module].identity.build_id[1],
                      0x0B);
    ck_assert_uint_eq(image[1].rva, 0x3000);
    ck_assert(o.p->modules.data[image[1].module].by_file_offset);
    ck_assert(!o.p->modules.data[image[2].module].by_file_offset);
    end();
}
