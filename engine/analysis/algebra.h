/*
 * algebra - a profile as a filter's questions about stacks leave it.
 *
 *     struct algebra_notes notes = {0};
 *     algebra_apply(p, &filter, &notes);
 *     struct selection *sel = selection_new(p, &filter);
 *     algebra_notes_release(&notes);
 *
 * Stacks change and samples go, once, before any report looks: each distinct
 * stack is rewritten, not each sample, and no report can leave a question
 * out. The order is always the same, and every step sees what the one before
 * left, names of groups included:
 *
 *     group -> fold -> keep or drop -> cut
 *
 * Let a.exe!main;a.exe!parse;c.dll!read;c.dll!wait have 3 samples and
 * a.exe!main;a.exe!draw have 1.
 *
 * group  "c.dll!*->C"     main;parse;C 3, main;draw 1: frames of one group
 *                         that follow one another are one, which stands where
 *                         the stack came into the group
 *        "c.dll!*=>C"     main;parse;"C <<read>>" 3: the way in has its name
 *        "*!*->$1"        a.exe;c.dll 3, a.exe 1: $1 is what the first * was
 *        "a.exe!*->"      these frames stay as they are, whatever comes next
 *        A frame's first rule counts. Instead of a rule: modules, kernel,
 *        runtime, namespaces:N, just-my-code (algebra_impl.h).
 * fold   "wait"           main;parse;read 3: the caller has its samples. An
 *                         outermost frame goes; a stack of nothing else is
 *                         "[folded]", so no total changes
 *        fold_percent     functions on fewer samples than this, of those that
 *                         process, thread, processor and time leave
 * keep   focus            samples with such a frame; with several of these
 *                         patterns, with all of them
 *        ignore           samples without any such frame
 *        leaves           samples taken in such a function
 *        modules          samples with a frame in such a module, or, behind a
 *                         "!", without one
 *        kinds, tiers     samples taken in such code
 * cut    show_from        stacks begin at the outermost such frame; samples
 *                         without one go
 *        to_any           stacks end at the outermost such frame; samples
 *                         without one go
 *
 * Dropped samples are counted (profile.h, left_out); nothing else changes a
 * total. Later steps see the group's name, not the functions inside it.
 *
 * Functions are meant by patterns as match.h explains. A group's rule is one
 * for each function by itself: MATCH_NAME, no other.
 */
#ifndef TOPFN_ALGEBRA_H
#define TOPFN_ALGEBRA_H

#include "engine/analysis/filter.h"
#include "engine/model/code.h"

/* The kind of code of a sample's innermost frame. JIT is code generated at run
 * time, of any other kind. */
enum leaf_kind {
    LEAF_KERNEL,
    LEAF_NATIVE,
    LEAF_MANAGED,
    LEAF_SCRIPT,
    LEAF_JIT,
    LEAF_UNKNOWN,
    LEAF_KINDS /* how many */
};

/* "native"; NULL behind the last. */
const char *leaf_kind_name(int kind);

/* Code at a location: 1 << enum leaf_kind, generated code has two of them; and
 * how it was compiled, TIER_WORDS if it is no method's. */
unsigned location_kinds(const struct location *location);
enum code_tier location_tier(const struct profile *p,
                             const struct location *location);

/* At most this many patterns of focus. */
enum { FOCUS_MOST = 64 };

struct algebra_note {
    const char *option; /* "focus" */
    const char *text;   /* the filter's */
    size_t functions;   /* of `parts`: how many it means */
};

struct algebra_notes {
    VEC(struct algebra_note) unmet; /* patterns that no function matches */
    VEC(struct algebra_note) parts; /* those that are part of names only */
    VEC(struct algebra_note) slow;  /* those that gave up on a name */
};

/* The profile is finished, patterns are valid; `notes` may be NULL. */
void algebra_apply(struct profile *p, const struct filter *filter,
                   struct algebra_notes *notes);
void algebra_notes_release(struct algebra_notes *notes);

/* True if a person may write this as a rule. */
bool group_rule_is_valid(const char *text);

/* By function, whether it is one's own code. To be freed. */
bool *functions_mine(const struct profile *p, const struct words *globs,
                     struct algebra_notes *notes);

/* True if a module of this name is part of a runtime. */
bool module_is_runtime(const char *name);

/* By function, whether a stack has it: groups and folds leave others behind.
 * To be freed. */
bool *functions_there(const struct profile *p);

#endif
