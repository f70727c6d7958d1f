#include "engine/base/text_line.h"

#include <string.h>

#include "engine/base/hex.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

struct text_line line_next(const char **at, const char *end)
{
    const char *stop = memchr(*at, '\n', (size_t)(end - *at));
    struct text_line l = {*at, stop ? stop : end};

    *at = stop ? stop + 1 : end;
    while (l.end > l.at && (l.end[-1] == '\r' || is_blank(l.end[-1])))
        l.end--;
    return l;
}

void line_skip_blanks(struct text_line *l)
{
    while (l->at < l->end && is_blank(*l->at))
        l->at++;
}

struct text_line line_word(struct text_line *l)
{
    struct text_line word;

    line_skip_blanks(l);
    word.at = l->at;
    while (l->at < l->end && !is_blank(*l->at))
        l->at++;
    word.end = l->at;
    return word;
}

bool line_take(struct text_line *l, const char *with)
{
    size_t n = strlen(with);

    if ((size_t)(l->end - l->at) < n || memcmp(l->at, with, n) != 0)
        return false;
    l->at += n;
    return true;
}

static bool take_digits(struct text_line *l, int base, uint64_t *n)
{
    const char *start = l->at;

    *n = 0;
    for (; l->at < l->end; l->at++) {
        int digit = hex_digit(*l->at);

        if (digit < 0 || digit >= base)
            break;
        if (__builtin_mul_overflow(*n, (uint64_t)base, n) ||
            __builtin_add_overflow(*n, (uint64_t)digit, n))
            return false;
    }
    return l->at > start;
}

bool line_number(struct text_line *l, uint64_t *n)
{
    bool is_hex = line_take(l, "0x") || line_take(l, "0X");

    return take_digits(l, is_hex ? 16 : 10, n);
}

bool line_hex(struct text_line *l, uint64_t *n)
{
    return take_digits(l, 16, n);
}
