#include "tests/support/perfdata_writer.h"

#include <zstd.h>

enum {
    ATTRIBUTES = 136,
    HEADER = 104,
    FIRST_ID = 100,
    CHUNK = 512, /* of records that are packed together */
    PAYLOAD = 65000,
};

void perfdata_put(const struct perfdata_writer *w, struct blob *b,
                  uint64_t value, unsigned width)
{
    for (unsigned i = 0; i < width; i++) {
        unsigned at = w->how & PERFDATA_BIG ? width - 1 - i : i;

        blob_u8(b, (uint8_t)(value >> 8 * at));
    }
}

/* Several of them: H, I and Q have 2, 4 and 8 bytes. */
#define put(w, b, format, ...)                                                 \
    put_list(w, b, format, (const uint64_t[]){__VA_ARGS__})

static void put_list(const struct perfdata_writer *w, struct blob *b,
                     const char *format, const uint64_t *values)
{
    for (; *format; format++)
        perfdata_put(w, b, *values++,
                     *format == 'H'   ? 2
                     : *format == 'I' ? 4
                                      : 8);
}

static void set(const struct perfdata_writer *w, struct blob *b, size_t at,
                uint64_t value, unsigned width)
{
    struct blob number = {0};

    perfdata_put(w, &number, value, width);
    memcpy(b->data + at, number.data, width);
    vec_release(&number);
}

void perfdata_begin(struct perfdata_writer *w, unsigned how)
{
    *w = (struct perfdata_writer){.how = how};
}

void perfdata_event(struct perfdata_writer *w, uint32_t type, uint64_t config,
                    uint64_t period, const char *name)
{
    w->events[w->event_count++] =
        (struct perfdata_event){type, config, period, name};
}

/* ---- records ---- */

static size_t begin_record(struct perfdata_writer *w, uint32_t type,
                           uint16_t misc)
{
    size_t at = w->records.len;

    put(w, &w->records, "IHH", type, misc, 0);
    return at;
}

static void end_record(struct perfdata_writer *w, size_t at)
{
    blob_zero(&w->records, -(w->records.len - at) & 7);
    set(w, &w->records, at + 6, w->records.len - at, 2);
}

static void put32(struct perfdata_writer *w, uint64_t value)
{
    perfdata_put(w, &w->records, value, 4);
}

static void put64(struct perfdata_writer *w, uint64_t value)
{
    perfdata_put(w, &w->records, value, 8);
}

static void put_text(struct perfdata_writer *w, size_t at, const char *text)
{
    blob_bytes(&w->records, text, strlen(text) + 1);
    blob_zero(&w->records, -(w->records.len - at) & 7);
}

/* The identity behind a record: pid and tid, time, id, CPU. */
static void end_with_identity(struct perfdata_writer *w, size_t at,
                              uint64_t time, uint32_t pid, uint32_t tid)
{
    if (!(w->how & PERFDATA_OLD)) {
        put(w, &w->records, "II", pid, tid);
        if (!(w->how & PERFDATA_UNTIMED))
            put64(w, time);
        put(w, &w->records, "QII", time ? FIRST_ID : 0, 0, 0);
    }
    end_record(w, at);
}

void perfdata_comm(struct perfdata_writer *w, uint64_t time, uint32_t pid,
                   uint32_t tid, const char *name, bool exec)
{
    size_t at = begin_record(w, 3, exec ? 1 << 13 : 0);

    put(w, &w->records, "II", pid, tid);
    put_text(w, at, name);
    end_with_identity(w, at, time, pid, tid);
}

static void put_task(struct perfdata_writer *w, uint32_t type, uint64_t time,
                     const uint32_t ids[4])
{
    size_t at = begin_record(w, type, 0);

    for (unsigned i = 0; i < 4; i++)
        put32(w, ids[i]);
    put64(w, time);
    end_with_identity(w, at, time, ids[0], ids[2]);
}

void perfdata_fork(struct perfdata_writer *w, uint64_t time, uint32_t pid,
                   uint32_t tid, uint32_t parent_pid, uint32_t parent_tid)
{
    put_task(w, 7, time, (uint32_t[]){pid, parent_pid, tid, parent_tid});
}

void perfdata_exit(struct perfdata_writer *w, uint64_t time, uint32_t pid,
                   uint32_t tid)
{
    put_task(w, 4, time, (uint32_t[]){pid, 1, tid, 1});
}

static void put_mapping(struct perfdata_writer *w, uint64_t time, uint32_t pid,
                        const uint64_t place[3], const char *path,
                        uint16_t mode)
{
    bool identified = w->build_id, longer = identified || mode != 1;
    size_t at =
        begin_record(w, longer ? 10 : 1, identified ? mode | 1 << 14 : mode);

    put(w, &w->records, "II", pid, pid);
    for (unsigned i = 0; i < 3; i++)
        put64(w, place[i]);
    if (identified) {
        put32(w, 20); /* its size */
        blob_bytes(&w->records, w->build_id, 20);
    } else if (longer) {
        blob_zero(&w->records, 24);
    }
    if (longer) {
        put32(w, 5); /* readable, executable */
        put32(w, 2); /* private */
    }
    put_text(w, at, path);
    end_with_identity(w, at, time, pid, pid);
}

void perfdata_mmap(struct perfdata_writer *w, uint64_t time, uint32_t pid,
                   uint64_t base, uint64_t size, uint64_t offset,
                   const char *path)
{
    put_mapping(w, time, pid, (uint64_t[]){base, size, offset}, path, 2);
}

void perfdata_data(struct perfdata_writer *w, uint64_t time, uint32_t pid,
                   uint64_t base, uint64_t size, uint64_t offset,
                   const char *path)
{
    put_mapping(w, time, pid, (uint64_t[]){base, size, offset}, path,
                2 | 1 << 13);
}

void perfdata_kernel(struct perfdata_writer *w, uint64_t base, uint64_t size)
{
    put_mapping(w, 0, UINT32_MAX, (uint64_t[]){base, size, base},
                "[kernel.kallsyms]_text", 1);
}

void perfdata_driver(struct perfdata_writer *w, uint64_t base, uint64_t size,
                     const char *path)
{
    put_mapping(w, 0, UINT32_MAX, (uint64_t[]){base, size, 0}, path, 1);
}

void perfdata_kernel_symbol(struct perfdata_writer *w, uint64_t time,
                            uint64_t base, uint32_t size, const char *name,
                            bool gone)
{
    size_t at = begin_record(w, 17, 1);

    put(w, &w->records, "QIHH", base, size, 1, gone);
    put_text(w, at, name);
    end_with_identity(w, at, time, 0, 0);
}

void perfdata_lost(struct perfdata_writer *w, uint64_t time, uint64_t count)
{
    size_t at = begin_record(w, 2, 0);

    put(w, &w->records, "QQ", FIRST_ID, count);
    end_with_identity(w, at, time, 0, 0);
}

void perfdata_deferred(struct perfdata_writer *w, uint64_t time, uint32_t tid,
                       uint64_t cookie, const uint64_t *chain, size_t count)
{
    size_t at = begin_record(w, 22, 2);

    put(w, &w->records, "QQ", cookie, count);
    for (size_t i = 0; i < count; i++)
        put64(w, chain[i]);
    end_with_identity(w, at, time, 40, tid);
}

void perfdata_sample(struct perfdata_writer *w, const struct perfdata_sample *s)
{
    size_t at = begin_record(w, 9, s->mode);

    put(w, &w->records, "QII", s->ip, s->pid, s->tid);
    if (!(w->how & PERFDATA_UNTIMED))
        put64(w, s->time);
    put(w, &w->records, "QIIQ", FIRST_ID + s->event, s->cpu, 0, s->period);
    if (s->read)
        blob_bytes(&w->records, s->read->data, s->read->len);
    put64(w, s->chain_count);
    for (size_t i = 0; i < s->chain_count; i++)
        put64(w, s->chain[i]);
    if (s->more)
        blob_bytes(&w->records, s->more->data, s->more->len);
    end_record(w, at);
}

/* ---- the file ---- */

static unsigned attributes(const struct perfdata_writer *w)
{
    return w->attributes ? w->attributes : ATTRIBUTES;
}

/* Period, sample_id_all; a bit field fills a number from its other end on a
 * big-endian machine. */
static void put_attributes(const struct perfdata_writer *w, struct blob *b,
                           const struct perfdata_event *e)
{
    uint64_t time = w->how & PERFDATA_UNTIMED ? 1 << 2 : 0;
    uint64_t flags = 0;
    size_t at = b->len;

    for (unsigned i = 0; i < 64; i++)
        if ((w->flags | 1 << 18) >> i & 1)
            flags |= (uint64_t)1 << (w->how & PERFDATA_BIG ? 63 - i : i);
    put(w, b, "IIQQQQQ", e->type, attributes(w), e->config, e->period,
        (PERFDATA_FIELDS & ~time) | w->more_fields, w->read_format,
        w->how & PERFDATA_OLD ? 0 : flags);
    blob_zero(b, 24);
    put(w, b, "QQ", w->branch_type, w->user_registers);
    if (w->max_stack) {
        blob_zero(b, 20);
        perfdata_put(w, b, w->max_stack, 2);
    }
    blob_zero(b, at + attributes(w) - b->len);
}

static void put_string(const struct perfdata_writer *w, struct blob *b,
                       const char *text)
{
    size_t n = (strlen(text) + 8) & ~(size_t)7;

    perfdata_put(w, b, n, 4);
    blob_bytes(b, text, strlen(text));
    blob_zero(b, n - strlen(text));
}

/* A record of the recorder, in front of the others. */
static void put_pipe_record(struct perfdata_writer *w, uint32_t type,
                            const struct blob *body)
{
    put(w, &w->file, "IHH", type, 0, 8 + body->len);
    blob_bytes(&w->file, body->data, body->len);
}

static void put_pipe_events(struct perfdata_writer *w)
{
    for (unsigned i = 0; i < w->event_count; i++) {
        struct blob body = {0}, name = {0};

        put_attributes(w, &body, &w->events[i]);
        perfdata_put(w, &body, FIRST_ID + i, 8);
        put_pipe_record(w, 64, &body);
        put(w, &name, "QQ", 2, FIRST_ID + i);
        blob_bytes(&name, w->events[i].name, strlen(w->events[i].name) + 1);
        blob_align(&name, 8);
        put_pipe_record(w, 78, &name);
        vec_release(&body);
        vec_release(&name);
    }
}

/* The records as one zstd stream, in several payloads. */
static void pack(struct perfdata_writer *w)
{
    ZSTD_CStream *stream = ZSTD_createCStream();
    size_t chunk = w->packed_chunk ? w->packed_chunk : CHUNK;
    uint8_t room[PAYLOAD];

    for (size_t at = 0; at < w->records.len; at += chunk) {
        size_t left = w->records.len - at;
        ZSTD_inBuffer in = {w->records.data + at, left < chunk ? left : chunk,
                            0};
        ZSTD_outBuffer out = {room, sizeof(room), 0};

        ZSTD_compressStream2(stream, &out, &in, ZSTD_e_flush);
        put(w, &w->packed, "IHH", 81, 0, 8 + out.pos);
        blob_bytes(&w->packed, room, out.pos);
    }
    ZSTD_freeCStream(stream);
}

/* Host, system, architecture, CPUs, command, names of events. */
static void put_features(const struct perfdata_writer *w, struct blob bodies[],
                         unsigned numbers[], unsigned *count)
{
    static const struct {
        unsigned number;
        const char *text;
    } texts[] = {{3, "shop"}, {4, "6.1.0"}, {5, "6.1"}, {6, "x86_64"}};
    struct blob *b = bodies;

    for (; (size_t)(b - bodies) < sizeof(texts) / sizeof(texts[0]); b++) {
        numbers[b - bodies] = texts[b - bodies].number;
        put_string(w, b, texts[b - bodies].text);
    }
    numbers[b - bodies] = 7;
    perfdata_put(w, b, 4, 4);
    perfdata_put(w, b++, 2, 4);
    numbers[b - bodies] = 11;
    perfdata_put(w, b, 2, 4);
    put_string(w, b, "perf");
    put_string(w, b++, "record");
    numbers[b - bodies] = 12;
    put(w, b, "II", w->event_count, attributes(w));
    for (unsigned i = 0; i < w->event_count; i++) {
        put_attributes(w, b, &w->events[i]);
        perfdata_put(w, b, 1, 4);
        put_string(w, b, w->events[i].name);
        perfdata_put(w, b, FIRST_ID + i, 8);
    }
    *count = (unsigned)(b + 1 - bodies);
    for (unsigned i = 0; w->features[i].body; i++) {
        unsigned at = (*count)++;

        /* In the order of bits. */
        for (; at && numbers[at - 1] > w->features[i].number; at--) {
            numbers[at] = numbers[at - 1];
            bodies[at] = bodies[at - 1];
        }
        numbers[at] = w->features[i].number;
        bodies[at] = (struct blob){0};
        blob_bytes(&bodies[at], w->features[i].body->data,
                   w->features[i].body->len);
    }
}

enum { MOST_FEATURES = 12 };

static void end_file(struct perfdata_writer *w, const struct blob *records)
{
    struct blob bodies[MOST_FEATURES] = {{0}}, *f = &w->file;
    unsigned numbers[MOST_FEATURES], count, made;
    size_t ids = HEADER, table = ids + (size_t)8 * w->event_count;
    size_t row = attributes(w) + 16;
    size_t at = table + w->event_count * row, next;
    uint64_t bits[4] = {0};

    put_features(w, bodies, numbers, &made);
    count = made;
    for (unsigned i = 0; i < count; i++)
        bits[numbers[i] / 64] |= (uint64_t)1 << numbers[i] % 64;
    blob_bytes(f, "PERFILE2", 8);
    put(w, f, "QQQQQQ", HEADER, row, table, w->event_count * row, at,
        w->how & PERFDATA_KILLED ? 0 : records->len);
    blob_zero(f, 16);
    for (unsigned i = 0; i < 4; i++)
        perfdata_put(w, f, w->how & PERFDATA_KILLED ? 0 : bits[i], 8);
    for (unsigned i = 0; i < w->event_count; i++)
        perfdata_put(w, f, FIRST_ID + i, 8);
    for (unsigned i = 0; i < w->event_count; i++) {
        put_attributes(w, f, &w->events[i]);
        put(w, f, "QQ", ids + (size_t)8 * i, 8);
    }
    blob_bytes(f, records->data, records->len);
    if (w->how & PERFDATA_KILLED)
        count = 0;
    next = f->len + (size_t)count * 16;
    for (unsigned i = 0; i < count; i++) {
        put(w, f, "QQ", next, bodies[i].len);
        next += bodies[i].len;
    }
    for (unsigned i = 0; i < count; i++)
        blob_bytes(f, bodies[i].data, bodies[i].len);
    for (unsigned i = 0; i < made; i++)
        vec_release(&bodies[i]);
}

/* The magic number is one: its bytes are in the file's order. */
static void set_magic(struct perfdata_writer *w)
{
    if (w->how & PERFDATA_BIG)
        memcpy(w->file.data, "2ELIFREP", 8);
}

void perfdata_end(struct perfdata_writer *w)
{
    const struct blob *records = &w->records;

    if (w->how & PERFDATA_PACKED) {
        pack(w);
        records = &w->packed;
    }
    if (w->how & PERFDATA_PIPE) {
        blob_bytes(&w->file, "PERFILE2", 8);
        perfdata_put(w, &w->file, 16, 8);
        put_pipe_events(w);
        blob_bytes(&w->file, records->data, records->len);
    } else {
        end_file(w, records);
    }
    set_magic(w);
}

void perfdata_free(struct perfdata_writer *w)
{
    vec_release(&w->records);
    vec_release(&w->packed);
    vec_release(&w->file);
}

/* ---- a recording ---- */

static void shop_sample(struct perfdata_writer *w, uint64_t time, uint32_t pid,
                        uint32_t tid, const uint64_t *chain, size_t count)
{
    uint16_t mode = chain[0] == PERFDATA_KERNEL ? 1 : 2;

    perfdata_sample(w, &(struct perfdata_sample){.time = time,
                                                 .ip = chain[1],
                                                 .period = 1000000,
                                                 .pid = pid,
                                                 .tid = tid,
                                                 .cpu = tid & 1,
                                                 .mode = mode,
                                                 .chain = chain,
                                                 .chain_count = count});
}

#define SHOP_SAMPLE(w, time, pid, tid, ...)                                    \
    shop_sample(w, time, pid, tid, (const uint64_t[]){__VA_ARGS__},            \
                sizeof((const uint64_t[]){__VA_ARGS__}) / 8)

static void shop_faults(struct perfdata_writer *w)
{
    static const uint64_t chain[] = {PERFDATA_USER, 0x401800, 0x401100};

    for (unsigned i = 0; i < 3; i++)
        perfdata_sample(w, &(struct perfdata_sample){.event = 1,
                                                     .time = 2500000 + i,
                                                     .ip = 0x401800,
                                                     .period = 1,
                                                     .pid = 40,
                                                     .tid = 40,
                                                     .mode = 2,
                                                     .chain = chain,
                                                     .chain_count = 3});
}

void perfdata_shop(struct perfdata_writer *w, unsigned how)
{
    const uint64_t kernel = 0xFFFFFFFF81000000u;

    perfdata_begin(w, how);
    perfdata_event(w, 1, 0, 1000000, "cpu-clock:u");
    perfdata_event(w, 1, 2, 1, "page-faults");
    perfdata_kernel(w, kernel, 0x1000000);
    perfdata_comm(w, 0, 40, 40, "shop", false);
    perfdata_mmap(w, 0, 40, 0x400000, 0x4000, 0, "/srv/shop/shop");
    perfdata_mmap(w, 0, 40, 0x7F0000000000, 0x10000, 0x2000,
                  "/usr/lib/libcount.so.1");
    perfdata_mmap(w, 0, 40, 0x7F1000000000, 0x10000, 0, "//anon");
    perfdata_fork(w, 1000000, 40, 41, 40, 40);
    perfdata_comm(w, 1000100, 40, 41, "worker", false);
    perfdata_kernel_symbol(w, 1500000, 0xFFFFFFFFC0000000u, 0x100,
                           "bpf_prog_count", false);
    for (uint64_t t = 2000000; t < 2000000 + 60 * 1000000u; t += 1000000) {
        SHOP_SAMPLE(w, t, 40, 40, PERFDATA_USER, 0x401234, 0x401100);
        SHOP_SAMPLE(w, t + 10, 40, 41, PERFDATA_USER, 0x7F0000000040 + t % 3,
                    0x401200, 0x401100);
        if (t % 4000000 == 0)
            SHOP_SAMPLE(w, t + 20, 40, 41, PERFDATA_KERNEL, kernel + 0x500,
                        kernel + 0x100, PERFDATA_USER, 0x7F0000000100,
                        0x401200);
        if (t % 5000000 == 0)
            SHOP_SAMPLE(w, t + 30, 40, 40, PERFDATA_USER, 0x7F1000000020,
                        0x401300);
        if (t % 20000000 == 0)
            SHOP_SAMPLE(w, t + 40, 0, 0, PERFDATA_KERNEL, kernel + 0x900);
    }
    SHOP_SAMPLE(w, 1600000, 40, 40, PERFDATA_KERNEL, 0xFFFFFFFFC0000010u,
                kernel + 0x300);
    shop_faults(w);
    perfdata_fork(w, 63000000, 50, 50, 40, 40);
    SHOP_SAMPLE(w, 63000100, 50, 50, PERFDATA_USER, 0x401234);
    perfdata_comm(w, 63000200, 50, 50, "cat", true);
    perfdata_mmap(w, 63000300, 50, 0x400000, 0x2000, 0, "/bin/cat");
    SHOP_SAMPLE(w, 63000400, 50, 50, PERFDATA_USER, 0x401234);
    perfdata_lost(w, 63000500, 7);
    perfdata_exit(w, 63000600, 50, 50);
    perfdata_end(w);
}

/* ---- context switches ---- */

enum { WAITS_SAMPLE, WAITS_SWITCH, WAITS_WAKEUP };

/* The raw data of the tracepoint, behind its size: 8 bytes that all have, then
 * a name and an id; of a switch also priority, state, name and id. */
static void waits_event(struct perfdata_writer *w, unsigned event,
                        uint64_t time, uint32_t tid, uint32_t other,
                        uint64_t state, const uint64_t *chain, size_t count)
{
    struct blob raw = {0};

    if (event == WAITS_SAMPLE) {
        put(w, &raw, "II", 4, 0);
    } else {
        put(w, &raw, "I", event == WAITS_SWITCH ? 68 : 36);
        blob_zero(&raw, 24);
        put(w, &raw, "II", event == WAITS_SWITCH ? tid : other, 120);
        if (event == WAITS_SWITCH) {
            put(w, &raw, "Q", state);
            blob_zero(&raw, 16);
            put(w, &raw, "II", other, 120);
        }
        blob_zero(&raw, -raw.len & 7);
    }
    perfdata_sample(w, &(struct perfdata_sample){
                           .event = event,
                           .time = time,
                           .ip = chain[1],
                           .period = 1,
                           .pid = tid ? 40 : 0,
                           .tid = tid,
                           .mode = chain[0] == PERFDATA_KERNEL ? 1 : 2,
                           .chain = chain,
                           .chain_count = count,
                           .more = &raw});
    vec_release(&raw);
}

#define WAITS(event, us, tid, other, state, ...)                               \
    waits_event(w, event, 1000000000 + (us)*1000, tid, other, state,           \
                (const uint64_t[]){__VA_ARGS__},                               \
                sizeof((const uint64_t[]){__VA_ARGS__}) / 8)

void perfdata_waits(struct perfdata_writer *w, unsigned how)
{
    enum { R, S, D, PREEMPTED = 0x100, X = 0x10 };
    const uint64_t schedule = 0xFFFFFFFF81000010u,
                   futex_wait = 0xFFFFFFFF81001010u,
                   io_wait = 0xFFFFFFFF81002010u, timer = 0xFFFFFFFF81003010u,
                   kernel = PERFDATA_KERNEL, user = PERFDATA_USER;

    perfdata_begin(w, how);
    w->more_fields = 1 << 10; /* raw data */
    perfdata_event(w, 1, 0, 1000000, "cpu-clock");
    perfdata_event(w, 2, 372, 1, "sched:sched_switch");
    perfdata_event(w, 2, 373, 1, "sched:sched_wakeup");
    perfdata_kernel(w, 0xFFFFFFFF80000000u, 0x2000000);
    perfdata_kernel_symbol(w, 0, 0xFFFFFFFF81000000u, 0x100, "schedule", false);
    perfdata_kernel_symbol(w, 0, 0xFFFFFFFF81001000u, 0x100, "futex_wait",
                           false);
    perfdata_kernel_symbol(w, 0, 0xFFFFFFFF81002000u, 0x100, "io_wait", false);
    perfdata_kernel_symbol(w, 0, 0xFFFFFFFF81003000u, 0x100, "timer", false);
    perfdata_comm(w, 0, 40, 40, "shop", false);
    perfdata_mmap(w, 0, 40, 0x400000, 0x4000, 0, "/srv/shop/shop");
    WAITS(WAITS_SAMPLE, 0, 40, 0, 0, user, 0x401234, 0x401100);
    perfdata_fork(w, 1000000000 + 500000, 40, 41, 40, 40);
    perfdata_comm(w, 1000000000 + 500100, 40, 41, "worker", false);
    WAITS(WAITS_SAMPLE, 1000, 40, 0, 0, user, 0x401234, 0x401100);
    WAITS(WAITS_SWITCH, 3000, 40, 41, S, kernel, schedule, futex_wait, user,
          0x401500, 0x401100);
    WAITS(WAITS_SAMPLE, 4000, 41, 0, 0, user, 0x401800, 0x401700);
    WAITS(WAITS_WAKEUP, 6000, 41, 40, 0, user, 0x401900, 0x401700);
    WAITS(WAITS_SWITCH, 7000, 41, 40, PREEMPTED, kernel, schedule, user,
          0x401900, 0x401700);
    WAITS(WAITS_SAMPLE, 8000, 40, 0, 0, user, 0x401234, 0x401100);
    WAITS(WAITS_SWITCH, 9000, 40, 42, D, kernel, schedule, io_wait, user,
          0x401600, 0x401100);
    WAITS(WAITS_SWITCH, 9500, 42, 0, S, kernel, schedule, io_wait, user,
          0x402000);
    WAITS(WAITS_WAKEUP, 11000, 0, 40, 0, kernel, timer);
    WAITS(WAITS_SWITCH, 11200, 0, 40, R, kernel, schedule);
    perfdata_exit(w, 1000000000 + 11900000, 40, 40);
    WAITS(WAITS_SWITCH, 12000, 40, 41, X, kernel, schedule);
    WAITS(WAITS_SAMPLE, 13000, 41, 0, 0, user, 0x401800, 0x401700);
    perfdata_exit(w, 1000000000 + 14000000, 40, 41);
    perfdata_end(w);
}
