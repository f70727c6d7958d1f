#include "engine/base/out.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/mem.h"

enum { FLUSH_AT = 64 * 1024 };

struct out {
    FILE *stream; /* NULL: keep everything in `data` */
    char *data;
    size_t len, cap;
    int error; /* errno of the first failed write */
    bool colours;
    enum out_style style; /* in force */
};

struct out *out_stream(FILE *stream)
{
    struct out *out = mem_new(1, sizeof(*out));

    out->stream = stream;
    return out;
}

struct out *out_memory(void)
{
    return out_stream(NULL);
}

const char *out_text(struct out *out, size_t *n)
{
    assert(!out->stream);
    out->data = mem_grow(out->data, &out->cap, out->len + 1, 1);
    out->data[out->len] = '\0';
    if (n)
        *n = out->len;
    return out->data;
}

static void flush(struct out *out)
{
    errno = 0;
    if (!out->error && out->len &&
        (fwrite(out->data, 1, out->len, out->stream) != out->len ||
         fflush(out->stream)))
        out->error = errno ? errno : EIO;
    out->len = 0;
}

bool out_close(struct out *out, struct err *err)
{
    bool ok;

    if (out->stream)
        flush(out);
    ok = !out->error;
    if (!ok)
        err_set(err, ERR_IO, "cannot write: %s", strerror(out->error));
    free(out->data);
    free(out);
    return ok;
}

void out_colours(struct out *out, bool on)
{
    out->colours = on;
}

/* ECMA-48, "select graphic rendition". */
void out_style(struct out *out, enum out_style style)
{
    static const char *const sequences[STYLES] = {
        [STYLE_PLAIN] = "\033[m",     [STYLE_HOT] = "\033[1;31m",
        [STYLE_WARM] = "\033[33m",    [STYLE_DIM] = "\033[2m",
        [STYLE_STRONG] = "\033[1m",   [STYLE_KERNEL] = "\033[35m",
        [STYLE_MANAGED] = "\033[36m",
    };

    if (!out->colours || style == out->style)
        return;
    out->style = style;
    out_str(out, sequences[style]);
}

/* `n` bytes more are in the buffer. */
static void wrote(struct out *out, size_t n)
{
    out->len += n;
    if (out->stream && out->len >= FLUSH_AT)
        flush(out);
}

void out_bytes(struct out *out, const char *text, size_t n)
{
    if (!n)
        return; /* text may be NULL */
    out->data = mem_grow(out->data, &out->cap, out->len + n, 1);
    memcpy(out->data + out->len, text, n);
    wrote(out, n);
}

void out_str(struct out *out, const char *text)
{
    out_bytes(out, text, strlen(text));
}

void out_char(struct out *out, char c)
{
    out_bytes(out, &c, 1);
}

void out_repeat(struct out *out, char c, size_t n)
{
    while (n--)
        out_char(out, c);
}

void out_u64(struct out *out, uint64_t value)
{
    char digits[20];
    size_t i = sizeof(digits);

    do
        digits[--i] = (char)('0' + value % 10);
    while (value /= 10);
    out_bytes(out, digits + i, sizeof(digits) - i);
}

void out_i64(struct out *out, int64_t value)
{
    if (value < 0)
        out_char(out, '-');
    out_u64(out, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

/* Formats into the buffer itself; a second time where the first guess of
 * the room was too small, as names from a file can have any length. */
void out_fmt(struct out *out, const char *format, ...)
{
    va_list args, again;
    size_t room = 128;
    int n;

    va_start(args, format);
    va_copy(again, args);
    out->data = mem_grow(out->data, &out->cap, out->len + room, 1);
    n = vsnprintf(out->data + out->len, room, format, args);
    va_end(args);
    assert(n >= 0);
    if ((size_t)n >= room) {
        room = (size_t)n + 1;
        out->data = mem_grow(out->data, &out->cap, out->len + room, 1);
        vsnprintf(out->data + out->len, room, format, again);
    }
    va_end(again);
    wrote(out, (size_t)n);
}

void out_grouped(struct out *out, uint64_t value)
{
    char digits[26];
    size_t i = sizeof(digits), count = 0;

    do {
        if (count && count % 3 == 0)
            digits[--i] = ',';
        digits[--i] = (char)('0' + value % 10);
        count++;
    } while (value /= 10);
    out_bytes(out, digits + i, sizeof(digits) - i);
}

void out_percent(struct out *out, uint64_t part, uint64_t whole,
                 unsigned decimals)
{
    static const unsigned scales[] = {1, 10, 100, 1000, 10000};
    unsigned __int128 scaled;
    unsigned scale;

    assert(decimals < sizeof(scales) / sizeof(scales[0]));
    scale = scales[decimals];
    if (!whole)
        whole = 1, part = 0;
    scaled = ((unsigned __int128)part * 100 * scale * 2 + whole) / whole / 2;
    out_u64(out, (uint64_t)(scaled / scale));
    if (decimals)
        out_fmt(out, ".%0*u", (int)decimals, (unsigned)(scaled % scale));
}

/* In integers, so that the locale has no say; what is too large for them
 * stands for "beyond all measure". */
void out_real(struct out *out, double real, unsigned decimals, bool sign)
{
    double scale = pow(10, decimals), scaled = fabs(real) * scale;
    uint64_t n = scaled < 1e18 ? (uint64_t)(scaled + 0.5) : (uint64_t)1e18;
    uint64_t unit = (uint64_t)scale;

    if (real < 0 && n)
        out_char(out, '-');
    else if (sign && n)
        out_char(out, '+');
    out_u64(out, n / unit);
    if (decimals)
        out_fmt(out, ".%0*llu", (int)decimals,
                (unsigned long long)(n % unit));
}

void out_csv(struct out *out, const char *text)
{
    if (!text[strcspn(text, ",\"\r\n")]) {
        out_str(out, text);
        return;
    }
    out_char(out, '"');
    for (; *text; text++) {
        if (*text == '"')
            out_char(out, '"');
        out_char(out, *text);
    }
    out_char(out, '"');
}

void out_markdown(struct out *out, const char *text)
{
    for (; *text; text++) {
        if (strchr("|\\`*_<>[]", *text))
            out_char(out, '\\');
        if (*text == '\n' || *text == '\r')
            out_char(out, ' ');
        else
            out_char(out, *text);
    }
}

static bool is_control(unsigned char c)
{
    return c < 0x20 || c == 0x7F;
}

/* Bytes of the next character of `text`, and the columns it shows as. C1
 * controls (U+0080 to U+009F) are controls too: some terminals obey them. */
static size_t next_char(const char *text, size_t *columns)
{
    size_t n = 1;

    if (is_control((unsigned char)text[0])) {
        *columns = 4;
        return 1;
    }
    if ((unsigned char)text[0] == 0xC2 &&
        ((unsigned char)text[1] & 0xE0) == 0x80) {
        *columns = 4;
        return 2;
    }
    while (((unsigned char)text[n] & 0xC0) == 0x80)
        n++;
    *columns = 1;
    return n;
}

static void put_char(struct out *out, const char *text, size_t n,
                     size_t columns)
{
    if (columns == 4)
        out_fmt(out, "\\x%02x", (unsigned char)text[n - 1]);
    else
        out_bytes(out, text, n);
}

/* Prints characters of `text` that lie within columns [from, to). Returns
 * the columns printed: fewer where an escape straddles an end. */
static size_t put_columns(struct out *out, const char *text, size_t from,
                          size_t to)
{
    size_t at = 0, printed = 0, n, columns;

    for (; *text && at < to; text += n, at += columns) {
        n = next_char(text, &columns);
        if (at < from || columns > to - at)
            continue;
        put_char(out, text, n, columns);
        printed += columns;
    }
    return printed;
}

size_t out_columns(const char *text)
{
    size_t total = 0, columns;

    while (*text) {
        text += next_char(text, &columns);
        total += columns;
    }
    return total;
}

void out_plain(struct out *out, const char *text)
{
    put_columns(out, text, 0, SIZE_MAX);
}

void out_cell(struct out *out, const char *text, size_t width, bool pad)
{
    size_t columns = out_columns(text), head, printed;

    if (columns <= width) {
        out_plain(out, text);
        if (pad)
            out_repeat(out, ' ', width - columns);
        return;
    }
    if (!width)
        return;
    head = (width - 1) - (width - 1) / 3;
    printed = put_columns(out, text, 0, head);
    out_str(out, "…");
    printed += 1 + put_columns(out, text, columns - (width - 1 - head),
                               SIZE_MAX);
    if (pad)
        out_repeat(out, ' ', width - printed);
}
