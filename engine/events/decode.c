/*
 * Fields and values of a payload, by a schema that nothing vouches for.
 *
 * The decoder stands in a stack of levels: the event, an array, a struct, an
 * array in it. Every value costs one of the budget, which is in proportion to
 * the payload, so that structs without bytes, repeated, end as well.
 */
#include "engine/events/decode_value.h"

static bool stop(struct event_decoder *d, size_t at, const char *why)
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

/* The size is in the high half, the place in the low one. What does not lie
 * in the payload spoils this value only. */
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

/* How many elements the field has; false when they cannot be there. */
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
        return stop(d, at, "the payload ends in a field");
    if (*count > d->budget || (least && *count > reader_left(&d->r) / least))
        return stop(d, at, "a count is larger than the payload");
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
        decode_pointer(d, f, v);
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
        return stop(d, v->offset, "the payload ends in a field");
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
        return stop(d, d->r.pos, "more values than the payload could hold");
    d->budget--;
    if (element || f->counting == COUNT_ONE)
        return read_one(d, f, v);
    if (!count_of(d, f, v->offset, &count))
        return false;
    if (!decode_characters(d, f, count, v))
        give_group(d, v, count, true);
    if (d->r.failed)
        return stop(d, v->offset, "the payload ends in a field");
    return true;
}

/* Whether the text was null and is not in the payload: what is left is as long
 * as the fields behind it without texts. The runtimes of .NET Core 3 to 5 write
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
        return stop(d, group->offset, "nested too deeply");
    if (f->first > d->schema->count || f->members > d->schema->count - f->first)
        return stop(d, group->offset, "a struct without members");
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
