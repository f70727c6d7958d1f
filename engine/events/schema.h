/*
 * schema - what the fields of an event are, and their values.
 *
 *     struct event_decoder d = event_decode(event);
 *     struct event_value v;
 *
 *     while (event_next_field(&d, &v)) {
 *         out_fmt(out, "%s=", v.field->name);
 *         event_value_text(out, &d, &v);
 *     }
 *     if (d.stopped)
 *         out_fmt(out, "[%s at byte %zu of %u]", d.stopped, d.stopped_at,
 *                 event->size);
 *
 * A schema is a flat array of fields; the first `top` are those of the event,
 * a struct's members stand further on and are named by a range. Schemas come
 * from the trace, so nothing in them is believed: no struct is among its own
 * members, counts and lengths are held against the bytes left in the payload,
 * and what is nested deeper than EVENT_DEPTH does not fit.
 *
 * event_next_field gives the fields of the event one by one. A field that is
 * an array or a struct comes as FIELD_GROUP: its text or JSON is had whole, or
 * it is entered with event_enter and its elements and members come from
 * event_next_value until it returns false.
 *
 * A payload that ends where a field begins just has no more fields: older
 * versions are prefixes of newer ones. One that ends inside a field, or an
 * impossible count or length, sets `stopped`; what was given before is good,
 * and event_rest gives the undecoded bytes.
 */
#ifndef TOPFN_EVENT_SCHEMA_H
#define TOPFN_EVENT_SCHEMA_H

#include "engine/base/arena.h"
#include "engine/base/out.h"
#include "engine/events/events.h"

enum { EVENT_DEPTH = 16 };

/* The forms in which values are stored. Comments: bytes. */
enum event_type {
    TYPE_NULL,   /* 0 */
    TYPE_UTF16Z, /* to a NUL, or the end */
    TYPE_ANSIZ,
    TYPE_UTF8Z,
    TYPE_I8,
    TYPE_U8,
    TYPE_I16,
    TYPE_U16,
    TYPE_I32,
    TYPE_U32,
    TYPE_I64,
    TYPE_U64,
    TYPE_F32,
    TYPE_F64,
    TYPE_BOOL8,
    TYPE_BOOL32,
    TYPE_BINARY,        /* `length` */
    TYPE_GUID,          /* 16 */
    TYPE_POINTER,       /* by the event's own width */
    TYPE_FILETIME,      /* 8: 100 ns since 1601 */
    TYPE_SYSTEMTIME,    /* 16 */
    TYPE_SID,           /* 8 + 4n */
    TYPE_WBEM_SID,      /* 4 zero bytes; or two pointers and a SID */
    TYPE_UTF16_COUNTED, /* u16 bytes, then text */
    TYPE_ANSI_COUNTED,
    TYPE_UTF8_COUNTED,
    TYPE_UTF16_COUNTED_BE, /* the count is big-endian */
    TYPE_ANSI_COUNTED_BE,
    TYPE_UTF16_REST, /* to the end of the payload */
    TYPE_ANSI_REST,
    TYPE_BINARY_COUNTED, /* u16 bytes */
    TYPE_BINARY_COUNTED_32,
    TYPE_BINARY_REST,
    TYPE_UTF16_FIXED, /* `length` code units, cut at a NUL */
    TYPE_ANSI_FIXED,
    TYPE_CHAR16,
    TYPE_CHAR8,
    TYPE_VARINT, /* LEB128, zigzag */
    TYPE_VARUINT,
    TYPE_DECIMAL,  /* 16 */
    TYPE_STRUCT,   /* its members */
    TYPE_RELLOC,   /* u32: size << 16 | position behind this field */
    TYPE_DATALOC,  /* the same, position in the payload */
    TYPE_UTF8_VAR, /* varuint bytes, then text */
    TYPE_PAD_64,   /* 4 in 64-bit payloads, before a pointer; else 0 */
    TYPES,
};

/* The forms in which values are shown, other than their type's own. */
enum event_format {
    SHOW_PLAIN,
    SHOW_HEX,
    SHOW_PID,
    SHOW_TID,
    SHOW_PORT,   /* big-endian u16 */
    SHOW_IPV4,
    SHOW_IPV6,
    SHOW_SOCKET, /* SOCKADDR of either family */
    SHOW_ERROR,  /* Win32, NTSTATUS, HRESULT: shown in hex but for Win32 */
    SHOW_WIN32,
    SHOW_NTSTATUS,
    SHOW_HRESULT,
    SHOW_BOOL,
    SHOW_TIME,   /* FILETIME in a u64 */
    SHOW_TICKS,  /* time stamp of the trace's clock */
    SHOW_STRING, /* bytes or characters as text */
    SHOW_XML,
    SHOW_JSON,
    SHOW_CODE,   /* address of code */
    SHOW_UNIX,   /* seconds since 1970 in a u32 */
    SHOW_SIGNED,
    SHOW_UNSIGNED,
};

enum event_counting {
    COUNT_ONE,
    COUNT_FIXED,    /* `count` elements */
    COUNT_FIELD,    /* as many as the field number `count` says */
    COUNT_PREFIX,   /* u16 in the payload before them */
    COUNT_PREFIX_32,
    COUNT_REST,     /* to the end of the payload */
};

/* A name of a value, or of bits of one. */
struct event_name {
    uint64_t value;
    const char *name;
};

struct event_names {
    const char *name; /* of the enumeration */
    const struct event_name *list;
    size_t count;
    bool bits; /* values are bits that add up; if not, the list is sorted by
                  value, and of equal ones the first counts */
};

struct event_field {
    const char *name;
    uint8_t type;   /* enum event_type */
    uint8_t format; /* enum event_format */
    uint8_t counting; /* enum event_counting */
    bool length_of_field; /* `length` is the number of the field that says it */
    uint32_t count;
    uint32_t length; /* of binary and fixed text, in its units */
    /* TYPE_STRUCT: members; RELLOC and DATALOC: the one element type. */
    uint32_t first, members;
    const struct event_names *names; /* NULL: none */
    bool hidden; /* padding: neither shown nor a column */
};

/* The origin of a schema. */
enum event_source {
    SCHEMA_BUILT_IN,
    SCHEMA_TRACE_EVENT_INFO, /* embedded when logs were merged */
    SCHEMA_MANIFEST,         /* of an EventSource, XML */
    SCHEMA_TRACE_LOGGING,    /* in the event itself */
    SCHEMA_NETTRACE,         /* metadata of the stream */
};

struct event_schema {
    const struct event_field *fields;
    size_t count; /* all of them */
    size_t top;   /* of the event itself: the first ones */
    enum event_source source;
};

enum event_value_kind {
    FIELD_NULL,
    FIELD_INT,
    FIELD_UINT,
    FIELD_DOUBLE,
    FIELD_BOOL,    /* in `u` */
    FIELD_TEXT,    /* in `bytes`, by `encoding` */
    FIELD_BYTES,
    FIELD_GUID,    /* 16 bytes */
    FIELD_SID,
    FIELD_TIME,    /* `i`: 100 ns since 1601 (FILETIME) */
    FIELD_DATE,    /* SYSTEMTIME, 16 bytes */
    FIELD_ADDRESS, /* pointer, in `u` */
    FIELD_IP,      /* 4 or 16 bytes */
    FIELD_SOCKET,  /* SOCKADDR */
    FIELD_GROUP,   /* an array or a struct */
    FIELD_END,     /* of a group that was entered */
};

enum event_encoding { ENCODING_UTF16, ENCODING_UTF8, ENCODING_ANSI };

struct event_value {
    const struct event_field *field;
    enum event_value_kind kind;
    enum event_encoding encoding;
    uint8_t format; /* enum event_format */
    uint8_t width;  /* bytes of a number */
    int64_t i;
    uint64_t u;
    double d;
    struct bytes bytes;
    size_t offset;   /* of the field in the payload */
    uint32_t count;  /* FIELD_GROUP: elements; UINT32_MAX: to the end */
    bool array;      /* FIELD_GROUP: an array, else a struct */
    size_t resume;   /* FIELD_GROUP that lies elsewhere in the payload */
};

/* A group that is being read. */
struct event_level {
    uint32_t first;  /* array: the field whose elements come */
    uint32_t at, end; /* struct: members still to come */
    uint32_t left;   /* elements still to come, this one included */
    bool array;
    size_t resume;   /* RELLOC, DATALOC: where reading goes on; else 0 */
};

struct event_decoder {
    const struct event_schema *schema; /* NULL: no field is given */
    struct reader r;
    unsigned pointer_size;
    bool omits_null; /* see struct event_kind */
    uint32_t depth;
    struct event_level levels[EVENT_DEPTH];
    uint32_t budget; /* values that may still be given: see decode.c */
    const char *stopped; /* why; NULL: the schema fits */
    size_t stopped_at;
    /* Values that counts and lengths refer to, by field number. */
    uint32_t numbers[128];
    bool waiting; /* `group` was given and not entered yet */
    struct event_value group;
};

struct event_decoder event_decode(const struct event *event);
/* The same for bytes with any schema. */
struct event_decoder event_decode_bytes(const struct event_schema *schema,
                                        const uint8_t *payload, size_t size,
                                        unsigned pointer_size);

/* The next field of the event; false when there are no more. A group that was
 * not entered is passed over. */
bool event_next_field(struct event_decoder *d, struct event_value *v);

/* Into the group that was given last; its elements (of a struct: members) come
 * from event_next_value, FIELD_END at its end. */
bool event_enter(struct event_decoder *d, const struct event_value *group);
bool event_next_value(struct event_decoder *d, struct event_value *v);

/* The bytes that no field covers: padding, later versions, or all of an unknown
 * event. */
struct bytes event_rest(const struct event_decoder *d);

/* Writes text for a person: names of enumerations, {GUID}, S-1-5-18, ISO dates
 * in UTC, 0x..; groups as [1,2] and {a=1,b=2}. NULL as nothing. A group is read
 * to its end. Valid UTF-8; control characters are as they were. */
void event_value_text(struct out *out, struct event_decoder *d,
                      const struct event_value *v);
/* True if that text is a decimal number: not in hex, not a name. */
bool event_value_is_decimal(const struct event_value *v);
/* True if readers of JSON, which keep 53 bits, get all of an integer. */
bool event_value_is_exact(const struct event_value *v);
/* Writes a JSON value; numbers that JSON cannot hold exactly are strings. */
void event_value_json(struct out *out, struct event_decoder *d,
                      const struct event_value *v);

/* The whole payload as one JSON object; unknown bytes as "_rest": "hex", and
 * "_stopped" when a schema does not fit. */
void event_payload_json(struct out *out, const struct event *event);

/* "STRING", "INTEGER", "REAL", "TIMESTAMP": the column type of a field. */
const char *event_column_type(const struct event_field *field);
/* "uint32[]", "struct", "unicode string": for people. */
void event_type_text(struct out *out, const struct event_field *field);

/* "{...}"; `text` has room for 39 bytes. */
void event_guid_text(char *text, const uint8_t guid[16]);
/* "2020-07-29 00:06:19.7912345", UTC, of 100 ns since 1601. */
enum { EVENT_TIME_SIZE = 48 };
void event_time_text(char *text, uint64_t filetime);

/* All values, `separator` between them, as "Name=value" where `named`; what
 * no schema covers last, as below. */
void event_payload_text(struct out *out, const struct event *event,
                        const char *separator, bool named);

/* The bytes that the decoder left of an event without a schema, or with one
 * that does not fit, as "0x... (N bytes; why)"; nothing otherwise. */
void event_rest_text(struct out *out, const struct event *event,
                     const struct event_decoder *decoder);

/* "2020-07-29 00:06:19.7912345", or seconds since the start where the trace
 * does not tell when that was; `text` has room for EVENT_TIME_SIZE. */
void event_stamp_text(char *text, const struct event_trace *trace,
                      int64_t time);

/* {"TraceId":"4bf9...","SpanId":"00f0...","user":"eve","shard":3}; nothing
 * where the event has no such label. Activity ids, level, keywords, opcode and
 * version are members of the event. */
void event_labels_json(struct out *out, const struct event *event);

/* Texts of a kind's optional metadata (format/nettrace/format.md, section
 * 5.6), "" for none; attributes as a JSON object. */
struct kind_texts {
    const char *message, *description, *attributes;
};

struct kind_texts event_kind_texts(struct arena *arena, struct bytes optional);

#endif
