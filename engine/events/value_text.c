/*
 * Values, fields and whole payloads as text for people and as JSON.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/json.h"
#include "engine/base/text.h"
#include "engine/events/schema.h"

enum { TEXT = 64, FILETIME_PER_SECOND = 10000000, BYTES_SHOWN = 1 << 16 };

/* ---- GUIDs and times ---- */

void event_guid_text(char *text, const uint8_t g[16])
{
    snprintf(text, 39, "{%08x-%04x-%04x-%02x%02x-%02x%02x%02x%02x%02x%02x}",
             load_u32(g), load_u16(g + 4), load_u16(g + 6), g[8], g[9], g[10],
             g[11], g[12], g[13], g[14], g[15]);
}

/* Year, month and day of a count of days from 1601-01-01, by the calendar of
 * 400 years that begin in March. */
static void date_of(uint64_t days, char text[TEXT])
{
    uint64_t z = days + 306 + (uint64_t)146097 * 4, era, of_era, year, of_year,
             month;

    era = z / 146097;
    of_era = z % 146097;
    year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    of_year = of_era - (365 * year + year / 4 - year / 100);
    month = (5 * of_year + 2) / 153;
    snprintf(text, TEXT, "%04" PRIu64 "-%02" PRIu64 "-%02" PRIu64,
             year + era * 400 + (month >= 10),
             month < 10 ? month + 3 : month - 9,
             of_year - (153 * month + 2) / 5 + 1);
}

void event_time_text(char *text, uint64_t filetime)
{
    uint64_t seconds = filetime / FILETIME_PER_SECOND;
    unsigned of_day = (unsigned)(seconds % 86400);
    char date[TEXT];

    date_of(seconds / 86400, date);
    snprintf(text, EVENT_TIME_SIZE, "%.20s %02u:%02u:%02u.%07u", date,
             of_day / 3600, of_day / 60 % 60, of_day % 60,
             (unsigned)(filetime % FILETIME_PER_SECOND));
}

/* ---- text ---- */

static void put_code_point(struct out *out, uint32_t c)
{
    char b[4];

    out_bytes(out, b, utf8_of(c, b));
}

static void put_utf16(struct out *out, struct bytes b)
{
    size_t units = b.len / 2, used;

    for (size_t i = 0; i < units; i += used)
        put_code_point(out, utf16_code_point(b.data + 2 * i, units - i, &used));
}

static void put_utf8(struct out *out, struct bytes b)
{
    for (size_t i = 0; i < b.len;) {
        size_t n = utf8_sequence(b.data + i, b.len - i);

        if (n)
            out_bytes(out, (const char *)b.data + i, n);
        else
            put_code_point(out, 0xFFFD);
        i += n ? n : 1;
    }
}

static bool is_utf8(struct bytes b)
{
    for (size_t i = 0, n; i < b.len; i += n)
        if (!(n = utf8_sequence(b.data + i, b.len - i)))
            return false;
    return true;
}

/* Nothing says which code page an 8-bit text has: it is read as UTF-8 if it can
 * be, else as Latin 1. */
static void put_ansi(struct out *out, struct bytes b)
{
    if (is_utf8(b)) {
        put_utf8(out, b);
        return;
    }
    for (size_t i = 0; i < b.len; i++)
        put_code_point(out, b.data[i]);
}

static void put_hex(struct out *out, struct bytes b)
{
    static const char digits[] = "0123456789abcdef";

    out_str(out, "0x");
    for (size_t i = 0; i < b.len && i < BYTES_SHOWN; i++) {
        out_char(out, digits[b.data[i] >> 4]);
        out_char(out, digits[b.data[i] & 15]);
    }
    if (b.len > BYTES_SHOWN)
        out_fmt(out, "... (%zu bytes)", b.len);
}

/* ---- addresses ---- */

static const uint8_t *group_at(const uint8_t *p, size_t i)
{
    return p + 2 * i;
}

static void put_ipv6(struct out *out, const uint8_t *p)
{
    unsigned best = 8, best_run = 1;

    /* The longest run of two zero groups or more is "::". */
    for (unsigned i = 0; i < 8; i++) {
        unsigned n = 0;

        while (i + n < 8 && !load_u16(group_at(p, i + n)))
            n++;
        if (n > best_run) {
            best = i;
            best_run = n;
        }
        i += n;
    }
    for (unsigned i = 0; i < 8; i++) {
        if (i == best) {
            out_str(out, "::");
            i += best_run - 1;
            continue;
        }
        out_fmt(out, "%s%x", i && i != best + best_run ? ":" : "",
                group_at(p, i)[0] << 8 | group_at(p, i)[1]);
    }
}

static void put_ip(struct out *out, struct bytes b)
{
    if (b.len == 4)
        out_fmt(out, "%u.%u.%u.%u", b.data[0], b.data[1], b.data[2], b.data[3]);
    else
        put_ipv6(out, b.data);
}

static unsigned load_u16_be(const uint8_t *p)
{
    return (unsigned)(p[0] << 8 | p[1]);
}

/* u16 family, then port and address in the order of the network. */
static void put_socket(struct out *out, struct bytes b)
{
    enum { IPV4 = 2, IPV6 = 23 };
    unsigned family = load_u16(b.data);
    unsigned port = b.len >= 4 ? load_u16_be(b.data + 2) : 0;

    if (family == IPV4 && b.len >= 8) {
        put_ip(out, (struct bytes){b.data + 4, 4});
        out_fmt(out, ":%u", port);
    } else if (family == IPV6 && b.len >= 24) {
        out_char(out, '[');
        put_ipv6(out, b.data + 8);
        out_fmt(out, "]:%u", port);
    } else {
        put_hex(out, b);
    }
}

static void put_sid(struct out *out, struct bytes b)
{
    uint64_t authority = 0;

    for (unsigned i = 2; i < 8; i++)
        authority = authority << 8 | b.data[i];
    out_fmt(out, "S-%u-%" PRIu64, b.data[0], authority);
    for (size_t i = 8; i + 4 <= b.len; i += 4)
        out_fmt(out, "-%u", load_u32(b.data + i));
}

/* ---- numbers ---- */

/* People read addresses and flags in hex. */
static bool event_value_is_hex(const struct event_value *v)
{
    return v->kind == FIELD_ADDRESS || v->format == SHOW_HEX ||
           v->format == SHOW_CODE || v->format == SHOW_NTSTATUS ||
           v->format == SHOW_HRESULT;
}

static const char *name_of_value(const struct event_names *names,
                                 uint64_t value)
{
    size_t from = 0, to = names->bits ? 0 : names->count;

    while (from < to) {
        size_t middle = from + (to - from) / 2;

        if (names->list[middle].value < value)
            from = middle + 1;
        else
            to = middle;
    }
    for (; from < names->count; from++) {
        if (names->list[from].value == value)
            return names->list[from].name;
        if (!names->bits)
            break;
    }
    return NULL;
}

/* The number by its names: of one, or of bits joined by '|'. False when a
 * part of it has none. */
static bool put_names(struct out *out, const struct event_names *names,
                      uint64_t value)
{
    const char *name = name_of_value(names, value);
    uint64_t left = value;
    bool any = false;

    if (name) {
        out_str(out, name);
        return true;
    }
    if (!names->bits || !value)
        return false;
    for (size_t i = 0; i < names->count; i++)
        if (names->list[i].value &&
            (left & names->list[i].value) == names->list[i].value)
            left &= ~names->list[i].value;
    if (left == value)
        return false;
    left = value;
    for (size_t i = 0; i < names->count; i++) {
        uint64_t bits = names->list[i].value;

        if (!bits || (left & bits) != bits)
            continue;
        out_fmt(out, "%s%s", any ? "|" : "", names->list[i].name);
        any = true;
        left &= ~bits;
    }
    if (left)
        out_fmt(out, "|0x%" PRIx64, left);
    return true;
}

static uint64_t masked(const struct event_value *v)
{
    return v->width && v->width < 8 ? v->u & ((1ull << v->width * 8) - 1)
                                    : v->u;
}

static void put_number(struct out *out, const struct event_value *v)
{
    if (v->field && v->field->names &&
        put_names(out, v->field->names, masked(v)))
        return;
    if (event_value_is_hex(v) ||
        (v->field && v->field->names && v->field->names->bits))
        out_fmt(out, "0x%" PRIx64, masked(v));
    else if (v->kind == FIELD_INT)
        out_i64(out, v->i);
    else
        out_u64(out, v->u);
}

static void event_scalar_text(struct out *out, const struct event_value *v)
{
    char text[TEXT];

    switch (v->kind) {
    case FIELD_INT:
    case FIELD_UINT:
    case FIELD_ADDRESS:
        put_number(out, v);
        break;
    case FIELD_DOUBLE:
        out_shortest(out, v->d, v->width == 4);
        break;
    case FIELD_BOOL:
        out_str(out, v->u ? "true" : "false");
        break;
    case FIELD_TEXT:
        if (v->encoding == ENCODING_UTF16)
            put_utf16(out, v->bytes);
        else if (v->encoding == ENCODING_UTF8)
            put_utf8(out, v->bytes);
        else
            put_ansi(out, v->bytes);
        break;
    case FIELD_BYTES:
        put_hex(out, v->bytes);
        break;
    case FIELD_GUID:
        event_guid_text(text, v->bytes.data);
        out_str(out, text);
        break;
    case FIELD_SID:
        put_sid(out, v->bytes);
        break;
    case FIELD_TIME:
        event_time_text(text, (uint64_t)v->i);
        out_str(out, text);
        break;
    case FIELD_DATE:
        out_fmt(out, "%04u-%02u-%02u %02u:%02u:%02u.%03u",
                load_u16(v->bytes.data), load_u16(v->bytes.data + 2),
                load_u16(v->bytes.data + 6), load_u16(v->bytes.data + 8),
                load_u16(v->bytes.data + 10), load_u16(v->bytes.data + 12),
                load_u16(v->bytes.data + 14));
        break;
    case FIELD_IP:
        put_ip(out, v->bytes);
        break;
    case FIELD_SOCKET:
        put_socket(out, v->bytes);
        break;
    default:
        break;
    }
}

/* ---- groups as text ---- */

/* True if the value is a member of a struct, which is shown with its name. */
static bool is_member(const struct event_decoder *d)
{
    return d->depth && !d->levels[d->depth].array;
}

void event_value_text(struct out *out, struct event_decoder *d,
                      const struct event_value *v)
{
    struct event_value inner;
    uint32_t depth = d->depth;
    bool first = true;

    if (v->kind != FIELD_GROUP) {
        event_scalar_text(out, v);
        return;
    }
    if (!event_enter(d, v))
        return;
    out_char(out, v->array ? '[' : '{');
    while (d->depth > depth && event_next_value(d, &inner)) {
        if (inner.kind == FIELD_END) {
            out_char(out, inner.array ? ']' : '}');
            first = false;
            continue;
        }
        if (inner.field->hidden && is_member(d))
            continue;
        out_str(out, first ? "" : ",");
        if (is_member(d))
            out_fmt(out, "%s=", inner.field->name);
        first = false;
        if (inner.kind != FIELD_GROUP) {
            event_scalar_text(out, &inner);
        } else if (event_enter(d, &inner)) {
            out_char(out, inner.array ? '[' : '{');
            first = true;
        }
    }
}

/* ---- JSON ---- */

static void json_scalar_text(struct json *json, const char *key,
                             const struct event_value *v)
{
    struct out *text = out_memory();

    event_scalar_text(text, v);
    json_text(json, key, out_text(text, NULL));
    out_close(text, NULL);
}

bool event_value_is_decimal(const struct event_value *v)
{
    return (v->kind == FIELD_INT || v->kind == FIELD_UINT) &&
           !event_value_is_hex(v) && !v->field->names;
}

bool event_value_is_exact(const struct event_value *v)
{
    const uint64_t most = 1ull << 53;

    if (v->kind == FIELD_INT)
        return v->i <= (int64_t)most && v->i >= -(int64_t)most;
    return v->u <= most;
}

static void json_scalar(struct json *json, const char *key,
                        const struct event_value *v)
{
    if (v->kind == FIELD_NULL)
        json_null(json, key);
    else if (v->kind == FIELD_BOOL)
        json_bool(json, key, v->u != 0);
    else if (v->kind == FIELD_DOUBLE && !isnan(v->d) && !isinf(v->d))
        json_shortest(json, key, v->d, v->width == 4);
    else if (!event_value_is_decimal(v) || !event_value_is_exact(v))
        json_scalar_text(json, key, v);
    else if (v->kind == FIELD_INT)
        json_i64(json, key, v->i);
    else
        json_u64(json, key, v->u);
}

static void open_group(struct json *json, const char *key,
                       const struct event_value *v)
{
    if (v->array)
        json_array(json, key);
    else
        json_object(json, key);
}

static void value_json(struct json *json, const char *key,
                       struct event_decoder *d, const struct event_value *v)
{
    struct event_value inner;
    uint32_t depth = d->depth, open = 1;

    if (v->kind != FIELD_GROUP) {
        json_scalar(json, key, v);
        return;
    }
    open_group(json, key, v);
    if (event_enter(d, v)) {
        while (d->depth > depth && event_next_value(d, &inner)) {
            const char *name = NULL;

            if (inner.kind == FIELD_END) {
                json_end(json);
                open--;
                continue;
            }
            if (is_member(d))
                name = inner.field->name;
            if (name && inner.field->hidden)
                continue;
            if (inner.kind != FIELD_GROUP) {
                json_scalar(json, name, &inner);
            } else if (event_enter(d, &inner)) {
                open_group(json, name, &inner);
                open++;
            }
        }
    }
    while (open--)
        json_end(json);
}

void event_value_json(struct out *out, struct event_decoder *d,
                      const struct event_value *v)
{
    struct json json = json_to(out);

    value_json(&json, NULL, d, v);
}

void event_payload_json(struct out *out, const struct event *e)
{
    struct json json = json_to(out);
    struct event_decoder d = event_decode(e);
    struct event_value v;
    struct bytes rest;

    json_object(&json, NULL);
    while (event_next_field(&d, &v))
        value_json(&json, v.field->name, &d, &v);
    rest = event_rest(&d);
    if (rest.len && (d.stopped || !e->kind->schema)) {
        v = (struct event_value){.kind = FIELD_BYTES, .bytes = rest};
        json_scalar_text(&json, "_rest", &v);
    }
    if (d.stopped)
        json_text(&json, "_stopped", d.stopped);
    json_end(&json);
}

/* ---- events ---- */

void event_rest_text(struct out *out, const struct event *e,
                     const struct event_decoder *d)
{
    struct bytes rest = event_rest(d);
    struct event_value v = {.kind = FIELD_BYTES, .bytes = rest};
    struct event_decoder none = {.schema = NULL};

    if (!rest.len || (e->kind->schema && !d->stopped))
        return;
    event_value_text(out, &none, &v);
    out_fmt(out, " (%zu byte%s%s%s)", rest.len, rest.len == 1 ? "" : "s",
            d->stopped ? "; " : "", d->stopped ? d->stopped : "");
}

void event_payload_text(struct out *out, const struct event *e,
                        const char *separator, bool named)
{
    struct event_decoder d = event_decode(e);
    struct out *rest = out_memory();
    const char *before = "";
    struct event_value v;

    while (event_next_field(&d, &v)) {
        out_str(out, before);
        if (named)
            out_fmt(out, "%s=", v.field->name);
        event_value_text(out, &d, &v);
        before = separator;
    }
    event_rest_text(rest, e, &d);
    if (*out_text(rest, NULL))
        out_fmt(out, "%s%s", before, out_text(rest, NULL));
    out_close(rest, NULL);
}

/* 100 ns units since 1601 of a time in a trace; 0 for a trace without a
 * start. */
static uint64_t filetime(const struct event_trace *trace, int64_t time)
{
    enum { NS = 100 };
    const int64_t unix_epoch = 116444736000000000;
    int64_t start = event_trace_start(trace);
    int64_t since;

    if (!start)
        return 0;
    /* Rounded down, as clocks are read. */
    since = start / NS + time / NS + (start % NS + time % NS) / NS;
    return (uint64_t)(since + unix_epoch);
}

void event_stamp_text(char *text, const struct event_trace *trace, int64_t time)
{
    uint64_t stamp = filetime(trace, time);

    if (stamp)
        event_time_text(text, stamp);
    else
        snprintf(text, EVENT_TIME_SIZE, "%s%" PRId64 ".%09" PRId64,
                 time < 0 ? "-" : "", (time < 0 ? -time : time) / 1000000000,
                 (time < 0 ? -time : time) % 1000000000);
}

/* ---- types of fields ---- */

static const struct {
    const char *name;   /* for people */
    const char *column; /* type of a column */
} type_texts[TYPES] = {
    [TYPE_NULL] = {"null", "STRING"},
    [TYPE_UTF16Z] = {"unicode string", "STRING"},
    [TYPE_ANSIZ] = {"ansi string", "STRING"},
    [TYPE_UTF8Z] = {"utf-8 string", "STRING"},
    [TYPE_I8] = {"int8", "INTEGER"},
    [TYPE_U8] = {"uint8", "INTEGER"},
    [TYPE_I16] = {"int16", "INTEGER"},
    [TYPE_U16] = {"uint16", "INTEGER"},
    [TYPE_I32] = {"int32", "INTEGER"},
    [TYPE_U32] = {"uint32", "INTEGER"},
    [TYPE_I64] = {"int64", "INTEGER"},
    [TYPE_U64] = {"uint64", "INTEGER"},
    [TYPE_F32] = {"float", "REAL"},
    [TYPE_F64] = {"double", "REAL"},
    [TYPE_BOOL8] = {"boolean", "INTEGER"},
    [TYPE_BOOL32] = {"boolean", "INTEGER"},
    [TYPE_BINARY] = {"binary", "STRING"},
    [TYPE_GUID] = {"guid", "STRING"},
    [TYPE_POINTER] = {"pointer", "INTEGER"},
    [TYPE_FILETIME] = {"filetime", "TIMESTAMP"},
    [TYPE_SYSTEMTIME] = {"systemtime", "TIMESTAMP"},
    [TYPE_SID] = {"sid", "STRING"},
    [TYPE_WBEM_SID] = {"sid", "STRING"},
    [TYPE_UTF16_COUNTED] = {"unicode string", "STRING"},
    [TYPE_ANSI_COUNTED] = {"ansi string", "STRING"},
    [TYPE_UTF8_COUNTED] = {"utf-8 string", "STRING"},
    [TYPE_UTF16_COUNTED_BE] = {"unicode string", "STRING"},
    [TYPE_ANSI_COUNTED_BE] = {"ansi string", "STRING"},
    [TYPE_UTF16_REST] = {"unicode string", "STRING"},
    [TYPE_ANSI_REST] = {"ansi string", "STRING"},
    [TYPE_BINARY_COUNTED] = {"binary", "STRING"},
    [TYPE_BINARY_COUNTED_32] = {"binary", "STRING"},
    [TYPE_BINARY_REST] = {"binary", "STRING"},
    [TYPE_UTF16_FIXED] = {"unicode string", "STRING"},
    [TYPE_ANSI_FIXED] = {"ansi string", "STRING"},
    [TYPE_CHAR16] = {"char16", "STRING"},
    [TYPE_CHAR8] = {"char8", "STRING"},
    [TYPE_VARINT] = {"int64", "INTEGER"},
    [TYPE_VARUINT] = {"uint64", "INTEGER"},
    [TYPE_DECIMAL] = {"decimal", "STRING"},
    [TYPE_STRUCT] = {"struct", "STRING"},
    [TYPE_RELLOC] = {"array", "STRING"},
    [TYPE_DATALOC] = {"array", "STRING"},
    [TYPE_UTF8_VAR] = {"utf-8 string", "STRING"},
    [TYPE_PAD_64] = {"padding", "STRING"},
};

void event_type_text(struct out *out, const struct event_field *f)
{
    out_str(out, type_texts[f->type].name);
    if (f->counting == COUNT_FIXED)
        out_fmt(out, "[%u]", f->count);
    else if (f->counting != COUNT_ONE)
        out_str(out, "[]");
}

const char *event_column_type(const struct event_field *f)
{
    if (f->counting != COUNT_ONE || f->names)
        return "STRING";
    if (f->format == SHOW_TIME)
        return "TIMESTAMP";
    if (f->format == SHOW_IPV4)
        return "STRING";
    return type_texts[f->type].column;
}
