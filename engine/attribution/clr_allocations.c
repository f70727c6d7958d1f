/* How much was allocated. (clr-events.md, section 5) */
#include <math.h>

#include "engine/attribution/clr.h"

enum { SAMPLED = 303, MEAN = 102400 };

/* A u32, and since version 2 the whole number behind it. */
static uint64_t tick_bytes(uint8_t version, struct reader *payload)
{
    uint64_t amount = reader_u32(payload), whole;

    if (version < 2 || payload->failed)
        return amount;
    reader_skip(payload, 6);
    whole = reader_u64(payload);
    return payload->failed ? amount : whole;
}

/* u32 kind, u16 instance, ptr type, its name, ptr address, i64 size. */
static uint64_t sampled_bytes(unsigned width, struct reader *payload)
{
    double size;

    reader_skip(payload, 6u + width);
    reader_utf16(payload);
    reader_skip(payload, width);
    size = (double)reader_u64(payload);
    if (payload->failed || size <= 0)
        return 0;
    return (uint64_t)(size / -expm1(-size / MEAN) + 0.5);
}

uint64_t clr_allocation_bytes(uint16_t id, uint8_t version, unsigned width,
                              struct reader *payload)
{
    return id == SAMPLED ? sampled_bytes(width, payload)
                         : tick_bytes(version, payload);
}
