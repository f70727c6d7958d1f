#include "engine/base/text.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "engine/base/hex.h"
#include "engine/base/mem.h"
#include "engine/base/reader.h"

/* On a mismatch only the last star can usefully take one more character, so
 * the cost is at most the product of the lengths. */
bool glob_parts(const char *glob, const char *text, struct text_part *parts,
                int most)
{
    const char *star = NULL, *resume = NULL;
    int n = -1;

    while (*text) {
        if (*glob == '*') {
            star = ++glob;
            resume = text;
            if (++n < most)
                parts[n] = (struct text_part){text, 0};
        } else if (*glob &&
                   (*glob == '?' || ascii_fold(*glob) == ascii_fold(*text))) {
            glob++, text++;
        } else if (star) {
            glob = star;
            text = ++resume;
            if (n < most)
                parts[n].n = (size_t)(resume - parts[n].start);
        } else {
            return false;
        }
    }
    while (*glob == '*')
        glob++;
    return !*glob;
}

bool text_ends(const char *text, const char *ending)
{
    size_t n = strlen(text), m = strlen(ending);

    return n >= m && ascii_same(text + n - m, ending);
}

enum { LONGEST_WORD = 31 };

size_t text_distance(const char *a, size_t n, const char *b, size_t m,
                     bool fold)
{
    size_t row[TEXT_DISTANCE + 1];

    for (size_t k = 0; k <= m; k++)
        row[k] = k;
    for (size_t i = 1; i <= n; i++) {
        size_t diagonal = row[0];

        row[0] = i;
        for (size_t k = 1; k <= m; k++) {
            bool same = a[i - 1] == b[k - 1] ||
                        (fold && ascii_fold(a[i - 1]) == ascii_fold(b[k - 1]));
            size_t replaced = diagonal + !same;
            size_t other = row[k] < row[k - 1] ? row[k] + 1 : row[k - 1] + 1;

            diagonal = row[k];
            row[k] = replaced < other ? replaced : other;
        }
    }
    return row[m];
}

/* True if two neighbouring letters changed places and no other differs. */
static bool is_swapped(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return *a && a[0] == b[1] && a[1] == b[0] && !strcmp(a + 2, b + 2);
}

const char *text_nearest(const char *word, text_name_at *name_at,
                         const void *context)
{
    size_t n = strlen(word), least = n / 3 < 2 ? n / 3 : 2;
    const char *name, *nearest = NULL, *begun = NULL;

    for (size_t i = 0; n <= LONGEST_WORD && (name = name_at(context, i)); i++) {
        size_t m = strlen(name);
        size_t d = m <= LONGEST_WORD ? text_distance(word, n, name, m, false)
                                     : SIZE_MAX;

        if (!begun && n > 2 && !strncmp(name, word, n))
            begun = name;
        if (n == m && d == 2 && is_swapped(word, name))
            d = 1;

        if (d < least || (d == least && !nearest)) {
            nearest = name;
            least = d;
        }
    }
    return nearest ? nearest : begun;
}

/* "/srv", "C:\\srv", "file:///srv" */
static bool begins_path(const char *at)
{
    size_t n = strspn(at, "abcdefghijklmnopqrstuvwxyz-");

    return *at == '/' || (at[0] && at[1] == ':' && at[2] == '\\') ||
           (n && !strncmp(at + n, "://", 3));
}

/* The blank before the place: the first that a path begins behind, as paths may
 * have blanks themselves, else the last. */
static const char *blank_before_place(const char *name, const char *end)
{
    const char *found = NULL;

    for (const char *at = name; at < end; at++) {
        if (*at != ' ')
            continue;
        found = at;
        if (begins_path(at + 1 + (at[1] == '(')))
            break;
    }
    return found;
}

bool text_script_place(const char *name, struct text_part *function,
                       struct text_part *place)
{
    const char *end = name + strlen(name), *digits, *blank;
    bool in_brackets = end > name && end[-1] == ')';

    if (!strncmp(name, "py::", 4)) {
        blank = strchr(name + 4, ':');
        if (!blank || blank == name + 4 || !blank[1])
            return false;
        *function = (struct text_part){name + 4, (size_t)(blank - name - 4)};
        *place = (struct text_part){blank + 1, (size_t)(end - blank - 1)};
        return true;
    }
    end -= in_brackets;
    for (digits = end; digits > name && digits[-1] >= '0' && digits[-1] <= '9';)
        digits--;
    if (digits == end || digits == name || digits[-1] != ':')
        return false;
    blank = blank_before_place(name, digits);
    if (!blank || blank == name || (blank[1] == '(') != in_brackets)
        return false;
    *place = (struct text_part){blank + 1 + in_brackets,
                                (size_t)(end - blank - 1 - in_brackets)};
    if (blank > name + 2 && blank[-1] == '-' && blank[-2] == ' ')
        blank -= 2;
    *function = (struct text_part){name, (size_t)(blank - name)};
    return true;
}

const char *path_base_name(const char *path)
{
    const char *base = path;

    for (; *path; path++)
        if (*path == '\\' || *path == '/')
            base = path + 1;
    return base;
}

char *text_copy(const void *text, size_t n)
{
    char *copy = mem_new(n + 1, 1);

    if (n)
        memcpy(copy, text, n);
    return copy;
}

bool guid_parse(uint8_t guid[16], const char *text)
{
    /* Where the bytes of the text go: the first three parts are numbers. */
    static const uint8_t at[16] = {3, 2,  1,  0,  5,  4,  7,  6,
                                   8, 9, 10, 11, 12, 13, 14, 15};
    bool braces = *text == '{';

    text += braces;
    for (unsigned i = 0; i < 16; i++) {
        int byte;

        if ((i == 4 || i == 6 || i == 8 || i == 10) && *text++ != '-')
            return false;
        byte = hex_byte(text);
        if (byte < 0)
            return false;
        guid[at[i]] = (uint8_t)byte;
        text += 2;
    }
    return braces ? text[0] == '}' && !text[1] : !*text;
}

const char *utc_time(int64_t unix_ns, char text[UTC_SIZE])
{
    int64_t seconds = unix_ns / 1000000000;
    time_t when = (time_t)seconds;
    unsigned ms;
    struct tm tm;

    if (unix_ns <= 0 || !gmtime_r(&when, &tm))
        return NULL;
    ms = (unsigned)(unix_ns % 1000000000 / 1000000);
    snprintf(text, UTC_SIZE, "%04d-%02d-%02dT%02d:%02d:%02d.%03uZ",
             tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday, tm.tm_hour,
             tm.tm_min, tm.tm_sec, ms);
    return text;
}

/* Years that begin in March have their leap day at the end. */
static int64_t days_since_1970(int64_t year, int64_t month, int64_t day)
{
    int64_t y = month > 2 ? year : year - 1;
    int64_t m = month > 2 ? month - 3 : month + 9;

    return y * 365 + y / 4 - y / 100 + y / 400 + (m * 153 + 2) / 5 + day -
           719469;
}

int64_t systemtime_unix_ns(const uint8_t at[SYSTEMTIME_SIZE])
{
    unsigned part[8];
    int64_t seconds;

    for (unsigned i = 0; i < 8; i++)
        part[i] = load_u16(at + (size_t)2 * i);
    if (part[0] < 1970 || part[0] > 2250 || part[1] - 1u > 11 ||
        part[3] - 1u > 30 || part[4] > 23 || part[5] > 59 || part[6] > 60 ||
        part[7] > 999)
        return 0;
    seconds = days_since_1970(part[0], part[1], part[3]) * 86400 +
              part[4] * (int64_t)3600 + part[5] * (int64_t)60 + part[6];
    return seconds * 1000000000 + part[7] * (int64_t)1000000;
}

/* ---- Unicode ---- */

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

char *url_without_login(const char *url)
{
    const char *host = strstr(url, "://"), *end, *at = NULL;
    char *shown = text_dup(url);

    if (!host)
        return shown;
    host += 3;
    end = host + strcspn(host, "/?#");
    for (const char *c = host; c < end; c++)
        if (*c == '@')
            at = c + 1;
    if (at)
        memmove(shown + (host - url), at, strlen(at) + 1);
    return shown;
}
