/*
 * Records of the kernel: what happened to processes and their memory, what
 * was lost. With sample_id_all they end with what identifies them, in this
 * order, 8 bytes each: pid and tid, time, id, stream, CPU, identifier; those
 * that the event's sample_type has. (format.md, section 5)
 */
#include "engine/format/perfdata/perfdata.h"

#include <string.h>

/* ---- what identifies a record ---- */

/* Of the event whose counter the record names; else of the first. */
static const struct pd_event *layout_of(struct pd_reading *r,
                                        const struct reader *body)
{
    const struct pd_event *e = r->events.data;
    struct reader last;
    uint32_t own;

    if (!e || !(e->sample_type & PD_IDENTIFIER) || body->len < 8)
        return e;
    last = reader_at(body, body->len - 8, "identifier");
    own = pd_event_of(r, reader_u64_in(&last, r->swapped));
    return own == NO_ID ? e : &r->events.data[own];
}

/* Reads the end of a record, and cuts it off. */
static uint64_t cut_identity(struct pd_reading *r, struct reader *body,
                             uint32_t *tid)
{
    const struct pd_event *e = layout_of(r, body);
    uint64_t bits = PD_TID | PD_TIME | PD_ID | PD_STREAM_ID | PD_CPU |
                    PD_IDENTIFIER,
             time = 0;
    struct reader end;
    size_t size;

    *tid = 0;
    if (e && !e->sample_id_all && (e->sample_type & PD_TIME))
        return r->task_time; /* old recorders: FORK and EXIT alone tell */
    if (!e || !e->sample_id_all)
        return 0;
    bits &= e->sample_type;
    size = (size_t)__builtin_popcountll(bits) * 8;
    if (size > body->len)
        return 0;
    end = reader_at(body, body->len - size, "identity");
    if (bits & PD_TID) {
        reader_skip(&end, 4);
        *tid = reader_u32_in(&end, r->swapped);
    }
    if (bits & PD_TIME)
        time = reader_u64_in(&end, r->swapped);
    body->len -= size;
    return time;
}

static uint64_t cut_time(struct pd_reading *r, struct reader *body)
{
    uint32_t tid;

    return cut_identity(r, body, &tid);
}

/* ---- records of the kernel ---- */

static void add_happening(struct pd_reading *r, const struct pd_record *rec,
                          struct pd_happening *h)
{
    if (r->untimed)
        h->time = pd_place(r, rec->body.base, rec->lasting);
    *vec_add(&r->happenings) = *h;
}

static void take_comm(struct pd_reading *r, struct pd_record *rec)
{
    enum { EXEC = 1 << 13 };
    struct pd_happening h = {.time = cut_time(r, &rec->body),
                             .kind = rec->misc & EXEC ? PD_EXEC : PD_COMM};

    h.pid = reader_u32_in(&rec->body, r->swapped);
    h.tid = reader_u32_in(&rec->body, r->swapped);
    h.what = pd_text(r, reader_cstr(&rec->body));
    pd_met_time(r, h.time);
    if (!rec->body.failed)
        add_happening(r, rec, &h);
}

/* Its time is in it, too: older recorders write no other. */
static void take_task(struct pd_reading *r, struct pd_record *rec,
                      enum pd_happening_kind kind)
{
    struct pd_happening h = {.kind = (uint8_t)kind};
    struct reader *body = &rec->body;

    cut_time(r, body);
    h.pid = reader_u32_in(body, r->swapped);
    h.parent_pid = reader_u32_in(body, r->swapped);
    h.tid = reader_u32_in(body, r->swapped);
    h.parent_tid = reader_u32_in(body, r->swapped);
    h.time = reader_u64_in(body, r->swapped);
    if (body->failed)
        return;
    pd_met_time(r, h.time);
    r->task_time = h.time;
    add_happening(r, rec, &h);
}

/* MMAP2 between the offset and the path: u32 major, u32 minor, u64 inode,
 * u64 generation; or u8 size, 3 bytes, 20 bytes build-id; then u32
 * protection, u32 flags. */
static void read_file_identity(const struct pd_reading *r,
                               struct pd_record *rec, struct pd_mapping *m)
{
    enum { HAS_BUILD_ID = 1 << 14, MOST = 20, JIT_CODE = 1 << 14 };
    struct bytes id;
    uint8_t size;

    if (rec->misc & HAS_BUILD_ID) {
        size = reader_u8(&rec->body);
        reader_skip(&rec->body, 3);
        id = reader_bytes(&rec->body, MOST);
        if (id.len && size <= MOST) {
            m->build_id_size = size;
            memcpy(m->build_id, id.data, size);
        }
    } else {
        m->major = reader_u32_in(&rec->body, r->swapped);
        m->minor = reader_u32_in(&rec->body, r->swapped);
        m->inode = reader_u64_in(&rec->body, r->swapped);
        reader_skip(&rec->body, 8);
    }
    m->generated = reader_u32_in(&rec->body, r->swapped) & JIT_CODE;
    reader_skip(&rec->body, 4);
}

/* The recording does not begin with it: of generated code, it may have the
 * time when that was made. */
static void take_mapping(struct pd_reading *r, struct pd_record *rec)
{
    enum { IS_DATA = 1 << 13 };
    struct pd_happening h = {.time = cut_time(r, &rec->body), .kind = PD_MMAP};
    struct pd_mapping m = {.older = NO_ID};
    struct reader *body = &rec->body;
    unsigned mode = rec->misc & PD_MODE_MASK;

    h.pid = reader_u32_in(body, r->swapped);
    h.tid = reader_u32_in(body, r->swapped);
    m.base = reader_u64_in(body, r->swapped);
    m.size = reader_u64_in(body, r->swapped);
    m.file_offset = reader_u64_in(body, r->swapped);
    if (rec->type == PD_RECORD_MMAP2)
        read_file_identity(r, rec, &m);
    m.path = pd_text(r, reader_cstr(body));
    m.kernel = mode == PD_MODE_KERNEL;
    m.data = rec->misc & IS_DATA;
    if (body->failed || mode == PD_MODE_GUEST_KERNEL ||
        mode == PD_MODE_GUEST_USER)
        return;
    if (m.size > UINT64_MAX - m.base)
        m.size = UINT64_MAX - m.base;
    if (h.time > r->last_time)
        r->last_time = h.time;
    h.what = mem_next_id(r->mappings.len);
    *vec_add(&r->mappings) = m;
    add_happening(r, rec, &h);
}

/* u64 address, u32 size, u16 kind, u16 flags (1: it went), name. */
static void take_kernel_symbol(struct pd_reading *r, struct pd_record *rec)
{
    struct pd_kernel_symbol s = {.time = cut_time(r, &rec->body)};
    struct reader *body = &rec->body;
    struct bytes name;

    s.start = reader_u64_in(body, r->swapped);
    s.size = reader_u32_in(body, r->swapped);
    reader_skip(body, 2);
    s.gone = reader_u16_in(body, r->swapped) & 1;
    name = reader_cstr(body);
    if (body->failed || !s.size || s.size > UINT64_MAX - s.start)
        return;
    s.name = (struct text_slice){
        .data = (uint8_t *)arena_strndup(&r->seen->kept,
                                         (const char *)name.data, name.len),
        .len = (uint32_t)name.len};
    *vec_add(&r->kernel_symbols) = s;
}

/* What a filter of the recorder dropped was not lost. What counters lost is
 * read from them at the end, at no time, and was told by LOST before. */
static void take_lost_samples(struct pd_reading *r, struct pd_record *rec,
                              const struct pd_event *e, uint64_t time)
{
    enum { BY_FILTER = 1 << 15 };
    bool at_end = !time && e && (e->read_format & PD_READ_LOST);
    uint64_t lost = reader_u64_in(&rec->body, r->swapped);

    if (rec->misc & BY_FILTER)
        return;
    if (at_end)
        r->lost_by_counters += lost;
    else
        r->lost_samples += lost;
}

void pd_take_kernel_record(struct pd_reading *r, struct pd_record *rec)
{
    struct reader *body = &rec->body;
    const struct pd_event *e;
    uint64_t time;
    uint32_t tid;

    switch (rec->type) {
    case PD_RECORD_COMM:
        take_comm(r, rec);
        return;
    case PD_RECORD_FORK:
        take_task(r, rec, PD_FORK);
        return;
    case PD_RECORD_EXIT:
        take_task(r, rec, PD_EXIT);
        return;
    case PD_RECORD_MMAP:
    case PD_RECORD_MMAP2:
        take_mapping(r, rec);
        return;
    case PD_RECORD_KSYMBOL:
        take_kernel_symbol(r, rec);
        return;
    }
    if (!pd_record_name(rec->type))
        return; /* nothing tells that it ends with an identity */
    e = layout_of(r, body);
    time = cut_identity(r, body, &tid);
    pd_met_time(r, time);
    switch (rec->type) {
    case PD_RECORD_LOST:
        reader_skip(body, 8);
        r->lost += reader_u64_in(body, r->swapped);
        break;
    case PD_RECORD_CALLCHAIN_DEFERRED:
        pd_take_deferred(r, rec, tid);
        break;
    case PD_RECORD_LOST_SAMPLES:
        take_lost_samples(r, rec, e, time);
        break;
    case PD_RECORD_THROTTLE:
        r->throttled++;
        break;
    }
}
