/*
 * Schemas that are built in stand in tables as short texts:
 *
 *     "ptr ImageBase, u32.pid ProcessId, u16 Count,"
 *     "{ptr From, u64 Length} Ranges[Count], wstr FileName:Names"
 *
 * A field is a type, a name and, behind it, how many there are: [8], [Count]
 * for as many as an earlier field says, [u16] for a count that stands before
 * them, [] up to the end of the payload. A struct's members stand in braces.
 * Behind a colon is the enumeration whose names its values have, behind the
 * type's dot how they are meant. `wstr(24)` is text of 24 characters, `bin(8)`
 * and `bin(Size)` are bytes. A name that begins with '-' is padding.
 *
 * The texts are our own: what is wrong with them is an assert.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/events/builtin.h"
#include "engine/events/trace_impl.h"

static const struct {
    const char *name;
    enum event_type type;
} types[] = {
    {"u8", TYPE_U8},
    {"i8", TYPE_I8},
    {"u16", TYPE_U16},
    {"i16", TYPE_I16},
    {"u32", TYPE_U32},
    {"i32", TYPE_I32},
    {"u64", TYPE_U64},
    {"i64", TYPE_I64},
    {"f32", TYPE_F32},
    {"f64", TYPE_F64},
    {"bool8", TYPE_BOOL8},
    {"bool32", TYPE_BOOL32},
    {"ptr", TYPE_POINTER},
    {"guid", TYPE_GUID},
    {"filetime", TYPE_FILETIME},
    {"systemtime", TYPE_SYSTEMTIME},
    {"sid", TYPE_SID},
    {"wbemsid", TYPE_WBEM_SID},
    {"wstr", TYPE_UTF16Z},
    {"astr", TYPE_ANSIZ},
    {"ustr", TYPE_UTF8Z},
    {"cwstr", TYPE_UTF16_COUNTED},
    {"castr", TYPE_ANSI_COUNTED},
    {"custr", TYPE_UTF8_COUNTED},
    {"wrest", TYPE_UTF16_REST},
    {"arest", TYPE_ANSI_REST},
    {"bin", TYPE_BINARY},
    {"cbin", TYPE_BINARY_COUNTED},
    {"rest", TYPE_BINARY_REST},
    {"char16", TYPE_CHAR16},
    {"char8", TYPE_CHAR8},
    {"varuint", TYPE_VARUINT},
    {"pad64", TYPE_PAD_64},
};

static const struct {
    const char *name;
    enum event_format format;
} formats[] = {
    {"hex", SHOW_HEX},           {"pid", SHOW_PID},
    {"tid", SHOW_TID},           {"port", SHOW_PORT},
    {"ip4", SHOW_IPV4},          {"ip6", SHOW_IPV6},
    {"socket", SHOW_SOCKET},     {"win32", SHOW_WIN32},
    {"ntstatus", SHOW_NTSTATUS}, {"hresult", SHOW_HRESULT},
    {"bool", SHOW_BOOL},         {"time", SHOW_TIME},
    {"ticks", SHOW_TICKS},       {"code", SHOW_CODE},
    {"unix", SHOW_UNIX},         {"str", SHOW_STRING},
    {"dec", SHOW_UNSIGNED},
};

/* A part of the text whose fields are still to be read. */
struct part {
    const char *text, *end;
    uint32_t parent; /* field whose members they are; NO_PARENT */
};

enum { NO_PARENT = UINT32_MAX };

struct texts {
    VEC(struct event_field) fields;
    VEC(struct part) parts;
    struct arena *arena;
};

static const char *skip_spaces(const char *at)
{
    while (*at == ' ' || *at == ',')
        at++;
    return at;
}

static size_t word(const char *at)
{
    return strcspn(at, " ,.:()[]{}");
}

static bool is_word(const char *at, size_t n, const char *name)
{
    return strlen(name) == n && !memcmp(at, name, n);
}

static enum event_type type_of(const char *at, size_t n)
{
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        if (is_word(at, n, types[i].name))
            return types[i].type;
    assert(false && "a type");
    return TYPE_NULL;
}

static enum event_format format_of(const char *at, size_t n)
{
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
        if (is_word(at, n, formats[i].name))
            return formats[i].format;
    assert(false && "a format");
    return SHOW_PLAIN;
}

/* The number of an earlier field. */
static uint32_t field_named(const struct texts *t, const char *at, size_t n)
{
    for (size_t i = t->fields.len; i-- > 0;)
        if (is_word(at, n, t->fields.data[i].name))
            return (uint32_t)i;
    assert(false && "an earlier field");
    return 0;
}

static const struct event_names *enum_named(const char *at, size_t n)
{
    for (size_t i = 0; i < builtin_enum_count; i++)
        if (is_word(at, n, builtin_enums[i].name))
            return &builtin_enums[i];
    assert(false && "an enumeration");
    return NULL;
}

static const char *read_length(struct texts *t, const char *at,
                               struct event_field *f)
{
    size_t n = word(++at);

    if (f->type == TYPE_UTF16Z)
        f->type = TYPE_UTF16_FIXED;
    else if (f->type == TYPE_ANSIZ)
        f->type = TYPE_ANSI_FIXED;
    f->length_of_field = *at < '0' || *at > '9';
    f->length = f->length_of_field ? field_named(t, at, n)
                                   : (uint32_t)strtoul(at, NULL, 10);
    return at + n + 1;
}

static const char *read_count(struct texts *t, const char *at,
                              struct event_field *f)
{
    size_t n = word(++at);

    if (!n)
        f->counting = COUNT_REST;
    else if (is_word(at, n, "u16"))
        f->counting = COUNT_PREFIX;
    else if (is_word(at, n, "u32"))
        f->counting = COUNT_PREFIX_32;
    else if (*at >= '0' && *at <= '9')
        f->counting = COUNT_FIXED;
    else
        f->counting = COUNT_FIELD;
    if (f->counting == COUNT_FIXED)
        f->count = (uint32_t)strtoul(at, NULL, 10);
    else if (f->counting == COUNT_FIELD)
        f->count = field_named(t, at, n);
    return at + n + 1;
}

/* The position behind the brace that closes the one at `at`. */
static const char *behind_braces(const char *at)
{
    int depth = 0;

    do {
        depth += (*at == '{') - (*at == '}');
        at++;
    } while (depth);
    return at;
}

static const char *read_type(struct texts *t, const char *at,
                             struct event_field *f)
{
    size_t n = word(at);

    if (*at == '{') {
        const char *end = behind_braces(at);

        f->type = TYPE_STRUCT;
        *vec_add(&t->parts) =
            (struct part){at + 1, end - 1, (uint32_t)t->fields.len};
        return end;
    }
    f->type = (uint8_t)type_of(at, n);
    at += n;
    if (*at == '.') {
        n = word(++at);
        f->format = (uint8_t)format_of(at, n);
        at += n;
    }
    return *at == '(' ? read_length(t, at, f) : at;
}

static const char *read_field(struct texts *t, const char *at)
{
    struct event_field f = {.name = ""};
    size_t n;

    at = skip_spaces(read_type(t, at, &f));
    f.hidden = *at == '-';
    at += f.hidden;
    n = word(at);
    f.name = arena_strndup(t->arena, at, n);
    at += n;
    if (*at == '[')
        at = read_count(t, at, &f);
    if (*at == ':') {
        n = word(++at);
        f.names = enum_named(at, n);
        at += n;
    }
    *vec_add(&t->fields) = f;
    return skip_spaces(at);
}

const struct event_schema *schema_of_text(struct arena *arena, const char *text)
{
    struct event_schema *schema = arena_new(arena, struct event_schema, 1);
    struct texts t = {.arena = arena};

    *vec_add(&t.parts) = (struct part){text, text + strlen(text), NO_PARENT};
    for (size_t i = 0; i < t.parts.len; i++) {
        struct part part = t.parts.data[i];
        uint32_t first = (uint32_t)t.fields.len;
        const char *at = skip_spaces(part.text);

        while (at < part.end)
            at = read_field(&t, at);
        if (part.parent == NO_PARENT) {
            schema->top = t.fields.len;
        } else {
            t.fields.data[part.parent].first = first;
            t.fields.data[part.parent].members = (uint32_t)t.fields.len - first;
        }
    }
    schema->count = t.fields.len;
    schema->fields = event_fields_copy(arena, t.fields.data, t.fields.len);
    vec_release(&t.fields);
    vec_release(&t.parts);
    return schema;
}
