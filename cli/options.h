/*
 * options - the command line, by one table that all commands share.
 *
 *     struct options options;
 *     if (options_parse(&options, argc - 1, argv + 1, &err)) ...
 *
 * Options may stand before or after files, as `--name value`,
 * `--name=value`, `-n value` or `-nvalue`; `--` ends them. A command takes
 * the groups of options that its row names. A new option is one row of the
 * table in option_table.c and the field it sets.
 */
#ifndef TOPFN_OPTIONS_H
#define TOPFN_OPTIONS_H

#include "cli/diff_options.h"
#include "engine/base/err.h"
#include "engine/base/out.h"
#include "engine/base/vec.h"
#include "report/report.h"
#include "symbols/names/demangle.h"

/* Groups of options, behind those of reports (report/report.h). */
enum option_use {
    USE_ALWAYS = TAKES_END,    /* help, version, quiet */
    USE_LOAD = USE_ALWAYS * 2, /* reading a trace */
    USE_FILTER = USE_ALWAYS * 4,
    USE_FORMAT = USE_ALWAYS * 8,
    USE_OUTPUT = USE_ALWAYS * 16,
    USE_SYMBOLS = USE_ALWAYS * 32, /* where names are, and how shown */
    USE_EXPLAIN = USE_ALWAYS * 64,
    USE_INLINES = USE_ALWAYS * 128,
    USE_READING = USE_LOAD | USE_SYMBOLS | USE_FILTER | USE_INLINES,
    USE_WRITING = USE_FORMAT | USE_OUTPUT,
};

struct options;

struct option {
    const char *name;
    char letter;          /* 0: none */
    const char *argument; /* as help shows it; NULL: takes none */
    unsigned use;         /* one of option_use */
    const char *help;
    /* False when the value is not one. */
    bool (*set)(struct options *options, const char *value);
};

/* Ends with a row without a name. */
extern const struct option option_table[];

struct options {
    struct report_options report;
    VEC(const char *) symbols; /* files and folders */
    VEC(const char *) source_maps; /* "FROM=TO" */
    bool online; /* ask servers, too */
    enum demangle_style names; /* how much of a decorated one is shown */
    const char *explain; /* NULL: not given */
    bool explain_is_number;
    const char *output; /* NULL: stdout, or the command's own choice */
    unsigned threads;   /* 0: one per core */
    const char *event;  /* NULL: CPU or thread samples */
    bool thread_weights;
    bool no_inlines; /* inlined frames belong to the physical function */
    bool quiet, strict, help, version;
    struct diff_settings diff;
    VEC(const char *) arguments; /* command and files, as given */
    bool command_allowed; /* the first argument stood before any `--` */
    VEC(uint8_t) given;   /* options given, as rows of the table */
};

/* Defaults, then the arguments. On failure the message says what is wrong
 * with which argument. Release in any case. */
enum err_code options_parse(struct options *options, int argc,
                            char *const argv[], struct err *err);
void options_release(struct options *options);

/* The first option given that is in none of the groups `takes`, or NULL. */
const struct option *options_misplaced(const struct options *options,
                                       unsigned takes);

/* One line per option of these groups. */
void options_help(unsigned takes, struct out *out);

#endif
