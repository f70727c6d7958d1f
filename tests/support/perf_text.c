#include "tests/support/perf_text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST = sizeof(((struct perf_sample *)0)->frames) / sizeof(struct perf_frame)
};

/* The digits before `at`, of which `*from` is the first. */
static uint64_t number_before(const char *line, const char *at,
                              const char **from)
{
    const char *first = at;

    while (first > line && (isdigit((unsigned char)first[-1]) ||
                            (first[-1] == '-' && first < at)))
        first--;
    *from = first;
    return strtoull(first, NULL, 10);
}

/* Where the time ends: names of threads may have colons and blanks, but the
 * time has a point before and six digits behind. */
static const char *find_time(const char *line)
{
    const char *colon = line, *from;

    while ((colon = strchr(colon, ':'))) {
        number_before(line, colon, &from);
        if (colon - from == 6 && from > line && from[-1] == '.')
            return colon;
        colon++;
    }
    return NULL;
}

/* "   address symbol (file)" */
static bool take_frame(const char *line, struct perf_sample *s)
{
    struct perf_frame *f = &s->frames[s->count];
    const char *open = strrchr(line, '('), *close = strrchr(line, ')');

    if (strstr(line, "(inlined)"))
        return true;
    if (s->count == MOST)
        return false;
    /* "(/memfd:doublemapper (deleted))" */
    if (open && open > line && !strncmp(open, "(deleted)", 9))
        for (open--; open > line && *open != '(';)
            open--;
    f->address = strtoull(line, NULL, 16);
    /* perf's last word on a stack deeper than what was copied: the byte
     * before address 0. */
    if (f->address == UINT64_MAX)
        return true;
    *f->file = 0;
    if (open && close > open)
        snprintf(f->file, sizeof(f->file), "%.*s", (int)(close - open - 1),
                 open + 1);
    s->count++;
    return true;
}

/* "comm  pid/tid  [cpu]  12.345678:   period event: ", behind which is the
 * one frame of a sample that has no stack. */
static bool take_head(const char *line, struct perf_sample *s)
{
    const char *colon = find_time(line), *at, *end;

    if (!colon)
        return false;
    s->us = number_before(line, colon, &at);
    s->us += number_before(line, at - 1, &at) * 1000000;
    while (at > line && at[-1] == ' ')
        at--;
    s->tid = (uint32_t)number_before(line, at, &at);
    s->count = 0;
    at = colon + 1 + strspn(colon + 1, " 0123456789");
    end = strstr(at, ": ");
    if (!end)
        end = at + strcspn(at, "\n") - 1;
    snprintf(s->event, sizeof(s->event), "%.*s", (int)(end - at), at);
    return !strchr(end, '(') || take_frame(end + 1, s);
}

static bool next_line(struct perf_text *t)
{
    if (!t->has_line)
        t->has_line = fgets(t->line, sizeof(t->line), t->file);
    return t->has_line;
}

bool perf_text_next(struct perf_text *t, struct perf_sample *s)
{
    bool begun = false;

    while (next_line(t)) {
        if (*t->line == '\t') {
            if (begun && !take_frame(t->line, s))
                return false;
        } else if (begun) {
            return true;
        } else if (*t->line != '\n' && *t->line != '#') {
            begun = take_head(t->line, s);
        }
        t->has_line = false;
    }
    return begun;
}
