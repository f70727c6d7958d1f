#include "engine/analysis/match.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/text.h"
#include "engine/model/labels.h"


/* Its arguments are the parentheses that the last closing one ends, unless
 * they are all there is. */
size_t match_bare_length(const char *name)
{
    const char *close = strrchr(name, ')'), *at = close;
    struct text_part function, place;
    int depth = 0;

    if (text_script_place(name, &function, &place))
        return (size_t)(function.start - name) + function.n;
    if (!close)
        return strlen(name);
    do
        depth += (*at == ')') - (*at == '(');
    while (depth && at-- > name);
    return at > name ? (size_t)(at - name) : strlen(name);
}

static const char *behind_module(struct arena *arena, const char *module,
                                 const char *name)
{
    size_t m = strlen(module), n = strlen(name);
    char *text = arena_new(arena, char, m + n + 2);

    memcpy(text, module, m);
    text[m] = '!';
    memcpy(text + m + 1, name, n + 1);
    return text;
}

static void set_texts(struct function_texts *t, const char *label,
                      const char *name, const char *module)
{
    t->text[0] = label;
    t->text[1] = name;
    t->text[2] = arena_strndup(&t->arena, name, match_bare_length(name));
    for (int i = 0; i < TEXTS_WITH_MODULE; i++)
        t->text[TEXTS_WITH_MODULE + i] =
            behind_module(&t->arena, module, t->text[i]);
}

void function_texts_of(struct function_texts *t, const char *label,
                       const char *name, const char *module)
{
    arena_reset(&t->arena);
    set_texts(t, label, name, module);
}

void function_texts_set(struct function_texts *t, uint32_t function)
{
    arena_reset(&t->arena);
    set_texts(t, function_label(t->p, function, &t->arena),
              function_name(t->p, function, &t->arena),
              function_module(t->p, function));
}

void function_texts_release(struct function_texts *t)
{
    arena_release(&t->arena);
}

struct name_pattern name_pattern_new(const char *text)
{
    struct name_pattern n = {.pattern = pattern_new(text, NULL), .text = text};

    assert(n.pattern);
    n.with_module = strchr(text, '!') != NULL;
    n.is_plain = strncmp(text, "re:", 3) != 0 && !strpbrk(text, "*?");
    return n;
}

/* Text number `i` in the order in which they are tried, those with the module
 * first; NULL behind the last. */
static const char *text_at(const struct function_texts *t,
                           const struct name_pattern *n, int i)
{
    if (n->with_module)
        return i < TEXTS ? t->text[(i + TEXTS_WITH_MODULE) % TEXTS] : NULL;
    return i < TEXTS_WITH_MODULE ? t->text[i] : NULL;
}

/* The end of a name from a "." or "::" on, where it is the pattern. */
static const char *match_end(const struct name_pattern *n, const char *text)
{
    size_t length = strlen(n->text), all = strlen(text);
    const char *end = text + all - length;

    if (!n->is_plain || all <= length || !strchr(".:", end[-1]))
        return NULL;
    return pattern_match(n->pattern, end) ? end : NULL;
}

const char *function_texts_match(const struct function_texts *t,
                                 const struct name_pattern *n)
{
    const char *text, *met = NULL;

    for (int i = 0; !met && (text = text_at(t, n, i)); i++)
        met = pattern_match(n->pattern, text) ? text : match_end(n, text);
    return met;
}

static bool contains(const char *name, const char *part)
{
    size_t n = strlen(part);

    for (; *name; name++)
        if (ascii_same_n(name, part, n))
            return true;
    return false;
}

enum match_rule function_texts_rule(const struct function_texts *t,
                                    const struct name_pattern *n)
{
    const char *text;

    for (int i = 0; (text = text_at(t, n, i)); i++)
        if (i % TEXTS_WITH_MODULE != BARE && !strcmp(text, n->text))
            return MATCH_EXACT;
    if (function_texts_match(t, n))
        return MATCH_NAME;
    for (int i = 0; n->is_plain && (text = text_at(t, n, i)); i++)
        if (contains(text, n->text))
            return MATCH_PART;
    return MATCH_NONE;
}

/* By function the strictest rule. To be freed. */
static uint8_t *rules_of(const struct profile *p, const struct name_pattern *n)
{
    uint8_t *rules = mem_new(p->functions.len, sizeof(*rules));
    struct function_texts texts = {.p = p};

    for (uint32_t i = 0; i < p->functions.len; i++) {
        function_texts_set(&texts, i);
        rules[i] = (uint8_t)function_texts_rule(&texts, n);
    }
    function_texts_release(&texts);
    return rules;
}

/* Not all that has a name was sampled. */
struct ranking *match_labels(const struct profile *p,
                             const struct selection *sel, const char *name,
                             size_t limit, enum match_rule *rule)
{
    struct pattern *valid = *name ? pattern_new(name, NULL) : NULL;
    struct ranking *r = NULL;
    struct name_pattern n;
    uint8_t *rules;
    bool *found;

    pattern_free(valid);
    if (!valid)
        return NULL;
    n = name_pattern_new(name);
    rules = rules_of(p, &n);
    found = mem_new(p->functions.len, sizeof(*found));
    for (*rule = MATCH_EXACT; *rule < MATCH_RULES; ++*rule) {
        for (uint32_t i = 0; i < p->functions.len; i++)
            found[i] = rules[i] == *rule;
        r = ranking_of(p, sel, found, limit);
        if (r->len)
            break;
        ranking_free(r);
        r = NULL;
    }
    free(found);
    free(rules);
    pattern_free(n.pattern);
    return r;
}

/* Labels of a profile, or the names of the rows where it is NULL. */
static const char *shown_name(const struct profile *p,
                              const struct rank_row *row)
{
    const char *label = p ? profile_label(p, row->id) : "";

    return *label ? label : row->name;
}

static size_t nearest_spelling(const struct profile *p,
                               const struct ranking *functions,
                               const char *name, const char **nearest,
                               size_t most)
{
    size_t n = strlen(name), count = 0, parts = 0;
    size_t least = n / 3 + 1;

    for (size_t i = 0; i < n; i++)
        parts += name[i] == '.' || name[i] == ':';

    for (size_t i = 0; n <= TEXT_DISTANCE && i < functions->len; i++) {
        const char *other = shown_name(p, &functions->rows[i]);
        size_t length = match_bare_length(other), from = length;
        size_t d, last;

        for (size_t left = parts; from; from--)
            if (strchr(".:", other[from - 1]) && !left--)
                break;
        if (length - from > TEXT_DISTANCE)
            continue;
        d = last = text_distance(name, n, other + from, length - from, true);
        if (length <= TEXT_DISTANCE)
            d = text_distance(name, n, other, length, true);
        d = last < d ? last : d;
        if (d > least)
            continue;
        if (d < least)
            count = 0;
        least = d;
        if (count < most)
            nearest[count++] = other;
    }
    return count;
}

size_t match_nearest(const struct profile *p, const struct ranking *functions,
                     const char *name, const char **nearest, size_t most)
{
    size_t count = 0;

    for (size_t i = 0; i < functions->len && count < most; i++) {
        const char *other = shown_name(p, &functions->rows[i]);

        if (contains(other, name))
            nearest[count++] = other;
    }
    return count ? count : nearest_spelling(p, functions, name, nearest, most);
}
