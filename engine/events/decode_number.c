#include <string.h>

#include "engine/events/decode_value.h"

enum { NUMBERS = sizeof(((struct event_decoder *)0)->numbers) / 4 };

static const struct {
    uint8_t size, kind;
} fixed[TYPES] = {
    [TYPE_I8] = {1, FIELD_INT},         [TYPE_U8] = {1, FIELD_UINT},
    [TYPE_I16] = {2, FIELD_INT},        [TYPE_U16] = {2, FIELD_UINT},
    [TYPE_I32] = {4, FIELD_INT},        [TYPE_U32] = {4, FIELD_UINT},
    [TYPE_I64] = {8, FIELD_INT},        [TYPE_U64] = {8, FIELD_UINT},
    [TYPE_F32] = {4, FIELD_DOUBLE},     [TYPE_F64] = {8, FIELD_DOUBLE},
    [TYPE_BOOL8] = {1, FIELD_BOOL},     [TYPE_BOOL32] = {4, FIELD_BOOL},
    [TYPE_GUID] = {16, FIELD_GUID},     [TYPE_FILETIME] = {8, FIELD_TIME},
    [TYPE_CHAR8] = {1, FIELD_TEXT},     [TYPE_CHAR16] = {2, FIELD_TEXT},
    [TYPE_DECIMAL] = {16, FIELD_BYTES}, [TYPE_SYSTEMTIME] = {16, FIELD_DATE},
};

size_t decode_size(const struct event_decoder *d, uint8_t type)
{
    return type == TYPE_POINTER ? d->pointer_size : fixed[type].size;
}

uint32_t decode_number_of(const struct event_decoder *d, uint32_t field)
{
    return field < NUMBERS ? d->numbers[field] : UINT32_MAX;
}

static void remember(struct event_decoder *d, const struct event_field *f,
                     const struct event_value *v)
{
    size_t i = (size_t)(f - d->schema->fields);
    uint64_t n = v->kind == FIELD_INT ? (uint64_t)v->i : v->u;

    if (i < NUMBERS)
        d->numbers[i] = n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

static double double_of(const uint8_t *p, unsigned size)
{
    uint32_t bits32 = load_u32(p);
    uint64_t bits64;
    float f;
    double d;

    if (size == 4) {
        memcpy(&f, &bits32, 4);
        return (double)f;
    }
    bits64 = load_u64(p);
    memcpy(&d, &bits64, 8);
    return d;
}

static uint64_t load_number(const uint8_t *p, unsigned size)
{
    switch (size) {
    case 1:
        return *p;
    case 2:
        return load_u16(p);
    case 4:
        return load_u32(p);
    }
    return load_u64(p);
}

static int64_t load_signed(const uint8_t *p, unsigned size)
{
    switch (size) {
    case 1:
        return (int8_t)*p;
    case 2:
        return (int16_t)load_u16(p);
    case 4:
        return (int32_t)load_u32(p);
    }
    return (int64_t)load_u64(p);
}

/* Numbers that are addresses or times are meant so by their format. */
static void apply_format(struct event_value *v, const uint8_t *p)
{
    switch (v->format) {
    case SHOW_IPV4:
        if (v->width == 4) {
            v->kind = FIELD_IP;
            v->bytes = (struct bytes){p, 4};
        }
        break;
    case SHOW_PORT:
        if (v->width == 2) {
            v->kind = FIELD_UINT;
            v->u = (uint64_t)(p[0] << 8 | p[1]);
        }
        break;
    case SHOW_TIME:
        if (v->width == 8) {
            v->kind = FIELD_TIME;
            v->i = (int64_t)v->u;
        }
        break;
    case SHOW_BOOL:
        v->kind = FIELD_BOOL;
        v->u = !!v->u;
        break;
    case SHOW_SIGNED:
        v->kind = FIELD_INT;
        v->i = load_signed(p, v->width);
        break;
    case SHOW_UNSIGNED:
        v->kind = FIELD_UINT;
        break;
    case SHOW_STRING:
        v->kind = FIELD_TEXT;
        v->encoding = v->width == 2 ? ENCODING_UTF16 : ENCODING_ANSI;
        v->bytes = (struct bytes){p, v->width == 2 ? 2 : 1};
        break;
    default:
        break;
    }
}

void decode_number(struct event_decoder *d, const struct event_field *f,
                   struct event_value *v)
{
    unsigned size = fixed[f->type].size;
    const uint8_t *p = reader_take(&d->r, size);

    if (!p)
        return;
    v->kind = fixed[f->type].kind;
    v->width = (uint8_t)size;
    v->bytes = (struct bytes){p, size};
    switch (v->kind) {
    case FIELD_INT:
        v->i = load_signed(p, size);
        v->u = load_number(p, size);
        break;
    case FIELD_UINT:
    case FIELD_BOOL:
        v->u = load_number(p, size);
        break;
    case FIELD_TIME:
        v->i = (int64_t)load_u64(p);
        return;
    case FIELD_DOUBLE:
        v->d = double_of(p, size);
        return;
    case FIELD_TEXT:
        v->encoding = size == 2 ? ENCODING_UTF16 : ENCODING_UTF8;
        return;
    default:
        return;
    }
    if (v->kind == FIELD_BOOL)
        v->u = !!v->u;
    remember(d, f, v);
    apply_format(v, p);
}

void decode_pointer(struct event_decoder *d, const struct event_field *f,
                    struct event_value *v)
{
    v->u = reader_ptr(&d->r, d->pointer_size);
    v->kind = f->format == SHOW_UNSIGNED ? FIELD_UINT : FIELD_ADDRESS;
    v->width = (uint8_t)d->pointer_size;
    remember(d, f, v);
}
