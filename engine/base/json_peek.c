#include "engine/base/json_peek.h"

#include <string.h>

/* The text that is left to be searched. */
struct rest {
    const uint8_t *at, *end;
};

/* Commas and colons part values and tell nothing more. */
static void skip_blanks(struct rest *r)
{
    while (r->at < r->end && *r->at && strchr(" \t\r\n,:", *r->at))
        r->at++;
}

/* From the opening quote to behind the closing one. */
static void skip_string(struct rest *r)
{
    for (r->at++; r->at < r->end && *r->at != '"'; r->at++)
        if (*r->at == '\\' && r->at + 1 < r->end)
            r->at++;
    r->at = r->at < r->end ? r->at + 1 : r->end;
}

static void skip_value(struct rest *r)
{
    size_t depth = 0;

    while (r->at < r->end) {
        uint8_t c = *r->at;

        if (c == '"') {
            skip_string(r);
        } else if (!depth && strchr(",]} \t\r\n", c)) {
            return;
        } else {
            depth += c == '{' || c == '[';
            depth -= c == '}' || c == ']';
            r->at++;
        }
        if (!depth && (c == '"' || c == '}' || c == ']'))
            return;
    }
}

/* Goes to the first value behind the bracket at hand. */
static bool enter(struct rest *r, uint8_t bracket)
{
    if (r->at == r->end || *r->at != bracket)
        return false;
    r->at++;
    skip_blanks(r);
    return r->at < r->end && *r->at != ']' && *r->at != '}';
}

/* Goes to the value of a member of the object at hand. */
static bool enter_member(struct rest *r, const char *key, size_t n)
{
    bool more = enter(r, '{');

    while (more && r->at < r->end && *r->at == '"') {
        const uint8_t *from = r->at + 1;
        bool same;

        skip_string(r);
        same = (size_t)(r->at - from) == n + 1 && !memcmp(from, key, n);
        skip_blanks(r);
        if (same)
            return r->at < r->end;
        skip_value(r);
        skip_blanks(r);
    }
    return false;
}

const uint8_t *json_peek(const uint8_t *data, size_t size, const char *path)
{
    struct rest r = {data,
                     data + (size < JSON_PEEKED ? size : (size_t)JSON_PEEKED)};
    bool found = true;

    if (size >= 3 && !memcmp(data, "\xEF\xBB\xBF", 3))
        r.at += 3;
    skip_blanks(&r);
    while (found && *path) {
        size_t n = strcspn(path, ".[");

        if (!n) {
            found = enter(&r, '[');
            n = 2;
        } else {
            found = enter_member(&r, path, n);
        }
        path += n + (path[n] == '.');
    }
    return found && r.at < r.end ? r.at : NULL;
}

bool json_peek_is(const uint8_t *data, size_t size, const char *path,
                  char first)
{
    const uint8_t *value = json_peek(data, size, path);

    return value && *value == (uint8_t)first;
}

bool json_peek_holds(const uint8_t *data, size_t size, const char *path,
                     const char *word)
{
    struct rest r = {json_peek(data, size, path), data + size};
    const uint8_t *from = r.at;

    if (!from || *from != '"')
        return false;
    skip_string(&r);
    return memmem(from, (size_t)(r.at - from), word, strlen(word)) != NULL;
}
