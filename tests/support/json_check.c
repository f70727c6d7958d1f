#include "tests/support/json_check.h"

#include <stddef.h>
#include <string.h>

enum { DEPTH_MAX = 64 };

static bool value(const char **at, int depth);

static void blanks(const char **at)
{
    *at += strspn(*at, " \t\r\n");
}

static bool token(const char **at, char c)
{
    blanks(at);
    if (**at != c)
        return false;
    ++*at;
    return true;
}

static bool word(const char **at, const char *word)
{
    size_t n = strlen(word);

    if (strncmp(*at, word, n) != 0)
        return false;
    *at += n;
    return true;
}

static bool escape(const char **at)
{
    if (*++*at != 'u')
        return **at && strchr("\"\\/bfnrt", *(*at)++);
    ++*at;
    if (strspn(*at, "0123456789abcdefABCDEF") < 4)
        return false;
    *at += 4;
    return true;
}

static bool string(const char **at)
{
    if (!token(at, '"'))
        return false;
    while (**at != '"') {
        if ((unsigned char)**at < ' ')
            return false;
        if (**at == '\\') {
            if (!escape(at))
                return false;
        } else {
            ++*at;
        }
    }
    ++*at;
    return true;
}

static bool digits(const char **at)
{
    size_t n = strspn(*at, "0123456789");

    *at += n;
    return n > 0;
}

static bool number(const char **at)
{
    *at += **at == '-';
    if (**at == '0')
        ++*at;
    else if (!digits(at))
        return false;
    if (**at == '.' && (++*at, !digits(at)))
        return false;
    if (**at != 'e' && **at != 'E')
        return true;
    ++*at;
    *at += **at == '-' || **at == '+';
    return digits(at);
}

static bool members(const char **at, int depth, char end, bool named)
{
    ++*at;
    if (token(at, end))
        return true;
    do {
        if (named && (!string(at) || !token(at, ':')))
            return false;
        if (!value(at, depth + 1))
            return false;
    } while (token(at, ','));
    return token(at, end);
}

static bool value(const char **at, int depth)
{
    if (depth > DEPTH_MAX)
        return false;
    blanks(at);
    switch (**at) {
    case '{':
        return members(at, depth, '}', true);
    case '[':
        return members(at, depth, ']', false);
    case '"':
        return string(at);
    case 't':
        return word(at, "true");
    case 'f':
        return word(at, "false");
    case 'n':
        return word(at, "null");
    default:
        return number(at);
    }
}

bool is_json(const char *text)
{
    if (!value(&text, 0))
        return false;
    blanks(&text);
    return !*text;
}
