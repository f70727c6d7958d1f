#include "symbols/saved/nrbf.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/unpacking.h"

void nrbf_free(struct nrbf *n)
{
    if (!n)
        return;
    vec_release(&n->classes);
    vec_release(&n->members);
    vec_release(&n->objects);
    vec_release(&n->values);
    map_release(&n->ids);
    free(n);
}

const struct nrbf_object *nrbf_object(const struct nrbf *n, uint32_t id)
{
    uint32_t i = map_get(&n->ids, id, 0);

    return i == MAP_NONE ? NULL : &n->objects.data[i];
}

const struct nrbf_object *nrbf_target(const struct nrbf *n,
                                      const struct nrbf_value *value)
{
    return value && value->kind == NRBF_REFERENCE
               ? nrbf_object(n, value->reference)
               : NULL;
}

static bool is_text(const char *a, size_t n, const char *name)
{
    return n == strlen(name) && !memcmp(a, name, n);
}

/* The name in the source that the compiler made this one of. */
static bool is_member(struct bytes b, const char *name)
{
    const char *text = (const char *)b.data;
    const char *close = b.len ? memchr(text, '>', b.len) : NULL;
    size_t tail;

    if (!close || *text != '<')
        return is_text(text, b.len, name);
    tail = b.len - (size_t)(close + 1 - text);
    return is_text(text + 1, (size_t)(close - text) - 1, name) ||
           is_text(close + 1, tail, name);
}

const struct nrbf_value *nrbf_member(const struct nrbf *n,
                                     const struct nrbf_object *o,
                                     const char *name)
{
    const struct nrbf_class *c;

    if (!o || o->class_id == NRBF_ARRAY)
        return NULL;
    c = &n->classes.data[o->class_id];
    for (uint32_t i = 0; i < c->count && i < o->count; i++)
        if (is_member(n->members.data[c->first + i].name, name))
            return &n->values.data[o->first + i];
    return NULL;
}

const struct nrbf_value *nrbf_element(const struct nrbf *n,
                                      const struct nrbf_object *array,
                                      uint32_t i)
{
    if (!array || array->class_id != NRBF_ARRAY || i >= array->count)
        return NULL;
    return &n->values.data[array->first + i];
}

struct bytes nrbf_text(const struct nrbf *n, const struct nrbf_value *value)
{
    const struct nrbf_object *o = nrbf_target(n, value);
    struct bytes none = {NULL, 0};

    if (o)
        value = nrbf_element(n, o, 0);
    if (!value || value->kind != NRBF_TEXT)
        return none;
    return (struct bytes){(const uint8_t *)value->text, value->length};
}

uint64_t nrbf_number(const struct nrbf_value *value, uint64_t otherwise)
{
    return value && value->kind == NRBF_NUMBER ? value->number : otherwise;
}

/*
 * A stream is a header record and then records that each begin with a type byte
 * (format.md, section 1; MS-NRBF 2.3 and 2.4).
 *
 * Limits: 64 MiB; 64 members a class; 32 objects inside each other; values
 * as base/unpacking.h allows, as runs of nulls take no input.
 */

enum {
    LARGEST_STREAM = 64 << 20,
    MOST_MEMBERS = 64,
    DEEPEST = 32,
    VALUE_BYTES = 4, /* of the stream a value, on average; a value is 16 */
};

enum record {
    RECORD_HEADER = 0,
    RECORD_CLASS_AGAIN = 1,
    RECORD_SYSTEM_CLASS = 4,
    RECORD_CLASS = 5,
    RECORD_STRING = 6,
    RECORD_ARRAY = 7,
    RECORD_BOXED = 8,
    RECORD_REFERENCE = 9,
    RECORD_NULL = 10,
    RECORD_END = 11,
    RECORD_LIBRARY = 12,
    RECORD_NULLS_8 = 13,
    RECORD_NULLS_32 = 14,
    RECORD_PRIMITIVES = 15,
    RECORD_OBJECTS = 16,
    RECORD_STRINGS = 17,
};

enum member_type {
    TYPE_PRIMITIVE,
    TYPE_STRING,
    TYPE_OBJECT,
    TYPE_SYSTEM_CLASS,
    TYPE_CLASS,
    TYPE_OBJECTS,
    TYPE_STRINGS,
    TYPE_PRIMITIVES,
};

/* An object whose values are being read. */
struct open_object {
    uint32_t object;
    uint32_t next;           /* value */
    uint8_t type, primitive; /* of an array's elements */
};

struct parser {
    struct nrbf *n;
    struct reader r;
    struct open_object open[DEEPEST];
    unsigned depth;
    struct unpack_budget budget; /* of values */
};

static void fail(struct parser *p, const char *what)
{
    reader_fail(&p->r, ERR_CORRUPT, what);
}

/* ---- primitives and text ---- */

/* A length in at most 5 groups of 7 bits. */
static struct bytes read_text(struct reader *r)
{
    uint64_t n = 0;
    unsigned shift = 0;
    uint8_t byte;

    do {
        byte = reader_u8(r);
        n |= (uint64_t)(byte & 127) << shift;
        shift += 7;
    } while (byte & 128 && shift < 35);
    if (byte & 128 || n > reader_left(r)) {
        reader_fail(r, ERR_CORRUPT, "text longer than the stream");
        return (struct bytes){r->base, 0};
    }
    return reader_bytes(r, (size_t)n);
}

/* Bytes of a primitive; 0 for one that is not read. */
static unsigned primitive_size(uint8_t type)
{
    static const uint8_t sizes[] = {
        [1] = 1,  [2] = 1,  [6] = 8,  [7] = 2,  [8] = 4,  [9] = 8,  [10] = 1,
        [11] = 4, [12] = 8, [13] = 8, [14] = 2, [15] = 4, [16] = 8,
    };

    return type < sizeof(sizes) ? sizes[type] : 0;
}

static struct nrbf_value read_primitive(struct parser *p, uint8_t type)
{
    struct nrbf_value v = {.kind = NRBF_NUMBER};

    switch (type) {
    case 7:
        v.number = (uint64_t)(int64_t)(int16_t)reader_u16(&p->r);
        return v;
    case 8:
        v.number = (uint64_t)(int64_t)(int32_t)reader_u32(&p->r);
        return v;
    }
    switch (primitive_size(type)) {
    case 1:
        v.number = reader_u8(&p->r);
        break;
    case 2:
        v.number = reader_u16(&p->r);
        break;
    case 4:
        v.number = reader_u32(&p->r);
        break;
    case 8:
        v.number = reader_u64(&p->r);
        break;
    default:
        fail(p, "unsupported primitive type");
    }
    return v;
}

/* ---- objects ---- */

/* A new object with room for its values; its index. */
static uint32_t add_object(struct parser *p, uint32_t id, uint32_t class_id,
                           uint32_t count)
{
    struct nrbf *n = p->n;
    uint32_t fresh = (uint32_t)n->objects.len;

    if (!unpack_take(&p->budget, count * sizeof(struct nrbf_value))) {
        reader_fail(&p->r, ERR_LIMIT, "more values than its size allows");
        count = 0;
    }
    if (map_add(&n->ids, id, 0, fresh) != fresh)
        fail(p, "two objects with the same id");
    *vec_add(&n->objects) =
        (struct nrbf_object){class_id, (uint32_t)n->values.len, count};
    for (uint32_t i = 0; i < count; i++)
        *vec_add(&n->values) = (struct nrbf_value){.kind = NRBF_NULL};
    return fresh;
}

static void open_object(struct parser *p, uint32_t object, uint8_t type,
                        uint8_t primitive)
{
    if (p->depth == DEEPEST)
        fail(p, "objects nested too deeply");
    else
        p->open[p->depth++] = (struct open_object){object, 0, type, primitive};
}

/* Reads what follows a type byte: the primitive type, or names. */
static uint8_t read_type_extra(struct parser *p, uint8_t type)
{
    switch (type) {
    case TYPE_PRIMITIVE:
    case TYPE_PRIMITIVES:
        return reader_u8(&p->r);
    case TYPE_CLASS:
        read_text(&p->r);
        reader_u32(&p->r);
        break;
    case TYPE_SYSTEM_CLASS:
        read_text(&p->r);
        break;
    default:
        if (type > TYPE_PRIMITIVES)
            fail(p, "a member of unknown type");
    }
    return 0;
}

static uint32_t read_class(struct parser *p)
{
    struct nrbf *n = p->n;
    struct nrbf_class c = {.first = (uint32_t)n->members.len};

    read_text(&p->r);
    c.count = reader_count(&p->r, 2, "class member");
    if (c.count > MOST_MEMBERS)
        fail(p, "class with too many members");
    if (p->r.failed)
        c.count = 0;
    for (uint32_t i = 0; i < c.count; i++)
        *vec_add(&n->members) = (struct nrbf_member){.name = read_text(&p->r)};
    for (uint32_t i = 0; i < c.count; i++)
        n->members.data[c.first + i].type = reader_u8(&p->r);
    for (uint32_t i = 0; i < c.count; i++)
        n->members.data[c.first + i].primitive =
            read_type_extra(p, n->members.data[c.first + i].type);
    *vec_add(&n->classes) = c;
    return (uint32_t)n->classes.len - 1;
}

static uint32_t take_class(struct parser *p, enum record record)
{
    uint32_t id = reader_u32(&p->r), class_id, object;

    if (record == RECORD_CLASS_AGAIN) {
        const struct nrbf_object *like = nrbf_object(p->n, reader_u32(&p->r));

        if (!like || like->class_id == NRBF_ARRAY) {
            fail(p, "object of an unknown class");
            return id;
        }
        class_id = like->class_id;
    } else {
        class_id = read_class(p);
        if (record == RECORD_CLASS)
            reader_u32(&p->r);
    }
    object = add_object(p, id, class_id, p->n->classes.data[class_id].count);
    open_object(p, object, TYPE_OBJECT, 0);
    return id;
}

static uint32_t take_array(struct parser *p, enum record record)
{
    uint32_t id = reader_u32(&p->r), length;
    uint8_t type = TYPE_OBJECT, primitive = 0, shape = 0;

    if (record == RECORD_ARRAY) {
        shape = reader_u8(&p->r);
        if (shape || reader_u32(&p->r) != 1)
            fail(p, "array with more than one dimension");
    }
    length = reader_u32(&p->r);
    if (record == RECORD_ARRAY) {
        type = reader_u8(&p->r);
        primitive = read_type_extra(p, type);
    } else if (record == RECORD_PRIMITIVES) {
        type = TYPE_PRIMITIVE;
        primitive = reader_u8(&p->r);
        if (length > reader_left(&p->r))
            fail(p, "array longer than the stream");
    }
    if (!p->r.failed)
        open_object(p, add_object(p, id, NRBF_ARRAY, length), type, primitive);
    return id;
}

static uint32_t take_string(struct parser *p)
{
    uint32_t id = reader_u32(&p->r), object;
    struct bytes text = read_text(&p->r);

    object = add_object(p, id, NRBF_ARRAY, 1);
    if (!p->r.failed)
        p->n->values.data[p->n->objects.data[object].first] =
            (struct nrbf_value){
                .kind = NRBF_TEXT,
                .length = (uint32_t)text.len,
                .text = (const char *)text.data,
            };
    return id;
}

/* ---- records ---- */

/* The value that a record stands for. */
struct answer {
    struct nrbf_value value;
    uint32_t nulls; /* instead of a value */
    bool none;      /* stands for no value at all */
};

static struct answer reference(uint32_t id)
{
    return (struct answer){.value = {.kind = NRBF_REFERENCE, .reference = id}};
}

static struct answer read_record(struct parser *p)
{
    enum record record = reader_u8(&p->r);
    struct answer a = {.none = true};

    switch (record) {
    case RECORD_CLASS_AGAIN:
    case RECORD_SYSTEM_CLASS:
    case RECORD_CLASS:
        return reference(take_class(p, record));
    case RECORD_ARRAY:
    case RECORD_PRIMITIVES:
    case RECORD_OBJECTS:
    case RECORD_STRINGS:
        return reference(take_array(p, record));
    case RECORD_STRING:
        return reference(take_string(p));
    case RECORD_REFERENCE:
        return reference(reader_u32(&p->r));
    case RECORD_BOXED:
        return (struct answer){.value = read_primitive(p, reader_u8(&p->r))};
    case RECORD_NULL:
        return (struct answer){.nulls = 1};
    case RECORD_NULLS_8:
        return (struct answer){.nulls = reader_u8(&p->r)};
    case RECORD_NULLS_32:
        return (struct answer){.nulls = reader_u32(&p->r)};
    case RECORD_LIBRARY:
        reader_u32(&p->r);
        read_text(&p->r);
        return a;
    default:
        fail(p, "unsupported type of record");
    }
    return a;
}

/* The type of the open object's next value. */
static uint8_t next_type(const struct parser *p, const struct open_object *o,
                         uint8_t *primitive)
{
    const struct nrbf_object *object = &p->n->objects.data[o->object];
    const struct nrbf_member *m;

    *primitive = o->primitive;
    if (object->class_id == NRBF_ARRAY)
        return o->type;
    m = &p->n->members
             .data[p->n->classes.data[object->class_id].first + o->next];
    *primitive = m->primitive;
    return m->type;
}

static void read_value(struct parser *p)
{
    unsigned at = p->depth - 1;
    struct open_object *o = &p->open[at];
    uint32_t first = p->n->objects.data[o->object].first;
    uint32_t left = p->n->objects.data[o->object].count - o->next;
    uint8_t primitive;
    struct answer a;

    if (!left) {
        p->depth--;
        return;
    }
    if (next_type(p, o, &primitive) == TYPE_PRIMITIVE)
        a = (struct answer){.value = read_primitive(p, primitive)};
    else
        a = read_record(p);
    if (p->r.failed || a.none)
        return;
    if (a.nulls > left || (a.nulls == 0 && a.value.kind == NRBF_NULL)) {
        fail(p, "run of nulls beyond its array");
        return;
    }
    if (!a.nulls)
        p->n->values.data[first + o->next] = a.value;
    o->next += a.nulls ? a.nulls : 1;
}

/* Between objects: another one, or the end. */
static bool read_top(struct parser *p)
{
    if (p->r.pos < p->r.len && p->r.base[p->r.pos] == RECORD_END)
        return false;
    read_record(p);
    return true;
}

static void read_stream(struct parser *p)
{
    if (reader_u8(&p->r) != RECORD_HEADER) {
        fail(p, "no header record");
        return;
    }
    p->n->root = reader_u32(&p->r);
    reader_skip(&p->r, 12);
    while (!p->r.failed) {
        if (p->depth)
            read_value(p);
        else if (!read_top(p))
            return;
    }
}

struct nrbf *nrbf_read(const char *name, const uint8_t *data, size_t size,
                       struct err *err)
{
    struct parser p = {
        .r = reader_of(name, data, size, 0, err),
        .budget = {.packed = size / VALUE_BYTES, .costly = true},
    };

    if (size > LARGEST_STREAM) {
        err_set(err, ERR_LIMIT, "%s: more than 64 MiB", name);
        return NULL;
    }
    p.n = mem_new(1, sizeof(*p.n));
    read_stream(&p);
    if (!p.r.failed)
        return p.n;
    nrbf_free(p.n);
    return NULL;
}
