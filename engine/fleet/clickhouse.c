#include "engine/fleet/clickhouse.h"

#include <string.h>

/* In quotes of either kind a backslash escapes; what is no printable ASCII is
 * written by its code, so that no byte can end a literal. */
static void quoted_char(struct out *sql, char c, char quote)
{
    unsigned char byte = (unsigned char)c;

    if (c == quote || c == '\\')
        out_char(sql, '\\');
    if (byte < 0x20 || byte == 0x7f)
        out_fmt(sql, "\\x%02X", byte);
    else
        out_char(sql, c);
}

static void quoted(struct out *sql, const char *text, char quote)
{
    out_char(sql, quote);
    for (; *text; text++)
        quoted_char(sql, *text, quote);
    out_char(sql, quote);
}

void sql_text(struct out *sql, const char *text)
{
    quoted(sql, text, '\'');
}

void sql_name(struct out *sql, const char *name)
{
    quoted(sql, name, '`');
}

/* LIKE has a backslash of its own, which the literal doubles. */
void sql_glob(struct out *sql, const char *glob)
{
    out_char(sql, '\'');
    for (; *glob; glob++) {
        if (*glob == '*') {
            out_char(sql, '%');
        } else if (*glob == '?') {
            out_char(sql, '_');
        } else {
            if (strchr("%_\\", *glob))
                out_str(sql, "\\\\");
            quoted_char(sql, *glob, '\'');
        }
    }
    out_char(sql, '\'');
}

/* ---- rows ---- */
static void number(struct out *rows, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        out_char(rows, (char)(value >> 8 * i));
}

void row_u8(struct out *rows, uint8_t value)
{
    number(rows, value, 1);
}

void row_u16(struct out *rows, uint16_t value)
{
    number(rows, value, 2);
}

void row_u32(struct out *rows, uint32_t value)
{
    number(rows, value, 4);
}

void row_u64(struct out *rows, uint64_t value)
{
    number(rows, value, 8);
}

void row_count(struct out *rows, uint64_t n)
{
    for (; n >= 0x80; n >>= 7)
        out_char(rows, (char)(n | 0x80));
    out_char(rows, (char)n);
}

void row_bytes(struct out *rows, const void *bytes, size_t n)
{
    row_count(rows, n);
    out_bytes(rows, bytes, n);
}

void row_text(struct out *rows, const char *text)
{
    row_bytes(rows, text, strlen(text));
}

struct bytes row_get_bytes(struct reader *r)
{
    return reader_bytes(r, row_get_count(r, 1));
}

size_t row_get_count(struct reader *r, size_t least)
{
    uint64_t n = reader_uleb(r);

    if (r->failed || n <= reader_left(r) / least)
        return r->failed ? 0 : (size_t)n;
    reader_fail(r, ERR_CORRUPT, "more elements than bytes");
    return 0;
}
