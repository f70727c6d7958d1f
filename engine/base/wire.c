#include "engine/base/wire.h"

enum wire_type { WIRE_VARINT, WIRE_64, WIRE_BYTES, WIRE_32 = 5 };

bool wire_next(struct reader *r, struct wire_field *f)
{
    uint64_t key;

    if (!reader_more(r))
        return false;
    key = reader_uleb(r);
    *f = (struct wire_field){.number = (uint32_t)(key >> 3)};
    if (key >> 3 > UINT32_MAX || !f->number)
        reader_fail(r, ERR_CORRUPT, "field");
    switch (key & 7) {
    case WIRE_VARINT:
        f->value = reader_uleb(r);
        break;
    case WIRE_64:
        f->value = reader_u64(r);
        break;
    case WIRE_32:
        f->value = reader_u32(r);
        break;
    case WIRE_BYTES:
        f->is_message = true;
        key = reader_uleb(r);
        f->message = reader_sub(
            r, key <= reader_left(r) ? (size_t)key : SIZE_MAX, "field");
        break;
    default:
        reader_fail(r, ERR_CORRUPT, "unknown type of field");
    }
    return !r->failed;
}

bool wire_number(struct wire_field *f, uint64_t *value)
{
    if (!f->number)
        return false;
    if (!f->is_message) {
        *value = f->value;
        f->number = 0;
        return true;
    }
    if (!reader_more(&f->message))
        return false;
    *value = reader_uleb(&f->message);
    return !f->message.failed;
}

void wire_numbers(struct reader message, uint64_t *values, size_t count)
{
    struct wire_field f;

    while (wire_next(&message, &f))
        if (f.number < count && !f.is_message)
            values[f.number] = f.value;
}
