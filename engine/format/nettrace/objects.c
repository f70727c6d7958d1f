/*
 * Framing of v3, v4 and v5: objects one after the other, then one byte 01.
 * (format.md, sections 2 and 3.2)
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
    uint32_t version, least; /* of the type, and of a reader of it */
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
    const uint8_t begin[3] = {begin_tag(f), begin_tag(f), 1};
    struct bytes tags = reader_bytes(r, sizeof(begin)), name;
    uint32_t n;

    if (!tags.len || memcmp(tags.data, begin, sizeof(begin)) != 0)
        return false;
    o->version = reader_u32(r);
    o->least = reader_u32(r);
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
    if (fields.failed || !nt_check_description(f, offset))
        return;
    nt_describe(f);
    nt_number_fact(f, "process", "ProcessId", f->pid);
    nt_number_fact(f, "processors", "NumberOfProcessors", f->cpus);
    nt_number_fact(f, "sampling rate as stated", "ExpectedCPUSamplingRate",
                   reader_u32(&fields));
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
    if (f->recording->sink)
        f->recording->sink->barrier(f->recording->sink->context, f);
    nt_forget_stacks(f);
}

static void read_block(struct nt_file *f, const char *type, size_t pos,
                       size_t size)
{
    struct nt_block block = {
        .data = f->data + pos,
        .size = size,
        .offset = pos,
        .metadata = !strcmp(type, "MetadataBlock"),
    };
    struct reader r = reader_of(f->name, block.data, size, pos, f->err);

    if (!strcmp(type, "EventBlock") && f->version == 3)
        nt_read_v3_block(f, &block);
    else if (!strcmp(type, "EventBlock") || !strcmp(type, "MetadataBlock"))
        nt_read_event_block(f, &block);
    else if (!strcmp(type, "StackBlock"))
        nt_read_stacks(f, &r);
    else
        read_sequence_point(f, &r);
    if (r.failed)
        nt_damage(f, pos + r.pos, size - r.pos,
                  pos + size < f->size ? "block damaged" : "block truncated");
}

enum { LONGEST_REASON = LONGEST_TYPE_NAME + 60 };

static void unknown_type(const struct object *o, char what[LONGEST_REASON])
{
    if (!strcmp(o->type, "Microsoft.DotNet.Runtime.EventPipeFile"))
        snprintf(what, LONGEST_REASON,
                 "unsupported version %u of netperf files (.NET Core 2.0)",
                 o->version);
    else if (!strcmp(o->type, "Trace"))
        snprintf(what, LONGEST_REASON, "unknown trace version %u", o->version);
    else
        snprintf(what, LONGEST_REASON, "object of unknown type \"%s\"",
                 o->type);
}

static bool is_block(const struct object *o)
{
    static const char *const types[] = {"EventBlock", "MetadataBlock",
                                        "StackBlock", "SPBlock"};

    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        if (!strcmp(o->type, types[i]))
            return true;
    return false;
}

/* The type that begins here. */
static bool type_at(const struct nt_file *f, size_t pos, struct object *o)
{
    struct reader r = reader_of(f->name, f->data, f->size, 0, NULL);

    r.pos = pos;
    return read_type(f, &r, o);
}

/* The next place that looks like an object, or the end. */
static size_t find_object(const struct nt_file *f, size_t pos)
{
    uint8_t tag = begin_tag(f);
    struct object o;

    while (pos < f->size) {
        const uint8_t *at = memchr(f->data + pos, tag, f->size - pos);

        if (!at)
            break;
        pos = (size_t)(at - f->data);
        if (type_at(f, pos, &o) && is_block(&o))
            return pos;
        pos++;
    }
    return f->size;
}

/* Blocks are of version 1 or 2. A newer one is read as far as it is like them,
 * as its size and its records are checked. */
static void check_block_version(struct nt_file *f, const struct object *o)
{
    enum { NEWEST = 2 };

    if (o->least <= NEWEST || f->newer_blocks)
        return;
    f->newer_blocks = true;
    profile_warn(f->recording->profile,
                 "%s needs a reader of version %u, and topfn knows versions up "
                 "to %u: its content may be read wrongly",
                 o->type, o->least, NEWEST);
}

/* Size, padding and content of a block. Damage of its content is noted
 * there; false when the framing is lost. */
static bool read_sized(struct nt_file *f, struct reader *r,
                       const struct object *o)
{
    uint32_t size = reader_u32(r);
    size_t left;

    reader_align(r, 4);
    left = reader_left(r);
    if (r->failed || !is_block(o))
        return false;
    check_block_version(f, o);
    if (size > left) {
        size_t next = find_object(f, r->pos), end = next;
        uint64_t before = f->damaged;

        /* A size beyond the end of the file: it is the recording that ends in
         * this block, or the size is wrong and the block ends before the next
         * object. */
        if (next < f->size && end > r->pos)
            end--;
        read_block(f, o->type, r->pos, end - r->pos);
        if (f->damaged == before || next < f->size)
            nt_damage(f, end, 0,
                      next < f->size ? "block size damaged"
                                     : "block truncated");
        r->pos = next;
        return true;
    }
    read_block(f, o->type, r->pos, size);
    reader_skip(r, size);
    return reader_u8(r) == TAG_END && !r->failed;
}

static bool read_object(struct nt_file *f, struct reader *r)
{
    size_t begin = r->pos;
    struct object o;

    if (!read_type(f, r, &o))
        return false;
    if (f->described && strcmp(o.type, "Trace") != 0)
        return read_sized(f, r, &o);
    /* v5 still writes 4. */
    if (strcmp(o.type, "Trace") != 0 ||
        !(f->version == 3 ? o.version == 3
                          : o.version == 4 || o.version == 5)) {
        /* The first object is not a description we know: nothing is. */
        char what[LONGEST_REASON];

        unknown_type(&o, what);
        nt_damage(f, begin, f->size - begin, what);
        f->stopped = true;
        return false;
    }
    read_trace(f, r);
    return reader_u8(r) == TAG_END && !r->failed;
}

/* The framing was lost in the object at `begin`: goes on with the next one,
 * which may lie inside it, as its size cannot be trusted. */
static size_t resynchronise(struct nt_file *f, size_t begin)
{
    size_t next = find_object(f, begin + 1);
    char what[LONGEST_REASON] = "not an object";
    struct object o;

    if (type_at(f, begin, &o) && is_block(&o))
        snprintf(what, sizeof(what), "object does not end at its stated size");
    else if (type_at(f, begin, &o))
        unknown_type(&o, what);
    nt_damage(f, begin, next - begin, what);
    return next;
}

/* The most bytes before the name of a type. */
size_t nt_wanted_object(const struct nt_file *f, size_t pos)
{
    enum { BEFORE_NAME = 15 };
    struct reader r = reader_of(f->name, f->data, f->size, 0, NULL);
    struct object o;
    size_t size;

    if (pos >= f->size)
        return pos + 1;
    if (f->data[pos] == TAG_NULL)
        return pos;
    r.pos = pos;
    if (!read_type(f, &r, &o))
        return f->size - pos < BEFORE_NAME + LONGEST_TYPE_NAME ? f->size + 1
                                                               : f->size;
    if (!strcmp(o.type, "Trace"))
        return r.pos + TRACE_SIZE + 1;
    size = reader_u32(&r);
    reader_align(&r, 4);
    return r.failed ? f->size + 1 : r.pos + size + 1;
}

bool nt_step_object(struct nt_file *f, size_t *pos)
{
    struct reader r;

    if (f->stopped || *pos >= f->size)
        return false;
    if (f->described && f->data[*pos] == TAG_NULL) {
        f->complete = true;
        return false;
    }
    if (f->described && f->description_only)
        return false;
    r = reader_of(f->name, f->data, f->size, 0, NULL);
    r.pos = *pos;
    if (read_object(f, &r))
        *pos = r.pos;
    else if (!f->stopped && f->described)
        *pos = resynchronise(f, *pos);
    else
        return false;
    return true;
}
