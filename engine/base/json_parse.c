/*
 * Values wait on a stack until their array or object ends; then they are moved
 * to where they stay, and it waits in their place. No recursion. A value counts
 * when a comma or a bracket follows it: a number that is cut off looks whole.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/base/json_read_impl.h"
#include "engine/base/unicode.h"

enum { DEEPEST = 2048 };

/* What may stand next. */
enum next {
    ANY_VALUE,
    VALUE_OR_END,
    KEY,
    KEY_OR_END,
    COLON,
    COMMA_OR_END,
    END
};

struct level {
    size_t first; /* of its values that wait */
    bool is_object;
};

struct parser {
    struct json_text *json;
    char *text;
    size_t size, at;
    VEC(uint32_t) waiting;
    VEC(struct level) open;
    enum next next;
    size_t kept, whole; /* values that count, and where the last one ends */
    const char *damage;
};

static bool fail(struct parser *p, const char *damage)
{
    p->damage = damage;
    return false;
}

/* ---- texts ---- */

/* Four digits at `from`, or UINT32_MAX. */
static uint32_t hex_unit(const char *from, const char *end)
{
    uint32_t unit = 0;

    if (end - from < 4)
        return UINT32_MAX;
    for (unsigned i = 0; i < 4; i++) {
        const char *digits = "0123456789abcdef0123456789ABCDEF";
        const char *digit = from[i] ? strchr(digits, from[i]) : NULL;

        if (!digit)
            return UINT32_MAX;
        unit = unit << 4 | (uint32_t)((digit - digits) & 15);
    }
    return unit;
}

/* "\u1234", of which two may be one code point; one that lacks the other is
 * U+FFFD. */
static bool unescape_unit(char **from, const char *end, char **to)
{
    uint32_t code = hex_unit(*from, end), low;

    if (code == UINT32_MAX)
        return false;
    *from += 4;
    if (code >> 10 == 0xD800 >> 10 && end - *from > 6 && (*from)[0] == '\\' &&
        (*from)[1] == 'u') {
        low = hex_unit(*from + 2, end);
        if (low != UINT32_MAX && low >> 10 == 0xDC00 >> 10) {
            code = 0x10000 + ((code & 0x3FF) << 10 | (low & 0x3FF));
            *from += 6;
        }
    }
    if (code >> 11 == 0xD800 >> 11)
        code = 0xFFFD;
    *to += utf8_of(code, *to);
    return true;
}

static bool unescape(char **from, const char *end, char **to)
{
    static const char escapes[] = "\"\\/bfnrt", plain[] = "\"\\/\b\f\n\r\t";
    const char *known;
    char c;

    if (end - *from < 2)
        return false;
    c = (*from)[1];
    *from += 2;
    if (c == 'u')
        return unescape_unit(from, end, to);
    known = c ? strchr(escapes, c) : NULL;
    if (known)
        *(*to)++ = plain[known - escapes];
    return known != NULL;
}

/* At a quote. It becomes shorter where it stands. */
static bool take_text(struct parser *p)
{
    char *from = p->text + p->at + 1, *to = from, *end = p->text + p->size;

    while (from < end && *from != '"') {
        unsigned char c = (unsigned char)*from;
        size_t n = c >= 0x20;

        if (c == '\\') {
            if (!unescape(&from, end, &to))
                return fail(p, "an escape that is none");
            continue;
        }
        if (c >= 0x80)
            n = utf8_sequence((uint8_t *)from, (size_t)(end - from));
        if (!n)
            return fail(p, "a text with bytes that are no UTF-8");
        if (to != from)
            memmove(to, from, n);
        to += n;
        from += n;
    }
    if (from == end)
        return fail(p, "a text without an end");
    *vec_add(&p->waiting) = json_slot_of_text(p->at);
    p->at = (size_t)(from + 1 - p->text);
    *to = '\0';
    return true;
}

/* ---- numbers and words ---- */

static size_t digits(const struct parser *p, size_t at)
{
    size_t n = 0;

    while (p->text[at + n] >= '0' && p->text[at + n] <= '9')
        n++;
    return n;
}

/* How long the number is; 0: there is none. The text ends with a NUL. */
static size_t number_length(const struct parser *p)
{
    size_t at = p->at + (p->text[p->at] == '-'), n = digits(p, at);

    if (!n)
        return 0;
    at += n;
    if (p->text[at] == '.') {
        n = digits(p, at + 1);
        at += n ? n + 1 : 0;
    }
    if ((p->text[at] | 0x20) == 'e') {
        size_t sign = p->text[at + 1] == '-' || p->text[at + 1] == '+';

        n = digits(p, at + 1 + sign);
        at += n ? n + 1 + sign : 0;
    }
    return at - p->at;
}

static size_t word_length(const struct parser *p)
{
    static const char *const words[] = {"null", "true", "false"};

    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        if (!strncmp(p->text + p->at, words[i], strlen(words[i])))
            return strlen(words[i]);
    return 0;
}

static bool take_plain(struct parser *p)
{
    size_t n = number_length(p);

    n = n ? n : word_length(p);
    if (!n)
        return fail(p, "no value");
    *vec_add(&p->waiting) = json_slot_of_text(p->at);
    p->at += n;
    return true;
}

/* ---- arrays and objects ---- */

/* What waits by now counts, up to before `end`. */
static void keep(struct parser *p, size_t end)
{
    p->kept = p->waiting.len;
    p->whole = end;
}

static bool open_level(struct parser *p, bool is_object)
{
    if (p->open.len == DEEPEST)
        return fail(p, "more than 2,048 levels");
    *vec_add(&p->open) = (struct level){p->waiting.len, is_object};
    keep(p, ++p->at);
    p->next = is_object ? KEY_OR_END : VALUE_OR_END;
    return true;
}

static int compare_keys(const void *x, const void *y, void *json)
{
    const uint32_t *a = x, *b = y;
    int order = strcmp(json_key(json, *a), json_key(json, *b));

    return order ? order : (*a > *b) - (*a < *b);
}

/* Values from `first` on, the last ones first, so that of many of them the
 * memory is not needed twice. */
static void move_values(struct parser *p, size_t first, uint32_t *to)
{
    enum { STEP = 1 << 18 };

    while (p->waiting.len > first) {
        size_t n =
            p->waiting.len - first < STEP ? p->waiting.len - first : STEP;

        p->waiting.len -= n;
        memcpy(to + (p->waiting.len - first), p->waiting.data + p->waiting.len,
               n * sizeof(*to));
        if (n < STEP)
            continue;
        p->waiting.cap = p->waiting.len + 1;
        p->waiting.data =
            mem_resize(p->waiting.data, p->waiting.cap, sizeof(*to));
    }
}

static void close_level(struct parser *p)
{
    struct level level = p->open.data[--p->open.len];
    size_t n = p->waiting.len - level.first, at = p->json->slots.len;

    if (level.is_object && n / 2 > JSON_UNSORTED)
        qsort_r(p->waiting.data + level.first, n / 2, 2 * sizeof(uint32_t),
                compare_keys, p->json);
    vec_reserve(&p->json->slots, n + 1);
    p->json->slots.data[at] = json_slot_of_text(n) | level.is_object;
    move_values(p, level.first, p->json->slots.data + at + 1);
    p->json->slots.len += n + 1;
    *vec_add(&p->waiting) = json_slot_of_list(at);
}

static bool end_level(struct parser *p, char c)
{
    if (p->open.data[p->open.len - 1].is_object != (c == '}'))
        return fail(p, "a bracket of the other kind");
    close_level(p);
    keep(p, ++p->at);
    p->next = p->open.len ? COMMA_OR_END : END;
    return true;
}

/* ---- the text ---- */

static void skip_blanks(struct parser *p)
{
    while (p->at < p->size && p->text[p->at] &&
           strchr(" \t\r\n", p->text[p->at]))
        p->at++;
}

static bool take_value(struct parser *p, char c)
{
    if (c == '{' || c == '[')
        return open_level(p, c == '{');
    p->next = COMMA_OR_END;
    return c == '"' ? take_text(p) : take_plain(p);
}

static bool take_comma(struct parser *p)
{
    keep(p, p->at++);
    p->next = p->open.data[p->open.len - 1].is_object ? KEY : ANY_VALUE;
    return true;
}

/* One more part; false at the end or at damage. */
static bool step(struct parser *p)
{
    bool may_end = p->next == VALUE_OR_END || p->next == KEY_OR_END ||
                   p->next == COMMA_OR_END;
    char c;

    skip_blanks(p);
    if (p->at == p->size)
        return p->next == END ? false : fail(p, "it is cut off");
    c = p->text[p->at];
    if (may_end && (c == ']' || c == '}'))
        return end_level(p, c);
    switch (p->next) {
    case ANY_VALUE:
    case VALUE_OR_END:
        return take_value(p, c);
    case KEY:
    case KEY_OR_END:
        p->next = COLON;
        return c == '"' ? take_text(p) : fail(p, "no key");
    case COLON:
        p->next = ANY_VALUE;
        p->at++;
        return c == ':' || fail(p, "a key without a value");
    case COMMA_OR_END:
        return c == ',' ? take_comma(p) : fail(p, "no comma between values");
    case END:
        break;
    }
    return fail(p, "more behind its end");
}

const char *json_parse(struct json_text *json, size_t *whole, size_t *damage)
{
    struct parser p = {.json = json, .text = json->text, .size = json->size};

    skip_blanks(&p);
    if (p.text[p.at] == '{' || p.text[p.at] == '[')
        while (step(&p))
            ;
    else
        p.damage = "neither an object nor an array";
    *damage = p.at;
    *whole = p.whole;
    p.waiting.len = p.kept;
    while (p.open.len)
        close_level(&p);
    if (p.waiting.len)
        json->root = p.waiting.data[0];
    vec_release(&p.waiting);
    vec_release(&p.open);
    return p.damage;
}
