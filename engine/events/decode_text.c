#include "engine/events/decode_value.h"

/* How the end of a text, or of bytes, is told. */
enum ending {
    NOT_A_TEXT,
    AT_NUL,   /* or the payload's end */
    COUNT_16, /* bytes, in front of it */
    COUNT_16_BE,
    COUNT_32,
    COUNT_LEB,
    FIELD_LENGTH, /* the schema or another field says it, in units */
    AT_END,       /* of the payload */
};

static const struct shape {
    uint8_t ending;
    uint8_t unit;     /* bytes of a character; 0: these are bytes, not text */
    uint8_t encoding; /* enum event_encoding */
} shapes[TYPES] = {
    [TYPE_UTF16Z] = {AT_NUL, 2, ENCODING_UTF16},
    [TYPE_ANSIZ] = {AT_NUL, 1, ENCODING_ANSI},
    [TYPE_UTF8Z] = {AT_NUL, 1, ENCODING_UTF8},
    [TYPE_UTF16_COUNTED] = {COUNT_16, 2, ENCODING_UTF16},
    [TYPE_ANSI_COUNTED] = {COUNT_16, 1, ENCODING_ANSI},
    [TYPE_UTF8_COUNTED] = {COUNT_16, 1, ENCODING_UTF8},
    [TYPE_UTF16_COUNTED_BE] = {COUNT_16_BE, 2, ENCODING_UTF16},
    [TYPE_ANSI_COUNTED_BE] = {COUNT_16_BE, 1, ENCODING_ANSI},
    [TYPE_UTF8_VAR] = {COUNT_LEB, 1, ENCODING_UTF8},
    [TYPE_UTF16_FIXED] = {FIELD_LENGTH, 2, ENCODING_UTF16},
    [TYPE_ANSI_FIXED] = {FIELD_LENGTH, 1, ENCODING_ANSI},
    [TYPE_UTF16_REST] = {AT_END, 2, ENCODING_UTF16},
    [TYPE_ANSI_REST] = {AT_END, 1, ENCODING_ANSI},
    [TYPE_BINARY] = {FIELD_LENGTH, 0, 0},
    [TYPE_BINARY_COUNTED] = {COUNT_16, 0, 0},
    [TYPE_BINARY_COUNTED_32] = {COUNT_32, 0, 0},
    [TYPE_BINARY_REST] = {AT_END, 0, 0},
};

bool decode_is_text(uint8_t type)
{
    return shapes[type].ending != NOT_A_TEXT;
}

size_t decode_least_text(uint8_t type)
{
    static const uint8_t least[] = {
        [AT_NUL] = 1,    [COUNT_16] = 2,     [COUNT_16_BE] = 2, [COUNT_32] = 4,
        [COUNT_LEB] = 1, [FIELD_LENGTH] = 0, [AT_END] = 0,
    };

    return least[shapes[type].ending];
}

void decode_as_text(struct event_value *v, struct bytes text,
                    enum event_encoding encoding)
{
    v->kind = FIELD_TEXT;
    v->encoding = encoding;
    v->bytes = text;
}

void decode_as_bytes(struct event_value *v, struct bytes bytes)
{
    v->kind = FIELD_BYTES;
    v->bytes = bytes;
    if ((v->format == SHOW_IPV6 && bytes.len == 16) ||
        (v->format == SHOW_IPV4 && bytes.len == 4))
        v->kind = FIELD_IP;
    else if (v->format == SHOW_SOCKET && bytes.len >= 2)
        v->kind = FIELD_SOCKET;
    else if (v->format == SHOW_STRING || v->format == SHOW_XML ||
             v->format == SHOW_JSON)
        decode_as_text(v, bytes, ENCODING_UTF8);
}

struct bytes decode_cut_at_nul(struct bytes text, unsigned unit)
{
    for (size_t i = 0; i + unit <= text.len; i += unit)
        if (!text.data[i] && (unit == 1 || !text.data[i + 1]))
            return (struct bytes){text.data, i};
    return (struct bytes){text.data, text.len - text.len % unit};
}

/* Text without a count goes to its NUL, or to the end. A byte that is left
 * over behind UTF-16 stays. */
static struct bytes until_nul(struct reader *r, unsigned unit)
{
    if (unit == 1)
        return reader_cstr(r);
    if (reader_left(r) == 1) {
        reader_skip(r, 1);
        return (struct bytes){r->base + r->pos, 0};
    }
    return reader_utf16(r);
}

static size_t length_of(const struct event_decoder *d,
                        const struct event_field *f)
{
    return f->length_of_field ? decode_number_of(d, f->length) : f->length;
}

static uint16_t count_be(struct reader *r)
{
    return __builtin_bswap16(reader_u16(r));
}

static struct bytes take(struct event_decoder *d, const struct event_field *f,
                         const struct shape *shape)
{
    struct reader *r = &d->r;
    uint64_t n;

    switch (shape->ending) {
    case AT_NUL:
        return until_nul(r, shape->unit);
    case COUNT_16:
        return reader_bytes(r, reader_u16(r));
    case COUNT_16_BE:
        return reader_bytes(r, count_be(r));
    case COUNT_32:
        return reader_bytes(r, reader_u32(r));
    case COUNT_LEB:
        n = reader_uleb(r);
        return reader_bytes(r, n > SIZE_MAX ? SIZE_MAX : (size_t)n);
    case FIELD_LENGTH:
        return reader_bytes(r, length_of(d, f) * (shape->unit == 2 ? 2 : 1));
    default:
        return reader_bytes(r, reader_left(r));
    }
}

void decode_text(struct event_decoder *d, const struct event_field *f,
                 struct event_value *v)
{
    const struct shape *shape = &shapes[f->type];
    struct bytes bytes = take(d, f, shape);

    if (!shape->unit) {
        decode_as_bytes(v, bytes);
        return;
    }
    if (shape->ending == FIELD_LENGTH || shape->ending == AT_END)
        bytes = decode_cut_at_nul(bytes, shape->unit);
    decode_as_text(v, bytes, shape->encoding);
}

bool decode_characters(struct event_decoder *d, const struct event_field *f,
                       uint32_t count, struct event_value *v)
{
    size_t size = f->counting == COUNT_REST ? reader_left(&d->r) : count;

    if (f->counting == COUNT_REST && f->type == TYPE_CHAR16)
        size -= size % 2;
    else if (f->type == TYPE_CHAR16)
        size *= 2;
    if (f->type == TYPE_CHAR16)
        decode_as_text(v, decode_cut_at_nul(reader_bytes(&d->r, size), 2),
                       ENCODING_UTF16);
    else if (f->type == TYPE_CHAR8)
        decode_as_text(v, decode_cut_at_nul(reader_bytes(&d->r, size), 1),
                       ENCODING_UTF8);
    else if (f->type == TYPE_U8)
        decode_as_bytes(v, reader_bytes(&d->r, size));
    else
        return false;
    return true;
}

/* Revision, count of parts n, 6 bytes of authority, n parts of 4 bytes. */
void decode_sid(struct event_decoder *d, struct event_value *v)
{
    struct reader peek = d->r;
    size_t parts;

    reader_skip(&peek, 1);
    parts = reader_u8(&peek);
    v->kind = FIELD_SID;
    v->bytes = reader_bytes(&d->r, 8 + 4 * parts);
}

void decode_wbem_sid(struct event_decoder *d, struct event_value *v)
{
    size_t user = d->pointer_size * (size_t)2;
    struct reader peek = d->r;
    uint32_t first = reader_u32(&peek);
    const uint8_t *sid = d->r.base + d->r.pos + user;

    v->kind = FIELD_NULL;
    if (!first && (reader_left(&d->r) < user + 8 || sid[0] != 1 ||
                   sid[1] > 15 || sid[2] || sid[3])) {
        reader_skip(&d->r, 4);
        return;
    }
    reader_skip(&d->r, user);
    decode_sid(d, v);
}
