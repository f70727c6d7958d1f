/*
 * text - names and paths as bytes, whatever the locale: ASCII case, globs, the
 * last part of a path; and steps through Unicode of unknown quality.
 */
#ifndef TOPFN_TEXT_H
#define TOPFN_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline char ascii_fold(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

/* True if the first `n` characters are the same, or both strings end before
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

struct text_part {
    const char *start;
    size_t n;
};

/* True if `text` matches the glob (* and ?), without regard to ASCII case. The
 * first `most` of `parts` become what each * took. */
bool glob_parts(const char *glob, const char *text, struct text_part *parts,
                int most);

static inline bool glob_match(const char *glob, const char *text)
{
    return glob_parts(glob, text, NULL, 0);
}

/* True if `text` ends so, without regard to ASCII case. */
bool text_ends(const char *text, const char *ending);

/* Levenshtein's distance: the letters to replace, add or drop. `fold` takes
 * upper and lower case of ASCII as equal. At most TEXT_DISTANCE letters each. */
enum { TEXT_DISTANCE = 64 };
size_t text_distance(const char *a, size_t n, const char *b, size_t m,
                     bool fold);

/* The word of `name_at`, which returns NULL behind the last, that differs least
 * from a misspelt one: by few letters added, left out, replaced, or by two that
 * changed places; else the first that begins with it. NULL if all differ by
 * more than two letters or a third. */
typedef const char *text_name_at(const void *context, size_t i);
const char *text_nearest(const char *word, text_name_at *name_at,
                         const void *context);

/* The parts of a name that ends in a place of its script, true; else false:
 *
 *     checkBlock file:///srv/_tsc.js:83214:20    V8
 *     handle (shop/app.py:12)                    py-spy
 *     handle - shop/app.rb:12                    rbspy
 *     py::handle:/srv/app.py                     CPython's perf map
 */
bool text_script_place(const char *name, struct text_part *function,
                       struct text_part *place);

/* The part behind the last separator of either kind. */
const char *path_base_name(const char *path);

/* "{e13c0d23-...}", with or without braces, as its bytes are stored: the first
 * three numbers little-endian. False when the text is none. */
bool guid_parse(uint8_t guid[16], const char *text);

/* True for the GUID of which all bytes are 0, which stands for none. */
static inline bool guid_is_zero(const uint8_t guid[16])
{
    static const uint8_t zero[16];

    return !memcmp(guid, zero, sizeof(zero));
}

enum { UTC_SIZE = 64 };

/* ISO 8601 with milliseconds; NULL when the time is not known (0). */
const char *utc_time(int64_t unix_ns, char text[UTC_SIZE]);

enum { SYSTEMTIME_SIZE = 16 };

/* Nanoseconds since 1970 of a SYSTEMTIME: year, month, day of week, day, hour,
 * minute, second, millisecond, 16 bits each. 0 for a date that is none. */
int64_t systemtime_unix_ns(const uint8_t at[SYSTEMTIME_SIZE]);

/* `n` bytes as a string of their own, to be freed. */
char *text_copy(const void *text, size_t n);

static inline char *text_dup(const char *text)
{
    return text_copy(text, strlen(text));
}

/* "https://user:password@host/x" as "https://host/x", to be freed: for what is
 * printed or stored. Other text is copied as it is. */
char *url_without_login(const char *url);

static inline bool text_starts(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

static inline bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

/* Length of the valid UTF-8 sequence at the start of `text`, or 0; `n` is not
 * 0. */
size_t utf8_sequence(const uint8_t *text, size_t n);

/* The bytes of a code point, which is valid; how many. */
size_t utf8_of(uint32_t code_point, char bytes[4]);

/* One code point from UTF-16LE `text`, which has `left` units, 1 or more; sets
 * *used. U+FFFD for a lone surrogate. */
uint32_t utf16_code_point(const uint8_t *text, size_t left, size_t *used);

#endif
