/*
 * options - the command line, by one table that all commands share.
 *
 *     struct options options;
 *     if (options_parse(&options, argc - 1, argv + 1, &err)) ...
 *
 * Options may stand before or after files, as `--name value`,
 * `--name=value`, `-n value` or `-nvalue`; `--` ends them. A command takes
 * the groups of options that its row names. A new option is one row of
 * option_list.h: from it come how it is read, what it sets, the line of
 * help, the paragraph of the man page and what shells complete.
 */
#ifndef TOPFN_CLI_OPTIONS_H
#define TOPFN_CLI_OPTIONS_H

#include "cli/terminal/terminal.h"
#include "engine/base/arena.h"
#include "engine/base/err.h"
#include "engine/base/out.h"
#include "engine/base/vec.h"
#include "engine/diff/gate.h"
#include "report/events/events.h"
#include "report/report.h"
#include "symbols/names/demangle.h"

/* Groups of options: a word of bits, the low ones of which are those of
 * reports (report/report.h). No enumerators, which are not as wide. */
#define USE_GROUP(n) ((uint64_t)TAKES_END << (n))
#define USE_ALWAYS   USE_GROUP(0) /* help, version, quiet */
#define USE_LOAD     USE_GROUP(1) /* reading a trace */
#define USE_FILTER   USE_GROUP(2)
#define USE_FORMAT   USE_GROUP(3)
#define USE_OUTPUT   USE_GROUP(4)
#define USE_SYMBOLS  USE_GROUP(5) /* where names are, and how shown */
#define USE_EXPLAIN  USE_GROUP(6)
#define USE_INLINES  USE_GROUP(7)
#define USE_HELP     USE_GROUP(8)
#define USE_FRAMES   USE_GROUP(9) /* which frames of stacks, and how called */
#define USE_EVENTS   USE_GROUP(10)
#define USE_QUERY    USE_GROUP(11) /* SQL */
#define USE_LAYOUT   USE_GROUP(12) /* of tables for people */
#define USE_PUSH     USE_GROUP(13)
#define USE_FLEET    USE_GROUP(14) /* which recordings of a server */
#define USE_MOMENTS  USE_GROUP(15) /* processes and a time */
#define USE_WRITING  (USE_FORMAT | USE_OUTPUT | USE_LAYOUT)
#define USE_READING                                                            \
    (USE_LOAD | USE_SYMBOLS | USE_FILTER | USE_INLINES | USE_FRAMES | USE_FLEET)

/* ---- of diff and gate ---- */

/* How recordings of a series follow each other. */
enum series_order { SERIES_AS_GIVEN, SERIES_BY_TIME, SERIES_BY_NAME };

/* The side of the files behind an option. */
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
    const char *junit, *sarif; /* paths, or NULL */
    struct arena arena;
};

#define DIFF_SETTINGS_DEFAULTS                                                 \
    ((struct diff_settings){.options = DIFF_DEFAULTS,                          \
                            .rules = {.least_share = 1}})

/* ---- all of them ---- */

enum { LABEL_KEY_MOST = 100 };

struct options;

struct option_word {
    const char *word; /* NULL: the end */
    unsigned value;
};

struct option {
    const char *name;
    char letter;          /* 0: none */
    const char *argument; /* as help shows it; NULL: takes none */
    uint64_t use;         /* USE_..., enum report_takes */
    const char *help;
    const char *manual; /* NULL: as help */
    /* Said when a command does not take it: the options that do now what it
     * did before. */
    const char *elsewhere;
    /* The values there are, in a row of their own or by number from 0 on;
     * both NULL: any. */
    const struct option_word *words;
    const char *(*name_of)(int value);
    /* Further values for completion and for misspelt ones; NULL ends them. */
    const char *const *offers;
    bool offers_columns; /* those of the command */
    /* Completion offers what `topfn top --by` lists: "function". */
    const char *rows;
    bool names_file; /* the value does */
    bool repeats;
    /* Reads a value into its place: NULL by type, else by itself. False when
     * it is none. */
    bool (*set)(struct options *options, const char *value);
    bool (*check)(const char *value); /* of a text, or of one in a list */
    uint8_t type;          /* option_table.c */
    uint16_t target, size; /* of its place in struct options */
    uint64_t most;         /* of numbers */
};

/* Ends with a row without a name. */
extern const struct option option_table[];

struct options {
    struct report_options report;
    struct diff_settings diff;
    const char *explain; /* NULL: not given */
    bool explain_is_number;
    VEC(const char *) arguments; /* command and files, as given */
    bool command_allowed;        /* the first argument stood before any `--` */
    VEC(const struct option *) given; /* rows of the table */
    const char *default_event; /* the command's own if no event is named */
#define OPTION(...)
#define FIELD(type, member, ...) type member;
#include "cli/options/option_list.h"
#undef OPTION
#undef FIELD
};

/* The row of a name of `n` bytes, or NULL. */
const struct option *option_find(const char *name, size_t n);

/* False when the value is not one. */
bool option_set(const struct option *option, struct options *options,
                const char *value);

/* The word of value number `i` of those there are; NULL behind the last. */
const char *option_word(const struct option *option, int i);

/* Defaults, then the arguments. On failure the message says what is wrong
 * with which argument. Release in any case. */
enum err_code options_parse(struct options *options, int argc,
                            char *const argv[], struct err *err);
void options_release(struct options *options);

/* True if the option of this name was given. */
bool options_given(const struct options *options, const char *name);

/* The first option given that is in none of the groups `takes`, or NULL. */
const struct option *options_misplaced(const struct options *options,
                                       uint64_t takes);

/* Options that several commands share, as help and topfn(1) group them. Ends
 * with a row without a title. */
struct option_group {
    const char *title;
    uint64_t use;
};
extern const struct option_group option_groups[];

/* The first of these groups that the option is in and a command with these
 * options takes; NULL: it is the command's own. */
const struct option_group *option_group_of(const struct option *option,
                                           uint64_t takes);

/* One line per option of a command: its own, then by group. */
void options_help(uint64_t takes, struct out *out);

void diff_settings_release(struct diff_settings *settings);

/* True if such an option was given. */
bool diff_has(const struct diff_settings *settings, enum diff_part part);

#endif
