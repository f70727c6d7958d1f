/*
 * Types of fields, for columns and for people.
 */
#include "engine/events/schema.h"

static const char *const type_names[TYPES] = {
    [TYPE_NULL] = "null",
    [TYPE_UTF16Z] = "unicode string",
    [TYPE_ANSIZ] = "ansi string",
    [TYPE_UTF8Z] = "utf-8 string",
    [TYPE_I8] = "int8",
    [TYPE_U8] = "uint8",
    [TYPE_I16] = "int16",
    [TYPE_U16] = "uint16",
    [TYPE_I32] = "int32",
    [TYPE_U32] = "uint32",
    [TYPE_I64] = "int64",
    [TYPE_U64] = "uint64",
    [TYPE_F32] = "float",
    [TYPE_F64] = "double",
    [TYPE_BOOL8] = "boolean",
    [TYPE_BOOL32] = "boolean",
    [TYPE_BINARY] = "binary",
    [TYPE_GUID] = "guid",
    [TYPE_POINTER] = "pointer",
    [TYPE_FILETIME] = "filetime",
    [TYPE_SYSTEMTIME] = "systemtime",
    [TYPE_SID] = "sid",
    [TYPE_WBEM_SID] = "sid",
    [TYPE_UTF16_COUNTED] = "unicode string",
    [TYPE_ANSI_COUNTED] = "ansi string",
    [TYPE_UTF8_COUNTED] = "utf-8 string",
    [TYPE_UTF16_COUNTED_BE] = "unicode string",
    [TYPE_ANSI_COUNTED_BE] = "ansi string",
    [TYPE_UTF16_REST] = "unicode string",
    [TYPE_ANSI_REST] = "ansi string",
    [TYPE_BINARY_COUNTED] = "binary",
    [TYPE_BINARY_COUNTED_32] = "binary",
    [TYPE_BINARY_REST] = "binary",
    [TYPE_UTF16_FIXED] = "unicode string",
    [TYPE_ANSI_FIXED] = "ansi string",
    [TYPE_CHAR16] = "char16",
    [TYPE_CHAR8] = "char8",
    [TYPE_VARINT] = "int64",
    [TYPE_VARUINT] = "uint64",
    [TYPE_DECIMAL] = "decimal",
    [TYPE_STRUCT] = "struct",
    [TYPE_RELLOC] = "array",
    [TYPE_DATALOC] = "array",
    [TYPE_UTF8_VAR] = "utf-8 string",
    [TYPE_PAD_64] = "padding",
};

void event_type_text(struct out *out, const struct event_field *f)
{
    out_str(out, type_names[f->type]);
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
    switch (f->type) {
    case TYPE_I8:
    case TYPE_U8:
    case TYPE_I16:
    case TYPE_U16:
    case TYPE_I32:
    case TYPE_U32:
    case TYPE_I64:
    case TYPE_U64:
    case TYPE_BOOL8:
    case TYPE_BOOL32:
    case TYPE_VARINT:
    case TYPE_VARUINT:
    case TYPE_POINTER:
        return "INTEGER";
    case TYPE_F32:
    case TYPE_F64:
        return "REAL";
    case TYPE_FILETIME:
    case TYPE_SYSTEMTIME:
        return "TIMESTAMP";
    }
    return "STRING";
}
