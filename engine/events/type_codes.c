#include "engine/events/trace_impl.h"

#include <string.h>

enum {
    IN_UNICODE = 1,
    IN_ANSI = 2,
    IN_BINARY = 14,
    IN_HEX_32 = 20,
    IN_HEX_64 = 21,
    IN_MOF = 300,
};

static const uint8_t types[] = {
    [0] = TYPE_NULL,        [1] = TYPE_UTF16Z,
    [2] = TYPE_ANSIZ,       [3] = TYPE_I8,
    [4] = TYPE_U8,          [5] = TYPE_I16,
    [6] = TYPE_U16,         [7] = TYPE_I32,
    [8] = TYPE_U32,         [9] = TYPE_I64,
    [10] = TYPE_U64,        [11] = TYPE_F32,
    [12] = TYPE_F64,        [13] = TYPE_BOOL32,
    [14] = TYPE_BINARY,     [15] = TYPE_GUID,
    [16] = TYPE_POINTER,    [17] = TYPE_FILETIME,
    [18] = TYPE_SYSTEMTIME, [19] = TYPE_SID,
    [20] = TYPE_U32,        [21] = TYPE_U64,
    [22] = TYPE_UTF16_COUNTED, [23] = TYPE_ANSI_COUNTED,
    [24] = TYPE_STRUCT,     [25] = TYPE_BINARY_COUNTED,
};

static const uint8_t mof_types[] = {
    TYPE_UTF16_COUNTED,    TYPE_ANSI_COUNTED,      TYPE_UTF16_COUNTED_BE,
    TYPE_ANSI_COUNTED_BE,  TYPE_UTF16_REST,        TYPE_ANSI_REST,
    TYPE_CHAR16,           TYPE_CHAR8,             TYPE_POINTER,
    TYPE_BINARY_COUNTED_32, TYPE_WBEM_SID,
};

enum event_format manifest_format(unsigned out)
{
    static const uint8_t formats[] = {
        [1] = SHOW_STRING,    [13] = SHOW_BOOL,   [15] = SHOW_HEX,
        [16] = SHOW_HEX,      [17] = SHOW_HEX,    [18] = SHOW_HEX,
        [19] = SHOW_HEX,      [20] = SHOW_PID,    [21] = SHOW_TID,
        [22] = SHOW_PORT,     [23] = SHOW_IPV4,   [24] = SHOW_IPV6,
        [25] = SHOW_SOCKET,   [27] = SHOW_TICKS,  [28] = SHOW_XML,
        [29] = SHOW_HEX,      [30] = SHOW_WIN32,  [31] = SHOW_NTSTATUS,
        [32] = SHOW_HRESULT,  [34] = SHOW_JSON,   [37] = SHOW_CODE,
        [38] = SHOW_PLAIN,
    };

    return out < sizeof(formats) ? formats[out] : SHOW_PLAIN;
}

enum event_format tracelogging_format(unsigned out)
{
    static const uint8_t formats[] = {
        [2] = SHOW_STRING,   [3] = SHOW_BOOL,     [4] = SHOW_HEX,
        [5] = SHOW_PID,      [6] = SHOW_TID,      [7] = SHOW_PORT,
        [8] = SHOW_IPV4,     [9] = SHOW_IPV6,     [10] = SHOW_SOCKET,
        [11] = SHOW_XML,     [12] = SHOW_JSON,    [13] = SHOW_WIN32,
        [14] = SHOW_NTSTATUS, [15] = SHOW_HRESULT, [16] = SHOW_TIME,
        [17] = SHOW_SIGNED,  [18] = SHOW_UNSIGNED,
    };

    return out < sizeof(formats) ? formats[out] : SHOW_PLAIN;
}

static bool is_text(uint8_t type)
{
    switch (type) {
    case TYPE_UTF16Z:
    case TYPE_ANSIZ:
    case TYPE_UTF16_COUNTED:
    case TYPE_ANSI_COUNTED:
    case TYPE_UTF16_COUNTED_BE:
    case TYPE_ANSI_COUNTED_BE:
    case TYPE_UTF16_REST:
    case TYPE_ANSI_REST:
        return true;
    default:
        return false;
    }
}

struct event_field field_of_codes(unsigned in, enum event_format format,
                                  bool utf8)
{
    struct event_field f = {.format = (uint8_t)format};

    if (in < sizeof(types))
        f.type = types[in];
    else if (in >= IN_MOF && in - IN_MOF < sizeof(mof_types))
        f.type = mof_types[in - IN_MOF];
    else
        f.type = TYPE_BINARY_REST;
    if ((in == IN_HEX_32 || in == IN_HEX_64) && format == SHOW_PLAIN)
        f.format = SHOW_HEX;
    if (utf8 && f.type == TYPE_ANSIZ)
        f.type = TYPE_UTF8Z;
    if (utf8 && f.type == TYPE_ANSI_COUNTED)
        f.type = TYPE_UTF8_COUNTED;
    if (is_text(f.type) && format == SHOW_STRING)
        f.format = SHOW_PLAIN;
    /* One character of 8 or 16 bits; more of them are a text. */
    if (format == SHOW_STRING && (in == 3 || in == 4))
        f.type = TYPE_CHAR8;
    if (format == SHOW_STRING && (in == 5 || in == 6))
        f.type = TYPE_CHAR16;
    return f;
}

struct named_code {
    const char *name;
    unsigned code;
};

static unsigned code_named(const struct named_code *list, size_t n,
                           const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(list[i].name, name))
            return list[i].code;
    return 0;
}

unsigned in_type_named(const char *name)
{
    static const struct named_code names[] = {
        {"win:UnicodeString", 1}, {"win:AnsiString", 2}, {"win:Int8", 3},
        {"win:UInt8", 4},         {"win:Int16", 5},      {"win:UInt16", 6},
        {"win:Int32", 7},         {"win:UInt32", 8},     {"win:Int64", 9},
        {"win:UInt64", 10},       {"win:Float", 11},     {"win:Double", 12},
        {"win:Boolean", 13},      {"win:Binary", 14},    {"win:GUID", 15},
        {"win:Pointer", 16},      {"win:FILETIME", 17},
        {"win:SYSTEMTIME", 18},   {"win:SID", 19},       {"win:HexInt32", 20},
        {"win:HexInt64", 21},     {"win:CountedUnicodeString", 22},
        {"win:CountedAnsiString", 23}, {"win:CountedBinary", 25},
        {"trace:UnicodeChar", 306}, {"trace:AnsiChar", 307},
        {"trace:SizeT", 308},       {"trace:HexDump", 309},
        {"trace:WBEMSid", 310},
    };

    return code_named(names, sizeof(names) / sizeof(names[0]), name);
}

unsigned out_type_named(const char *name)
{
    static const struct named_code names[] = {
        {"xs:string", 1},        {"xs:dateTime", 2},
        {"xs:boolean", 13},      {"xs:GUID", 14},
        {"xs:hexBinary", 15},    {"win:HexInt8", 16},
        {"win:HexInt16", 17},    {"win:HexInt32", 18},
        {"win:HexInt64", 19},    {"win:PID", 20},
        {"win:TID", 21},         {"win:Port", 22},
        {"win:IPv4", 23},        {"win:IPv6", 24},
        {"win:SocketAddress", 25}, {"win:ETWTIME", 27},
        {"win:Xml", 28},         {"win:ErrorCode", 29},
        {"win:Win32Error", 30},  {"win:NTSTATUS", 31},
        {"win:HResult", 32},     {"win:Json", 34},
        {"win:Utf8", 35},        {"win:CodePointer", 37},
    };

    return code_named(names, sizeof(names) / sizeof(names[0]), name);
}
