#include "engine/base/json.h"

#include <assert.h>

enum { DEPTH_MAX = 64, PERCENT_DECIMALS = 2 };

static uint64_t bit(const struct json *j)
{
    return (uint64_t)1 << (j->depth - 1);
}

static void string(struct out *out, const char *text)
{
    size_t n = 0;

    /* Characters that stand in a string as they are: most of all text. */
    while (text[n] >= 0x20 && text[n] < 0x7F && text[n] != '"' &&
           text[n] != '\\')
        n++;
    out_char(out, '"');
    for (out_bytes(out, text, n), text += n; *text; text += n) {
        uint32_t code = out_escaped(text, &n);

        if (*text == '"' || *text == '\\')
            out_char(out, '\\');
        if (code >= 0x10000) { /* in UTF-16, as JSON counts */
            out_fmt(out, "\\u%04x", 0xD7C0 + (code >> 10));
            code = 0xDC00 | (code & 0x3FF);
        }
        if (code)
            out_fmt(out, "\\u%04x", code);
        else
            out_bytes(out, text, n);
    }
    out_char(out, '"');
}

static void break_line(struct json *j)
{
    if (!j->breaks)
        return;
    out_char(j->out, '\n');
    out_repeat(j->out, ' ', j->indent);
    j->breaks = false;
}

/* Writes everything that stands before a value. */
static struct out *begin(struct json *j, const char *key)
{
    bool is_member = j->depth && !(j->arrays & bit(j));

    assert(is_member == (key != NULL));
    if (j->depth && j->filled & bit(j))
        out_char(j->out, ',');
    if (j->depth)
        j->filled |= bit(j);
    break_line(j);
    if (key) {
        string(j->out, key);
        out_char(j->out, ':');
    }
    return j->out;
}

static void open(struct json *j, const char *key, bool is_array)
{
    out_char(begin(j, key), is_array ? '[' : '{');
    assert(j->depth < DEPTH_MAX);
    j->depth++;
    j->filled &= ~bit(j);
    j->arrays = is_array ? j->arrays | bit(j) : j->arrays & ~bit(j);
}

struct json json_to(struct out *out)
{
    return (struct json){.out = out};
}

void json_object(struct json *j, const char *key)
{
    open(j, key, false);
}

void json_array(struct json *j, const char *key)
{
    open(j, key, true);
}

void json_end(struct json *j)
{
    assert(j->depth);
    break_line(j);
    out_char(j->out, j->arrays & bit(j) ? ']' : '}');
    j->depth--;
}

void json_line(struct json *j, unsigned indent)
{
    j->breaks = true;
    j->indent = indent;
}

void json_null(struct json *j, const char *key)
{
    out_str(begin(j, key), "null");
}

void json_bool(struct json *j, const char *key, bool value)
{
    out_str(begin(j, key), value ? "true" : "false");
}

void json_u64(struct json *j, const char *key, uint64_t value)
{
    out_u64(begin(j, key), value);
}

void json_decimal(struct json *j, const char *key, uint64_t value,
                  unsigned decimals)
{
    out_decimal(begin(j, key), value, decimals, false);
}

void json_i64(struct json *j, const char *key, int64_t value)
{
    out_i64(begin(j, key), value);
}

void json_real(struct json *j, const char *key, double value, unsigned decimals)
{
    out_real(begin(j, key), value, decimals, false);
}

void json_bare(struct json *j, const char *key, const char *text)
{
    out_str(begin(j, key), text);
}

void json_shortest(struct json *j, const char *key, double value, bool single)
{
    out_shortest(begin(j, key), value, single);
}

void json_percent(struct json *j, const char *key, uint64_t part,
                  uint64_t whole)
{
    out_percent(begin(j, key), part, whole, PERCENT_DECIMALS);
}

void json_text(struct json *j, const char *key, const char *text)
{
    if (text)
        string(begin(j, key), text);
    else
        json_null(j, key);
}

void json_maybe(struct json *j, const char *key, const char *text)
{
    json_text(j, key, text && *text ? text : NULL);
}

void json_address(struct json *j, const char *key, uint64_t address)
{
    out_fmt(begin(j, key), "\"0x%llx\"", (unsigned long long)address);
}
