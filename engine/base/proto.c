#include "engine/base/proto.h"

#include <string.h>

enum wire_type { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_BYTES = 2 };

void proto_varint(struct proto *m, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        *vec_add(&m->bytes) = (uint8_t)(value | 0x80);
    *vec_add(&m->bytes) = (uint8_t)value;
}

static void key(struct proto *m, uint32_t field, enum wire_type type)
{
    proto_varint(m, (uint64_t)field << 3 | type);
}

void proto_number(struct proto *m, uint32_t field, uint64_t value)
{
    key(m, field, WIRE_VARINT);
    proto_varint(m, value);
}

void proto_u64(struct proto *m, uint32_t field, uint64_t value)
{
    if (value)
        proto_number(m, field, value);
}

void proto_eight(struct proto *m, uint64_t value)
{
    for (unsigned i = 0; i < 8; i++)
        *vec_add(&m->bytes) = (uint8_t)(value >> 8 * i);
}

void proto_fixed64(struct proto *m, uint32_t field, uint64_t value)
{
    key(m, field, WIRE_64);
    proto_eight(m, value);
}

void proto_element(struct proto *m, uint32_t field, const void *bytes, size_t n)
{
    key(m, field, WIRE_BYTES);
    proto_varint(m, n);
    if (!n)
        return;
    vec_reserve(&m->bytes, n);
    memcpy(m->bytes.data + m->bytes.len, bytes, n);
    m->bytes.len += n;
}

void proto_message(struct proto *m, uint32_t field, struct proto *part)
{
    proto_element(m, field, part->bytes.data, part->bytes.len);
    part->bytes.len = 0;
}

void proto_release(struct proto *m)
{
    vec_release(&m->bytes);
}
