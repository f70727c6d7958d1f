#include "tests/support/script_line.h"

#include <stdlib.h>
#include <string.h>

char *scenario_keep(struct scenario *s, const char *text, size_t n)
{
    char *copy = strndup(text, n);

    if (!copy)
        abort();
    *VEC_ADD(&s->strings) = copy;
    return copy;
}

void line_cut(struct line *l, const char *text, size_t n)
{
    const char *end = text + n;

    while (text < end && l->count < MAX_WORDS) {
        const char *from;
        while (text < end && strchr(" \t\r", *text))
            text++;
        if (text == end || *text == '#')
            return;
        if (*text == '"') {
            for (from = ++text; text < end && *text != '"';)
                text++;
        } else {
            for (from = text; text < end && !strchr(" \t\r", *text);)
                text++;
        }
        l->words[l->count++] = scenario_keep(l->s, from,
                                             (size_t)(text - from));
        text += text < end && *text == '"';
    }
}

void line_complain(struct line *l, const char *what, const char *word)
{
    scenario_fail(l->s, l->number, "%s '%s'", what, word);
}

/* The word at a fixed place. */
char *line_word(struct line *l, int i)
{
    if (i >= l->count) {
        line_complain(l, "too short:", l->words[0]);
        return l->words[0];
    }
    l->used[i] = true;
    return l->words[i];
}

bool line_flag(struct line *l, const char *name)
{
    for (int i = 1; i < l->count; i++)
        if (!l->used[i] && strcmp(l->words[i], name) == 0)
            return l->used[i] = true;
    return false;
}

/* The word after name, or NULL. */
char *line_value(struct line *l, const char *name)
{
    for (int i = 1; i + 1 < l->count; i++)
        if (!l->used[i] && strcmp(l->words[i], name) == 0) {
            l->used[i] = l->used[i + 1] = true;
            return l->words[i + 1];
        }
    return NULL;
}

char *line_need(struct line *l, const char *name)
{
    char *v = line_value(l, name);

    if (!v)
        line_complain(l, "missing", name);
    return v ? v : l->words[0];
}

uint64_t line_to_number(struct line *l, const char *text)
{
    char *end;
    uint64_t v = strtoull(text, &end, 0);

    if (end == text || *end)
        line_complain(l, "not a number:", text);
    return v;
}

uint64_t line_number(struct line *l, const char *name, uint64_t otherwise)
{
    const char *v = line_value(l, name);

    return v ? line_to_number(l, v) : otherwise;
}

/* Decimal arithmetic: 10.1ms is exactly 10 100 000. */
bool scenario_time(const char *text, int64_t *out)
{
    static const struct { const char *name; int64_t ns; } units[] = {
        { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 }
    };
    int64_t whole = 0, part = 0, scale = 1;
    const char *p = text;

    for (; *p >= '0' && *p <= '9'; p++)
        whole = whole * 10 + (*p - '0');
    if (p == text)
        return false;
    if (*p == '.')
        for (p++; *p >= '0' && *p <= '9' && scale < 1000000000; p++) {
            part = part * 10 + (*p - '0');
            scale *= 10;
        }
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
        if (strcmp(p, units[i].name) == 0) {
            *out = whole * units[i].ns + part * units[i].ns / scale;
            return true;
        }
    return false;
}

int64_t line_time(struct line *l, const char *name, int64_t otherwise)
{
    const char *v = line_value(l, name);
    int64_t t = otherwise;

    if (v && !scenario_time(v, &t))
        line_complain(l, "not a time (10.5ms):", v);
    return t;
}

int64_t line_need_time(struct line *l, const char *name)
{
    int64_t t = line_time(l, name, NEVER);

    if (t == NEVER)
        line_complain(l, "missing", name);
    return t == NEVER ? 0 : t;
}
