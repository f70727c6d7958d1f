/*
 * ascii - comparing names without regard to ASCII case, whatever the locale.
 */
#ifndef TOPFN_ASCII_H
#define TOPFN_ASCII_H

#include <stdbool.h>
#include <stddef.h>

static inline char ascii_fold(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

/* Whether the first `n` characters are the same, or both strings end before
 * that. */
static inline bool ascii_same_n(const char *a, const char *b, size_t n)
{
    for (; n; n--, a++, b++) {
        if (ascii_fold(*a) != ascii_fold(*b))
            return false;
        if (!*a)
            return true;
    }
    return true;
}

static inline bool ascii_same(const char *a, const char *b)
{
    return ascii_same_n(a, b, (size_t)-1);
}

#endif
