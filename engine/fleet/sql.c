#include "engine/fleet/sql.h"

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
