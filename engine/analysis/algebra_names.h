/*
 * algebra_names - which functions a pattern means.
 *
 *     struct function_texts texts = {.p = p};
 *     function_texts_set(&texts, function);
 *     if (function_texts_match(&texts, pattern)) ...
 *     function_texts_release(&texts);
 */
#ifndef TOPFN_ALGEBRA_NAMES_H
#define TOPFN_ALGEBRA_NAMES_H

#include "engine/analysis/algebra.h"
#include "engine/base/arena.h"
#include "engine/base/pattern.h"

/* What a function is called: label, name, name without arguments; from
 * TEXTS_WITH_MODULE on each of them behind "module!". */
enum { TEXTS = 6, TEXTS_WITH_MODULE = 3 };

struct function_texts {
    const struct profile *p;
    const char *text[TEXTS];
    struct arena arena;
};

void function_texts_set(struct function_texts *t, uint32_t function);
void function_texts_release(struct function_texts *t);

/* A pattern as it was written; what it is may stand behind a "!". */
struct name_pattern {
    struct pattern *pattern;
    const char *text;
    bool with_module;
    bool is_plain; /* a name, no more */
    bool met;      /* a function matched it */
};

struct name_pattern name_pattern_new(const char *text);

/* Frees it; what there is to say about it goes to `notes`. */
void name_pattern_end(struct name_pattern *n, const char *option,
                      const char *text, struct algebra_notes *notes);

/* The text, or the end of one, that matches first; NULL: none. */
const char *function_texts_match(const struct function_texts *t,
                                 struct name_pattern *pattern);

/* By function, whether a stack has it: groups and folds leave others behind.
 * To be freed. */
bool *functions_there(const struct profile *p);

/* By function: bit I (at most 63) is that it matches pattern I. To be
 * freed. */
uint64_t *functions_meant(const struct profile *p, const struct words *words,
                          const char *option, struct algebra_notes *notes);

#endif
