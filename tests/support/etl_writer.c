/*
 * The container.  Buffer header, 72 bytes:
 *
 *   0x00 u32 BufferSize    stride on disk; 72 + packed bytes if compressed
 *   0x04 u32 SavedOffset   valid bytes after decompression, with the 72
 *   0x08 u32 CurrentOffset the writer's reservation; overshoots
 *   0x10 i64 TimeStamp     of the flush: ticks (live) or FILETIME (merged)
 *   0x18 i64 SequenceNumber
 *   0x28 u16 ProcessorIndex
 *   0x2A u16 LoggerId
 *   0x2C u32 State         in buffer 0 of a compressed file: the format, 3
 *   0x30 u32 Offset        = SavedOffset
 *   0x34 u16 BufferFlag    1 flush marker, 0x20 CPU index, 0x40 compressed
 *   0x36 u16 BufferType    4 header, 0 events
 */
#include "tests/support/etl_writer_impl.h"

#include "tests/support/lz77_pack.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { FLUSH_MARKER = 1, PROC_INDEX = 0x20, COMPRESSED = 0x40 };
enum { TYPE_GENERIC = 0, TYPE_HEADER = 4 };

/* Offsets in buffer 0 of what is known only at the end. */
enum {
    HEADER_EVENT = BUFFER_HEADER + 32,
    END_TIME = HEADER_EVENT + 16,
    BUFFERS_WRITTEN = HEADER_EVENT + 36
};

void etl_store(uint8_t *p, uint64_t v, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        p[i] = (uint8_t)(v >> (8 * i));
}

static void *check(void *p)
{
    if (!p)
        abort(); /* a test tool: nothing better to do without memory */
    return p;
}

/* a * b / c without losing the high bits of the product, for c > 0. */
static uint64_t scale(uint64_t a, uint64_t b, uint64_t c)
{
    return a / c * b + a % c * b / c;
}

static void set_defaults(struct etl_options *o)
{
    if (!o->pointer_size)
        o->pointer_size = 8;
    if (!o->cpus)
        o->cpus = 1;
    if (!o->buffer_size)
        o->buffer_size = 65536;
    if (!o->clock)
        o->clock = ETL_CLOCK_QPC;
    if (!o->perf_freq)
        o->perf_freq = 10000000;
    if (!o->mhz)
        o->mhz = 2000;
    if (!o->start_filetime)
        o->start_filetime = 133537248000000000u;
    if (!o->t0)
        o->t0 = 15343524960u;
    if (o->clock == ETL_CLOCK_SYSTEM)
        o->t0 = o->start_filetime;
    if (!o->mode)
        o->mode = ETL_MODE_SEQUENTIAL |
                  (o->live ? ETL_MODE_INDEPENDENT : ETL_MODE_RELOG);
    if (o->compressed)
        o->mode |= ETL_MODE_COMPRESSED;
}

uint64_t etl_tick(const struct etl_writer *w, int64_t ns)
{
    uint64_t n = (uint64_t)ns;

    assert(ns >= 0);
    switch (w->opt.clock) {
    case ETL_CLOCK_SYSTEM:
        return w->opt.t0 + n / 100;
    case ETL_CLOCK_CYCLES:
        return w->opt.t0 + scale(n, w->opt.mhz, 1000);
    case ETL_CLOCK_QPC:
        break;
    }
    return w->opt.t0 + scale(n, w->opt.perf_freq, 1000000000);
}

static uint64_t filetime(const struct etl_writer *w, uint64_t tick)
{
    uint64_t passed = tick - w->opt.t0;

    if (w->opt.clock == ETL_CLOCK_SYSTEM)
        return tick;
    if (w->opt.clock == ETL_CLOCK_CYCLES)
        return w->opt.start_filetime + scale(passed, 10, w->opt.mhz);
    return w->opt.start_filetime + scale(passed, 10000000, w->opt.perf_freq);
}

static void write_out(struct etl_writer *w, const void *data, size_t n)
{
    if (fwrite(data, 1, n, w->file) != n)
        w->failed = true;
}

/* At the end of the file, or kept for it in the style of a wrapped log. */
static void emit(struct etl_writer *w, const uint8_t *data, size_t n)
{
    if (w->late_count < w->opt.late_buffers) {
        struct late *l = &w->late[w->late_count++];
        l->data = check(malloc(n));
        l->size = n;
        memcpy(l->data, data, n);
        return;
    }
    write_out(w, data, n);
}

static void fill_buffer_header(const struct etl_writer *w,
                               const struct buffer *b, uint8_t *out,
                               size_t stride, unsigned cpu, unsigned flags)
{
    bool live = w->opt.live;

    memset(out, 0, BUFFER_HEADER);
    etl_store(out, stride, 4);
    etl_store(out + 0x04, b->used, 4);
    etl_store(out + 0x08, b->used + 416, 4);
    etl_store(out + 0x10, live ? b->last_tick : filetime(w, b->last_tick), 8);
    etl_store(out + 0x18, b->sequence, 8);
    etl_store(out + 0x20, live ? 0xFFFFF8A001234560u : 0, 8);
    etl_store(out + 0x28, cpu, 2);
    etl_store(out + 0x2A, live ? 34 : 0, 2);
    etl_store(out + 0x2C, live || w->opt.compressed ? 3 : 0, 4);
    etl_store(out + 0x30, b->used, 4);
    etl_store(out + 0x34, flags, 2);
    etl_store(out + 0x36, TYPE_GENERIC, 2);
}

static void flush_buffer(struct etl_writer *w, struct buffer *b,
                         unsigned cpu, bool last)
{
    unsigned flags = PROC_INDEX | (last ? FLUSH_MARKER : 0u);
    size_t size = w->opt.buffer_size;

    if (w->opt.mode & ETL_MODE_ONE_STREAM)
        flags &= ~(unsigned)PROC_INDEX;
    if (w->opt.compressed) {
        size = BUFFER_HEADER + lz77_pack(b->data + BUFFER_HEADER,
                                         b->used - BUFFER_HEADER,
                                         w->packed + BUFFER_HEADER);
        fill_buffer_header(w, b, w->packed, size, cpu, flags | COMPRESSED);
        emit(w, w->packed, size);
    } else {
        fill_buffer_header(w, b, b->data, size, cpu, flags);
        memset(b->data + b->used, 0xFF, size - b->used);
        emit(w, b->data, size);
    }
    b->used = 0;
    w->buffers++;
}

static void append_to(struct buffer *b, const void *data, size_t n)
{
    size_t padded = (n + 7) & ~(size_t)7;

    memcpy(b->data + b->used, data, n);
    memset(b->data + b->used + n, 0, padded - n);
    b->used += padded;
}

void etl_append(struct etl_writer *w, unsigned cpu, const void *data,
                size_t n)
{
    bool one = (w->opt.mode & ETL_MODE_ONE_STREAM) != 0;
    struct buffer *b = w->in_head ? &w->head : &w->cpus[one ? 0 : cpu];

    assert(BUFFER_HEADER + ((n + 7) & ~(size_t)7) <= w->opt.buffer_size);
    if (b->used && b->used + ((n + 7) & ~(size_t)7) > w->opt.buffer_size)
        flush_buffer(w, b, cpu, false);
    if (!b->used) {
        /* Numbered when taken, written when full: a slow CPU's buffer
         * stands in the file after later numbers. */
        b->sequence = ++w->sequence;
        b->used = BUFFER_HEADER;
    }
    append_to(b, data, n);
    w->record_bytes += n;
}

static void put_time_zone(struct etl_writer *w)
{
    etl_put_u32(w, (uint32_t)-60); /* UTC = local + bias, in minutes */
    etl_put_zeros(w, 64 + 16 + 4 + 64 + 16 + 4);
}

static void put_header_event(struct etl_writer *w)
{
    const struct etl_options *o = &w->opt;
    struct etl_at at = { .tick = o->t0 };

    etl_begin_system(w, at, 0x0000, 2);
    etl_pack(w, "IIII", o->buffer_size, 10u | 0u << 8 | 2u << 16 | 0u << 24,
             19041, o->cpus);
    etl_put_u64(w, 0); /* EndTime, at finish */
    etl_pack(w, "III", 156250, 0, o->mode);
    etl_put_u32(w, 0); /* BuffersWritten, at finish */
    etl_pack(w, "IIIIPP", 1, o->pointer_size, o->events_lost, o->mhz,
             o->live ? 10 : 0, o->live ? 7 : 0);
    put_time_zone(w);
    etl_pack(w, "4xQQQII", o->start_filetime - 15345000000u, o->perf_freq,
             o->start_filetime, (unsigned)o->clock, o->buffers_lost);
    etl_put_wstr(w, o->live ? "NT Kernel Logger" : "Relogger");
    etl_put_wstr(w, o->live ? "C:\\traces\\kernel.etl" : "[multiple files]");
    etl_end(w);
}

/* Group masks: process, thread, image, disk, faults; profile. */
static void put_extension(struct etl_writer *w)
{
    struct etl_at at = { .tick = w->opt.t0 };

    etl_begin_system(w, at, 0x0005, 2);
    etl_pack(w, "II24xI", 0x1270F, 0x2, 42);
    etl_end(w);
}

static size_t head_stride(const struct etl_writer *w)
{
    return w->opt.compressed ? (w->head.used + 511) & ~(size_t)511
                             : w->opt.buffer_size;
}

static void complete_head(struct etl_writer *w)
{
    uint8_t *p = w->head.data;
    size_t stride = head_stride(w);

    fill_buffer_header(w, &w->head, p, stride, 0,
                       FLUSH_MARKER | (w->opt.live ? PROC_INDEX : 0u));
    etl_store(p + 0x18, 0, 8);
    etl_store(p + 0x36, TYPE_HEADER, 2);
    etl_store(p + END_TIME, filetime(w, w->end_tick), 8);
    etl_store(p + BUFFERS_WRITTEN, w->buffers, 4);
    memset(p + w->head.used, 0xFF, stride - w->head.used);
}

struct etl_writer *etl_writer_new(const struct etl_options *opt, FILE *file)
{
    struct etl_writer *w = check(calloc(1, sizeof(*w)));
    size_t size;

    w->opt = *opt;
    set_defaults(&w->opt);
    size = w->opt.buffer_size;
    assert(size % 8 == 0 && size >= 1024);
    w->file = file;
    w->cpus = check(calloc(w->opt.cpus, sizeof(*w->cpus)));
    for (unsigned i = 0; i < w->opt.cpus; i++)
        w->cpus[i].data = check(malloc(size));
    w->head.data = check(malloc(size));
    w->head.used = BUFFER_HEADER;
    w->late = check(calloc(w->opt.late_buffers + 1u, sizeof(*w->late)));
    w->packed = check(malloc(BUFFER_HEADER + lz77_bound(size)));
    w->in_head = true;
    put_header_event(w);
    put_extension(w);
    w->in_head = false;
    w->buffers = 1;
    complete_head(w);
    write_out(w, w->head.data, head_stride(w));
    return w;
}

static void flush_all(struct etl_writer *w)
{
    unsigned started = 0;

    for (unsigned i = 0; i < w->opt.cpus; i++)
        started += w->cpus[i].used != 0;
    for (unsigned i = w->opt.cpus; i-- > 0;)
        if (w->cpus[i].used)
            flush_buffer(w, &w->cpus[i], i, --started == 0);
}

static void rewrite_head(struct etl_writer *w)
{
    complete_head(w);
    if (fseeko(w->file, 0, SEEK_SET) != 0 ||
        fwrite(w->head.data, 1, head_stride(w), w->file) != head_stride(w) ||
        fseeko(w->file, 0, SEEK_END) != 0 || fflush(w->file) != 0)
        w->failed = true;
}

bool etl_writer_finish(struct etl_writer *w)
{
    assert(!w->finished && w->record_size == 0);
    w->finished = true;
    flush_all(w);
    for (unsigned i = 0; i < w->late_count; i++)
        write_out(w, w->late[i].data, w->late[i].size);
    rewrite_head(w);
    return !w->failed;
}

const struct etl_options *etl_writer_options(const struct etl_writer *w)
{
    return &w->opt;
}

uint64_t etl_writer_record_bytes(const struct etl_writer *w)
{
    return w->record_bytes;
}

void etl_writer_free(struct etl_writer *w)
{
    if (!w)
        return;
    for (unsigned i = 0; i < w->opt.cpus; i++)
        free(w->cpus[i].data);
    for (unsigned i = 0; i < w->late_count; i++)
        free(w->late[i].data);
    free(w->cpus);
    free(w->late);
    free(w->head.data);
    free(w->packed);
    free(w);
}

bool etl_guid_parse(const char *text, struct etl_guid *guid)
{
    unsigned a, b, c, d[8];
    int n = 0;

    sscanf(text, "%8x-%4x-%4x-%2x%2x-%2x%2x%2x%2x%2x%2x%n", &a, &b, &c, &d[0],
           &d[1], &d[2], &d[3], &d[4], &d[5], &d[6], &d[7], &n);
    if (n != 36 || text[n])
        return false;
    if (guid) {
        *guid = (struct etl_guid){a, (uint16_t)b, (uint16_t)c, {0}};
        for (size_t i = 0; i < 8; i++)
            guid->d[i] = (uint8_t)d[i];
    }
    return true;
}
