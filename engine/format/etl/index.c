/*
 * The headers of buffers (format.md, section 1.1). File order says nothing
 * about order of time across CPUs, and the sequence number restarts in appended
 * logs; the time of the first event is what counts.
 */
#include <string.h>

#include "engine/base/unpacking.h"
#include "engine/format/etl/etl.h"
#include "engine/format/etl/event.h"
#include "engine/format/etl/lz77.h"

enum {
    FLAG_CPU_16 = 0x20,
    FLAG_PACKED = 0x40,
    KNOWN_FLAGS = 0x7F,
    CPU_MASK = 0x07FF,
    LAST_TYPE = 7,
    /* Types that hold ordinary events: generic, rundown, context swap,
     * header, batched. */
    EVENT_TYPES = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 4 | 1 << 5,
    GLANCE = 32, /* bytes of events: mostly, the first one has a time */
    PEEK = 2048, /* enough to reach the first event with a time */
};

/* True if a buffer header may stand at `at`. Strict: used to find the next
 * buffer behind damage as well. */
static bool plausible(const struct etl_file *file, uint64_t at)
{
    const uint8_t *h = file->data + at;
    uint32_t size, filled, most = file->buffer_size;
    uint16_t flags, type;

    if (file->size - at < BUFFER_HEADER)
        return false;
    size = load_u32(h);
    filled = load_u32(h + 4);
    flags = load_u16(h + 0x34);
    type = load_u16(h + 0x36);
    if (size < BUFFER_HEADER || type > LAST_TYPE || flags & ~KNOWN_FLAGS ||
        load_u32(h + 0x0C) || filled > most)
        return false;
    if (flags & FLAG_PACKED)
        return file->packed && filled >= BUFFER_HEADER &&
               size <= most + BUFFER_HEADER;
    return size <= most && filled <= size;
}

/* Reads a plausible header into `b`. False when it holds no events. */
static bool read_buffer_header(struct etl_buffer *b,
                               const struct etl_file *file, uint64_t at)
{
    const uint8_t *h = file->data + at;
    uint64_t left = file->size - at;
    uint16_t flags = load_u16(h + 0x34), type = load_u16(h + 0x36);

    b->offset = at;
    b->size = load_u32(h);
    if (b->size > left)
        b->size = (uint32_t)left;
    b->filled = load_u32(h + 4);
    if (b->filled < BUFFER_HEADER)
        b->filled = load_u32(h + 0x30);
    b->packed = flags & FLAG_PACKED;
    if (!b->packed && b->filled > b->size)
        b->filled = b->size;
    b->sequence = load_u64(h + 0x18);
    b->cpu = flags & FLAG_CPU_16 ? load_u16(h + 0x28) & CPU_MASK : h[0x28];
    return (EVENT_TYPES >> type & 1) && b->filled > BUFFER_HEADER &&
           b->filled <= LARGEST_BUFFER;
}

struct bytes etl_buffer_events(const struct etl_file *file,
                               const struct etl_buffer *b, uint8_t *scratch,
                               bool *damaged)
{
    const uint8_t *body = file->data + b->offset + BUFFER_HEADER;
    size_t wanted = b->filled - BUFFER_HEADER, got;

    *damaged = false;
    if (!b->packed)
        return (struct bytes){body, wanted};
    got = lz77_decode(body, b->size - BUFFER_HEADER, scratch, wanted, damaged);
    if (got < wanted)
        *damaged = true;
    return (struct bytes){scratch, got};
}

/* The time of the first event that has one, of a packed buffer among its first
 * `most` bytes; 0: there is none. *seen becomes how many bytes there were. */
static uint64_t time_among(const struct etl_file *file,
                           const struct etl_buffer *b, uint32_t most,
                           size_t *seen)
{
    uint8_t scratch[PEEK];
    struct etl_buffer peek = *b;
    struct etl_event e;
    struct bytes events;
    size_t pos = 0;
    uint64_t time;
    unsigned time_at;
    bool damaged;

    if (peek.packed && peek.filled > BUFFER_HEADER + most)
        peek.filled = BUFFER_HEADER + most;
    events = etl_buffer_events(file, &peek, scratch, &damaged);
    *seen = events.len;
    do {
        const uint8_t *at = events.data + pos;

        /* The record may be longer than what is in sight. */
        time_at = events.len - pos < 24 || at[3] != 0xC0 || at[2] > 21
                      ? 0
                      : etl_header_kinds[at[2]].time_at;
        time = time_at ? load_u64(at + time_at) : 0;
        if (time)
            return time;
    } while (etl_step(events.data, events.len, &pos, &e) == STEP_EVENT);
    return 0;
}

/* Sets the time of the buffer's first event that has one. False: it has no
 * events. */
static bool first_event_time(const struct etl_file *file, struct etl_buffer *b)
{
    size_t seen;

    b->first_time = time_among(file, b, GLANCE, &seen);
    if (!b->first_time)
        b->first_time = time_among(file, b, PEEK, &seen);
    if (b->first_time)
        return true;
    /* Nothing with a time in sight: keep it, beside its file's start. */
    b->first_time = file->first_time;
    return seen >= 8;
}

/* Trailing zeros are what a preallocated file has not used yet. */
static bool all_zero(const uint8_t *p, uint64_t n)
{
    return !n || (!p[0] && !memcmp(p, p + 1, (size_t)n - 1));
}

/* The next plausible buffer at or after `at`, or the file's end. Buffers of
 * unpacked logs lie at multiples of 8. */
static uint64_t resync(const struct etl_file *file, uint64_t at)
{
    uint64_t step = file->packed ? 1 : 8;

    at = (at + step - 1) / step * step;
    while (at < file->size && !plausible(file, at)) {
        const uint8_t *p = file->data + at;

        /* Skip a page of zeros at once: sparse files are long. */
        at +=
            file->size - at >= 4096 && all_zero(p, 4096) ? 4096 - at % 8 : step;
    }
    return at < file->size ? at : file->size;
}

uint64_t etl_index_wanted(const struct etl_index *index,
                          const struct etl_file *file)
{
    uint64_t at = index->at;

    if (at > file->size || file->size - at < BUFFER_HEADER)
        return at + BUFFER_HEADER;
    return plausible(file, at) ? at + load_u32(file->data + at) : at;
}

bool etl_index_step(struct etl_index *index, etl_buffers *buffers,
                    const struct etl_file *file, uint16_t number,
                    struct profile *p)
{
    uint64_t at = index->at, next;
    struct etl_buffer b = {.file = number};
    bool holds_events;

    if (at >= file->size)
        return false;
    if (plausible(file, at)) {
        index->found++;
        holds_events = read_buffer_header(&b, file, at);
        if (holds_events && b.packed &&
            !unpack_take_part(&index->budget, b.size, b.filled))
            profile_skip(p, file->name, at, b.size,
                         "unpacks to more than the file's size allows");
        else if (holds_events && first_event_time(file, &b))
            *vec_add(buffers) = b;
        next = at + load_u32(file->data + at);
        if (next > file->size)
            profile_skip(p, file->name, at, file->size - at,
                         "the last buffer is truncated");
    } else {
        if (all_zero(file->data + at, file->size - at))
            return false;
        next = resync(file, at);
        profile_skip(p, file->name, at, next - at, "not a buffer");
    }
    index->at = next;
    return true;
}

void etl_index_file(etl_buffers *buffers, const struct etl_file *file,
                    uint16_t number, struct profile *p)
{
    struct etl_index index = ETL_INDEX;

    while (etl_index_step(&index, buffers, file, number, p))
        ;
    /* A circular log counts buffers that were overwritten since. */
    if (!(file->mode & MODE_CIRCULAR) && index.found < file->buffers_written)
        profile_warn(p,
                     "%s: truncated file: it ends at 0x%llx; %u of %u buffers "
                     "are missing",
                     file->name, (unsigned long long)file->size,
                     file->buffers_written - index.found,
                     file->buffers_written);
}

static int compare_buffers(const void *a, const void *b)
{
    const struct etl_buffer *x = a, *y = b;

    if (x->first_time != y->first_time)
        return x->first_time < y->first_time ? -1 : 1;
    if (x->cpu != y->cpu)
        return x->cpu < y->cpu ? -1 : 1;
    if (x->sequence != y->sequence)
        return x->sequence < y->sequence ? -1 : 1;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

void etl_index_sort(etl_buffers *buffers)
{
    if (buffers->len)
        qsort(buffers->data, buffers->len, sizeof(*buffers->data),
              compare_buffers);
}
