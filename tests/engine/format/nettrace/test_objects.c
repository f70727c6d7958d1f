/* Objects of version 3 to 5: where they end, what is none, and where reading
 * goes on. */
#include "tests/engine/format/nettrace/events.h"

enum { KIND = 3, BEGIN = 5, HEADER = 32 };

static struct nettrace_writer *w;

static void put(uint64_t value, unsigned width)
{
    put_number(&w->out, value, width);
}

static void put_type(const char *name)
{
    put(BEGIN, 1);
    put(BEGIN, 1);
    put(1, 1);
    put(2, 4);
    put(0, 4);
    put(strlen(name), 4);
    put_bytes(&w->out, name, strlen(name));
    put(6, 1);
}

/* A block of events of version 4 with one of that time. */
static void put_block(uint64_t time)
{
    nettrace_event(w, &(struct nettrace_event){.kind = KIND,
                                               .sequence = (uint32_t)time + 1,
                                               .time = time});
    nettrace_end_block(w);
}

static void begin(void)
{
    w = nettrace_writer_new(4, false);
    nettrace_kind(w, KIND, "Shop", 1, "Sold", 0);
    put_block(0);
}

/* What is between two blocks, and what is said of it. */
static const struct {
    const char *type; /* of an object; NULL: other bytes */
    const char *bytes;
    size_t size;
    const char *damage;
} between[] = {
    {"Unknown", "", 0, "object of unknown type \"Unknown\""},
    {NULL, "garbage", 7, "not an object"},
    {NULL, "\5\5\1\5\5", 5, "not an object"},
    {"EventBlock", "\0\0\0\0", 4, "event block header"},
    {"SPBlock", "\1\0\0\0", 4, NULL},
};

TEST_LOOP(what_stands_between_blocks, COUNT(between))
{
    begin();
    if (between[_i].type)
        put_type(between[_i].type);
    put_bytes(&w->out, between[_i].bytes, between[_i].size);
    put_block(1);
    nettrace_end(w);
    events_read(w);
    ck_assert_uint_eq(got.count, 2);
    ck_assert_uint_eq(got.events[1].time, 1);
    ck_assert(got.file.complete);
    ck_assert_uint_ge(got.file.damaged, 1);
    if (between[_i].damage)
        ck_assert_ptr_nonnull(strstr(got.err.message, between[_i].damage));
    events_end(w);
}

/* Sizes that are wrong: of blocks with others behind them, and at the end. */
TEST(sizes_of_blocks)
{
    static const uint32_t sizes[] = {0, 99, 0x7FFFFFFF};

    for (size_t i = 0; i < 3; i++) {
        size_t at;

        begin();
        at = w->out.len + 26; /* behind "EventBlock" */
        put_block(1);
        put_block(2);
        nettrace_end(w);
        for (unsigned k = 0; k < 4; k++)
            w->out.data[at + k] = (uint8_t)(sizes[i] >> 8 * k);
        events_read(w);
        ck_assert_uint_ge(got.file.damaged, 1);
        ck_assert_uint_eq(got.events[got.count - 1].time, 2);
        ck_assert(got.file.complete);
        events_end(w);
    }
}

TEST(a_block_cut_off)
{
    size_t end;

    begin();
    put_block(1);
    end = w->out.len;
    for (size_t less = 1; less < 40; less += 6) {
        w->out.len = end - less;
        events_read(w);
        ck_assert_uint_eq(got.count, less == 1 ? 2 : 1);
        ck_assert_uint_ge(got.file.damaged, 1);
        nt_close(&got.file);
        event_naming_free(got.file.recording->seen->naming);
        observations_free(got.file.recording->seen);
        profile_free(got.file.recording->profile);
    }
    nettrace_writer_free(w);
}

/* ---- the first object ---- */

static const struct {
    const char *type;
    uint32_t version;
    const char *refused; /* NULL: it is read */
} first[] = {
    {"Trace", 4, NULL},
    {"Trace", 5, NULL},
    {"Trace", 3, "unknown trace version 3"},
    {"Trace", 6, "unknown trace version 6"},
    {"Tracy", 4, "object of unknown type \"Tracy\""},
};

TEST_LOOP(the_first_object, COUNT(first))
{
    w = nettrace_writer_new(4, false);
    w->out.data[HEADER + 3] = (uint8_t)first[_i].version;
    memcpy(w->out.data + HEADER + 15, first[_i].type, 5);
    events_read(w);
    ck_assert(got.file.described == !first[_i].refused);
    if (first[_i].refused)
        ck_assert_ptr_nonnull(strstr(got.err.message, first[_i].refused));
    events_end(w);
}

TEST(the_oldest_runtime)
{
    static const char type[] = "Microsoft.DotNet.Runtime.EventPipeFile";

    w = nettrace_writer_new(3, false);
    w->out.len = 24;
    put(4, 1);
    put(4, 1);
    put(1, 1);
    put(2, 4);
    put(0, 4);
    put(strlen(type), 4);
    put_bytes(&w->out, type, strlen(type));
    put(6, 1);
    events_read(w);
    ck_assert_ptr_nonnull(
        strstr(got.err.message,
               "unsupported version 2 of netperf files (.NET Core 2.0)"));
    events_end(w);
}

/* A block that wants a newer reader is read, and that is said once. */
TEST(newer_blocks)
{
    static const char type[] = "EventBlock";
    uint8_t *at;

    begin();
    put_block(1);
    nettrace_end(w);
    for (at = w->out.data;
         (at = memmem(at, w->out.len - (size_t)(at - w->out.data), type,
                      sizeof(type) - 1)) != NULL;
         at++)
        at[-8] = 3;
    events_read(w);
    ck_assert_uint_eq(got.count, 2);
    ck_assert_uint_eq(got.file.recording->profile->quality.warnings.len, 1);
    ck_assert_str_eq(warning(got.file.recording->profile, 0),
                     "EventBlock needs a reader of version 3, and topfn knows "
                     "versions up to 2: its content may be read wrongly");
    events_end(w);
}

/* ---- a file that is still being written ---- */

/* What must be there of the next object, as far as can be told. */
TEST(what_is_wanted)
{
    struct nt_file f = {.version = 4, .name = "test"};
    size_t trace = HEADER, block;

    w = nettrace_writer_new(4, false);
    block = w->out.len;
    nettrace_kind(w, KIND, "Shop", 1, "Sold", 0);
    nettrace_end_block(w);
    f.data = w->out.data;
    f.size = w->out.len;
    ck_assert_uint_eq(nt_wanted(&f, trace), block);
    ck_assert_uint_eq(nt_wanted(&f, block), w->out.len);
    ck_assert_uint_eq(nt_wanted(&f, w->out.len), w->out.len + 1);
    f.size = block + 10;
    ck_assert_uint_eq(nt_wanted(&f, block), f.size + 1);
    f.size = block + 31; /* in the size of the block */
    ck_assert_uint_eq(nt_wanted(&f, block), f.size + 1);
    nettrace_end(w);
    f.data = w->out.data;
    f.size = w->out.len;
    ck_assert_uint_eq(nt_wanted(&f, f.size - 1), f.size - 1);
    nettrace_writer_free(w);
}

/* ---- version 3 ---- */

/* A whole event, and sizes that do not fit: of it, its payload, its stack. */
static const struct {
    int size; /* more than it has */
    uint32_t payload, stack;
    bool good;
} events[] = {
    {0, 8, 16, true},    {4, 8, 16, false},         {0, 8, 15, true},
    {0, 8, 17, false},   {0, 24, 0, true},          {0, 25, 0, false},
    {-80, 8, 16, false}, {0, 0xFFFFFFFF, 0, false},
};

TEST_LOOP(events_of_version_3, COUNT(events))
{
    static const uint64_t frames[] = {0x1000, 0x2000};
    static const uint64_t payload = 7;
    size_t at;

    w = nettrace_writer_new(3, false);
    nettrace_kind(w, KIND, "Shop", 1, "Sold", 0);
    nettrace_end_block(w);
    nettrace_event(w, &(struct nettrace_event){.kind = KIND,
                                               .thread = 9,
                                               .time = 5,
                                               .payload = &payload,
                                               .size = 8,
                                               .frames = frames,
                                               .depth = 2});
    at = 0;
    w->block.data[at] = (uint8_t)(w->block.data[at] + events[_i].size);
    for (unsigned k = 0; k < 4; k++) {
        w->block.data[at + 52 + k] = (uint8_t)(events[_i].payload >> 8 * k);
        if (events[_i].payload == 8)
            w->block.data[at + 64 + k] = (uint8_t)(events[_i].stack >> 8 * k);
        else
            w->block.data[at + 80 + k] = 0;
    }
    events_read(w);
    ck_assert_uint_eq(got.count, events[_i].good);
    ck_assert_uint_eq(got.file.damaged, !events[_i].good);
    if (events[_i].good) {
        ck_assert_uint_eq(got.events[0].kind, KIND);
        ck_assert_uint_eq(got.events[0].thread, 9);
        ck_assert_uint_eq(got.events[0].time, 5);
        ck_assert_uint_eq(got.events[0].size, events[_i].payload);
        ck_assert_uint_eq(got.events[0].frames_size, events[_i].stack);
        ck_assert_uint_eq(got.events[0].processor, UINT32_MAX);
    }
    events_end(w);
}
