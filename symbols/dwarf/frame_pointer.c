#include "symbols/dwarf/frame_pointer.h"

/* Of the low four bits, and what the others say it counts from. */
enum {
    POINTER_ULEB = 0x01,
    POINTER_U16 = 0x02,
    POINTER_U32 = 0x03,
    POINTER_U64 = 0x04,
    POINTER_SLEB = 0x09,
    POINTER_S16 = 0x0A,
    POINTER_S32 = 0x0B,
    POINTER_S64 = 0x0C,
    POINTER_HERE = 0x10, /* its own place */
    POINTER_BASE = 0x70,
};

uint64_t frame_pointer_read(const struct frame_pointers *p, struct reader *r,
                            uint8_t encoding)
{
    uint64_t here = p->address + r->offset + r->pos, value = 0;

    switch (encoding & POINTER_FORM) {
    case POINTER_ABSOLUTE:
        value = reader_ptr(r, p->wide ? 8 : 4);
        break;
    case POINTER_ULEB:
        value = reader_uleb(r);
        break;
    case POINTER_U16:
        value = reader_u16(r);
        break;
    case POINTER_U32:
        value = reader_u32(r);
        break;
    case POINTER_U64:
    case POINTER_S64:
        value = reader_u64(r);
        break;
    case POINTER_SLEB:
        value = (uint64_t)reader_sleb(r);
        break;
    case POINTER_S16:
        value = (uint64_t)(int16_t)reader_u16(r);
        break;
    case POINTER_S32:
        value = (uint64_t)(int32_t)reader_u32(r);
        break;
    default:
        reader_fail(r, ERR_UNSUPPORTED, "encoding of a pointer");
    }
    if ((encoding & POINTER_BASE) == POINTER_HERE)
        value += here;
    else if (encoding & POINTER_BASE)
        reader_fail(r, ERR_UNSUPPORTED, "base of a pointer");
    return value;
}
