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

/* Groups of options. */
enum option_use {
    USE_ALWAYS = 1, /* help, version, quiet */
    USE_LOAD = 2,   /* reading a trace */
    USE_FILTER = 4,
    USE_FORMAT = 8,
    USE_OUTPUT = 16,
    USE_RANK = 32,
    USE_TREE = 64,
    USE_DIFF = 128, /* two sides */
    USE_GATE = 256,
    USE_FOLDED = 512,
    USE_SYMBOLS = 1024, /* where names are looked for, and how shown */
    USE_EXPLAIN = 2048,
    USE_INLINES = 4096,
    USE_ABOUT = 8192, /* functions that were named */
    USE_SOURCES = 16384,
    USE_CONTEXT = 32768,
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
    size_t context; /* lines shown around those with samples */
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
