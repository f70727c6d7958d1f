/*
 * Record headers, after the first dword (byte 2 type, byte 3 = 0xC0):
 *
 *   PERFINFO 16/17  16 bytes: u16 version, type, size, hook; u64 stamp
 *   SYSTEM    1/2   32 bytes: the same 8, u32 tid, pid, u64 stamp, 2 x u32
 *   FULL     10/20  48 bytes: u16 size, type, u8 opcode, level, u16 version,
 *                   u32 tid, pid, u64 stamp, GUID, u64 processor time
 *   EVENT    18/19  80 bytes: u16 size, type, u16 flags, property, tid, pid,
 *                   u64 stamp, GUID, descriptor, processor time, activity
 * The odd one of each pair is the one for 4-byte pointers, except PERFINFO
 * and EVENT where the lower number is.
 */
#include "tests/support/etl_writer_impl.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void put(struct etl_writer *w, uint64_t v, unsigned bytes)
{
    assert(w->record_size + bytes <= MAX_RECORD);
    etl_store(w->record + w->record_size, v, bytes);
    w->record_size += bytes;
}

static void begin(struct etl_writer *w, struct etl_at at, size_t size_at)
{
    assert(w->record_size == 0 && at.cpu < w->opt.cpus);
    w->at = at;
    w->size_at = size_at;
}

static unsigned kernel_type(struct etl_writer *w, unsigned type32)
{
    w->record_width = w->opt.pointer_size;
    return w->record_width == 8 ? type32 + 1 : type32;
}

/* The bitness of manifest and classic records is their process's. */
static bool is_wide(struct etl_writer *w)
{
    w->record_width = w->at.pointer_size ? w->at.pointer_size
                                         : w->opt.pointer_size;
    return w->record_width == 8;
}

static void put_marker(struct etl_writer *w, unsigned first, unsigned type)
{
    put(w, first, 2);
    put(w, type, 1);
    put(w, 0xC0, 1);
}

void etl_begin_perfinfo(struct etl_writer *w, struct etl_at at,
                        unsigned hook, unsigned version)
{
    begin(w, at, 4);
    put_marker(w, version, kernel_type(w, 16));
    put(w, 0, 2);
    put(w, hook, 2);
    put(w, at.tick, 8);
}

static void put_ids_and_stamp(struct etl_writer *w)
{
    put(w, w->at.tid, 4);
    put(w, w->at.pid, 4);
    put(w, w->at.tick, 8);
}

void etl_begin_system(struct etl_writer *w, struct etl_at at,
                      unsigned hook, unsigned version)
{
    begin(w, at, 4);
    put_marker(w, version, kernel_type(w, 1));
    put(w, 0, 2);
    put(w, hook, 2);
    put_ids_and_stamp(w);
    put(w, 0, 8);
}

void etl_begin_full(struct etl_writer *w, struct etl_at at,
                    const struct etl_guid *class_guid, unsigned opcode,
                    unsigned version)
{
    begin(w, at, 0);
    put_marker(w, 0, is_wide(w) ? 20 : 10);
    put(w, opcode, 1);
    put(w, 0, 1);
    put(w, version, 2);
    put_ids_and_stamp(w);
    etl_put_guid(w, class_guid);
    put(w, 0, 8);
}

void etl_begin_event(struct etl_writer *w, struct etl_at at,
                     const struct etl_descriptor *d)
{
    begin(w, at, 0);
    put_marker(w, 0, is_wide(w) ? 19 : 18);
    put(w, 0, 4);
    put_ids_and_stamp(w);
    etl_put_guid(w, &d->provider);
    put(w, d->id, 2);
    put(w, d->version, 1);
    put(w, d->channel, 1);
    put(w, d->level, 1);
    put(w, d->opcode, 1);
    put(w, d->task, 2);
    put(w, d->keyword, 8);
    etl_put_zeros(w, 8 + 16);
}

void etl_begin_raw(struct etl_writer *w, struct etl_at at, unsigned first,
                   unsigned type, unsigned marker, size_t size_at)
{
    begin(w, at, size_at);
    put(w, first, 2);
    put(w, type, 1);
    put(w, marker, 1);
}

void etl_put_item(struct etl_writer *w, enum etl_item type,
                  const void *data, size_t size, bool more)
{
    size_t padded = (size + 7) & ~(size_t)7;

    etl_store(w->record + 4, 1, 2); /* EXTENDED_INFO */
    put(w, 8 + padded, 2);
    put(w, (unsigned)type, 2);
    put(w, more, 2);
    put(w, size, 2);
    etl_put_bytes(w, data, size);
    etl_put_zeros(w, padded - size);
}

void etl_end(struct etl_writer *w)
{
    struct buffer *b = &w->cpus[w->at.cpu];

    assert(w->record_size && w->record_size < 0xFFFF);
    assert(w->at.tick >= b->last_tick);
    b->last_tick = w->at.tick;
    if (w->at.tick > w->end_tick)
        w->end_tick = w->at.tick;
    etl_store(w->record + w->size_at, w->record_size, 2);
    etl_append(w, w->at.cpu, w->record, w->record_size);
    w->record_size = 0;
}

void etl_put_u8(struct etl_writer *w, uint32_t v)
{
    put(w, v, 1);
}

void etl_put_u16(struct etl_writer *w, uint32_t v)
{
    put(w, v, 2);
}

void etl_put_u32(struct etl_writer *w, uint32_t v)
{
    put(w, v, 4);
}

void etl_put_u64(struct etl_writer *w, uint64_t v)
{
    put(w, v, 8);
}

void etl_put_ptr(struct etl_writer *w, uint64_t v)
{
    put(w, v, w->record_width);
}

void etl_put_zeros(struct etl_writer *w, size_t n)
{
    assert(w->record_size + n <= MAX_RECORD);
    memset(w->record + w->record_size, 0, n);
    w->record_size += n;
}

void etl_pack_list(struct etl_writer *w, const char *format,
                   const uint64_t *values)
{
    static const char letters[] = "BHIQ";
    char *end;

    for (; *format; format++) {
        const char *letter = strchr(letters, *format);

        if (letter) {
            put(w, *values++, 1u << (letter - letters));
        } else if (*format == 'P') {
            etl_put_ptr(w, *values++);
        } else {
            etl_put_zeros(w, strtoul(format, &end, 10));
            format = end; /* the x */
        }
    }
}

void etl_put_bytes(struct etl_writer *w, const void *data, size_t n)
{
    assert(w->record_size + n <= MAX_RECORD);
    if (n)
        memcpy(w->record + w->record_size, data, n);
    w->record_size += n;
}

void etl_put_guid(struct etl_writer *w, const struct etl_guid *g)
{
    put(w, g->a, 4);
    put(w, g->b, 2);
    put(w, g->c, 2);
    etl_put_bytes(w, g->d, 8);
}

void etl_put_astr(struct etl_writer *w, const char *s)
{
    etl_put_bytes(w, s, strlen(s) + 1);
}

/* Decodes one code point of text that we wrote ourselves: no checks. */
static uint32_t next_code_point(const char **s)
{
    const unsigned char *p = (const unsigned char *)*s;
    unsigned more = p[0] < 0x80 ? 0 : p[0] < 0xE0 ? 1 : p[0] < 0xF0 ? 2 : 3;
    uint32_t c = more ? p[0] & (0x3Fu >> more) : p[0];

    for (unsigned i = 1; i <= more && p[i]; i++)
        c = c << 6 | (p[i] & 0x3Fu);
    *s += more + 1;
    return c;
}

void etl_put_wstr(struct etl_writer *w, const char *utf8)
{
    while (*utf8) {
        uint32_t c = next_code_point(&utf8);
        if (c >= 0x10000) {
            put(w, 0xD800 + ((c - 0x10000) >> 10), 2);
            put(w, 0xDC00 + ((c - 0x10000) & 0x3FF), 2);
        } else {
            put(w, c, 2);
        }
    }
    put(w, 0, 2);
}
