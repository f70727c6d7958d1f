/*
 * The stream of records: u32 type, u16 misc, u16 size with these 8 bytes,
 * and what the type says; those that the recorder wrote, and those of the
 * kernel (kernel_records.c). (format.md, section 4)
 */
#include "engine/format/perfdata/perfdata.h"

enum {
    HEADER = 8,
    KERNEL_TYPES = 23, /* up to here, and from 64 on */
    TOOL_TYPES = PD_RECORD_HEADER_ATTR,
    SANE_RECORDS = 3, /* in a row: no accident */
};

struct header {
    uint32_t type;
    uint16_t misc, size;
};

/* Of HEADER bytes. */
static struct header read_header(const struct pd_reading *r, const uint8_t *at)
{
    struct header h = {load_u32(at), load_u16(at + 4), load_u16(at + 6)};

    if (r->swapped)
        h = (struct header){__builtin_bswap32(h.type),
                            __builtin_bswap16(h.misc),
                            __builtin_bswap16(h.size)};
    return h;
}

static bool is_sane(const struct header *h)
{
    return h->size >= HEADER &&
           ((h->type && h->type < KERNEL_TYPES) ||
            (h->type >= TOOL_TYPES && h->type < PD_RECORD_TYPES));
}

/* ---- records of the recorder ---- */

/* What was packed holds nothing packed. */
static void take_packed(struct pd_reading *r, const struct pd_record *rec,
                        struct bytes packed)
{
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
        if (n < PD_FEATURES)
            pd_read_feature(r, (unsigned)n, body);
        break;
    case PD_RECORD_COMPRESSED:
        take_packed(r, rec, reader_bytes(body, reader_left(body)));
        break;
    case PD_RECORD_COMPRESSED2:
        n = reader_u64_in(body, r->swapped);
        if (n > reader_left(body))
            n = reader_left(body);
        take_packed(r, rec, reader_bytes(body, (size_t)n));
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
        r->aux_bytes += n;
    }
    return body.failed ? 0 : n;
}

/* ---- the stream ---- */

/* Whether records begin here, as far as can be told. */
static bool is_start(const struct pd_reading *r, struct bytes b, size_t at)
{
    for (unsigned i = 0; i < SANE_RECORDS; i++) {
        struct header h;

        if (b.len - at < HEADER)
            return i > 0;
        h = read_header(r, b.data + at);
        if (!is_sane(&h) || h.size % 8)
            return false;
        if (h.size > b.len - at)
            return i > 0;
        at += h.size;
    }
    return true;
}

/* Where records go on after damage. */
static size_t next_start(const struct pd_reading *r, struct bytes b, size_t at)
{
    for (at += 8; at < b.len && b.len - at >= HEADER; at += 8)
        if (is_start(r, b, at))
            return at;
    return b.len;
}

static size_t skip_damage(struct pd_reading *r, struct bytes b, size_t at,
                          uint64_t offset, bool lasting)
{
    size_t next = next_start(r, b, at);

    pd_damage(r, lasting ? offset + at : offset, next - at,
              "not a record of perf");
    return next;
}

/* Also what follows it and is in no record. */
static size_t take_record(struct pd_reading *r, struct bytes b, size_t at,
                          struct pd_record *rec, size_t size)
{
    uint64_t behind;

    rec->body = reader_of(r->name, b.data + at + HEADER, size - HEADER,
                          rec->offset + HEADER, NULL);
    r->record_counts[rec->type]++;
    behind = bytes_behind(r, rec);
    if (rec->type < TOOL_TYPES)
        pd_take_kernel_record(r, rec);
    else
        take_tool_record(r, rec);
    at += size;
    return behind < b.len - at ? at + (size_t)behind : b.len;
}

size_t pd_take_records(struct pd_reading *r, struct bytes b, uint64_t offset,
                       bool lasting)
{
    size_t at = 0;

    while (b.len - at >= HEADER) {
        struct header h = read_header(r, b.data + at);

        if (!is_sane(&h)) {
            at = skip_damage(r, b, at, offset, lasting);
            continue;
        }
        if (h.size > b.len - at)
            break;
        if (h.type == PD_RECORD_SAMPLE) {
            at +=
                pd_gather(r, (struct bytes){b.data + at, b.len - at}, lasting);
            continue;
        }
        at = take_record(
            r, b, at,
            &(struct pd_record){
                h.type, h.misc, {0}, lasting ? offset + at : offset, lasting},
            h.size);
    }
    if (!lasting)
        pd_gather_end(r);
    return at;
}

uint64_t pd_place(const struct pd_reading *r, const uint8_t *record,
                  bool lasting)
{
    return lasting ? (uint64_t)(record - r->data) << PD_PLACE_BITS
                   : r->packed_place + (uint64_t)(record - r->packed);
}

/* Of packed records that are cut off the first are there. */
static void take_cut_off(struct pd_reading *r, struct bytes b)
{
    uint64_t at = (uint64_t)(b.data - r->data);
    struct header h = {0};

    pd_damage(r, at, b.len, "a record is cut off");
    if (b.len > HEADER)
        h = read_header(r, b.data);
    if (h.type == PD_RECORD_COMPRESSED)
        pd_unpack(r, (struct bytes){b.data + HEADER, b.len - HEADER}, at);
    else if (h.type == PD_RECORD_COMPRESSED2 && b.len > HEADER + 8)
        pd_unpack(r, (struct bytes){b.data + HEADER + 8, b.len - HEADER - 8},
                  at);
}

void pd_read_records(struct pd_reading *r)
{
    struct bytes b = {r->data + r->records_at, r->records_size};
    size_t at = pd_take_records(r, b, r->records_at, true);

    if (at < b.len)
        take_cut_off(r, (struct bytes){b.data + at, b.len - at});
    pd_unpack_end(r);
    pd_gather_end(r);
    pd_rounds_free(r);
}
