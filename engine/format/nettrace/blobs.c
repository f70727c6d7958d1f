/*
 * Blocks of events: a header, then blobs, each a header and a payload.
 * Compressed headers say what is different from the blob before; all is 0
 * before the first. (format.md, sections 3, 4 and 5.3)
 */
#include <string.h>

#include "engine/format/nettrace/nettrace.h"

enum {
    BLOCK_HEADER = 20,
    BLOCK_COMPRESSED = 1,
    FLAG_KIND = 0x01,
    FLAG_WRITER = 0x02,
    FLAG_THREAD = 0x04,
    FLAG_STACK = 0x08,
    FLAG_ACTIVITY = 0x10,
    FLAG_RELATED = 0x20,
    FLAG_SORTED = 0x40,
    FLAG_SIZE = 0x80,
    GUID_SIZE = 16,
    PLAIN_V4 = 80,
    PLAIN_V6 = 52,
    PLAIN_V3 = 56,
};

/* Reads one compressed header on top of the one before. Arithmetic wraps:
 * writers rely on it. */
static void read_compressed_header(struct reader *r, struct nt_event *e,
                                   bool v6)
{
    uint8_t flags = reader_u8(r);

    if (flags & FLAG_KIND)
        e->kind = nt_varint32(r);
    if (flags & FLAG_WRITER) {
        e->sequence += nt_varint32(r) + 1;
        e->capture_thread = reader_uleb(r);
        e->processor = nt_varint32(r);
    } else if (e->kind || v6) {
        e->sequence++;
    }
    if (flags & FLAG_THREAD)
        e->thread = reader_uleb(r);
    if (flags & FLAG_STACK)
        e->stack = nt_varint32(r);
    e->time += reader_uleb(r);
    if (flags & FLAG_ACTIVITY && v6)
        e->labels = nt_varint32(r);
    else if (flags & FLAG_ACTIVITY)
        e->activity = reader_take(r, GUID_SIZE);
    if (flags & FLAG_RELATED && !v6)
        e->related = reader_take(r, GUID_SIZE);
    e->sorted = flags & FLAG_SORTED;
    if (flags & FLAG_SIZE)
        e->size = nt_varint32(r);
}

/* Has the memory of an event that is FAR behind this one fetched, as the
 * processor does not see the way from event to event. Without it `top` of a
 * .NET build of 373 MB takes 15 % more CPU time. */
static void fetch_ahead(const struct nt_block *b, size_t pos, size_t size)
{
    enum { FAR = 1024, LINE = 64, MOST = 4096 };
    size_t end = pos + FAR + (size < MOST ? size : MOST);

    for (size_t at = pos + FAR; at < end && at < b->size; at += LINE)
        __builtin_prefetch(b->data + at);
}

/* False when a thread is not defined, which only v6 knows: the stream
 * contradicts itself, and reading has to stop. */
static bool take_blob(struct nt_file *f, const struct nt_event *e)
{
    struct nt_kind *kind;
    uint32_t id, writer;
    int64_t ticks;

    if (!e->kind && f->version != 6) {
        struct reader r = reader_of(f->name, e->payload, e->size,
                                    (uint64_t)(e->payload - f->data), f->err);

        nt_read_kind(f, &r);
        return true;
    }
    if (f->version > 3) {
        writer = nt_thread_index(f, e->capture_thread);
        if (writer == NO_ID ||
            (f->version == 6 && nt_thread_index(f, e->thread) == NO_ID))
            return false;
        nt_thread_wrote(f, writer, e->sequence);
    }
    id = map_get(&f->kind_ids, e->kind, 0);
    if (id == NO_ID) {
        f->no_kind++;
        return true;
    }
    ticks = (int64_t)(e->time - f->sync);
    if (!f->events++ || ticks > f->last_ticks)
        f->last_ticks = ticks;
    kind = &f->kinds.data[id];
    kind->count++;
    if (f->recording->sink)
        f->paused =
            !f->recording->sink->event(f->recording->sink->context, f, id, e);
    else if (kind->use != CLR_UNUSED || kind->sampled)
        nt_take_event(f, kind, e);
    return true;
}

/* The next compressed event; or what is wrong with it. */
static const char *read_compressed(struct nt_file *f, struct nt_block *b,
                                   struct nt_event *e)
{
    size_t left = b->size - b->pos;
    struct err why;
    struct reader r = reader_of(f->name, b->data + b->pos, left, 0, &why);

    why.code = ERR_NONE;
    read_compressed_header(&r, e, f->version == 6);
    e->payload = r.base + r.pos;
    if (r.failed || e->size > left - r.pos)
        return why.code == ERR_CORRUPT ? "damaged event header"
                                       : "event truncated";
    fetch_ahead(b, b->pos, r.pos + e->size);
    b->pos += r.pos + e->size;
    return NULL;
}

static void load_plain(const uint8_t *p, struct nt_event *e, bool v6)
{
    e->kind = load_u32(p + 4) & INT32_MAX;
    e->sorted = !(load_u32(p + 4) >> 31);
    e->sequence = load_u32(p + 8);
    e->thread = load_u64(p + 12);
    e->capture_thread = load_u64(p + 20);
    e->processor = load_u32(p + 28);
    e->stack = load_u32(p + 32);
    e->time = load_u64(p + 36);
    e->labels = v6 ? load_u32(p + 44) : 0;
    e->activity = v6 ? NULL : p + 44;
    e->related = v6 ? NULL : p + 60;
    e->size = load_u32(p + (v6 ? 48 : 76));
}

static const char *read_plain(struct nt_file *f, struct nt_block *b,
                              struct nt_event *e)
{
    size_t header = f->version == 6 ? PLAIN_V6 : PLAIN_V4;
    const uint8_t *at = b->data + b->pos;
    size_t left = b->size - b->pos, n = left < 4 ? 0 : load_u32(at);

    if (left < header || n > left - 4 || n < header - 4)
        return "event truncated";
    load_plain(at, e, f->version == 6);
    e->payload = at + header;
    if (e->size > n - (header - 4))
        return "event payload too long";
    b->pos += 4 + n;
    return NULL;
}

/* Payload and stack of a v3 blob of `n` bytes behind its size field. */
static bool load_v3(const uint8_t *p, size_t n, struct nt_event *e)
{
    size_t left = n - (PLAIN_V3 - 4);

    e->kind = load_u32(p + 4) & INT32_MAX;
    e->thread = load_u32(p + 8);
    e->time = load_u64(p + 12);
    e->activity = p + 20;
    e->related = p + 36;
    e->size = load_u32(p + 52);
    e->payload = p + PLAIN_V3;
    if (left < 4 || e->size > left - 4)
        return false;
    left -= e->size + 4;
    e->frames = e->payload + e->size + 4;
    e->frames_size = load_u32(e->payload + e->size);
    return e->frames_size <= left;
}

static const char *read_v3(struct nt_block *b, struct nt_event *e)
{
    const uint8_t *at = b->data + b->pos;
    size_t left = b->size - b->pos, n = left < 4 ? 0 : load_u32(at);

    if (left < PLAIN_V3 || n > left - 4 || n < PLAIN_V3 - 4 ||
        !load_v3(at, n, e))
        return "event truncated or damaged";
    b->pos += 4 + n;
    return NULL;
}

/* Reads the block to its end, to what is damaged in it, or until the sink
 * pauses. */
static void read_blobs(struct nt_file *f)
{
    struct nt_block *b = &f->events_block;

    f->paused = false;
    while (b->pos < b->size && !f->paused) {
        size_t pos = b->pos;
        const char *wrong = f->version == 3 ? read_v3(b, &b->last)
                            : b->compressed ? read_compressed(f, b, &b->last)
                                            : read_plain(f, b, &b->last);

        if (wrong) {
            nt_damage(f, b->offset + pos, b->size - pos, wrong);
            return;
        }
        if (!take_blob(f, &b->last)) {
            nt_damage(f, b->offset + pos, f->size - (b->offset + pos),
                      "event of an undefined thread");
            f->stopped = true;
            return;
        }
    }
}

bool nt_resume_block(struct nt_file *f)
{
    bool paused = f->paused;

    if (paused)
        read_blobs(f);
    return paused;
}

/* Blocks that define kinds of events are read in any case, and so are blocks
 * that do not tell their times. */
static bool block_is_wanted(struct nt_file *f, const struct nt_block *b)
{
    const struct nt_sink *sink = f->recording->sink;
    uint64_t min = load_u64(b->data + 4), max = load_u64(b->data + 12);

    f->blocks++;
    return !sink || b->metadata || !max ||
           sink->wants(sink->context, f, min, max);
}

void nt_read_event_block(struct nt_file *f, const struct nt_block *b)
{
    size_t header = b->size < BLOCK_HEADER ? 0 : load_u16(b->data);

    if (header < BLOCK_HEADER || header > b->size) {
        nt_damage(f, b->offset, b->size, "event block header");
    } else if (!block_is_wanted(f, b)) {
        f->blocks_skipped++;
    } else {
        f->events_block = *b;
        f->events_block.pos = header;
        f->events_block.compressed = load_u16(b->data + 2) & BLOCK_COMPRESSED;
        read_blobs(f);
    }
}

void nt_read_v3_block(struct nt_file *f, const struct nt_block *b)
{
    f->events_block = *b;
    f->events_block.last.processor = UINT32_MAX;
    read_blobs(f);
}
