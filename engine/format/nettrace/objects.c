/*
 * Framing of v3, v4 and v5: objects one after the other, then one byte 01.
 *
 *   SIZE  DESCRIPTION
 *   1     begin tag: 4 in v3, 5 in v4 and v5
 *   1     begin tag of the type
 *   1     01
 *   4     version of the type
 *   4     version that a reader must have at least
 *   4+n   name of the type
 *   1     06, end of the type
 *         Trace: 48 bytes. Others: i32 size, zeroes up to a multiple of 4
 *         counted from the start of the stream, then that many bytes
 *   1     06, end of the object
 *
 *   OFFSET  SIZE  DESCRIPTION of the Trace object
 *   0       16    start, UTC: 8 x i16
 *   16      8     clock at the start
 *   24      8     ticks per second
 *   32      4     pointer size
 *   36      4     process id
 *   40      4     processors
 *   44      4     sampling rate: 1,000,000 whatever the real one was
 *
 * (nettrace.md, sections 2 and 3)
 */
#include <stdio.h>
#include <string.h>

#include "engine/format/nettrace/nettrace.h"

enum {
    TAG_NULL = 1,
    TAG_BEGIN_V3 = 4,
    TAG_BEGIN_V4 = 5,
    TAG_END = 6,
    LONGEST_TYPE_NAME = 128,
    TRACE_SIZE = 48,
};

struct object {
    uint32_t version;
    char type[LONGEST_TYPE_NAME + 1];
};

static uint8_t begin_tag(const struct nt_file *f)
{
    return f->version == 3 ? TAG_BEGIN_V3 : TAG_BEGIN_V4;
}

/* From the begin tag to the end of the type. */
static bool read_type(const struct nt_file *f, struct reader *r,
                      struct object *o)
{
    uint8_t tag = begin_tag(f);
    struct bytes name;
    uint32_t n;

    if (reader_u8(r) != tag || reader_u8(r) != tag || reader_u8(r) != 1)
        return false;
    o->version = reader_u32(r);
    reader_skip(r, 4);
    n = reader_u32(r);
    if (n > LONGEST_TYPE_NAME)
        return false;
    name = reader_bytes(r, n);
    memcpy(o->type, name.data ? name.data : (const uint8_t *)"", name.len);
    o->type[name.len] = '\0';
    return reader_u8(r) == TAG_END && !r->failed;
}

static void read_trace(struct nt_file *f, struct reader *r)
{
    uint64_t offset = r->pos;
    struct reader fields = reader_sub(r, TRACE_SIZE, "trace object");

    f->start_unix_ns = nt_unix_time(&fields);
    f->sync = reader_u64(&fields);
    f->frequency = reader_u64(&fields);
    f->pointer_size = reader_u32(&fields);
    f->pid = reader_u32(&fields);
    f->cpus = reader_u32(&fields);
    if (!fields.failed)
        nt_check_description(f, offset);
}

static void read_sequence_point(struct nt_file *f, struct reader *r)
{
    uint32_t count;

    reader_skip(r, 8);
    count = reader_count(r, 12, "thread");
    while (count-- && reader_more(r)) {
        uint64_t thread = reader_u64(r);

        nt_thread_is_at(f, thread, reader_u32(r));
    }
    nt_forget_stacks(f);
}

/* The bytes of a block, of which `size` are there. */
static bool read_block(struct nt_file *f, const char *type, size_t pos,
                       size_t size)
{
    struct nt_block block = {f->data + pos, size, pos};
    struct reader r = reader_of(f->name, block.data, size, pos, f->err);

    if (!strcmp(type, "EventBlock") && f->version == 3)
        nt_read_v3_block(f, &block);
    else if (!strcmp(type, "EventBlock") || !strcmp(type, "MetadataBlock"))
        nt_read_event_block(f, &block);
    else if (!strcmp(type, "StackBlock"))
        nt_read_stacks(f, &r);
    else if (!strcmp(type, "SPBlock"))
        read_sequence_point(f, &r);
    else
        return false;
    if (r.failed)
        nt_damage(f, pos + r.pos, size - r.pos, "block damaged");
    return true;
}

/* Stops: what an object of another type looks like is not known, nor where
 * it ends. */
static bool refuse(struct nt_file *f, const struct object *o, size_t pos)
{
    char what[LONGEST_TYPE_NAME + 60];

    if (!strcmp(o->type, "Microsoft.DotNet.Runtime.EventPipeFile"))
        snprintf(what, sizeof(what),
                 "netperf version %u (.NET Core 2.0): not supported",
                 o->version);
    else if (!strcmp(o->type, "Trace"))
        snprintf(what, sizeof(what), "trace version %u: not supported",
                 o->version);
    else
        snprintf(what, sizeof(what), "object of unknown type \"%s\"",
                 o->type);
    nt_damage(f, pos, f->size - pos, what);
    f->stopped = true;
    return false;
}

/* Size, padding and content of a block. Damage of its content is noted
 * there; false when the framing is lost. */
static bool read_sized(struct nt_file *f, struct reader *r,
                       const struct object *o, size_t begin)
{
    uint32_t size = reader_u32(r);
    size_t left;

    reader_align(r, 4);
    left = reader_left(r);
    if (r->failed || size > INT32_MAX)
        return false;
    if (!read_block(f, o->type, r->pos, size < left ? size : left))
        return refuse(f, o, begin);
    if (size > left) {
        nt_damage(f, f->size, 0, "block cut off");
        f->stopped = true;
        return false;
    }
    reader_skip(r, size);
    return reader_u8(r) == TAG_END && !r->failed;
}

/* v5 still writes 4. */
static bool is_known_version(const struct nt_file *f, uint32_t version)
{
    return f->version == 3 ? version == 3 : version == 4 || version == 5;
}

static bool read_object(struct nt_file *f, struct reader *r)
{
    size_t begin = r->pos;
    struct object o;

    if (!read_type(f, r, &o))
        return false;
    if (f->described && strcmp(o.type, "Trace") != 0)
        return read_sized(f, r, &o, begin);
    if (strcmp(o.type, "Trace") != 0 || !is_known_version(f, o.version))
        return refuse(f, &o, begin);
    read_trace(f, r);
    return reader_u8(r) == TAG_END && !r->failed;
}

/* Whether a type and the name of a block begin here. */
static bool is_object(const struct nt_file *f, size_t pos)
{
    static const char *const types[] = {"EventBlock", "MetadataBlock",
                                        "StackBlock", "SPBlock"};
    struct reader r = reader_of(f->name, f->data, f->size, 0, NULL);
    struct object o;

    r.pos = pos;
    if (!read_type(f, &r, &o))
        return false;
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        if (!strcmp(o.type, types[i]))
            return true;
    return false;
}

/* The next place that looks like an object, or the end. */
static size_t find_object(const struct nt_file *f, size_t pos)
{
    uint8_t tag = begin_tag(f);

    while (pos < f->size) {
        const uint8_t *at = memchr(f->data + pos, tag, f->size - pos);

        if (!at)
            break;
        pos = (size_t)(at - f->data);
        if (is_object(f, pos))
            return pos;
        pos++;
    }
    return f->size;
}

/* The framing was lost in the object at `begin`: goes on with the next one,
 * which may lie inside it, as its size cannot be trusted. */
static size_t resynchronise(struct nt_file *f, size_t begin)
{
    size_t next = find_object(f, begin + 1);

    nt_damage(f, begin, next - begin, "not an object");
    return next;
}

void nt_read_objects(struct nt_file *f, size_t pos)
{
    struct reader r;

    while (!f->stopped && pos < f->size) {
        if (f->described && f->data[pos] == TAG_NULL) {
            f->complete = true;
            return;
        }
        if (f->described && f->description_only)
            return;
        r = reader_of(f->name, f->data, f->size, 0, NULL);
        r.pos = pos;
        if (read_object(f, &r))
            pos = r.pos;
        else if (!f->stopped && f->described)
            pos = resynchronise(f, pos);
        else
            return;
        progress_report(f->recording->options->progress, "reading", pos,
                        f->size);
    }
}
