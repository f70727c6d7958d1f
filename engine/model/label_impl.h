/*
 * label_impl - what the parts of labels.h share: spans of a recorded name, the
 * label as it grows, and types by their own names.
 */
#ifndef TOPFN_LABEL_IMPL_H
#define TOPFN_LABEL_IMPL_H

#include <stdbool.h>
#include <string.h>

#include "engine/base/text.h"
#include "engine/base/vec.h"
#include "engine/model/labels.h"

/* Part of a recorded name. */
struct span {
    const char *at, *end;
};

struct label_text {
    VEC(char) text;
    unsigned parts; /* enum label_parts */
    bool managed;   /* types are spelled as ECMA-335 does */
};

static inline struct span span_of(const char *at, const char *end)
{
    return (struct span){at, end};
}

static inline size_t span_len(struct span s)
{
    return (size_t)(s.end - s.at);
}

static inline bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

/* Characters of identifiers in any language, and of UTF-8. */
static inline bool is_word(char c)
{
    return is_digit(c) || is_upper(c) || (c >= 'a' && c <= 'z') || c == '_' ||
           c == '$' || c & 0x80;
}

bool span_is(struct span s, const char *text);
bool span_starts(struct span s, const char *with);
bool span_ends(struct span s, const char *with);
/* The first position of `text`; NULL: nowhere. */
const char *span_find(struct span s, const char *text);
const char *span_find_char(struct span s, char c);

void label_add(struct label_text *t, struct span s);
void label_add_text(struct label_text *t, const char *text);

/* The bracket that closes the one at `s.at`, of any kind; NULL if none. */
const char *closing_bracket(struct span s);
/* The parenthesis that the one at the end of `s` closes; NULL if none. */
const char *opening_parenthesis(struct span s);

/* Types by their own names, as C# writes them: "int", "List<string>[]". */
void label_add_types(struct label_text *t, struct span types);

/* A type as reflection writes it: "A.B`1+C`1[System.Int32,X][]". */
struct type_parts {
    struct span names;     /* A.B`1+C`1 */
    struct span arguments; /* System.Int32,X */
    struct span suffix;    /* [] */
};

struct type_parts type_parts_of(struct span type);
/* Cuts the first of nested names off. */
struct span type_next_name(struct type_parts *p);
/* Cuts "`2" off; 0: there is none. */
unsigned type_cut_arity(struct span *name);
/* Cuts `count` arguments off. */
struct span type_take(struct type_parts *p, unsigned count);
/* "<int,X>"; nothing if there are none. */
void label_add_arguments(struct label_text *t, struct span arguments);

/* label_script is false, with nothing added, for names of other kinds;
 * label_native takes what is left. Nothing added at all: the name is the
 * label. */
void label_managed(struct label_text *t, const struct label_source *source);
bool label_script(struct label_text *t, const struct label_source *source);
void label_native(struct label_text *t, struct span name);

#endif
