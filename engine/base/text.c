#include "engine/base/text.h"

#include <string.h>

#include "engine/base/hex.h"
#include "engine/base/mem.h"

/* On a mismatch only the last star can usefully take one more character, so
 * the cost is at most the product of the lengths. */
bool glob_match(const char *glob, const char *text)
{
    const char *star = NULL, *resume = NULL;

    while (*text) {
        if (*glob == '*') {
            star = ++glob;
            resume = text;
        } else if (*glob &&
                   (*glob == '?' || ascii_fold(*glob) == ascii_fold(*text))) {
            glob++, text++;
        } else if (star) {
            glob = star;
            text = ++resume;
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
