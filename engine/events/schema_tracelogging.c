/*
 * TraceLogging: an event that brings its schema along, as extended item 11.
 * Type 24 is a struct: its out type is how many of the next fields are its
 * members. (engine/format/etl/format.md, section 6)
 */
#include "engine/events/trace_impl.h"

enum {
    TYPE_BITS = 0x1F,
    COUNT_BITS = 0x60,
    COUNTED = 0x20,
    COUNTED_IN_PAYLOAD = 0x40,
    OWN_TYPE = 0x60,
    MORE = 0x80,
    CODE_STRUCT = 24,
};

/* A field as it stands in the schema; members follow their struct. */
struct flat {
    struct event_field field;
    uint32_t own_members; /* of a struct: direct ones */
};

static void skip_tags(struct reader *r)
{
    while (reader_u8(r) & MORE)
        continue;
}

static struct flat read_field(struct arena *arena, struct reader *r)
{
    const char *name = arena_text(arena, reader_cstr(r));
    uint8_t in = reader_u8(r), result = 0;
    struct event_field f = {0};
    uint32_t members = 0;

    if (in & MORE) {
        result = reader_u8(r);
        if (result & MORE)
            skip_tags(r);
        result &= 0x7F;
    }
    if ((in & TYPE_BITS) == CODE_STRUCT) {
        f.type = TYPE_STRUCT;
        members = result;
    } else {
        f = field_of_codes(in & TYPE_BITS, tracelogging_format(result),
                           result == 35);
    }
    f.name = name;
    switch (in & COUNT_BITS) {
    case COUNTED:
        f.counting = COUNT_FIXED;
        f.count = reader_u16(r);
        break;
    case COUNTED_IN_PAYLOAD:
        f.counting = COUNT_PREFIX;
        break;
    case OWN_TYPE:
        reader_skip(r, reader_u16(r));
        f.counting = COUNT_PREFIX;
        f.type = TYPE_U8;
        break;
    default:
        break;
    }
    return (struct flat){f, members};
}

typedef VEC(struct flat) flats;

/* The position behind a struct at `at` and everything inside it. A struct that
 * promises more members than there are has those. */
static size_t behind(const flats *all, size_t at)
{
    uint64_t wanted = 1;

    while (wanted && at < all->len) {
        wanted--;
        wanted += all->data[at].field.type == TYPE_STRUCT
                      ? all->data[at].own_members
                      : 0;
        at++;
    }
    return at;
}

/* From members that follow their struct to ranges of direct members: level by
 * level, each struct's members at the end of the list so far. */
static const struct event_schema *arrange(struct arena *arena, const flats *all)
{
    struct event_schema *s = arena_new(arena, struct event_schema, 1);
    VEC(struct event_field) fields = {0};
    VEC(size_t) from = {0}; /* by field: where it stands in `all` */

    for (size_t at = 0; at < all->len; at = behind(all, at)) {
        *vec_add(&fields) = all->data[at].field;
        *vec_add(&from) = at;
    }
    s->top = fields.len;
    for (size_t i = 0; i < fields.len; i++) {
        size_t at = from.data[i] + 1, first = fields.len;
        uint32_t n = all->data[from.data[i]].own_members;

        if (fields.data[i].type != TYPE_STRUCT)
            continue;
        for (; n && at < all->len; n--, at = behind(all, at)) {
            *vec_add(&fields) = all->data[at].field;
            *vec_add(&from) = at;
        }
        fields.data[i].first = (uint32_t)first;
        fields.data[i].members = (uint32_t)(fields.len - first);
    }
    s->fields = event_fields_copy(arena, fields.data, fields.len);
    s->count = fields.len;
    s->source = SCHEMA_TRACE_LOGGING;
    vec_release(&fields);
    vec_release(&from);
    return s;
}

bool tracelogging_read(struct arena *arena, struct bytes blob,
                       struct described *out)
{
    struct reader r = reader_of("", blob.data, blob.len, 0, NULL);
    uint16_t size = reader_u16(&r);
    flats all = {0};

    *out = (struct described){0};
    if (size >= 2 && size < r.len)
        r.len = size;
    skip_tags(&r);
    out->name = arena_text(arena, reader_cstr(&r));
    while (reader_more(&r))
        *vec_add(&all) = read_field(arena, &r);
    if (!r.failed)
        out->schema = arrange(arena, &all);
    vec_release(&all);
    return !r.failed;
}

const char *traits_name(struct arena *arena, struct bytes traits)
{
    struct reader r = reader_of("", traits.data, traits.len, 0, NULL);
    struct bytes name;

    reader_skip(&r, 2);
    name = reader_cstr(&r);
    return r.failed || !name.len ? NULL : arena_text(arena, name);
}
