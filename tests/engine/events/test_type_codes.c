/* Codes of types in schemas of Windows, against the numbers of the headers
 * that define them (tdh.h, TraceLoggingProvider.h). */
#include "engine/events/trace_impl.h"
#include "tests/support/suite.h"

static const struct {
    const char *name; /* in a manifest; NULL: it has none */
    unsigned code;
    enum event_type type;
} in_types[] = {
    {"win:UnicodeString", 1, TYPE_UTF16Z},
    {"win:AnsiString", 2, TYPE_ANSIZ},
    {"win:Int8", 3, TYPE_I8},
    {"win:UInt8", 4, TYPE_U8},
    {"win:Int16", 5, TYPE_I16},
    {"win:UInt16", 6, TYPE_U16},
    {"win:Int32", 7, TYPE_I32},
    {"win:UInt32", 8, TYPE_U32},
    {"win:Int64", 9, TYPE_I64},
    {"win:UInt64", 10, TYPE_U64},
    {"win:Float", 11, TYPE_F32},
    {"win:Double", 12, TYPE_F64},
    {"win:Boolean", 13, TYPE_BOOL32},
    {"win:Binary", 14, TYPE_BINARY},
    {"win:GUID", 15, TYPE_GUID},
    {"win:Pointer", 16, TYPE_POINTER},
    {"win:FILETIME", 17, TYPE_FILETIME},
    {"win:SYSTEMTIME", 18, TYPE_SYSTEMTIME},
    {"win:SID", 19, TYPE_SID},
    {"win:HexInt32", 20, TYPE_U32},
    {"win:HexInt64", 21, TYPE_U64},
    {"win:CountedUnicodeString", 22, TYPE_UTF16_COUNTED},
    {"win:CountedAnsiString", 23, TYPE_ANSI_COUNTED},
    {NULL, 24, TYPE_STRUCT},
    {"win:CountedBinary", 25, TYPE_BINARY_COUNTED},
    {NULL, 26, TYPE_BINARY_REST},
    {NULL, 299, TYPE_BINARY_REST},
    {NULL, 300, TYPE_UTF16_COUNTED},
    {NULL, 301, TYPE_ANSI_COUNTED},
    {NULL, 302, TYPE_UTF16_COUNTED_BE},
    {NULL, 303, TYPE_ANSI_COUNTED_BE},
    {NULL, 304, TYPE_UTF16_REST},
    {NULL, 305, TYPE_ANSI_REST},
    {"trace:UnicodeChar", 306, TYPE_CHAR16},
    {"trace:AnsiChar", 307, TYPE_CHAR8},
    {"trace:SizeT", 308, TYPE_POINTER},
    {"trace:HexDump", 309, TYPE_BINARY_COUNTED_32},
    {"trace:WBEMSid", 310, TYPE_WBEM_SID},
    {NULL, 311, TYPE_BINARY_REST},
    {"win:Nothing", 0, TYPE_NULL},
};

TEST(in_types_have_codes_and_types)
{
    for (size_t i = 0; i < COUNT(in_types); i++) {
        unsigned code = in_types[i].code;
        struct event_field f = field_of_codes(code, SHOW_PLAIN, false);

        ck_assert_msg(f.type == in_types[i].type, "%u: %u", code, f.type);
        ck_assert_uint_eq(f.format,
                          code == 20 || code == 21 ? SHOW_HEX : SHOW_PLAIN);
        if (in_types[i].name)
            ck_assert_uint_eq(in_type_named(in_types[i].name), code);
    }
}

static const struct {
    const char *name;
    unsigned code;
    enum event_format format;
} out_types[] = {
    {"xs:string", 1, SHOW_STRING},
    {"xs:dateTime", 2, SHOW_PLAIN},
    {NULL, 3, SHOW_PLAIN},
    {NULL, 12, SHOW_PLAIN},
    {"xs:boolean", 13, SHOW_BOOL},
    {"xs:GUID", 14, SHOW_PLAIN},
    {"xs:hexBinary", 15, SHOW_HEX},
    {"win:HexInt8", 16, SHOW_HEX},
    {"win:HexInt16", 17, SHOW_HEX},
    {"win:HexInt32", 18, SHOW_HEX},
    {"win:HexInt64", 19, SHOW_HEX},
    {"win:PID", 20, SHOW_PID},
    {"win:TID", 21, SHOW_TID},
    {"win:Port", 22, SHOW_PORT},
    {"win:IPv4", 23, SHOW_IPV4},
    {"win:IPv6", 24, SHOW_IPV6},
    {"win:SocketAddress", 25, SHOW_SOCKET},
    {NULL, 26, SHOW_PLAIN},
    {"win:ETWTIME", 27, SHOW_TICKS},
    {"win:Xml", 28, SHOW_XML},
    {"win:ErrorCode", 29, SHOW_HEX},
    {"win:Win32Error", 30, SHOW_WIN32},
    {"win:NTSTATUS", 31, SHOW_NTSTATUS},
    {"win:HResult", 32, SHOW_HRESULT},
    {NULL, 33, SHOW_PLAIN},
    {"win:Json", 34, SHOW_JSON},
    {"win:Utf8", 35, SHOW_PLAIN},
    {NULL, 36, SHOW_PLAIN},
    {"win:CodePointer", 37, SHOW_CODE},
    {NULL, 38, SHOW_PLAIN},
    {NULL, 39, SHOW_PLAIN},
    {NULL, 1000, SHOW_PLAIN},
    {"win:Nothing", 0, SHOW_PLAIN},
};

TEST(out_types_have_codes_and_formats)
{
    for (size_t i = 0; i < COUNT(out_types); i++) {
        unsigned code = out_types[i].code;

        ck_assert_msg(manifest_format(code) == out_types[i].format, "%u", code);
        if (out_types[i].name)
            ck_assert_uint_eq(out_type_named(out_types[i].name), code);
    }
}

/* Where format and text go together: characters, texts of UTF-8. */
static const struct {
    unsigned in;
    enum event_format format;
    bool utf8;
    enum event_type type;
    enum event_format shown;
} combined[] = {
    {20, SHOW_PID, false, TYPE_U32, SHOW_PID},
    {21, SHOW_PID, false, TYPE_U64, SHOW_PID},
    {8, SHOW_PID, false, TYPE_U32, SHOW_PID},
    {2, SHOW_PLAIN, true, TYPE_UTF8Z, SHOW_PLAIN},
    {23, SHOW_PLAIN, true, TYPE_UTF8_COUNTED, SHOW_PLAIN},
    {1, SHOW_PLAIN, true, TYPE_UTF16Z, SHOW_PLAIN},
    {1, SHOW_STRING, false, TYPE_UTF16Z, SHOW_PLAIN},
    {1, SHOW_XML, false, TYPE_UTF16Z, SHOW_XML},
    {2, SHOW_STRING, false, TYPE_ANSIZ, SHOW_PLAIN},
    {22, SHOW_STRING, false, TYPE_UTF16_COUNTED, SHOW_PLAIN},
    {23, SHOW_STRING, false, TYPE_ANSI_COUNTED, SHOW_PLAIN},
    {302, SHOW_STRING, false, TYPE_UTF16_COUNTED_BE, SHOW_PLAIN},
    {303, SHOW_STRING, false, TYPE_ANSI_COUNTED_BE, SHOW_PLAIN},
    {304, SHOW_STRING, false, TYPE_UTF16_REST, SHOW_PLAIN},
    {305, SHOW_STRING, false, TYPE_ANSI_REST, SHOW_PLAIN},
    {14, SHOW_STRING, false, TYPE_BINARY, SHOW_STRING},
    {3, SHOW_STRING, false, TYPE_CHAR8, SHOW_STRING},
    {4, SHOW_STRING, false, TYPE_CHAR8, SHOW_STRING},
    {5, SHOW_STRING, false, TYPE_CHAR16, SHOW_STRING},
    {6, SHOW_STRING, false, TYPE_CHAR16, SHOW_STRING},
    {7, SHOW_STRING, false, TYPE_I32, SHOW_STRING},
    {5, SHOW_HEX, false, TYPE_I16, SHOW_HEX},
};

TEST(formats_may_make_another_type)
{
    for (size_t i = 0; i < COUNT(combined); i++) {
        struct event_field f = field_of_codes(
            combined[i].in, combined[i].format, combined[i].utf8);

        ck_assert_msg(f.type == combined[i].type &&
                          f.format == combined[i].shown,
                      "row %zu: %u, %u", i, f.type, f.format);
    }
}
