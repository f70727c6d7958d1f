#include "report/table/xml.h"

#include <string.h>

/* U+FFFE and U+FFFF are no characters of XML. */
static bool is_noncharacter(const char *text)
{
    return !memcmp(text, "\xEF\xBF", 2) && (unsigned char)text[2] >= 0xBE;
}

static void put(struct out *out, const char *text, size_t n)
{
    switch (*text) {
    case '&':
        out_str(out, "&amp;");
        break;
    case '<':
        out_str(out, "&lt;");
        break;
    case '>':
        out_str(out, "&gt;");
        break;
    case '"':
        out_str(out, "&quot;");
        break;
    default:
        if (n == 3 && is_noncharacter(text))
            out_str(out, "\xEF\xBF\xBD");
        else
            out_plain_bytes(out, text, n);
    }
}

void xml_text(struct out *out, const char *text)
{
    size_t n;

    for (; *text; text += n) {
        out_escaped(text, &n);
        put(out, text, n);
    }
}
