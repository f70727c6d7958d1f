/*
 * Framing of v6: blocks of several kinds; unknown ones are skipped. (format.md,
 * section 5)
 */
#include <stdio.h>
#include <string.h>

#include "engine/format/nettrace/nettrace.h"

enum block_kind {
    BLOCK_END,
    BLOCK_TRACE,
    BLOCK_EVENTS,
    BLOCK_METADATA,
    BLOCK_SEQUENCE_POINT,
    BLOCK_STACKS,
    BLOCK_THREADS,
    BLOCK_REMOVED_THREADS,
    BLOCK_LABEL_LISTS,
};

enum { FORGET_THREADS = 1, FORGET_KINDS = 2, GUID_SIZE = 16 };

uint32_t nt_varint32(struct reader *r)
{
    uint64_t value = reader_uleb(r);

    if (value > UINT32_MAX)
        reader_fail(r, ERR_CORRUPT, "number of 32 bits");
    return r->failed ? 0 : (uint32_t)value;
}

struct bytes nt_string(struct reader *r)
{
    return reader_bytes(r, nt_varint32(r));
}

/* Decimal text; 0 when it is not. */
static uint32_t decimal(struct bytes text)
{
    uint64_t value = 0;

    for (size_t i = 0; i < text.len; i++) {
        if (text.data[i] < '0' || text.data[i] > '9' || value > UINT32_MAX)
            return 0;
        value = value * 10 + (uint64_t)(text.data[i] - '0');
    }
    return value > UINT32_MAX ? 0 : (uint32_t)value;
}

enum { MOST_PAIRS = 100 };

/* A pair of the trace block as a fact by its own key. */
static void pair_fact(struct nt_file *f, struct bytes key, struct bytes value)
{
    enum { LONGEST = 200 };
    struct profile *p = f->recording->profile;
    char name[LONGEST + 1];

    if (f->description_only)
        return;
    snprintf(name, sizeof(name), "%.*s",
             (int)(key.len < LONGEST ? key.len : LONGEST),
             (const char *)key.data);
    profile_fact(p, name, "%.*s",
                 (int)(value.len < LONGEST ? value.len : LONGEST),
                 (const char *)value.data);
    profile_fact_field(p, name);
}

static void read_trace(struct nt_file *f, struct reader *r)
{
    uint32_t count, facts = 0;

    f->start_unix_ns = nt_unix_time(r);
    f->sync = reader_u64(r);
    f->frequency = reader_u64(r);
    f->pointer_size = reader_u32(r);
    nt_describe(f);
    count = reader_count(r, 2, "key");
    while (count-- && reader_more(r)) {
        struct bytes key = nt_string(r), value = nt_string(r);

        if (r->failed)
            break;
        if (facts++ < MOST_PAIRS)
            pair_fact(f, key, value);
        if (bytes_are(key, "ProcessId"))
            f->pid = decimal(value);
        else if (bytes_are(key, "HardwareThreadCount"))
            f->cpus = decimal(value);
    }
    if (!r->failed)
        nt_check_description(f, r->offset);
}

/* Nothing behind an entry of unknown kind can be read, but its row is. */
static bool read_thread_entry(struct nt_thread *t, struct reader *r)
{
    switch (reader_u8(r)) {
    case 1:
        t->name = nt_string(r);
        return true;
    case 2:
        t->pid = (uint32_t)reader_uleb(r);
        return true;
    case 3:
        t->tid = (uint32_t)reader_uleb(r);
        return true;
    case 4:
        nt_string(r);
        nt_string(r);
        return true;
    }
    return false;
}

static void stop_at_block(struct nt_file *f, const struct reader *r, size_t pos,
                          const char *what)
{
    uint64_t offset = r->offset + pos;

    nt_damage(f, offset, f->size - offset, what);
    f->stopped = true;
}

static void read_threads(struct nt_file *f, struct reader *r)
{
    while (reader_more(r) && !f->stopped) {
        size_t pos = r->pos;
        struct reader row = reader_sub(r, reader_u16(r), "thread");
        struct nt_thread t = {
            .pid = f->pid,
            .tid = UINT32_MAX,
            .key = NO_ID,
            .counted = true,
        };

        t.id = reader_uleb(&row);
        while (reader_more(&row) && read_thread_entry(&t, &row))
            continue;
        if (row.failed)
            r->failed = true;
        else if (!nt_define_thread(f, &t))
            stop_at_block(f, r, pos, "thread index defined twice");
    }
}

static void read_sequence_point(struct nt_file *f, struct reader *r)
{
    uint32_t flags, count;

    reader_skip(r, 8);
    flags = reader_u32(r);
    count = reader_count(r, 2, "thread");
    while (count-- && reader_more(r)) {
        uint64_t id = reader_uleb(r);
        uint32_t number = nt_varint32(r);

        if (!r->failed)
            nt_thread_is_at(f, id, number);
    }
    if (f->recording->sink)
        f->recording->sink->barrier(f->recording->sink->context, f);
    nt_forget_stacks(f);
    f->labels.len = 0;
    map_release(&f->label_ids);
    if (flags & FORGET_THREADS)
        nt_forget_threads(f);
    if (flags & FORGET_KINDS)
        nt_forget_kinds(f);
}

bool nt_read_label(struct reader *r, struct nt_label *l)
{
    uint8_t kind = reader_u8(r);

    *l = (struct nt_label){.kind = kind & 0x7F};
    switch (l->kind) {
    case NT_LABEL_ACTIVITY:
    case NT_LABEL_RELATED:
    case NT_LABEL_TRACE:
        l->id = reader_take(r, GUID_SIZE);
        break;
    case NT_LABEL_SPAN:
    case NT_LABEL_KEYWORDS:
        l->number = reader_u64(r);
        break;
    case NT_LABEL_TEXT:
        l->key = nt_string(r);
        l->value = nt_string(r);
        break;
    case NT_LABEL_NUMBER:
        l->key = nt_string(r);
        l->number = reader_uleb(r);
        break;
    case NT_LABEL_OPCODE:
    case NT_LABEL_LEVEL:
    case NT_LABEL_VERSION:
        l->number = reader_u8(r);
        break;
    default:
        reader_fail(r, ERR_UNSUPPORTED, "label");
    }
    return kind & 0x80;
}

static void take_label(struct nt_labels *all, const struct nt_label *l)
{
    switch (l->kind) {
    case NT_LABEL_ACTIVITY:
        all->activity = l->id;
        break;
    case NT_LABEL_RELATED:
        all->related = l->id;
        break;
    case NT_LABEL_OPCODE:
        all->opcode = (int16_t)l->number;
        break;
    case NT_LABEL_KEYWORDS:
        all->keywords = l->number;
        all->has_keywords = true;
        break;
    case NT_LABEL_LEVEL:
        all->level = (int16_t)l->number;
        break;
    case NT_LABEL_VERSION:
        all->version = (int16_t)l->number;
        break;
    }
}

static void read_label_lists(struct nt_file *f, struct reader *r)
{
    uint32_t first = reader_u32(r), count = reader_count(r, 2, "label list");

    for (uint32_t i = 0; i < count && reader_more(r); i++) {
        struct nt_labels l = {.opcode = -1, .level = -1, .version = -1};
        size_t from = r->pos;
        struct nt_label label;
        bool last = false;

        while (!last && reader_more(r)) {
            last = nt_read_label(r, &label);
            if (!r->failed)
                take_label(&l, &label);
        }
        if (!r->failed)
            l.list = (struct bytes){r->base + from, r->pos - from};
        if (r->failed)
            return;
        map_set(&f->label_ids, first + i, 0, (uint32_t)f->labels.len);
        *vec_add(&f->labels) = l;
    }
}

const struct nt_labels *nt_labels_of(struct nt_file *f,
                                     const struct nt_event *e)
{
    uint32_t at = e->labels ? map_get(&f->label_ids, e->labels, 0) : NO_ID;

    if (e->labels && at == NO_ID)
        f->no_labels++;
    return at == NO_ID ? NULL : &f->labels.data[at];
}

static void read_block(struct nt_file *f, unsigned kind, struct reader *r)
{
    struct nt_block block = {
        .data = r->base,
        .size = r->len,
        .offset = r->offset,
    };

    switch (kind) {
    case BLOCK_EVENTS:
        nt_read_event_block(f, &block);
        break;
    case BLOCK_METADATA:
        nt_read_kinds_v6(f, r);
        break;
    case BLOCK_SEQUENCE_POINT:
        read_sequence_point(f, r);
        break;
    case BLOCK_STACKS:
        nt_read_stacks(f, r);
        break;
    case BLOCK_THREADS:
        read_threads(f, r);
        break;
    case BLOCK_REMOVED_THREADS:
        while (reader_more(r) && !f->stopped) {
            size_t pos = r->pos;
            uint64_t id = reader_uleb(r);
            uint32_t last = nt_varint32(r);

            if (!r->failed && !nt_remove_thread(f, id, last))
                stop_at_block(f, r, pos, "removal of an undefined thread");
        }
        break;
    case BLOCK_LABEL_LISTS:
        read_label_lists(f, r);
        break;
    default:
        f->unknown_blocks++;
    }
    if (r->failed && !f->stopped)
        nt_damage(f, r->offset + r->pos, r->len - r->pos, "block damaged");
}

/* The block at `pos`; returns where the next one is. */
static size_t read_next(struct nt_file *f, size_t pos)
{
    uint32_t word = load_u32(f->data + pos);
    size_t size = word & 0xFFFFFF, left = f->size - pos - 4;
    unsigned kind = word >> 24;
    uint64_t before = f->damaged;
    struct reader r = reader_of(f->name, f->data + pos + 4,
                                size < left ? size : left, pos + 4, NULL);

    if (!f->described && kind != BLOCK_TRACE) {
        stop_at_block(f, &r, 0, "the first block does not describe the trace");
        return pos;
    }
    if (kind == BLOCK_END)
        f->complete = true;
    else if (kind == BLOCK_TRACE && !f->described)
        read_trace(f, &r);
    else
        read_block(f, kind, &r);
    if (size > left && !f->stopped && f->damaged == before)
        nt_damage(f, f->size, 0, "block truncated");
    return pos + 4 + (size < left ? size : left);
}

bool nt_step_block(struct nt_file *f, size_t *pos)
{
    if (!f->stopped && !f->complete && f->size - *pos >= 4) {
        *pos = read_next(f, *pos);
        return f->described && !f->description_only;
    }
    if (!f->stopped && !f->complete && *pos < f->size)
        nt_damage(f, *pos, f->size - *pos, "block truncated");
    return false;
}
