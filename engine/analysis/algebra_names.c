#include "engine/analysis/algebra_impl.h"

#include <assert.h>
#include <string.h>

#include "engine/analysis/match.h"
#include "engine/model/labels.h"

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

void function_texts_set(struct function_texts *t, uint32_t function)
{
    const char *module = function_module(t->p, function);
    const char *name;

    arena_reset(&t->arena);
    name = function_name(t->p, function, &t->arena);
    t->text[0] = function_label(t->p, function, &t->arena);
    t->text[1] = name;
    t->text[2] = arena_strndup(&t->arena, name, match_bare_length(name));
    for (int i = 0; i < TEXTS_WITH_MODULE; i++)
        t->text[TEXTS_WITH_MODULE + i] =
            behind_module(&t->arena, module, t->text[i]);
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

static void note(struct algebra_notes *notes, bool slow, const char *option,
                 const char *text)
{
    struct algebra_note note = {option, text};

    if (slow)
        *vec_add(&notes->slow) = note;
    else
        *vec_add(&notes->unmet) = note;
}

void name_pattern_end(struct name_pattern *n, const char *option,
                      const char *text, struct algebra_notes *notes)
{
    if (notes && !n->met)
        note(notes, false, option, text);
    if (notes && pattern_gave_up(n->pattern))
        note(notes, true, option, text);
    pattern_free(n->pattern);
}

/* The end of a name from a "." or "::" on, where it is the pattern. */
static const char *match_end(struct name_pattern *n, const char *text)
{
    size_t length = strlen(n->text), all = strlen(text);
    const char *end = text + all - length;

    if (!n->is_plain || all <= length || !strchr(".:", end[-1]))
        return NULL;
    return pattern_match(n->pattern, end) ? end : NULL;
}

static const char *match_text(struct name_pattern *n, const char *text)
{
    return pattern_match(n->pattern, text) ? text : match_end(n, text);
}

const char *function_texts_match(const struct function_texts *t,
                                 struct name_pattern *n)
{
    /* A rule takes parts of the text: that with the module comes first. */
    for (int i = 0; i < TEXTS; i++) {
        int at = n->with_module ? (i + TEXTS_WITH_MODULE) % TEXTS : i;
        const char *met;

        if (!n->with_module && i >= TEXTS_WITH_MODULE)
            break;
        met = match_text(n, t->text[at]);
        n->met |= met != NULL;
        if (met)
            return met;
    }
    return NULL;
}

bool *functions_there(const struct profile *p)
{
    bool *there = mem_new(p->functions.len, sizeof(*there));

    for (size_t i = 1; i < p->stacks.len; i++) {
        uint32_t location = p->stacks.data[i].location;
        uint32_t end = p->frame_start.data[location + 1];

        for (uint32_t f = p->frame_start.data[location]; f < end; f++)
            there[p->frames.data[f].function] = true;
    }
    return there;
}

uint64_t *functions_meant(const struct profile *p, const struct words *words,
                          const char *option, struct algebra_notes *notes)
{
    struct name_pattern *patterns = mem_new(words->len, sizeof(*patterns));
    uint64_t *meant = mem_new(p->functions.len, sizeof(*meant));
    bool *there = functions_there(p);
    struct function_texts texts = {.p = p};

    for (size_t i = 0; i < words->len; i++)
        patterns[i] = name_pattern_new(words->data[i]);
    for (uint32_t f = 0; f < p->functions.len; f++) {
        if (!there[f])
            continue;
        function_texts_set(&texts, f);
        for (size_t i = 0; i < words->len; i++)
            if (function_texts_match(&texts, &patterns[i]))
                meant[f] |= (uint64_t)1 << (i < 63 ? i : 63);
    }
    for (size_t i = 0; i < words->len; i++)
        name_pattern_end(&patterns[i], option, words->data[i], notes);
    function_texts_release(&texts);
    free(there);
    free(patterns);
    return meant;
}
