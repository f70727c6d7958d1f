/*
 * select - which samples a report is about.
 *
 * A filter names what to keep; a selection is the result: for every stack
 * the number of selected samples, and their totals. Reports that need no
 * single sample work on these alone.
 *
 *     struct filter filter = {.pid = 3644, .has_pid = true};
 *     struct selection *sel = selection_new(profile, &filter, &err);
 */
#ifndef TOPFN_SELECT_H
#define TOPFN_SELECT_H

#include "engine/profile.h"

struct filter {
    const char *process; /* name, without regard to case; NULL: all */
    const char *module;  /* glob over the innermost frame's module */
    bool has_pid, has_tid, has_time;
    uint32_t pid, tid;
    int64_t from, to; /* keep from <= time < to */
    bool include_idle;
};

struct selection {
    uint64_t *stack_counts; /* by stack id */
    uint64_t samples;       /* the sum of stack_counts */
    uint64_t idle;          /* idle samples left out */
    uint64_t by_class[4];   /* by enum stack_class */
    uint64_t unresolved;    /* innermost frame without a function name */
    uint64_t by_cause[CAUSE_KINDS];
    const struct filter *filter; /* as given; the caller's */
};

/* Everything but idle samples, when `filter` is NULL. */
struct selection *selection_new(const struct profile *p,
                                const struct filter *filter);
void selection_free(struct selection *sel);

/* Calls `each` for every selected sample row, in order of time. */
void selection_each(const struct profile *p, const struct selection *sel,
                    void (*each)(void *context, size_t sample),
                    void *context);

/* Whether `text` matches the glob (* and ?), without regard to ASCII case. */
bool glob_match(const char *glob, const char *text);

#endif
