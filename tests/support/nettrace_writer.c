#include "tests/support/nettrace_writer.h"

#include <stdlib.h>
#include <string.h>

enum { PROCESS = 1234, POINTER = 8, FREQUENCY = 1000000000 };

void put_bytes(byte_vec *to, const void *bytes, size_t n)
{
    const uint8_t *p = bytes;

    for (size_t i = 0; i < n; i++)
        *vec_add(to) = p[i];
}

void put_number(byte_vec *to, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        *vec_add(to) = (uint8_t)(i < 8 ? value >> 8 * i : 0);
}

void put_varint(byte_vec *to, uint64_t value)
{
    for (; value > 0x7F; value >>= 7)
        *vec_add(to) = (uint8_t)(value | 0x80);
    *vec_add(to) = (uint8_t)value;
}

void put_utf16(byte_vec *to, const char *text)
{
    for (; *text; text++)
        put_number(to, (uint8_t)*text, 2);
    put_number(to, 0, 2);
}

void put_string(byte_vec *to, const char *text)
{
    put_varint(to, strlen(text));
    put_bytes(to, text, strlen(text));
}

void put_short_string(byte_vec *to, const char *text)
{
    put_number(to, strlen(text), 2);
    put_bytes(to, text, strlen(text));
}

void put_method(byte_vec *to, uint64_t start, uint32_t size, uint64_t module,
                const char *space, const char *name, const char *signature)
{
    put_number(to, start, 8); /* serves as the id, too */
    blob_pack(to, "QQII", module, start, size, 0x6000001);
    put_number(to, 0x8, 4); /* jitted */
    put_utf16(to, space);
    put_utf16(to, name);
    put_utf16(to, signature);
    put_number(to, 0, 2);
}

void put_module(byte_vec *to, uint64_t module, const char *path)
{
    blob_pack(to, "QQQ", module, module, 0);
    put_utf16(to, path);
    put_utf16(to, "");
    put_number(to, 0, 2);
}

/* ---- framing ---- */

static uint8_t begin_tag(const struct nettrace_writer *w)
{
    return w->version == 3 ? 4 : 5;
}

static void put_type(struct nettrace_writer *w, const char *name,
                     uint32_t version)
{
    blob_pack(&w->out, "BBBIII", begin_tag(w), begin_tag(w), 1, version, 0,
              strlen(name));
    put_bytes(&w->out, name, strlen(name));
    put_number(&w->out, 6, 1);
}

static const char *type_name(int kind)
{
    switch (kind) {
    case NT_BLOCK_METADATA:
        return "MetadataBlock";
    case NT_BLOCK_SEQUENCE_POINT:
        return "SPBlock";
    case NT_BLOCK_STACKS:
        return "StackBlock";
    }
    return "EventBlock";
}

static void put_object(struct nettrace_writer *w)
{
    put_type(w, type_name(w->block_kind), w->version == 3 ? 1 : 2);
    put_number(&w->out, w->block.len, 4);
    while (w->out.len % 4)
        *vec_add(&w->out) = 0;
    put_bytes(&w->out, w->block.data, w->block.len);
    put_number(&w->out, 6, 1);
}

/* What is known only when a block is full. */
static void complete_block(struct nettrace_writer *w)
{
    byte_vec count = {0};

    if (w->block_kind != NT_BLOCK_STACKS || !w->stacks)
        return;
    put_number(&count, w->stacks, 4);
    memcpy(w->block.data + 4, count.data, 4);
    vec_release(&count);
}

void nettrace_end_block(struct nettrace_writer *w)
{
    if (w->block_kind == NT_BLOCK_NONE)
        return;
    complete_block(w);
    if (w->version == 6) {
        put_number(&w->out,
                   w->block.len | (uint64_t)(unsigned)w->block_kind << 24, 4);
        put_bytes(&w->out, w->block.data, w->block.len);
    } else {
        put_object(w);
    }
    w->block.len = 0;
    w->block_kind = NT_BLOCK_NONE;
}

void nettrace_begin_block(struct nettrace_writer *w, int kind)
{
    nettrace_end_block(w);
    w->block_kind = kind;
    w->stacks = 0;
    w->last = (struct nettrace_event){0};
}

/* Goes on with the block if it is of this kind. True for a new one. */
static bool use_block(struct nettrace_writer *w, int kind)
{
    if (w->block_kind == kind)
        return false;
    nettrace_begin_block(w, kind);
    return true;
}

static void put_description(byte_vec *to)
{
    static const uint16_t start[8] = {2025, 2, 1, 3, 4, 5, 6, 0};

    for (unsigned i = 0; i < 8; i++)
        put_number(to, start[i], 2);
    blob_pack(to, "QQI", 0, FREQUENCY, POINTER);
}

static void put_header(struct nettrace_writer *w)
{
    static const char serialization[] = "\x14\0\0\0!FastSerialization.1";

    if (w->version > 3)
        put_bytes(&w->out, "Nettrace", 8);
    if (w->version == 6) {
        blob_pack(&w->out, "III", 0, 6, 0);
    } else {
        put_bytes(&w->out, serialization, 24);
    }
}

struct nettrace_writer *nettrace_writer_new(unsigned version, bool compressed)
{
    struct nettrace_writer *w = mem_new(1, sizeof(*w));

    w->version = version;
    w->compressed = compressed;
    w->block_kind = NT_BLOCK_NONE;
    put_header(w);
    if (version == 6) {
        nettrace_begin_block(w, NT_BLOCK_TRACE);
        put_description(&w->block);
        put_number(&w->block, 1, 4);
        put_string(&w->block, "ProcessId");
        put_string(&w->block, "1234");
        nettrace_end_block(w);
        return w;
    }
    put_type(w, "Trace", version == 3 ? 3 : 4);
    put_description(&w->out);
    blob_pack(&w->out, "IIIB", PROCESS, 2, 1000000, 6);
    return w;
}

void nettrace_writer_free(struct nettrace_writer *w)
{
    vec_release(&w->out);
    vec_release(&w->block);
    free(w);
}

void nettrace_end(struct nettrace_writer *w)
{
    nettrace_end_block(w);
    put_number(&w->out, w->version == 6 ? 0 : 1, w->version == 6 ? 4 : 1);
}

/* ---- events ---- */

/* Flags are set for what differs, so every field of a header is exercised. */
static void put_compressed(struct nettrace_writer *w,
                           const struct nettrace_event *e)
{
    const struct nettrace_event *last = &w->last;
    bool writer = e->capture_thread != last->capture_thread ||
                  e->processor != last->processor ||
                  e->sequence != last->sequence + 1;
    bool labels = w->version == 6 && e->labels != last->labels;

    put_number(&w->block,
               (e->kind != last->kind ? 1u : 0) | (writer ? 2u : 0) |
                   (e->thread != last->thread ? 4u : 0) |
                   (e->stack != last->stack ? 8u : 0) | (labels ? 16u : 0) |
                   (e->size != last->size ? 128u : 0),
               1);
    if (e->kind != last->kind)
        put_varint(&w->block, e->kind);
    if (writer) {
        put_varint(&w->block, (uint32_t)(e->sequence - last->sequence - 1));
        put_varint(&w->block, e->capture_thread);
        put_varint(&w->block, e->processor);
    }
    if (e->thread != last->thread)
        put_varint(&w->block, e->thread);
    if (e->stack != last->stack)
        put_varint(&w->block, e->stack);
    put_varint(&w->block, e->time - last->time);
    if (labels)
        put_varint(&w->block, e->labels);
    if (e->size != last->size)
        put_varint(&w->block, e->size);
    w->last = *e;
}

static void put_plain(struct nettrace_writer *w, const struct nettrace_event *e)
{
    bool v6 = w->version == 6;

    blob_pack(&w->block, "IIIQQ", (v6 ? 48 : 76) + e->size,
              e->kind | 1u << 31, e->sequence, e->thread, e->capture_thread);
    blob_pack(&w->block, "IIQ", e->processor, e->stack, e->time);
    for (unsigned i = 0; !v6 && i < 32; i++)
        put_number(&w->block, 0, 1);
    if (v6)
        put_number(&w->block, e->labels, 4);
    put_number(&w->block, e->size, 4);
}

static void put_v3(struct nettrace_writer *w, const struct nettrace_event *e)
{
    size_t n = 52 + e->size + 4 + e->depth * POINTER;

    blob_pack(&w->block, "IIIQ", (n + 3) / 4 * 4, e->kind, e->thread,
              e->time);
    for (unsigned i = 0; i < 32; i++)
        put_number(&w->block, 0, 1);
    put_number(&w->block, e->size, 4);
    put_bytes(&w->block, e->payload, e->size);
    put_number(&w->block, e->depth * POINTER, 4);
    for (size_t i = 0; i < e->depth; i++)
        put_number(&w->block, e->frames[i], POINTER);
    while (w->block.len % 4)
        put_number(&w->block, 0, 1);
}

static void put_event(struct nettrace_writer *w, int kind,
                      const struct nettrace_event *e)
{
    if (use_block(w, kind) && w->version > 3) {
        blob_pack(&w->block, "HHQQ", 20, w->compressed, 0, 0);
    }
    if (w->version == 3) {
        put_v3(w, e);
        return;
    }
    if (w->compressed)
        put_compressed(w, e);
    else
        put_plain(w, e);
    put_bytes(&w->block, e->payload, e->size);
}

void nettrace_event(struct nettrace_writer *w, const struct nettrace_event *e)
{
    put_event(w, NT_BLOCK_EVENTS, e);
}

/* ---- tables ---- */

static void put_kind_v6(struct nettrace_writer *w, uint32_t id,
                        const char *provider, uint32_t event_id,
                        const char *name, uint32_t version)
{
    byte_vec row = {0};

    if (use_block(w, NT_BLOCK_METADATA))
        put_number(&w->block, 0, 2);
    put_varint(&row, id);
    put_string(&row, provider);
    put_varint(&row, event_id);
    put_string(&row, name);
    blob_pack(&row, "HHBB", 0, 2, 9, version);
    put_number(&w->block, row.len, 2);
    put_bytes(&w->block, row.data, row.len);
    vec_release(&row);
}

void nettrace_kind(struct nettrace_writer *w, uint32_t id,
                   const char *provider, uint32_t event_id, const char *name,
                   uint32_t version)
{
    byte_vec payload = {0};

    if (w->version == 6) {
        put_kind_v6(w, id, provider, event_id, name, version);
        return;
    }
    put_number(&payload, id, 4);
    put_utf16(&payload, provider);
    put_number(&payload, event_id, 4);
    put_utf16(&payload, name);
    blob_pack(&payload, "QIII", 0, version, 4, 0);
    put_event(w, w->version == 3 ? NT_BLOCK_EVENTS : NT_BLOCK_METADATA,
              &(struct nettrace_event){.payload = payload.data,
                                       .size = payload.len});
    vec_release(&payload);
}

void nettrace_thread(struct nettrace_writer *w, uint64_t index, uint64_t pid,
                     uint64_t tid)
{
    byte_vec row = {0};

    use_block(w, NT_BLOCK_THREADS);
    put_varint(&row, index);
    put_number(&row, 3, 1);
    put_varint(&row, tid);
    put_number(&row, 2, 1);
    put_varint(&row, pid);
    put_number(&w->block, row.len, 2);
    put_bytes(&w->block, row.data, row.len);
    vec_release(&row);
}

void nettrace_remove_thread(struct nettrace_writer *w, uint64_t index,
                            uint32_t last)
{
    use_block(w, NT_BLOCK_REMOVED_THREADS);
    put_varint(&w->block, index);
    put_varint(&w->block, last);
}

void nettrace_stack(struct nettrace_writer *w, uint32_t id,
                    const uint64_t *frames, size_t depth)
{
    if (use_block(w, NT_BLOCK_STACKS)) {
        blob_pack(&w->block, "II", id, 0);
    }
    w->stacks++;
    put_number(&w->block, depth * POINTER, 4);
    for (size_t i = 0; i < depth; i++)
        put_number(&w->block, frames[i], POINTER);
}

void nettrace_sequence_point(struct nettrace_writer *w, uint32_t flags,
                             const uint64_t (*threads)[2], size_t n)
{
    nettrace_begin_block(w, NT_BLOCK_SEQUENCE_POINT);
    put_number(&w->block, 0, 8);
    if (w->version == 6)
        put_number(&w->block, flags, 4);
    put_number(&w->block, n, 4);
    for (size_t i = 0; i < n; i++) {
        if (w->version == 6) {
            put_varint(&w->block, threads[i][0]);
            put_varint(&w->block, threads[i][1]);
        } else {
            blob_pack(&w->block, "QI", threads[i][0], threads[i][1]);
        }
    }
    nettrace_end_block(w);
}
