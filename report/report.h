/*
 * report - one file per report, and the table of reports.
 *
 *     const struct report *r = report_find("top");
 *     struct subject subject = {.p = p, .sel = sel, .options = &options};
 *     r->write[options.format](&subject, out);
 *
 * A report reads what it is about and writes. It never fails: what an output
 * cannot take shows at out_close. A new report is one file with a `const struct
 * report` and a word in REPORTS: the command line has a command of its name by
 * that. The command line finds out for all reports where the samples come
 * from, which functions were named and what was compared.
 */
#ifndef TOPFN_REPORT_H
#define TOPFN_REPORT_H

#include "engine/analysis/rank.h"
#include "report/table/table.h"

/* Every report, as help lists them. */
#define REPORTS(ROW)                                                           \
    ROW(top)                                                                   \
    ROW(timeline)                                                              \
    ROW(tree)                                                                  \
    ROW(folded)                                                                \
    ROW(flame)                                                                 \
    ROW(export)                                                                \
    ROW(page)                                                                  \
    ROW(callers)                                                               \
    ROW(wakers)                                                                \
    ROW(list)                                                                  \
    ROW(annotate)                                                              \
    ROW(info)                                                                  \
    ROW(diff)                                                                  \
    ROW(gate)                                                                  \
    ROW(series)

struct report_options {
    struct filter filter;
    enum format format;
    size_t width; /* columns of text; 0: no limit */
    size_t rows;  /* 0: all */
    bool limited; /* `rows` was given: lists of info are that long, too */
    enum rank_by by;
    enum rank_sort sort;
    size_t depth; /* of trees; 0: no limit */
    uint32_t min; /* hundredths of a percent of the selected samples */
    bool bottom_up;
    bool no_processes, no_threads, startup; /* of trees */
    const char *root; /* a function, of trees; NULL: all */
    size_t context; /* source lines before and after one with samples */
    size_t explain; /* how many of the real changes to explain */
    bool all;       /* rows without a change too; whole lists */
    bool verbose;   /* of a comparison: how it was made */
    bool waits;     /* rows of functions that only wait */
    bool cumulative; /* a column that adds the rows up */
    bool when;       /* a column of the time each row ran */
    size_t buckets;  /* parts of the time of a timeline */
    bool with_source;    /* of a page */
    size_t page_size;    /* megabytes; 0: as usual */
    bool interactive;    /* a flame graph with a script */
    const char *field;   /* of events, by RANK_VALUE; NULL otherwise */
    const char *columns; /* names between commas, of rows; NULL: the usual */
    /* Parts of the names in folded stacks, flame graphs and exports. */
    bool with_process, with_thread, with_module, with_lines, with_marks;
    const struct export_kind *export; /* report/export/export.h */
};

/* The options of a report unless the user gives others. */
#define REPORT_DEFAULTS                                                        \
    ((struct report_options){                                                  \
        .rows = 30, .min = 50, .context = 3, .explain = 3, .buckets = 32})

/* Finds source files. */
struct source_finder {
    /* NULL: not found. The path is as the debug file has it. */
    struct textfile *(*find)(void *state, const char *path);
    void *state;
};

/* The input of a report; `about` of the report tells which members are set. */
struct subject {
    const struct report_options *options;
    const struct profile *p; /* but of two sides */
    const struct selection *sel;
    /* Functions that were named; `rows` of the options is how many of them
     * to show. */
    const struct rank_row *functions;
    size_t function_count;
    const bool *root; /* those of the options, by function; or NULL */
    struct source_finder sources;
    const struct annotated *annotated; /* profile/annotate.h; those shown */
    const struct diff_input *inputs;   /* of two sides, or a series */
    size_t input_count;
    /* Only for a page with sources: BEFORE and AFTER, each with a profile, its
     * functions, sources and instructions; otherwise NULL. */
    const struct subject *sides;
    const struct diff *diff; /* of the inputs */
    const struct gate *gate;
    const struct series *series;
};

enum report_about {
    ABOUT_PROFILE,
    ABOUT_FUNCTIONS, /* and a profile and its sources */
    ABOUT_CODE,      /* and their instructions */
    ABOUT_SIDES,     /* two of them */
    ABOUT_CHANGES,   /* and their diff */
    ABOUT_LIMITS,    /* and its gate */
    ABOUT_SERIES,    /* a row of recordings, and where it changes */
};

/* Groups of options that a report may take, beside those that all take which
 * are about such a thing. */
enum report_takes {
    TAKES_RANK = 1,
    TAKES_TREE = 2,
    TAKES_FOLDED = 4,
    TAKES_FUNCTIONS = 8,
    TAKES_SOURCES = 16,
    TAKES_CONTEXT = 32,
    TAKES_DIFF = 64, /* two sides */
    TAKES_GATE = 128,
    TAKES_CALLERS = 256,
    TAKES_CONTENTS = 512, /* of the whole profile */
    TAKES_WHEN = 1024,    /* a column of time */
    TAKES_TIMELINE = 2048,
    TAKES_SERIES = 4096,
    TAKES_STACKS = 8192, /* what names in stacks have */
    TAKES_EXPORT = 16384,
    TAKES_SIDES = 32768, /* --diff: two sides instead of one profile */
    TAKES_COLUMNS = 65536, /* --columns: there are tables */
    TAKES_PAGE = 131072,   /* --diff like diff, --with-source */
    TAKES_FLAME = 262144,  /* --diff like diff, --interactive */
    TAKES_END = 524288,    /* the first of the command line's own */
};

typedef void report_writer(const struct subject *subject, struct out *out);

struct report {
    const char *name;
    const char *help; /* one line */
    enum report_about about;
    uint64_t takes; /* enum report_takes; groups of options as wide */
    const char *event;   /* what it counts, as --event; NULL: any samples */
    bool lists_contents; /* of the whole profile, selected or not */
    bool needs_times;    /* of each sample */
    bool for_file;       /* nothing for a terminal */
    bool ranks_functions; /* what is wrong with their names is worth a word */
    report_writer *write[FORMATS]; /* by format; NULL: there is none */
    const struct report *two_sides; /* what it is with --diff */
    /* The columns that --columns can name, beside those of ranked rows
     * (columns.h). */
    const struct column_set *columns;
    bool ranked_columns; /* it has those */
};

/* One writer that tells formats apart by what it calls. */
#define IN_EVERY_FORMAT(writer)                                                \
    {                                                                          \
        writer, writer, writer, writer                                         \
    }

#define DECLARE_REPORT(name) extern const struct report name##_report;
REPORTS(DECLARE_REPORT)
#undef DECLARE_REPORT

/* Ends with NULL. */
extern const struct report *const reports[];

/* NULL: no report of this name. */
const struct report *report_find(const char *name);

/* The number of named functions to show. */
size_t subject_functions_shown(const struct subject *subject);

#endif
