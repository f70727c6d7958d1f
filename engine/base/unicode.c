#include "engine/base/unicode.h"

size_t utf8_sequence(const uint8_t *text, size_t n)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    uint32_t c = text[0];
    size_t len = c < 0x80   ? 1
                 : c < 0xC2 ? 0
                 : c < 0xE0 ? 2
                 : c < 0xF0 ? 3
                 : c < 0xF5 ? 4
                            : 0;

    if (len < 2)
        return len;
    if (len > n)
        return 0;
    c &= 0x7Fu >> len;
    for (size_t i = 1; i < len; i++) {
        if ((text[i] & 0xC0) != 0x80)
            return 0;
        c = c << 6 | (text[i] & 0x3Fu);
    }
    if (c < least[len] || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000))
        return 0;
    return len;
}

size_t utf8_of(uint32_t c, char b[4])
{
    if (c < 0x80) {
        b[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        b[0] = (char)(0xC0 | c >> 6);
        b[1] = (char)(0x80 | (c & 0x3F));
        return 2;
    }
    if (c < 0x10000) {
        b[0] = (char)(0xE0 | c >> 12);
        b[1] = (char)(0x80 | (c >> 6 & 0x3F));
        b[2] = (char)(0x80 | (c & 0x3F));
        return 3;
    }
    b[0] = (char)(0xF0 | c >> 18);
    b[1] = (char)(0x80 | (c >> 12 & 0x3F));
    b[2] = (char)(0x80 | (c >> 6 & 0x3F));
    b[3] = (char)(0x80 | (c & 0x3F));
    return 4;
}

uint32_t utf16_code_point(const uint8_t *text, size_t left, size_t *used)
{
    uint32_t c = text[0] | (uint32_t)text[1] << 8, low;

    *used = 1;
    if (c < 0xD800 || c >= 0xE000)
        return c;
    if (c >= 0xDC00 || left < 2)
        return 0xFFFD;
    low = text[2] | (uint32_t)text[3] << 8;
    if (low < 0xDC00 || low >= 0xE000)
        return 0xFFFD;
    *used = 2;
    return 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
}
