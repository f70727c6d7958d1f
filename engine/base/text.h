/*
 * text - names and paths as bytes, whatever the locale: ASCII case, globs, the
 * last part of a path.
 */
#ifndef TOPFN_TEXT_H
#define TOPFN_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* Whether `text` matches the glob (* and ?), without regard to ASCII case. */
bool glob_match(const char *glob, const char *text);

/* Whether `text` ends so, without regard to ASCII case. */
bool text_ends(const char *text, const char *ending);

/* The part behind the last separator of either kind. */
const char *path_base_name(const char *path);

/* "{e13c0d23-...}", with or without braces, as its bytes are stored: the first
 * three numbers little-endian. False when the text is none. */
bool guid_parse(uint8_t guid[16], const char *text);

enum { UTC_SIZE = 64 };

/* ISO 8601 with milliseconds; NULL when the time is not known (0). */
const char *utc_time(int64_t unix_ns, char text[UTC_SIZE]);

enum { SYSTEMTIME_SIZE = 16 };

/* Nanoseconds since 1970 of a SYSTEMTIME: year, month, day of week, day, hour,
 * minute, second, millisecond, 16 bits each. 0 for a date that is none. */
int64_t systemtime_unix_ns(const uint8_t at[SYSTEMTIME_SIZE]);

/* `n` bytes as a string of their own, to be freed. */
char *text_copy(const void *text, size_t n);

#endif
