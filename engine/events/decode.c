/*
 * Fields and values of a payload, by a schema that nothing vouches for.
 *
 * The decoder stands in a stack of levels: the event, an array, a struct, an
 * array in it. Every value costs one of the budget, which is in proportion to
 * the payload, so that structs without bytes, repeated, end as well.
 */
#include <string.h>

#include "engine/events/schema.h"

/* ---- numbers: what has one size ---- */

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

/* The size of a value of the type; 0: it has no size of its own. */
static size_t decode_size(const struct event_decoder *d, uint8_t type)
{
    return type == TYPE_POINTER ? d->pointer_size : fixed[type].size;
}

/* A count or length that an earlier field says; UINT32_MAX: it was not
 * kept. */
static uint32_t decode_number_of(const struct event_decoder *d, uint32_t field)
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
    unsigned above = 64 - 8 * size;

    return (int64_t)(load_number(p, size) << above) >> above;
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

static void decode_number(struct event_decoder *d, const struct event_field *f,
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

/* ---- texts and bytes ---- */

/* The ways in which the end of a text, or of bytes, is told. */
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

static bool decode_is_text(uint8_t type)
{
    return shapes[type].ending != NOT_A_TEXT;
}

/* Bytes that a text of the type has at least. */
static size_t decode_least_text(uint8_t type)
{
    static const uint8_t least[] = {
        [AT_NUL] = 1,    [COUNT_16] = 2,     [COUNT_16_BE] = 2, [COUNT_32] = 4,
        [COUNT_LEB] = 1, [FIELD_LENGTH] = 0, [AT_END] = 0,
    };

    return least[shapes[type].ending];
}

static void decode_as_text(struct event_value *v, struct bytes text,
                           enum event_encoding encoding)
{
    v->kind = FIELD_TEXT;
    v->encoding = encoding;
    v->bytes = text;
}

/* Bytes that stand for something by their format. */
static void decode_as_bytes(struct event_value *v, struct bytes bytes)
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

static struct bytes decode_cut_at_nul(struct bytes text, unsigned unit)
{
    for (size_t i = 0; i + unit <= text.len; i += unit)
        if (!text.data[i] && (unit == 1 || !text.data[i + 1]))
            return (struct bytes){text.data, i};
    return (struct bytes){text.data, text.len - text.len % unit};
}

static struct bytes take_text(struct event_decoder *d,
                              const struct event_field *f,
                              const struct shape *shape)
{
    struct reader *r = &d->r;
    uint64_t n;

    switch (shape->ending) {
    case AT_NUL:
        /* Text without a count goes to its NUL, or to the end. A byte that is
         * left over behind UTF-16 stays. */
        if (shape->unit == 1)
            return reader_cstr(r);
        if (reader_left(r) == 1) {
            reader_skip(r, 1);
            return (struct bytes){r->base + r->pos, 0};
        }
        return reader_utf16(r);
    case COUNT_16:
        return reader_bytes(r, reader_u16(r));
    case COUNT_16_BE:
        return reader_bytes(r, __builtin_bswap16(reader_u16(r)));
    case COUNT_32:
        return reader_bytes(r, reader_u32(r));
    case COUNT_LEB:
        n = reader_uleb(r);
        return reader_bytes(r, n > SIZE_MAX ? SIZE_MAX : (size_t)n);
    case FIELD_LENGTH:
        n = f->length_of_field ? decode_number_of(d, f->length) : f->length;
        return reader_bytes(r, n * (shape->unit == 2 ? 2 : 1));
    default:
        return reader_bytes(r, reader_left(r));
    }
}

static void decode_text(struct event_decoder *d, const struct event_field *f,
                        struct event_value *v)
{
    const struct shape *shape = &shapes[f->type];
    struct bytes bytes = take_text(d, f, shape);

    if (!shape->unit) {
        decode_as_bytes(v, bytes);
        return;
    }
    if (shape->ending == FIELD_LENGTH || shape->ending == AT_END)
        bytes = decode_cut_at_nul(bytes, shape->unit);
    decode_as_text(v, bytes, shape->encoding);
}

/* Several characters or bytes that a count goes with are one text, or bytes.
 * False: the field has elements of another type. */
static bool decode_characters(struct event_decoder *d,
                              const struct event_field *f, uint32_t count,
                              struct event_value *v)
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
static void decode_sid(struct event_decoder *d, struct event_value *v)
{
    struct reader peek = d->r;
    size_t parts;

    reader_skip(&peek, 1);
    parts = reader_u8(&peek);
    v->kind = FIELD_SID;
    v->bytes = reader_bytes(&d->r, 8 + 4 * parts);
}

/* The kernel logs nothing of a user, or a TOKEN_USER: two pointers, which say
 * nothing, and the SID. Some logs have a null pointer in front of a
 * SID as well. */
static void decode_wbem_sid(struct event_decoder *d, struct event_value *v)
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

/* ---- the decoder ---- */

static bool stop_decoding(struct event_decoder *d, size_t at, const char *why)
{
    if (!d->stopped) {
        d->stopped = why;
        d->stopped_at = at;
    }
    d->r.failed = true;
    return false;
}

struct event_decoder event_decode_bytes(const struct event_schema *schema,
                                        const uint8_t *payload, size_t size,
                                        unsigned pointer_size)
{
    struct event_decoder d = {
        .schema = schema,
        .r = reader_of("", payload, size, 0, NULL),
        .pointer_size = pointer_size == 4 ? 4 : 8,
        .budget = (uint32_t)(size < 1 << 24 ? size * 4 + 1024 : 1 << 26),
    };

    if (schema)
        d.levels[0].end = (uint32_t)schema->top;
    return d;
}

struct event_decoder event_decode(const struct event *e)
{
    struct event_decoder d = event_decode_bytes(e->kind->schema, e->payload,
                                                e->size, e->pointer_size);

    d.omits_null = e->kind->omits_null;
    return d;
}

struct bytes event_rest(const struct event_decoder *d)
{
    size_t at = d->stopped ? d->stopped_at : d->r.pos;

    return (struct bytes){d->r.base + at, d->r.len - at};
}

/* ---- values with a shape of their own ---- */

/* Bytes that a value of this field has at least. */
static size_t least_size(const struct event_decoder *d,
                         const struct event_field *f)
{
    switch (f->type) {
    case TYPE_SID:
        return 8;
    case TYPE_WBEM_SID:
    case TYPE_RELLOC:
    case TYPE_DATALOC:
        return 4;
    case TYPE_VARINT:
    case TYPE_VARUINT:
        return 1;
    default:
        return decode_is_text(f->type) ? decode_least_text(f->type)
                                       : decode_size(d, f->type);
    }
}

static void read_leb(struct event_decoder *d, const struct event_field *f,
                     struct event_value *v)
{
    uint64_t n = reader_uleb(&d->r);

    v->width = 8;
    if (f->type == TYPE_VARUINT) {
        v->kind = FIELD_UINT;
        v->u = n;
    } else {
        v->kind = FIELD_INT;
        v->i = (int64_t)(n >> 1) ^ -(int64_t)(n & 1);
    }
}

/* ---- groups ---- */

static void give_group(struct event_decoder *d, struct event_value *v,
                       uint32_t count, bool array)
{
    v->kind = FIELD_GROUP;
    v->count = count;
    v->array = array;
    v->resume = 0;
    d->waiting = true;
}

/* The size is in the high half, the place in the low one. A place
 * outside the payload spoils this value only. */
static void read_located(struct event_decoder *d, const struct event_field *f,
                         struct event_value *v)
{
    uint32_t word = reader_u32(&d->r);
    size_t size = word >> 16, start = word & 0xFFFF, element;
    const struct event_field *of = &d->schema->fields[f->first];

    v->kind = FIELD_NULL;
    if (f->type == TYPE_RELLOC)
        start += d->r.pos;
    element = decode_size(d, of->type);
    if (d->r.failed || !element || start > d->r.len ||
        size > d->r.len - start || size % element)
        return;
    if (of->type == TYPE_CHAR8 || of->type == TYPE_CHAR16) {
        decode_as_text(
            v,
            decode_cut_at_nul((struct bytes){d->r.base + start, size},
                              (unsigned)element),
            of->type == TYPE_CHAR16 ? ENCODING_UTF16 : ENCODING_UTF8);
        return;
    }
    give_group(d, v, (uint32_t)(size / element), true);
    v->resume = d->r.pos;
    v->offset = start;
}

/* The number of elements of the field; false when they cannot be there. */
static bool count_of(struct event_decoder *d, const struct event_field *f,
                     size_t at, uint32_t *count)
{
    size_t least = least_size(d, f);

    switch (f->counting) {
    case COUNT_FIXED:
        *count = f->count;
        break;
    case COUNT_FIELD:
        *count = decode_number_of(d, f->count);
        break;
    case COUNT_PREFIX:
        *count = reader_u16(&d->r);
        break;
    case COUNT_PREFIX_32:
        *count = reader_u32(&d->r);
        break;
    default:
        *count = UINT32_MAX;
        return true;
    }
    if (d->r.failed)
        return stop_decoding(d, at, "the payload ends inside a field");
    if (*count > d->budget || (least && *count > reader_left(&d->r) / least))
        return stop_decoding(d, at, "a count is larger than the payload");
    return true;
}

/* One value of the field: the whole of it, or an element. */
static bool read_one(struct event_decoder *d, const struct event_field *f,
                     struct event_value *v)
{
    switch (f->type) {
    case TYPE_STRUCT:
        give_group(d, v, 1, false);
        break;
    case TYPE_RELLOC:
    case TYPE_DATALOC:
        read_located(d, f, v);
        break;
    case TYPE_SID:
        decode_sid(d, v);
        break;
    case TYPE_WBEM_SID:
        decode_wbem_sid(d, v);
        break;
    case TYPE_POINTER:
        v->u = reader_ptr(&d->r, d->pointer_size);
        v->kind = f->format == SHOW_UNSIGNED ? FIELD_UINT : FIELD_ADDRESS;
        v->width = (uint8_t)d->pointer_size;
        remember(d, f, v);
        break;
    case TYPE_VARINT:
    case TYPE_VARUINT:
        read_leb(d, f, v);
        break;
    case TYPE_PAD_64:
        reader_skip(&d->r, d->pointer_size == 8 ? 4 : 0);
        break;
    default:
        if (decode_is_text(f->type))
            decode_text(d, f, v);
        else if (decode_size(d, f->type))
            decode_number(d, f, v);
        else
            v->kind = FIELD_NULL;
    }
    if (d->r.failed)
        return stop_decoding(d, v->offset, "the payload ends inside a field");
    return true;
}

static bool read_value(struct event_decoder *d, const struct event_field *f,
                       bool element, struct event_value *v)
{
    uint32_t count;

    *v = (struct event_value){
        .field = f,
        .format = f->format,
        .offset = d->r.pos,
    };
    if (!d->budget)
        return stop_decoding(d, d->r.pos,
                             "more values than the payload could hold");
    d->budget--;
    if (element || f->counting == COUNT_ONE)
        return read_one(d, f, v);
    if (!count_of(d, f, v->offset, &count))
        return false;
    if (!decode_characters(d, f, count, v))
        give_group(d, v, count, true);
    if (d->r.failed)
        return stop_decoding(d, v->offset, "the payload ends inside a field");
    return true;
}

/* True if the text was null and is not in the payload: the rest is as long as
 * the fields behind it without texts. The runtimes of .NET Core 3 to 5 write
 * an exception without a message so; .NET 6 writes "NULL".
 * (engine/attribution/clr-events.md, section 2.2) */
static bool is_left_out(const struct event_decoder *d,
                        const struct event_field *f)
{
    const struct event_level *top = &d->levels[0];
    size_t size = 0;

    if (!d->omits_null || d->depth || f->type != TYPE_UTF16Z ||
        f->counting != COUNT_ONE)
        return false;
    for (uint32_t i = top->at; i < top->end; i++) {
        const struct event_field *next = &d->schema->fields[i];
        size_t n = decode_size(d, next->type);

        if (next->counting != COUNT_ONE || (!n && next->type != TYPE_UTF16Z))
            return false;
        size += n;
    }
    return reader_left(&d->r) == size;
}

static bool read_field(struct event_decoder *d, const struct event_field *f,
                       bool element, struct event_value *v)
{
    bool read;

    if (is_left_out(d, f)) {
        *v = (struct event_value){
            .field = f, .kind = FIELD_NULL, .offset = d->r.pos};
        return true;
    }
    read = read_value(d, f, element, v);

    if (read && d->waiting)
        d->group = *v;
    return read;
}

bool event_enter(struct event_decoder *d, const struct event_value *group)
{
    const struct event_field *f = group->field;
    struct event_level *level;

    if (!d->waiting || group->kind != FIELD_GROUP || d->r.failed)
        return false;
    d->waiting = false;
    if (d->depth + 1 == EVENT_DEPTH)
        return stop_decoding(d, group->offset, "nested too deeply");
    if (f->first > d->schema->count || f->members > d->schema->count - f->first)
        return stop_decoding(d, group->offset, "a struct without members");
    level = &d->levels[++d->depth];
    *level = (struct event_level){
        .array = group->array,
        .left = group->count,
        .resume = group->resume,
    };
    if (group->array) {
        level->first =
            group->resume ? f->first : (uint32_t)(f - d->schema->fields);
    } else {
        level->at = f->first;
        level->end = f->first + f->members;
    }
    if (group->resume)
        d->r.pos = group->offset;
    return true;
}

static bool leave(struct event_decoder *d, struct event_value *v)
{
    const struct event_level *level = &d->levels[d->depth];

    if (level->resume)
        d->r.pos = level->resume;
    d->depth--;
    *v = (struct event_value){.kind = FIELD_END, .array = level->array};
    return true;
}

/* The next value at the level the decoder stands in. */
static bool next_here(struct event_decoder *d, struct event_value *v)
{
    struct event_level *level = &d->levels[d->depth];
    const struct event_field *f;

    if (level->array) {
        if (!level->left || (level->left == UINT32_MAX && !reader_more(&d->r)))
            return leave(d, v);
        if (level->left != UINT32_MAX)
            level->left--;
        return read_field(d, &d->schema->fields[level->first], true, v);
    }
    if (level->at >= level->end)
        return leave(d, v);
    f = &d->schema->fields[level->at++];
    return read_field(d, f, false, v);
}

/* Passes over a group that was given and not entered, or not to its end. */
static void go_back(struct event_decoder *d, uint32_t depth)
{
    struct event_value passed;

    if (d->waiting && !event_enter(d, &d->group))
        return;
    while (d->depth > depth && !d->r.failed) {
        if (!next_here(d, &passed))
            return;
        if (d->waiting && !event_enter(d, &d->group))
            return;
    }
}

bool event_next_value(struct event_decoder *d, struct event_value *v)
{
    if (d->waiting)
        go_back(d, d->depth);
    if (d->r.failed || !d->depth)
        return false;
    return next_here(d, v);
}

bool event_next_field(struct event_decoder *d, struct event_value *v)
{
    struct event_level *top = &d->levels[0];
    const struct event_field *f;

    if (!d->schema)
        return false;
    if (d->waiting || d->depth)
        go_back(d, 0);
    while (!d->r.failed && top->at < top->end) {
        f = &d->schema->fields[top->at];
        if (!reader_more(&d->r) && f->counting != COUNT_FIELD)
            return false;
        top->at++;
        if (!read_field(d, f, false, v))
            return false;
        if (!f->hidden)
            return true;
        if (d->waiting)
            go_back(d, 0);
    }
    return false;
}
