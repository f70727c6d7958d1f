/*
 * diff_options - what diff and gate are told on the command line.
 *
 * The setters are false for a value that is not one; the table of options
 * has them by name.
 */
#ifndef TOPFN_DIFF_OPTIONS_H
#define TOPFN_DIFF_OPTIONS_H

#include "engine/diff/gate.h"

/* How recordings of a series follow each other. */
enum series_order { SERIES_AS_GIVEN, SERIES_BY_TIME, SERIES_BY_NAME };

/* Which side the files behind an option are of. */
enum diff_part { PART_NONE, PART_BEFORE, PART_AFTER, PART_HISTORY };

struct diff_mark {
    enum diff_part part;
    size_t at; /* arguments given until then */
};

struct diff_settings {
    struct diff_options options;
    VEC(struct diff_rename) renames;
    bool force;
    bool both; /* a report of one profile about two sides */
    VEC(struct diff_mark) marks; /* as they were given */
    struct gate_rules rules;
    bool has_relevant;
    unsigned inconclusive; /* enum gate_outcome: what that is taken for */
    const char *junit, *sarif; /* paths, or NULL */
    struct arena arena;
};

#define DIFF_SETTINGS_DEFAULTS                                                 \
    ((struct diff_settings){.options = DIFF_DEFAULTS,                          \
                            .inconclusive = GATE_INCONCLUSIVE})

void diff_settings_release(struct diff_settings *settings);

/* Whether such an option was given. */
bool diff_has(const struct diff_settings *settings, enum diff_part part);

bool diff_set_relevant(struct diff_settings *settings, const char *value);
bool diff_set_rename(struct diff_settings *settings, const char *value);
bool diff_set_max_regression(struct diff_settings *settings,
                             const char *value);
bool diff_set_max_total(struct diff_settings *settings, const char *value);
bool diff_set_require(struct diff_settings *settings, const char *value);

#endif
