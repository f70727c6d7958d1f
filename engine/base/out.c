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
    uint64_t left; /* bytes that may be written; without `full` any number */
    void (*full)(void);
    bool colours;
    enum out_style style; /* in force */
};

struct out *out_stream(FILE *stream)
{
    struct out *out = mem_new(1, sizeof(*out));

    out->stream = stream;
    return out;
}

void out_limit(struct out *out, uint64_t most, void (*full)(void))
{
    out->left = most;
    out->full = full;
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

void out_flush(struct out *out)
{
    if (out->stream)
        flush(out);
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

const char *out_close_to(struct out *out, struct arena *arena)
{
    size_t n;
    const char *text = out_text(out, &n);

    text = arena_strndup(arena, text, n);
    out_close(out, NULL);
    return text;
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

/* Room for `n` bytes more: most writes are of a few, and find it. */
static void reserve(struct out *out, size_t n)
{
    if (n > out->cap - out->len)
        out->data = mem_grow(out->data, &out->cap, out->len + n, 1);
}

/* `n` bytes more are in the buffer. */
static void wrote(struct out *out, size_t n)
{
    if (out->full && n > out->left)
        out->full();
    out->left -= out->full ? n : 0;
    out->len += n;
    if (out->stream && out->len >= FLUSH_AT)
        flush(out);
}

void out_bytes(struct out *out, const char *text, size_t n)
{
    if (!n)
        return; /* text may be NULL */
    reserve(out, n);
    memcpy(out->data + out->len, text, n);
    wrote(out, n);
}

void out_str(struct out *out, const char *text)
{
    out_bytes(out, text, strlen(text));
}

void out_char(struct out *out, char c)
{
    reserve(out, 1);
    out->data[out->len] = c;
    wrote(out, 1);
}

void out_repeat(struct out *out, char c, size_t n)
{
    while (n--)
        out_char(out, c);
}

const char *decimal_text(char digits[DECIMAL_SIZE], uint64_t value)
{
    size_t i = DECIMAL_SIZE - 1;

    digits[i] = '\0';
    do
        digits[--i] = (char)('0' + value % 10);
    while (value /= 10);
    return digits + i;
}

void out_u64(struct out *out, uint64_t value)
{
    char digits[DECIMAL_SIZE];

    out_str(out, decimal_text(digits, value));
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
    reserve(out, room);
    n = vsnprintf(out->data + out->len, room, format, args);
    va_end(args);
    assert(n >= 0);
    if ((size_t)n >= room) {
        room = (size_t)n + 1;
        reserve(out, room);
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

void out_count(struct out *out, uint64_t n, const char *what)
{
    out_grouped(out, n);
    out_char(out, ' ');
    out_str(out, what);
    if (n != 1)
        out_char(out, 's');
}

void out_decimal(struct out *out, uint64_t value, unsigned decimals,
                 bool grouped)
{
    uint64_t power = 1, part;

    assert(decimals < 20);
    for (unsigned i = 0; i < decimals; i++)
        power *= 10;
    (grouped ? out_grouped : out_u64)(out, value / power);
    part = value % power;
    if (part)
        out_char(out, '.');
    for (; part; part = part % power) {
        power /= 10;
        out_char(out, (char)('0' + part / power));
    }
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

/* Written and read in the locale of the moment, whatever that is. */
void out_shortest(struct out *out, double real, bool single)
{
    int most = single ? 9 : 17;
    char text[40];

    if (real != real || real - real != 0) {
        out_str(out, real != real ? "NaN" : real < 0 ? "-Infinity"
                                                     : "Infinity");
        return;
    }
    for (int digits = single ? 6 : 15; digits <= most; digits++) {
        snprintf(text, sizeof(text), "%.*g", digits, real);
        if (single ? strtof(text, NULL) == (float)real
                   : strtod(text, NULL) == real)
            break;
    }
    for (char *c = text; *c; c++)
        if (*c == ',')
            *c = '.';
    out_str(out, text);
}

/* ---- what a terminal, a spreadsheet or a browser might act on ---- */

#define IS_IN(ranges, c) is_in(ranges, sizeof(ranges) / sizeof(*(ranges)), c)

static bool is_in(const uint32_t (*ranges)[2], size_t n, uint32_t c)
{
    for (size_t i = 0; i < n; i++)
        if (c >= ranges[i][0] && c <= ranges[i][1])
            return true;
    return false;
}

/* Characters that are not seen but act: they turn the direction of what
 * follows, join or part words, end lines, or make equal names two. */
static bool acts_unseen(uint32_t c)
{
    static const uint32_t ranges[][2] = {
        {0x80, 0x9F},       {0xAD, 0xAD},       {0x34F, 0x34F},
        {0x61C, 0x61C},     {0x115F, 0x1160},   {0x17B4, 0x17B5},
        {0x180B, 0x180F},   {0x200B, 0x200F},   {0x2028, 0x202E},
        {0x2060, 0x206F},   {0x3164, 0x3164},   {0xFEFF, 0xFEFF},
        {0xFFA0, 0xFFA0},   {0xFFF0, 0xFFFB},   {0x1BCA0, 0x1BCA3},
        {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
    };

    return IS_IN(ranges, c);
}

/* Columns of a character on a terminal. The blocks are coarse: those that
 * names of functions are written in. */
static size_t terminal_columns(uint32_t c)
{
    static const uint32_t combining[][2] = {
        {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD},
        {0x064B, 0x065F}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F},
        {0xFE20, 0xFE2F},
    };
    static const uint32_t wide[][2] = {
        {0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0xA4CF},
        {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},
        {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},   {0x1F300, 0x1F64F},
        {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD},
    };

    if (c < 0x300)
        return 1;
    return IS_IN(combining, c) ? 0 : IS_IN(wide, c) ? 2 : 1;
}

/* The next character of a text: its bytes, and how it is shown. */
struct shown {
    size_t bytes, columns;
    uint32_t code; /* of one that is shown as an escape; else 0 */
};

static struct shown long_char(const unsigned char *text, size_t left)
{
    size_t size = text[0] >= 0xF0   ? 4
                  : text[0] >= 0xE0 ? 3
                  : text[0] >= 0xC0 ? 2
                                    : 1;
    size_t n = 1;
    uint32_t code = text[0] & (0x7Fu >> size);

    for (; n < size && n < left && (text[n] & 0xC0) == 0x80; n++)
        code = code << 6 | (text[n] & 0x3F);
    if (!acts_unseen(code))
        return (struct shown){n, terminal_columns(code), 0};
    return (struct shown){n, code < 0x100 ? 4 : code < 0x10000 ? 6 : 10, code};
}

/* The next one, of at most `left` bytes. C1 controls (U+0080 to U+009F) are
 * controls too: some terminals obey them. */
static struct shown next_char(const char *text, size_t left)
{
    unsigned char c = (unsigned char)*text;

    if (c < 0x20 || c == 0x7F)
        return (struct shown){1, 4, c};
    if (c < 0x80)
        return (struct shown){1, 1, 0};
    return long_char((const unsigned char *)text, left);
}

static void put_char(struct out *out, const char *text, struct shown s)
{
    if (s.columns < 4)
        out_bytes(out, text, s.bytes);
    else if (s.columns == 4)
        out_fmt(out, "\\x%02x", s.code);
    else if (s.columns == 6)
        out_fmt(out, "\\u%04x", s.code);
    else
        out_fmt(out, "\\U%08x", s.code);
}

/* A spreadsheet takes these for the beginning of a formula, of full width as
 * well. Controls among them are escaped anyway. */
static bool is_formula(const char *text)
{
    static const char *const wide[] = {"\uFF1D", "\uFF0B", "\uFF0D", "\uFF20"};

    for (size_t i = 0; i < sizeof(wide) / sizeof(*wide); i++)
        if (!strncmp(text, wide[i], strlen(wide[i])))
            return true;
    return *text && strchr("=+-@", *text) != NULL;
}

uint32_t out_escaped(const char *text, size_t *n)
{
    struct shown s = next_char(text, SIZE_MAX);

    *n = s.bytes;
    return s.code;
}

void out_csv(struct out *out, const char *text)
{
    bool quoted = text[strcspn(text, ",\"")] != '\0';
    struct shown s;

    if (quoted)
        out_char(out, '"');
    if (is_formula(text))
        out_char(out, '\'');
    for (; *text; text += s.bytes) {
        s = next_char(text, SIZE_MAX);
        if (*text == '"')
            out_char(out, '"');
        put_char(out, text, s);
    }
    if (quoted)
        out_char(out, '"');
}

void out_markdown(struct out *out, const char *text)
{
    struct shown s;

    for (; *text; text += s.bytes) {
        s = next_char(text, SIZE_MAX);
        if (strchr("|\\`*_<>[]", *text) || s.columns >= 4)
            out_char(out, '\\');
        put_char(out, text, s);
    }
}

/* How many characters, of at most `most`, are printed as they are and take a
 * column each: most of all text, and no others need a look of their own. */
static size_t plain_length(const char *text, size_t most)
{
    size_t n = 0;

    while (n < most && text[n] >= 0x20 && text[n] < 0x7F)
        n++;
    return n;
}

/* Prints characters of `text` that lie within columns [from, to). Returns
 * the columns printed: fewer where an escape straddles an end. */
static size_t put_columns(struct out *out, const char *text, size_t from,
                          size_t to)
{
    size_t at = 0, printed = 0;
    struct shown s;

    for (; *text && at < to; text += s.bytes, at += s.columns) {
        size_t n = plain_length(text, to - at), skip = 0;

        if (at < from)
            skip = n < from - at ? n : from - at;
        out_bytes(out, text + skip, n - skip);
        printed += n - skip;
        text += n;
        at += n;
        if (!*text || at == to)
            break;
        s = next_char(text, SIZE_MAX);
        if (at < from || s.columns > to - at)
            continue;
        put_char(out, text, s);
        printed += s.columns;
    }
    return printed;
}

size_t text_width(const char *text, size_t n)
{
    const char *end = text + n;
    size_t width = 0;

    while (text < end) {
        size_t plain = plain_length(text, (size_t)(end - text));
        struct shown s;

        text += plain;
        width += plain;
        if (text == end)
            break;
        s = next_char(text, (size_t)(end - text));
        text += s.bytes;
        width += s.columns;
    }
    return width;
}

size_t out_columns(const char *text)
{
    return text_width(text, strlen(text));
}

void out_plain_bytes(struct out *out, const char *text, size_t n)
{
    for (const char *end = text + n; text < end;) {
        struct shown s = next_char(text, (size_t)(end - text));

        put_char(out, text, s);
        text += s.bytes;
    }
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
