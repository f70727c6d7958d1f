/*
 * report - one file per report, and the table of reports.
 *
 *     const struct report *r = report_find("top");
 *     struct selection *sel = selection_new(p, &options.filter);
 *     r->run(p, sel, &options, out);
 *
 * A report reads a finished profile and a selection of its samples, and
 * writes. It never fails: what an output cannot take shows at out_close. A
 * new report is one file with a `const struct report` and a row in report.c.
 */
#ifndef TOPFN_REPORT_H
#define TOPFN_REPORT_H

#include "engine/analysis/rank.h"
#include "report/table.h"

struct report_options {
    struct filter filter;
    enum format format;
    size_t width; /* columns of text; 0: no limit */
    size_t rows;  /* 0: all */
    enum rank_by by;
    enum rank_sort sort;
    size_t depth; /* of trees; 0: no limit */
    uint32_t min; /* hundredths of a percent of the selected samples */
    bool bottom_up;
};

/* What a person gets who asks for nothing special. */
#define REPORT_DEFAULTS                                                        \
    ((struct report_options){.width = 100, .rows = 30, .min = 50})

struct report {
    const char *name;
    const char *help; /* one line */
    void (*run)(const struct profile *p, const struct selection *sel,
                const struct report_options *options, struct out *out);
    bool lists_contents; /* of the whole profile, selected or not */
};

extern const struct report top_report;
extern const struct report tree_report;
extern const struct report folded_report;
extern const struct report info_report;

/* Ends with NULL. */
extern const struct report *const reports[];

/* NULL: no report of this name. */
const struct report *report_find(const char *name);

#endif
