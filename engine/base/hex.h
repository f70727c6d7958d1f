/*
 * hex - bytes as hexadecimal digits, and back.
 *
 *     char text[HEX_SIZE(16)];
 *     hex_text(guid, 16, text);    // "94f6190a..."
 *     int value = hex_digit('F');  // 15; -1: it is none
 */
#ifndef TOPFN_HEX_H
#define TOPFN_HEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Room for `n` bytes as text. */
#define HEX_SIZE(bytes) (2 * (bytes) + 1)

/* Here, as lists of functions have millions of them. */
static inline int hex_digit(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* In lower case, with the end of a string: 2 * n + 1 characters. */
static inline void hex_text(const void *bytes, size_t n, char *text)
{
    static const char digits[] = "0123456789abcdef";
    const uint8_t *at = bytes;

    for (size_t i = 0; i < n; i++) {
        *text++ = digits[at[i] >> 4];
        *text++ = digits[at[i] & 15];
    }
    *text = '\0';
}

/* The byte of two digits; -1: they are none. */
static inline int hex_byte(const char *text)
{
    int high = hex_digit(text[0]), low = high < 0 ? -1 : hex_digit(text[1]);

    return low < 0 ? -1 : high << 4 | low;
}

/* Reads n bytes from 2 n digits. Stops and returns false at a character that is
 * no digit. */
static inline bool hex_bytes(const char *text, size_t n, uint8_t *bytes)
{
    for (size_t i = 0; i < n; i++) {
        int byte = hex_byte(text + 2 * i);

        if (byte < 0)
            return false;
        bytes[i] = (uint8_t)byte;
    }
    return true;
}

#endif
