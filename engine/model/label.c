#include "engine/model/label.h"

#include <stdlib.h>

#include "engine/model/label_impl.h"

bool span_is(struct span s, const char *text)
{
    return span_len(s) == strlen(text) && !memcmp(s.at, text, span_len(s));
}

bool span_starts(struct span s, const char *with)
{
    size_t n = strlen(with);

    return span_len(s) >= n && !memcmp(s.at, with, n);
}

bool span_ends(struct span s, const char *with)
{
    size_t n = strlen(with);

    return span_len(s) >= n && !memcmp(s.end - n, with, n);
}

const char *span_find(struct span s, const char *text)
{
    return span_len(s) ? memmem(s.at, span_len(s), text, strlen(text)) : NULL;
}

const char *span_find_char(struct span s, char c)
{
    return span_len(s) ? memchr(s.at, c, span_len(s)) : NULL;
}

void label_add(struct label_text *t, struct span s)
{
    size_t n = span_len(s);

    if (!n)
        return;
    vec_reserve(&t->text, n);
    memcpy(t->text.data + t->text.len, s.at, n);
    t->text.len += n;
}

void label_add_text(struct label_text *t, const char *text)
{
    label_add(t, span_of(text, text + strlen(text)));
}

const char *closing_bracket(struct span s)
{
    unsigned depth = 0;

    for (const char *at = s.at; at < s.end; at++) {
        bool arrow = *at == '>' && at > s.at && at[-1] == '-';

        if (strchr("<[(", *at) && *at)
            depth++;
        else if (strchr(">])", *at) && *at && !arrow && !--depth)
            return at;
    }
    return NULL;
}

const char *opening_parenthesis(struct span s)
{
    unsigned depth = 0;

    for (const char *at = s.end; at-- > s.at;) {
        if (*at == ')')
            depth++;
        else if (*at == '(' && !--depth)
            return at;
    }
    return NULL;
}

static void write_label(struct label_text *t, const struct label_source *source)
{
    struct span name =
        span_of(source->name, source->name + strlen(source->name));

    if (source->kind == CODE_MANAGED)
        label_managed(t, source);
    else if (!label_script(t, source) && !label_swift(t, name))
        label_native(t, name);
}

/* Nothing parts it, so that nothing can be left out. */
static bool is_one_word(const char *name)
{
    while (is_word(*name) && *name != '$')
        name++;
    return !*name;
}

const char *label_of(struct arena *arena, const struct label_source *source,
                     unsigned parts)
{
    struct label_text t = {.parts = parts};
    const char *label = source->name;
    size_t most = strlen(label) * (parts ? 2 : 1) + LABEL_GROWTH;

    if (is_one_word(label))
        return label;
    write_label(&t, source);
    if (t.text.len && t.text.len <= most)
        label = arena_strndup(arena, t.text.data, t.text.len);
    vec_release(&t.text);
    return label;
}
