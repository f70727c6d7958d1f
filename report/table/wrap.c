#include "report/table/wrap.h"

#include <string.h>

enum { INDENT = 2 };

/* Columns of the first `n` bytes of UTF-8. */
static size_t columns(const char *text, size_t n)
{
    size_t count = 0;

    for (size_t i = 0; i < n; i++)
        count += ((unsigned char)text[i] & 0xC0) != 0x80;
    return count;
}

/* What a line may be broken behind: " ·", or " ›" of a path. */
static bool is_separator(const char *at)
{
    return !memcmp(at, " ·", 3) || !memcmp(at, " ›", 4);
}

/* The bytes up to and with the next separator that a blank follows, or up to
 * the end. */
static size_t part_length(const char *text, size_t n)
{
    for (size_t i = 0; i + 4 < n; i++)
        if (is_separator(text + i))
            return i + strcspn(text + i + 1, " ") + 1;
    return n;
}

/* Up to a blank; "16.7 %" is one word. */
static size_t word_length(const char *text, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (text[i] == ' ' && !(i + 1 < n && text[i + 1] == '%'))
            return i;
    return n;
}

struct line {
    struct out *out;
    size_t width, at;
};

/* Puts a piece that begins with a blank, but for the first, on this line or
 * the next. */
static void put(struct line *l, const char *piece, size_t n)
{
    if (l->at > INDENT && l->at + columns(piece, n) > l->width) {
        out_char(l->out, '\n');
        out_repeat(l->out, ' ', INDENT);
        l->at = INDENT;
        if (*piece == ' ')
            piece++, n--;
    }
    out_bytes(l->out, piece, n);
    l->at += columns(piece, n);
}

static void put_part(struct line *l, const char *part, size_t n)
{
    if (INDENT + columns(part, n) <= l->width) {
        put(l, part, n);
        return;
    }
    while (n) {
        size_t word = word_length(part, n);

        put(l, part, word);
        part += word;
        n -= word;
    }
}

static void wrap_line(const char *text, size_t n, size_t width, struct out *out)
{
    struct line l = {out, width, 0};

    if (!width || columns(text, n) <= width) {
        out_bytes(out, text, n);
        return;
    }
    while (n) {
        size_t part = part_length(text, n);

        put_part(&l, text, part);
        text += part;
        n -= part;
    }
}

void wrap(const char *text, size_t width, struct out *out)
{
    while (*text) {
        size_t n = strcspn(text, "\n");

        wrap_line(text, n, width, out);
        text += n;
        if (*text)
            out_char(out, *text++);
    }
}
