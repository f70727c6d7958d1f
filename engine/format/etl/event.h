/*
 * event - stepping from one event record to the next.
 *
 * The first dword of a record decides: its byte 3 is a marker, byte 2 of an
 * event the type of its header. Sizes are not rounded; the next record starts
 * at the next multiple of 8. (format.md, section 2)
 */
#ifndef TOPFN_ETL_EVENT_H
#define TOPFN_ETL_EVENT_H

#include "engine/base/reader.h"

enum etl_family {
    FAMILY_OTHER,  /* walked over */
    FAMILY_KERNEL, /* SYSTEM, COMPACT, PERFINFO: `hook` tells which event */
    FAMILY_FULL,   /* classic: GUID at 24, opcode at 4 */
    FAMILY_HEADER, /* manifest or TraceLogging: GUID at 24, id at 40 */
};

/* No two members of one type side by side: gcc would take the pair through a
 * vector register and apart again. */
struct etl_event {
    const uint8_t *at; /* of the record */
    uint32_t size;     /* of the record */
    uint16_t hook;     /* group << 8 | type of a kernel event, else 0 */
    uint8_t family;
    uint64_t time;   /* 0 where the kind has none */
    uint32_t header; /* bytes before the payload */
    uint8_t width;   /* of pointers */
};

enum etl_step { STEP_EVENT, STEP_END, STEP_BAD };

struct etl_header_kind {
    uint8_t header, size_at, time_at, width, family;
};

extern const struct etl_header_kind etl_header_kinds[22];

static inline uint8_t etl_header_type(const struct etl_event *e)
{
    return e->at[2];
}

static inline uint32_t etl_payload_size(const struct etl_event *e)
{
    return e->size - e->header;
}

static inline const uint8_t *etl_payload(const struct etl_event *e)
{
    return e->at + e->header;
}

/* The event's version, which decides the layout of its payload. */
static inline unsigned etl_version(const struct etl_event *e)
{
    if (e->family == FAMILY_FULL)
        return load_u16(e->at + 6);
    return load_u16(e->at) & 0xFF;
}

/* True if a FAMILY_OTHER record is a message of WPP, the preprocessor; and its
 * provider, NULL: it does not say. */
static inline bool etl_is_message(const struct etl_event *e)
{
    return e->at[3] == 0x90 && e->size >= 8;
}

const uint8_t *etl_message_provider(const struct etl_event *e);

/* Types of extended items of a FAMILY_HEADER event. */
enum {
    ITEM_STACK_32 = 5,
    ITEM_STACK_64 = 6,
    ITEM_TRACELOGGING = 11,
    ITEM_TRAITS = 12,
    ITEM_STACK_KEY_32 = 17,
    ITEM_STACK_KEY_64 = 18,
};

struct etl_item {
    uint32_t type, size;
    const uint8_t *data;
};

/* The item where the payload would begin, which is moved behind it; *more
 * becomes whether another one follows. False when it runs past the record. */
bool etl_next_item(struct etl_event *e, bool *more, struct etl_item *item);

/* The extended items of an event. */
struct etl_items {
    uint64_t stacks;
    struct bytes tracelogging, traits; /* its schema and its provider's */
};

/* Moves the payload of a FAMILY_HEADER event behind its extended items. False
 * when they run past the record. */
bool etl_pass_items(struct etl_event *e, struct etl_items *items);

/* The number of addresses of a stack that the .NET runtime wrote
 * (CLR_STACK_WALK), whose extended items are passed; 0 if it is damaged. The
 * first address is CLR_STACK_FRAMES bytes into the payload. */
enum { CLR_STACK_FRAMES = 8 };
uint32_t etl_clr_stack_count(const struct etl_event *e);

/* As etl_step, over a record of any kind. */
enum etl_step etl_step_any(const uint8_t *data, size_t size, size_t *pos,
                           struct etl_event *e);

/* The event at *pos of a buffer's `size` bytes; moves *pos behind it. Nearly
 * all have a PERFINFO header of either width with nothing added to it. Only
 * copies of *pos and *e are out of sight, so that a loop has them in
 * registers. */
static inline enum etl_step etl_step(const uint8_t *data, size_t size,
                                     size_t *pos, struct etl_event *e)
{
    const uint8_t *at = data + *pos;
    size_t left = size - *pos;

    if (left < 16 || (load_u32(at) & 0xFFFE8700u) != 0xC0100000u) {
        struct etl_event any = {0};
        size_t behind = *pos;
        enum etl_step step = etl_step_any(data, size, &behind, &any);

        *pos = behind;
        *e = any;
        return step;
    }
    *e = (struct etl_event){
        .at = at,
        .size = load_u16(at + 4),
        .hook = load_u16(at + 6),
        .family = FAMILY_KERNEL,
        .time = load_u64(at + 8),
        .header = 16,
        .width = (uint8_t)(4 + 4 * (at[2] & 1)),
    };
    if (e->size < e->header || e->size > left)
        return STEP_BAD;
    *pos += (e->size + 7u) & ~(size_t)7;
    if (*pos > size)
        *pos = size;
    return STEP_EVENT;
}

#endif
