#include "engine/format/etl/event.h"

const struct etl_header_kind etl_header_kinds[22] = {
    [1] = {32, 4, 16, 4, FAMILY_KERNEL},  [2] = {32, 4, 16, 8, FAMILY_KERNEL},
    [3] = {24, 4, 16, 4, FAMILY_KERNEL},  [4] = {24, 4, 16, 8, FAMILY_KERNEL},
    [10] = {48, 0, 16, 4, FAMILY_FULL},   [20] = {48, 0, 16, 8, FAMILY_FULL},
    [11] = {72, 0, 16, 4, FAMILY_OTHER},  [21] = {72, 0, 16, 8, FAMILY_OTHER},
    [16] = {16, 4, 8, 4, FAMILY_KERNEL},  [17] = {16, 4, 8, 8, FAMILY_KERNEL},
    [18] = {80, 0, 16, 4, FAMILY_HEADER}, [19] = {80, 0, 16, 8, FAMILY_HEADER},
};

/* Where a rare record keeps its size; 0 when its marker is unknown. */
static uint32_t rare_size(const uint8_t *at)
{
    if (!(at[3] & 0x80))
        return load_u32(at);
    if (at[3] == 0x90 || at[3] == 0xB0)
        return load_u16(at);
    if (at[3] == 0xC0 && at[2] >= 12 && at[2] <= 15)
        return load_u16(at);
    return 0;
}

enum etl_step etl_step_any(const uint8_t *data, size_t size, size_t *pos,
                           struct etl_event *e)
{
    const struct etl_header_kind *kind = etl_header_kinds;
    const uint8_t *at = data + *pos;
    size_t left = size - *pos;
    uint32_t version;

    if (left < 8 || load_u32(at) == UINT32_MAX)
        return STEP_END;
    if (left >= 16 && at[3] == 0xC0 && at[2] < 22)
        kind = &etl_header_kinds[at[2]];
    *e = (struct etl_event){
        .at = at,
        .size = kind->header ? load_u16(at + kind->size_at) : rare_size(at),
        .family = kind->family,
        .header = kind->header,
        .width = kind->width,
    };
    if (kind->family == FAMILY_KERNEL) {
        /* PMC counters and a PEBS index lie behind the header: bit 15 of the
         * version word is one, bits 10..8 are a count of others. */
        version = load_u16(at);
        e->hook = load_u16(at + 6);
        e->header += 8u * ((version >> 8 & 7u) + (version >> 15));
    }
    if (e->size < 8 || e->size < e->header || e->size > left)
        return STEP_BAD;
    if (kind->header)
        e->time = load_u64(at + kind->time_at);
    *pos += (e->size + 7u) & ~(size_t)7;
    if (*pos > size)
        *pos = size;
    return STEP_EVENT;
}

/*
 * Extended items, each at a multiple of 8:
 *   0  u16  size of the item
 *   2  u16  type
 *   4  u16  linkage; bit 0: another item follows
 *   6  u16  size of the data
 *   8       data
 */
bool etl_next_item(struct etl_event *e, bool *more, struct etl_item *out)
{
    const uint8_t *item = e->at + e->header;
    uint32_t left = e->size - e->header, size;

    if (left < 8)
        return false;
    *more = load_u16(item + 4) & 1;
    *out = (struct etl_item){load_u16(item + 2), load_u16(item + 6), item + 8};
    size = (8u + out->size + 7u) & ~7u;
    if (size > left)
        return false;
    e->header += size;
    return true;
}

/* u16 number, u16 options, then what these say. */
const uint8_t *etl_message_provider(const struct etl_event *e)
{
    enum { SEQUENCE = 1, GUID = 2 };
    unsigned options = load_u16(e->at + 6);
    uint32_t at = options & SEQUENCE ? 12 : 8;

    return options & GUID && e->size >= at + 16 ? e->at + at : NULL;
}

bool etl_pass_items(struct etl_event *e, struct etl_items *items)
{
    bool more = load_u16(e->at + 4) & 1;
    struct etl_item item;

    *items = (struct etl_items){0};
    while (more) {
        if (!etl_next_item(e, &more, &item))
            return false;
        switch (item.type) {
        case ITEM_STACK_32:
        case ITEM_STACK_64:
        case ITEM_STACK_KEY_32:
        case ITEM_STACK_KEY_64:
            items->stacks++;
            break;
        case ITEM_TRACELOGGING:
            items->tracelogging = (struct bytes){item.data, item.size};
            break;
        case ITEM_TRAITS:
            items->traits = (struct bytes){item.data, item.size};
            break;
        default:
            break;
        }
    }
    return true;
}

uint32_t etl_clr_stack_count(const struct etl_event *e)
{
    uint32_t size = etl_payload_size(e), count, room;

    if (size < CLR_STACK_FRAMES)
        return 0;
    count = load_u32(etl_payload(e) + 4);
    room = (size - CLR_STACK_FRAMES) / e->width;
    return count < room ? count : room;
}
