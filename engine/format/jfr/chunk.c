/*
 * Chunks: their header, their events one after the other, and their numbers.
 * (format.md, sections 1 and 2)
 *
 * All numbers are big-endian, or compressed. Events are found from the first on
 * by their sizes. A chunk that is still being written, or was cut off, is read
 * as far as its events go.
 */
#include <stdio.h>
#include <string.h>

#include "engine/format/etl/etl.h"
#include "engine/format/jfr/jfr.h"

enum {
    VERSION = 2,
    FLAG_COMPRESSED = 1,
    UNFINISHED_SHIFT = 24, /* above it: 0 when the chunk is complete */
    TYPE_METADATA = 0,
    TYPE_CONSTANTS = 1,
};

/* ---- numbers ---- */

static uint64_t big_endian(struct reader *r, unsigned width)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < width; i++)
        value = value << 8 | reader_u8(r);
    return value;
}

/* Seven bits a byte, the lowest first; a ninth byte has eight. */
static uint64_t compressed(struct reader *r)
{
    enum { LAST = 56 };
    uint64_t value = 0;

    for (unsigned shift = 0; shift < LAST; shift += 7) {
        uint8_t byte = reader_u8(r);

        value |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80)
            return value;
    }
    return value | (uint64_t)reader_u8(r) << LAST;
}

uint64_t jfr_number(const struct jfr_chunk *c, struct reader *r, unsigned width)
{
    return c->compressed ? compressed(r) : big_endian(r, width);
}

uint64_t jfr_nanoseconds(const struct jfr_chunk *c, uint64_t ticks)
{
    return (uint64_t)etl_ticks_ns(ticks, c->frequency);
}

int64_t jfr_time(const struct jfr_chunk *c, uint64_t ticks)
{
    int64_t start = c->start_ns - c->f->start_ns, time, since;

    since = ticks < c->start_ticks
                ? -etl_ticks_ns(c->start_ticks - ticks, c->frequency)
                : etl_ticks_ns(ticks - c->start_ticks, c->frequency);
    return __builtin_add_overflow(start, since, &time) ? start : time;
}

/* ---- events ---- */

struct reader jfr_events(const struct jfr_chunk *c)
{
    struct reader r = c->bytes;

    r.len = c->end;
    r.pos = JFR_HEADER_SIZE;
    return r;
}

/* The size counts itself. */
bool jfr_next(const struct jfr_chunk *c, struct reader *r, struct jfr_event *e)
{
    size_t start = r->pos;
    uint64_t size = reader_more(r) ? jfr_number(c, r, 4) : 0;

    if (size)
        e->type = jfr_number(c, r, 8);
    if (!size || r->failed || size < r->pos - start || size > r->len - start) {
        r->failed = true;
        r->pos = start;
        return false;
    }
    e->body = *r;
    e->body.len = start + (size_t)size;
    r->pos = e->body.len;
    return true;
}

/* The event at this place of the chunk, if it has this type. */
static bool event_at(const struct jfr_chunk *c, uint64_t at, uint64_t type,
                     struct jfr_event *e)
{
    struct reader r = reader_at(&c->bytes, at, "event");

    return at >= JFR_HEADER_SIZE && jfr_next(c, &r, e) && e->type == type;
}

/* Lists the constants by their chain, from the last to the first, each before
 * the one that it is told by. */
static void follow_chain(struct jfr_chunk *c)
{
    uint64_t at = c->constants_at;
    struct jfr_event e;

    while (event_at(c, at, TYPE_CONSTANTS, &e)) {
        uint64_t delta;

        *vec_add(&c->checkpoints) = (size_t)at;
        jfr_number(c, &e.body, 8); /* start time */
        jfr_number(c, &e.body, 8); /* duration */
        delta = jfr_number(c, &e.body, 8);
        if (!delta || at + delta >= at)
            break;
        at += delta;
    }
}

/* Finds the metadata and the constants, and where events end. Behind damage
 * they are found by the header. */
static bool scan_events(struct jfr_chunk *c)
{
    struct jfr_event e, metadata = {.type = UINT64_MAX};
    struct reader r;
    size_t at;

    c->end = c->bytes.len;
    r = jfr_events(c);
    at = r.pos;
    while (jfr_next(c, &r, &e)) {
        if (e.type == TYPE_METADATA)
            metadata = e;
        else if (e.type == TYPE_CONSTANTS)
            *vec_add(&c->checkpoints) = at;
        at = r.pos;
    }
    c->end = at;
    if (at < c->bytes.len && !c->unfinished) {
        if (!c->f->surveyed)
            profile_skip(c->f->p, c->f->entry->name, c->bytes.offset + at,
                         c->bytes.len - at, "damaged");
        c->checkpoints.len = 0;
        follow_chain(c);
        event_at(c, c->metadata_at, TYPE_METADATA, &metadata);
    }
    if (metadata.type != TYPE_METADATA)
        return false;
    jfr_read_metadata(c, metadata.body);
    return c->classes.len > 0;
}

/* ---- chunks ---- */

static bool read_header(struct jfr_chunk *c, size_t left)
{
    struct reader *r = &c->bytes;
    uint64_t size, flags;
    unsigned major, minor;
    bool is_size;

    r->pos = 4;
    major = (unsigned)big_endian(r, 2);
    minor = (unsigned)big_endian(r, 2);
    size = big_endian(r, 8);
    c->constants_at = big_endian(r, 8);
    c->metadata_at = big_endian(r, 8);
    c->start_ns = (int64_t)(big_endian(r, 8) & INT64_MAX);
    c->duration_ns = (int64_t)(big_endian(r, 8) & INT64_MAX);
    if (c->duration_ns > INT64_MAX - c->start_ns)
        c->duration_ns = INT64_MAX - c->start_ns;
    c->start_ticks = big_endian(r, 8);
    c->frequency = big_endian(r, 8);
    flags = big_endian(r, 4);
    c->compressed = flags & FLAG_COMPRESSED;
    is_size = size >= JFR_HEADER_SIZE && size <= left;
    c->unfinished = !is_size || flags >> UNFINISHED_SHIFT;
    if (is_size)
        r->len = (size_t)size;
    if (!c->frequency)
        c->frequency = NS_PER_SECOND;
    if (major == VERSION)
        return true;
    snprintf(c->f->unread, sizeof(c->f->unread), "a chunk of version %u.%u",
             major, minor);
    return false;
}

bool jfr_chunk_open(struct jfr_chunk *c, struct jfr_file *f, size_t at)
{
    const struct entry *e = f->entry;
    size_t left = e->size - at;

    *c = (struct jfr_chunk){
        .f = f,
        .bytes = reader_of(e->name, e->data + at, left, at, NULL),
    };
    for (unsigned i = 0; i < JFR_WORDS; i++)
        c->class_named[i] = NO_ID;
    strcpy(f->unread, "");
    if (left < JFR_HEADER_SIZE || memcmp(e->data + at, "FLR", 4) != 0)
        strcpy(f->unread, "no chunk of a recording");
    else if (read_header(c, left) && !scan_events(c))
        strcpy(f->unread, "a chunk without metadata");
    if (!*f->unread)
        return true;
    profile_skip(f->p, e->name, at, c->bytes.len, f->unread);
    return false;
}

void jfr_chunk_close(struct jfr_chunk *c)
{
    vec_release(&c->checkpoints);
    vec_release(&c->strings);
    vec_release(&c->classes);
    vec_release(&c->fields);
    vec_release(&c->steps);
    map_release(&c->class_ids);
    map_release(&c->constant_ids);
    vec_release(&c->constants);
}
