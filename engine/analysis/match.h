/*
 * match - the functions that a person means by a pattern.
 *
 *     struct ranking *chosen = match_labels(p, sel, "hash_block", 0, &rule);
 *     if (!chosen)
 *         n = match_nearest(p, all, "hash_block", nearest, 3);
 *
 * There is one rule for the functions that callers, list and annotate show, for
 * filters and for the limits of a gate. A function has three names: its label
 * (labels.h), its recorded name, and that without arguments or without the
 * place of a script; if the pattern has a "!", each of them also stands behind
 * "module!". The pattern means the functions that meet the first of these rules
 * that any function meets:
 *
 *     MATCH_EXACT   the label or the recorded name is exactly so
 *     MATCH_NAME    a name matches the pattern (pattern.h), or, if that has
 *                   neither * nor ?, its last parts are so: "Cart.Total" means
 *                   Shop.Cart.Total
 *     MATCH_PART    a name contains the text, case ignored
 */
#ifndef TOPFN_MATCH_H
#define TOPFN_MATCH_H

#include "engine/analysis/rank.h"
#include "engine/base/pattern.h"

enum match_rule { MATCH_NONE, MATCH_EXACT, MATCH_NAME, MATCH_PART, MATCH_RULES };

/* The names of a function: label, recorded name, that without arguments; from
 * TEXTS_WITH_MODULE on the same with the module. */
enum { BARE = 2, TEXTS_WITH_MODULE = 3, TEXTS = 6 };

struct function_texts {
    const struct profile *p;
    const char *text[TEXTS];
    struct arena arena;
};

/* The names of a function of `p`, or of any: label, name and module. They live
 * until the next call. */
void function_texts_set(struct function_texts *t, uint32_t function);
void function_texts_of(struct function_texts *t, const char *label,
                       const char *name, const char *module);
void function_texts_release(struct function_texts *t);

struct name_pattern {
    struct pattern *pattern;
    const char *text; /* as it was written */
    bool with_module;
    bool is_plain; /* neither a glob nor an expression */
    bool met;      /* the caller's: a function matched it */
};

/* The text is a valid pattern. Free with pattern_free. */
struct name_pattern name_pattern_new(const char *text);

/* The strictest rule by which the pattern means the function. */
enum match_rule function_texts_rule(const struct function_texts *t,
                                    const struct name_pattern *pattern);

/* The text, or the end of one, that MATCH_NAME finds first; NULL: none. */
const char *function_texts_match(const struct function_texts *t,
                                 const struct name_pattern *pattern);

/* Length of a name without its arguments, of a script's without its place. */
size_t match_bare_length(const char *name);

/* The sampled functions that `name` means, ranked as by ranking_of (rank.h)
 * with this limit, and the rule that they meet. NULL: none was sampled, or the
 * name is empty or an invalid pattern. */
struct ranking *match_labels(const struct profile *p,
                             const struct selection *sel, const char *name,
                             size_t limit, enum match_rule *rule);

/* Labels that may have been meant, which live as long as the profile's: those
 * that have `name` in them, hottest first; if there are none, those that differ
 * in the fewest characters. Without a profile, names instead of labels. At most
 * `most`, a few; returns how many. */
size_t match_nearest(const struct profile *p, const struct ranking *functions,
                     const char *name, const char **nearest, size_t most);

#endif
