#include "engine/base/text.h"

#include <string.h>

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
