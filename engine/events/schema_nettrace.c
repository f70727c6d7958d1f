/*
 * Fields as nettrace files describe them. Descriptions may be nested; they are
 * read with a stack of our own. (engine/format/nettrace/format.md, sections 3.3
 * and 5.6)
 */
#include <stdlib.h>
#include <string.h>

#include "engine/base/json.h"
#include "engine/base/text.h"
#include "engine/events/trace_impl.h"
#include "engine/format/nettrace/nettrace.h"

enum form { FORM_V1, FORM_V2, FORM_V6 };

enum {
    CODE_OBJECT = 1,
    CODE_ARRAY = 19,
    CODE_FIXED_ARRAY = 22,
    CODE_RELLOC = 24,
    CODE_DATALOC = 25,
    TAG_OPCODE = 1,
    TAG_FIELDS = 2,
    DEEPEST_TYPE = 8,
};

/* A list of fields that is being read. */
struct list {
    VEC(struct event_field) fields;
    uint32_t left;
    /* The field that is being read. */
    struct reader own; /* of its size */
    struct reader *in;
    const char *name;
    uint8_t wraps[DEEPEST_TYPE]; /* arrays around its type, outermost first */
    unsigned wrap_count;
};

struct parse {
    struct arena *arena;
    enum form form;
    struct list lists[EVENT_DEPTH];
    unsigned depth;
    /* Members of structs; where a struct says its first member, the count of
     * the event's own fields is still to be added. */
    VEC(struct event_field) members;
    bool failed;
};

static uint8_t type_of(uint32_t code, bool *known)
{
    static const uint8_t types[] = {
        [3] = TYPE_BOOL32,   [4] = TYPE_CHAR16,    [5] = TYPE_I8,
        [6] = TYPE_U8,       [7] = TYPE_I16,       [8] = TYPE_U16,
        [9] = TYPE_I32,      [10] = TYPE_U32,      [11] = TYPE_I64,
        [12] = TYPE_U64,     [13] = TYPE_F32,      [14] = TYPE_F64,
        [15] = TYPE_DECIMAL, [16] = TYPE_FILETIME, [17] = TYPE_GUID,
        [18] = TYPE_UTF16Z,  [20] = TYPE_VARINT,   [21] = TYPE_VARUINT,
        [23] = TYPE_CHAR8,   [26] = TYPE_BOOL8,
    };

    *known = code < sizeof(types) && types[code];
    return *known ? types[code] : TYPE_NULL;
}

static const char *read_name(const struct parse *p, struct reader *r)
{
    return p->form == FORM_V6 ? arena_text(p->arena, nt_string(r))
                              : arena_utf16(p->arena, reader_utf16(r));
}

static bool is_wrap(const struct parse *p, uint32_t code)
{
    return code == CODE_ARRAY ||
           (p->form == FORM_V6 &&
            (code == CODE_FIXED_ARRAY || code == CODE_RELLOC ||
             code == CODE_DATALOC));
}

/* Members that are complete; where they begin. */
static uint32_t keep_members(struct parse *p, const struct event_field *fields,
                             size_t n)
{
    uint32_t first = (uint32_t)p->members.len;

    for (size_t i = 0; i < n; i++)
        *vec_add(&p->members) = fields[i];
    return first;
}

/* A field that already is an array becomes the one member of a struct. */
static void box(struct parse *p, struct event_field *f)
{
    struct event_field inner = *f;

    inner.name = "Value";
    *f = (struct event_field){
        .type = TYPE_STRUCT,
        .first = keep_members(p, &inner, 1),
        .members = 1,
    };
}

static void wrap(struct parse *p, struct list *l, struct event_field *f,
                 uint8_t code)
{
    struct event_field element = *f;

    switch (code) {
    case CODE_RELLOC:
    case CODE_DATALOC:
        element.name = "";
        *f = (struct event_field){
            .type = code == CODE_RELLOC ? TYPE_RELLOC : TYPE_DATALOC,
            .first = keep_members(p, &element, 1),
            .members = 1,
        };
        break;
    case CODE_FIXED_ARRAY:
        if (f->counting != COUNT_ONE)
            box(p, f);
        f->counting = COUNT_FIXED;
        f->count = reader_u16(l->in);
        break;
    default:
        if (f->counting != COUNT_ONE)
            box(p, f);
        f->counting = COUNT_PREFIX;
    }
}

/* The type in the middle is known: the arrays around it, and the name. */
static void finish_field(struct parse *p, struct event_field f)
{
    struct list *l = &p->lists[p->depth];

    while (l->wrap_count)
        wrap(p, l, &f, l->wraps[--l->wrap_count]);
    f.name = p->form == FORM_V1 ? read_name(p, l->in) : l->name;
    if (l->in->failed)
        p->failed = true;
    *vec_add(&l->fields) = f;
}

static void open_list(struct parse *p, struct reader *in)
{
    struct list *l = &p->lists[p->depth];
    uint32_t count = p->form == FORM_V6 ? reader_u16(in) : reader_u32(in);

    /* A field is a name and a type at least. */
    if (in->failed || count > reader_left(in) / 2) {
        p->failed = true;
        count = 0;
    }
    l->fields.len = 0;
    l->left = count;
    l->wrap_count = 0;
    l->in = in;
}

static void begin_field(struct parse *p, struct list *l, struct reader *from)
{
    struct event_field f = {.counting = COUNT_ONE};
    uint32_t code, size;
    bool known;

    l->left--;
    l->in = from;
    if (p->form != FORM_V1) {
        size = p->form == FORM_V6 ? reader_u16(from) : reader_u32(from) - 4;
        l->own = reader_sub(from, size, "field");
        l->in = &l->own;
        l->name = read_name(p, l->in);
    }
    while (is_wrap(p, code = (p->form == FORM_V6 ? reader_u8(l->in)
                                                 : reader_u32(l->in)))) {
        if (l->wrap_count == DEEPEST_TYPE) {
            p->failed = true;
            return;
        }
        l->wraps[l->wrap_count++] = (uint8_t)code;
    }
    if (l->in->failed) {
        p->failed = true;
        return;
    }
    if (code == CODE_OBJECT) {
        if (p->depth + 1 == EVENT_DEPTH) {
            p->failed = true;
            return;
        }
        p->depth++;
        open_list(p, l->in);
        return;
    }
    f.type = type_of(code, &known);
    if (!known)
        p->failed = true;
    else
        finish_field(p, f);
}

/* A nested list is complete: the field it is of goes on. */
static void close_list(struct parse *p)
{
    struct list *l = &p->lists[p->depth];
    struct event_field f = {
        .type = TYPE_STRUCT,
        .members = (uint32_t)l->fields.len,
        .first = keep_members(p, l->fields.data, l->fields.len),
    };

    p->depth--;
    finish_field(p, f);
}

static void read_fields(struct parse *p, struct reader *r)
{
    p->depth = 0;
    open_list(p, r);
    while (!p->failed && (p->depth || p->lists[0].left)) {
        struct list *l = &p->lists[p->depth];

        if (!l->left)
            close_list(p);
        else
            begin_field(p, l, p->depth ? p->lists[p->depth - 1].in : r);
    }
    for (unsigned i = 0; i < EVENT_DEPTH; i++)
        p->lists[i].in = NULL;
}

static const struct event_schema *finish_schema(struct parse *p)
{
    struct event_schema *s = arena_new(p->arena, struct event_schema, 1);
    size_t top = p->lists[0].fields.len;
    VEC(struct event_field) all = {0};

    for (size_t i = 0; i < top; i++)
        *vec_add(&all) = p->lists[0].fields.data[i];
    for (size_t i = 0; i < p->members.len; i++)
        *vec_add(&all) = p->members.data[i];
    for (size_t i = 0; i < all.len; i++)
        if (all.data[i].type == TYPE_STRUCT ||
            all.data[i].type == TYPE_RELLOC || all.data[i].type == TYPE_DATALOC)
            all.data[i].first += (uint32_t)top;
    s->fields = event_fields_copy(p->arena, all.data, all.len);
    s->count = all.len;
    s->top = top;
    s->source = SCHEMA_NETTRACE;
    vec_release(&all);
    return s;
}

/* Tags behind the fields of v5; the second list of fields replaces the first,
 * which is empty then. */
static void read_tags(struct parse *p, struct reader *r, struct described *out)
{
    while (reader_left(r) >= 5 && !p->failed) {
        uint32_t size = reader_u32(r);
        uint8_t kind = reader_u8(r);
        struct reader tag = reader_sub(r, size, "tag");

        if (r->failed)
            return;
        if (kind == TAG_OPCODE)
            out->opcode = reader_u8(&tag);
        if (kind != TAG_FIELDS)
            continue;
        p->form = FORM_V2;
        p->members.len = 0;
        read_fields(p, &tag);
    }
}

bool nettrace_fields_read(struct arena *arena, struct bytes fields, bool v6,
                          struct described *out)
{
    struct parse p = {.arena = arena, .form = v6 ? FORM_V6 : FORM_V1};
    struct reader r = reader_of("", fields.data, fields.len, 0, NULL);

    *out = (struct described){0};
    if (!fields.len)
        return true;
    read_fields(&p, &r);
    if (!v6 && !p.failed)
        read_tags(&p, &r, out);
    if (!p.failed)
        out->schema = finish_schema(&p);
    for (unsigned i = 0; i < EVENT_DEPTH; i++)
        vec_release(&p.lists[i].fields);
    vec_release(&p.members);
    return !p.failed;
}

/* ---- labels and texts of v6, as JSON ---- */

enum { LONGEST_KEY = 200, TRACE_ID = 16, SPAN_ID = 8 };

/* A key as a C string; NULs and what is behind them are left out. */
static const char *key_text(char text[LONGEST_KEY + 1], struct bytes key)
{
    size_t n = key.len < LONGEST_KEY ? key.len : LONGEST_KEY;

    memcpy(text, key.len ? (const void *)key.data : "", n);
    text[n] = '\0';
    return text;
}

static void put_label_text(struct json *json, struct bytes key,
                           struct bytes value)
{
    char name[LONGEST_KEY + 1];
    char *text = text_copy(value.data, value.len);

    json_text(json, key_text(name, key), text);
    free(text);
}

static void put_label_hex(struct json *json, const char *key,
                          const uint8_t *bytes, size_t n)
{
    char text[2 * TRACE_ID + 1];

    for (size_t i = 0; i < n; i++) {
        text[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
        text[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
    }
    text[2 * n] = '\0';
    json_text(json, key, text);
}

/* A span id reads as its bytes in the order of their weight. */
static void put_span(struct json *json, uint64_t number)
{
    uint8_t bytes[SPAN_ID];

    for (size_t i = 0; i < SPAN_ID; i++)
        bytes[i] = (uint8_t)(number >> (8 * (SPAN_ID - 1 - i)));
    put_label_hex(json, "SpanId", bytes, SPAN_ID);
}

static void put_label(struct json *json, const struct nt_label *l)
{
    char name[LONGEST_KEY + 1];

    switch (l->kind) {
    case NT_LABEL_TRACE:
        put_label_hex(json, "TraceId", l->id, TRACE_ID);
        break;
    case NT_LABEL_SPAN:
        put_span(json, l->number);
        break;
    case NT_LABEL_TEXT:
        put_label_text(json, l->key, l->value);
        break;
    case NT_LABEL_NUMBER:
        json_i64(json, key_text(name, l->key),
                 (int64_t)(l->number >> 1) ^ -(int64_t)(l->number & 1));
        break;
    }
}

void event_labels_json(struct out *out, const struct event *e)
{
    struct reader r = reader_of("", e->labels, e->labels_size, 0, NULL);
    struct json json = json_to(out);
    struct nt_label l;
    bool any = false;

    while (reader_more(&r)) {
        nt_read_label(&r, &l);
        if (r.failed ||
            !(l.kind >= NT_LABEL_TRACE && l.kind <= NT_LABEL_NUMBER))
            continue;
        if (!any)
            json_object(&json, NULL);
        any = true;
        put_label(&json, &l);
    }
    if (any)
        json_end(&json);
}

static const char *kept_text(struct arena *arena, struct bytes text)
{
    return arena_strndup(arena, text.len ? (const char *)text.data : "",
                         text.len);
}

struct kind_texts event_kind_texts(struct arena *arena, struct bytes optional)
{
    struct reader r = reader_of("", optional.data, optional.len, 0, NULL);
    struct kind_texts texts = {"", "", ""};
    struct nt_optional o;
    struct out *attributes = out_memory();
    struct json json = json_to(attributes);
    bool any = false;

    while (reader_more(&r) && nt_read_optional(&r, &o)) {
        if (o.kind == NT_OPTIONAL_MESSAGE)
            texts.message = kept_text(arena, o.value);
        if (o.kind == NT_OPTIONAL_DESCRIPTION)
            texts.description = kept_text(arena, o.value);
        if (o.kind != NT_OPTIONAL_PAIR)
            continue;
        if (!any)
            json_object(&json, NULL);
        any = true;
        put_label_text(&json, o.key, o.value);
    }
    if (any) {
        size_t n;
        const char *text;

        json_end(&json);
        text = out_text(attributes, &n);
        texts.attributes = arena_strndup(arena, text, n);
    }
    out_close(attributes, NULL);
    return texts;
}
