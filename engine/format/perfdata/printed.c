#include "engine/format/perfdata/printed.h"

#include "engine/base/hex.h"

static bool is_blank(uint8_t c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static bool is_digit(uint8_t c)
{
    return c >= '0' && c <= '9';
}

static struct bytes part(struct bytes line, size_t from, size_t to)
{
    return (struct bytes){line.data + from, to - from};
}

static struct bytes trimmed(struct bytes text)
{
    while (text.len && is_blank(text.data[text.len - 1]))
        text.len--;
    while (text.len && is_blank(*text.data)) {
        text.data++;
        text.len--;
    }
    return text;
}

static bool is_same(struct bytes text, const char *word)
{
    return text.len == strlen(word) && !memcmp(text.data, word, text.len);
}

/* Larger ones are cut to their last digits. */
static uint64_t decimal(struct bytes digits)
{
    uint64_t value = 0;

    for (size_t i = 0; i < digits.len; i++)
        value = value * 10 + (digits.data[i] - '0');
    return value;
}

bool printed_line(struct bytes text, size_t *at, struct bytes *line)
{
    const uint8_t *from = text.data + *at, *end;
    size_t left = text.len - *at;

    if (!left)
        return false;
    end = memchr(from, '\n', left);
    *line = (struct bytes){from, end ? (size_t)(end - from) : left};
    *at += line->len + (end != NULL);
    return true;
}

/* ---- heads ---- */

/* The digits that end at `end`, and what is before them. */
static struct bytes digits_before(struct bytes line, size_t end)
{
    size_t from = end;

    while (from && is_digit(line.data[from - 1]))
        from--;
    return part(line, from, end);
}

/* " 12.345678:": seconds and 6 or 9 digits of a fraction, up to the colon at
 * `colon`. Returns where it begins, or 0. */
static size_t take_time(struct bytes line, size_t colon, uint64_t *time)
{
    enum { NS_PER_SECOND = 1000000000, MICROSECONDS = 6, NANOSECONDS = 9 };
    struct bytes fraction = digits_before(line, colon), seconds;
    size_t point = colon - fraction.len, from;

    if ((fraction.len != MICROSECONDS && fraction.len != NANOSECONDS) ||
        !point || line.data[point - 1] != '.')
        return 0;
    seconds = digits_before(line, point - 1);
    from = point - 1 - seconds.len;
    if (!seconds.len || !from || !is_blank(line.data[from - 1]))
        return 0;
    *time = decimal(seconds) * NS_PER_SECOND +
            decimal(fraction) * (fraction.len == MICROSECONDS ? 1000 : 1);
    return from;
}

/* "name pid/tid [cpu]" */
static bool take_thread(struct bytes text, struct printed_head *head)
{
    size_t end = (text = trimmed(text)).len;
    struct bytes number;

    if (end && text.data[end - 1] == ']') {
        number = digits_before(text, end - 1);
        head->cpu = (uint16_t)decimal(number);
        if (end < number.len + 2 || text.data[end - number.len - 2] != '[')
            return false;
        text = trimmed(part(text, 0, end - number.len - 2));
        end = text.len;
    }
    number = digits_before(text, end);
    head->pid = head->tid = (uint32_t)decimal(number);
    if (!number.len)
        return false;
    end -= number.len;
    if (end && text.data[end - 1] == '/') {
        number = digits_before(text, end - 1);
        head->pid = (uint32_t)decimal(number);
        head->has_pid = true;
        end -= number.len + 1;
    }
    head->name = trimmed(part(text, 0, end));
    return number.len && head->name.len && is_blank(text.data[end - 1]);
}

/* "  1001001 cpu-clock:u: rest" */
static bool take_event(struct bytes text, struct printed_head *head)
{
    size_t n = 0;

    text = trimmed(text);
    while (n < text.len && is_digit(text.data[n]))
        n++;
    if (n && n < text.len && is_blank(text.data[n])) {
        head->period = decimal(part(text, 0, n));
        text = trimmed(part(text, n, text.len));
    }
    for (n = 0; n < text.len && !is_blank(text.data[n]);)
        n++;
    if (n < 2 || text.data[n - 1] != ':')
        return false;
    head->event = part(text, 0, n - 1);
    head->rest = trimmed(part(text, n, text.len));
    return true;
}

bool printed_head(struct bytes line, struct printed_head *head)
{
    *head = (struct printed_head){.cpu = 0};
    for (size_t i = 1; i < line.len; i++) {
        size_t from = line.data[i] == ':' && is_digit(line.data[i - 1])
                          ? take_time(line, i, &head->time)
                          : 0;

        if (from)
            return take_thread(part(line, 0, from), head) &&
                   take_event(part(line, i + 1, line.len), head);
    }
    return false;
}

/* ---- frames ---- */

/* Where the last bracket that is closed at the end was opened, or `len`. */
static size_t last_bracket(struct bytes text)
{
    size_t depth = 0;

    if (!text.len || text.data[text.len - 1] != ')')
        return text.len;
    for (size_t i = text.len; i-- > 0;) {
        depth += text.data[i] == ')';
        depth -= text.data[i] == '(';
        if (!depth)
            return i;
    }
    return text.len;
}

/* "total" of "total+0x14" */
static struct bytes without_offset(struct bytes symbol)
{
    size_t at = symbol.len;

    while (at && hex_digit(symbol.data[at - 1]) >= 0)
        at--;
    if (at > 3 && at < symbol.len && !memcmp(symbol.data + at - 3, "+0x", 3))
        symbol.len = at - 3;
    return symbol;
}

static struct bytes if_known(struct bytes text)
{
    return is_same(text, "[unknown]") ? (struct bytes){text.data, 0} : text;
}

bool printed_frame(struct bytes line, struct printed_frame *frame)
{
    struct bytes text = trimmed(line), file;
    size_t n = 0, bracket = last_bracket(text);

    *frame = (struct printed_frame){.address = 0};
    while (n < text.len && n <= 16 && hex_digit(text.data[n]) >= 0)
        frame->address =
            frame->address << 4 | (uint64_t)hex_digit(text.data[n++]);
    if (!n || n > 16 || n >= bracket || bracket == text.len ||
        !is_blank(text.data[n]))
        return false;
    file = part(text, bracket + 1, text.len - 1);
    frame->inlined = is_same(file, "inlined");
    if (!frame->inlined)
        frame->file = if_known(file);
    frame->symbol = if_known(without_offset(trimmed(part(text, n, bracket))));
    return true;
}
