/*
 * The stream of records: u32 type, u16 misc, u16 size with these 8 bytes,
 * and what the type says; those that the recorder wrote, and those of the
 * kernel. (format.md, section 4)
 */
#include <string.h>

#include "engine/base/pages.h"
#include "engine/base/text.h"
#include "engine/format/perfdata/perfdata.h"

/* ---- records of the kernel ----
 *
 * They tell of processes and their memory, and of losses. With
 * sample_id_all they end with what identifies them, in this order, 8 bytes
 * each: pid and tid, time, id, stream, CPU, identifier; those that the event's
 * sample_type has. (format.md, section 5) */

/* The event whose counter the record names; else the first. */
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
static struct pd_sample cut_identity(struct pd_reading *r, struct reader *body)
{
    const struct pd_event *e = layout_of(r, body);
    uint64_t bits =
        PD_TID | PD_TIME | PD_ID | PD_STREAM_ID | PD_CPU | PD_IDENTIFIER;
    struct pd_sample identity = {0};
    struct reader end;
    size_t size;

    if (e && !e->sample_id_all && (e->sample_type & PD_TIME))
        identity.time = r->task_time; /* old recorders: FORK and EXIT alone
                                         tell */
    if (!e || !e->sample_id_all)
        return identity;
    bits &= e->sample_type;
    size = (size_t)__builtin_popcountll(bits) * 8;
    if (size > body->len)
        return identity;
    end = reader_at(body, body->len - size, "identity");
    if (bits & PD_TID) {
        identity.pid = reader_u32_in(&end, r->swapped);
        identity.tid = reader_u32_in(&end, r->swapped);
    }
    if (bits & PD_TIME)
        identity.time = reader_u64_in(&end, r->swapped);
    body->len -= size;
    return identity;
}

static uint64_t cut_time(struct pd_reading *r, struct reader *body)
{
    return cut_identity(r, body).time;
}

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

/* Samples that a filter of the recorder dropped were not lost. The losses of
 * counters are read from them at the end, at no time, and was told by LOST
 * before. */
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

static void take_kernel_record(struct pd_reading *r, struct pd_record *rec)
{
    struct reader *body = &rec->body;
    struct pd_sample identity;
    const struct pd_event *e;

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
    identity = cut_identity(r, body);
    pd_met_time(r, identity.time);
    switch (rec->type) {
    case PD_RECORD_LOST:
        reader_skip(body, 8);
        r->lost += reader_u64_in(body, r->swapped);
        break;
    case PD_RECORD_CALLCHAIN_DEFERRED:
        pd_take_deferred(r, rec, identity.tid);
        break;
    case PD_RECORD_LOST_SAMPLES:
        take_lost_samples(r, rec, e, identity.time);
        break;
    case PD_RECORD_THROTTLE:
        r->throttled++;
        break;
    case PD_RECORD_SWITCH:
    case PD_RECORD_SWITCH_CPU_WIDE:
        pd_take_switch(r, rec, &identity);
        break;
    }
}

/* ---- headers ---- */

enum {
    HEADER = 8,
    TOOL_TYPES = PD_RECORD_HEADER_ATTR,
    SANE_RECORDS = 3,      /* in a row: no accident */
    FORGET_EACH = 4 << 20, /* bytes that were read */
};

struct header {
    uint32_t type;
    uint16_t misc;
    uint32_t size;
};

/* `at` has HEADER bytes. simpleperf's own types keep the upper half of their
 * size in `misc`. */
static struct header read_header(const struct pd_reading *r, const uint8_t *at)
{
    struct header h = {load_u32(at), load_u16(at + 4), load_u16(at + 6)};

    if (r->swapped)
        h = (struct header){__builtin_bswap32(h.type),
                            __builtin_bswap16(h.misc),
                            __builtin_bswap16((uint16_t)h.size)};
    if (h.type >= PD_SIMPLEPERF_TYPES)
        h.size |= (uint32_t)h.misc << 16;
    return h;
}

static bool is_known(const struct header *h)
{
    return h->size >= HEADER && pd_record_name(h->type);
}

const char *pd_record_name(uint32_t type)
{
    static const char *const kernel[] = {
        [PD_RECORD_MMAP] = "MMAP",
        "LOST",
        "COMM",
        "EXIT",
        "THROTTLE",
        "UNTHROTTLE",
        "FORK",
        "READ",
        "SAMPLE",
        "MMAP2",
        "AUX",
        "ITRACE_START",
        "LOST_SAMPLES",
        "SWITCH",
        "SWITCH_CPU_WIDE",
        "NAMESPACES",
        "KSYMBOL",
        "BPF_EVENT",
        "CGROUP",
        "TEXT_POKE",
        "AUX_OUTPUT_HW_ID",
        "CALLCHAIN_DEFERRED",
    };
    static const char *const perf[] = {
        "HEADER_ATTR",    "EVENT_TYPE",    "TRACING_DATA",     "BUILD_ID",
        "FINISHED_ROUND", "ID_INDEX",      "AUXTRACE_INFO",    "AUXTRACE",
        "AUXTRACE_ERROR", "THREAD_MAP",    "CPU_MAP",          "STAT_CONFIG",
        "STAT",           "STAT_ROUND",    "EVENT_UPDATE",     "TIME_CONV",
        "FEATURE",        "COMPRESSED",    "FINISHED_INIT",    "COMPRESSED2",
        "BPF_METADATA",   "SCHEDSTAT_CPU", "SCHEDSTAT_DOMAIN",
    };
    static const char *const simpleperf[] = {
        "KERNEL_SYMBOL",
        "DSO",
        "SYMBOL",
        "SPLIT",
        "SPLIT_END",
        "EVENT_ID",
        "CALLCHAIN",
        "UNWINDING_RESULT",
        "SIMPLEPERF_TRACING_DATA",
        "DEBUG",
    };
    static const struct {
        uint32_t first, count;
        const char *const *names;
    } kinds[] = {
        {0, sizeof(kernel) / sizeof(*kernel), kernel},
        {TOOL_TYPES, sizeof(perf) / sizeof(*perf), perf},
        {PD_RECORD_KERNEL_SYMBOL, sizeof(simpleperf) / sizeof(*simpleperf),
         simpleperf},
    };

    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
        if (type - kinds[i].first < kinds[i].count)
            return kinds[i].names[type - kinds[i].first];
    return NULL;
}

/* ---- records of the recorder ---- */

/* Packed records hold nothing packed. */
static void take_packed(struct pd_reading *r, struct pd_record *rec)
{
    struct reader *body = &rec->body;
    uint64_t n = reader_left(body);
    struct bytes packed;

    if (rec->type == PD_RECORD_COMPRESSED2)
        n = reader_u64_in(body, r->swapped);
    if (n > reader_left(body))
        n = reader_left(body);
    packed = reader_bytes(body, (size_t)n);
    if (rec->lasting)
        pd_unpack(r, packed, rec->offset);
    else
        pd_damage(r, rec->offset, packed.len, "packed twice");
}

/* The ids of an event are behind its attributes, whose size is their second
 * number. */
static void take_attributes(struct pd_reading *r, struct pd_record *rec)
{
    enum { OLDEST = 64 };
    struct reader at = reader_at(&rec->body, 4, "size");
    uint32_t size = reader_u32_in(&at, r->swapped);
    struct reader attributes =
        reader_sub(&rec->body, size ? size : OLDEST, "attributes");

    pd_read_attributes(r, &attributes, &rec->body);
}

static void take_tool_record(struct pd_reading *r, struct pd_record *rec)
{
    struct reader *body = &rec->body;
    uint64_t n;

    switch (rec->type) {
    case PD_RECORD_HEADER_ATTR:
        take_attributes(r, rec);
        break;
    case PD_RECORD_EVENT_UPDATE:
        pd_update_event(r, body);
        break;
    case PD_RECORD_BUILD_ID:
        pd_read_build_id(r, rec->misc, body);
        break;
    case PD_RECORD_FEATURE:
        n = reader_u64_in(body, r->swapped);
        if (n < PD_SIMPLEPERF_FEATURES)
            pd_read_feature(r, (unsigned)n, body);
        break;
    }
}

/* Bytes that follow a record and are in no record. */
static uint64_t bytes_behind(struct pd_reading *r, const struct pd_record *rec)
{
    struct reader body = rec->body;
    uint64_t n = 0;

    if (rec->type == PD_RECORD_TRACING_DATA) {
        n = reader_u32_in(&body, r->swapped);
        n = (n + 7) & ~(uint64_t)7;
    } else if (rec->type == PD_RECORD_AUXTRACE) {
        n = reader_u64_in(&body, r->swapped);
        r->aux_bytes += r->again ? 0 : n;
    }
    return body.failed ? 0 : n;
}

/* ---- the stream ---- */

/* The kernel's records are whole words; those of the recorder need not be:
 * features in a pipe, and what was packed. */
static bool is_sane(const struct header *h)
{
    return h->size >= HEADER && h->type && h->type < PD_RECORD_TYPES &&
           (h->size % 8 == 0 || (h->type >= TOOL_TYPES && is_known(h)));
}

/* True if records begin here, as far as can be told. `known`: only types that
 * are known count as records. */
static bool is_start(const struct pd_reading *r, struct bytes b, size_t at,
                     bool known)
{
    for (unsigned i = 0; i < SANE_RECORDS; i++) {
        struct header h;

        if (b.len - at < HEADER)
            return i > 0;
        h = read_header(r, b.data + at);
        if (!is_sane(&h) || (known && !is_known(&h)))
            return false;
        if (h.size > b.len - at)
            return i > 0;
        at += h.size;
    }
    return true;
}

/* Finds the record that follows damage. */
static size_t next_start(const struct pd_reading *r, struct bytes b, size_t at)
{
    while (++at < b.len && b.len - at >= HEADER)
        if (is_start(r, b, at, true))
            return at;
    return b.len;
}

/* Also what follows it and is in no record. */
static size_t take_record(struct pd_reading *r, struct bytes b, size_t at,
                          struct pd_record *rec, size_t size)
{
    uint64_t behind;

    rec->body = reader_of(r->name, b.data + at + HEADER, size - HEADER,
                          rec->offset + HEADER, NULL);
    r->record_counts[rec->type] += !r->again;
    behind = bytes_behind(r, rec);
    if (rec->type == PD_RECORD_COMPRESSED || rec->type == PD_RECORD_COMPRESSED2)
        take_packed(r, rec);
    else if (r->again)
        ; /* its samples are all that is wanted */
    else if (rec->type < TOOL_TYPES)
        take_kernel_record(r, rec);
    else if (rec->type < PD_SIMPLEPERF_TYPES)
        take_tool_record(r, rec);
    else
        pd_take_simpleperf_record(r, rec);
    at += size;
    if (behind > b.len - at)
        behind = b.len - at;
    if (rec->type == PD_RECORD_TRACING_DATA) {
        struct reader text =
            reader_of(r->name, b.data + at, (size_t)behind, 0, NULL);

        pd_read_tracing_data(r, &text);
    }
    return at + (size_t)behind;
}

size_t pd_take_records(struct pd_reading *r, struct bytes b, uint64_t offset,
                       bool lasting)
{
    size_t at = 0, forgotten = 0;

    while (b.len - at >= HEADER) {
        struct header h = read_header(r, b.data + at);

        /* A record of a type that a newer recorder brought is skipped by its
         * size, if records follow it, which may be still packed. */
        if (!(is_known(&h) || is_start(r, b, at, false) ||
              (!lasting && is_sane(&h) && h.size > b.len - at))) {
            size_t next = next_start(r, b, at);

            pd_damage(r, lasting ? offset + at : offset, next - at,
                      "not a record of perf");
            at = next;
            continue;
        }
        if (h.size > b.len - at)
            break;
        if (lasting && r->entry->of_file && at - forgotten > FORGET_EACH) {
            pages_forget(b.data + forgotten, at - forgotten);
            forgotten = at;
        }
        if (h.type == PD_RECORD_SAMPLE) {
            pd_take_sample(
                r, h.misc,
                (struct bytes){b.data + at + HEADER, h.size - HEADER}, lasting);
            at += h.size;
            continue;
        }
        at = take_record(
            r, b, at,
            &(struct pd_record){
                h.type, h.misc, {0}, lasting ? offset + at : offset, lasting},
            h.size);
    }
    return at;
}

uint64_t pd_place(const struct pd_reading *r, const uint8_t *record,
                  bool lasting)
{
    return lasting ? (uint64_t)(record - r->data) << PD_PLACE_BITS
                   : r->packed_place + (uint64_t)(record - r->packed);
}

/* The first ones of packed records that are cut off are there. */
static void take_cut_off(struct pd_reading *r, struct bytes b, uint64_t at)
{
    struct header h = {0};

    pd_damage(r, at, b.len, "a record is truncated");
    if (b.len > HEADER)
        h = read_header(r, b.data);
    if (h.type == PD_RECORD_COMPRESSED)
        pd_unpack(r, (struct bytes){b.data + HEADER, b.len - HEADER}, at);
    else if (h.type == PD_RECORD_COMPRESSED2 && b.len > HEADER + 8)
        pd_unpack(r, (struct bytes){b.data + HEADER + 8, b.len - HEADER - 8},
                  at);
}

void pd_read_stream(struct pd_reading *r, struct bytes b, uint64_t offset)
{
    size_t at = pd_take_records(r, b, offset, true);

    if (at < b.len)
        take_cut_off(r, (struct bytes){b.data + at, b.len - at}, offset + at);
    pd_unpack_end(r);
}

/* In a folder each thread of the recorder had a file for its records. */
void pd_read_records(struct pd_reading *r)
{
    const char *name = r->name;

    pd_read_stream(r, (struct bytes){r->data + r->records_at, r->records_size},
                   r->records_at);
    for (size_t i = 0; i < r->entry->part_count; i++) {
        const struct entry *part = r->entry->parts[i];

        r->name = part->name;
        if (!strcmp(path_base_name(part->name), "kallsyms"))
            r->kernel_rows = (struct bytes){part->data, part->size};
        else
            pd_read_stream(r, (struct bytes){part->data, part->size}, 0);
    }
    r->name = name;
}
