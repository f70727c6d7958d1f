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

/* The end of the events, or a record without a header that we know. */
enum etl_step etl_step_rare(const uint8_t *data, size_t size, size_t *pos,
                            struct etl_event *e)
{
    const uint8_t *at = data + *pos;

    if (size - *pos < 8 || load_u32(at) == UINT32_MAX)
        return STEP_END;
    *e = (struct etl_event){.at = at, .type = at[2]};
    e->size = rare_size(at);
    if (e->size < 8 || e->size > size - *pos)
        return STEP_BAD;
    *pos += (e->size + 7u) & ~(size_t)7;
    if (*pos > size)
        *pos = size;
    return STEP_EVENT;
}
