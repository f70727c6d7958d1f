/*
 * terminal - what standard output or error is, if a person is watching it.
 *
 *     struct terminal t = terminal_find(STDOUT_FILENO);
 *     if (t.there)
 *         options.width = t.columns;
 *
 * Into a pipe or a file nothing depends on any of this.
 */
#ifndef TOPFN_CLI_TERMINAL_H
#define TOPFN_CLI_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/base/progress.h"

enum colour_choice { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

struct terminal {
    bool there;
    size_t columns, lines; /* COLUMNS and LINES of the environment first */
};

struct terminal terminal_find(int fd);

/* On a terminal that is not "dumb" and unless NO_COLOR is set and not empty
 * (no-color.org), when a person leaves it open. */
bool terminal_takes_colours(enum colour_choice choice);

/* Shows the text with $TOPFN_PAGER, else $PAGER, else less. False: there is
 * none, or it is "cat" or empty, and nothing was shown. */
bool terminal_page(const char *text, size_t n);

/* Starts a process that terminal_page makes the pager. Call it before a
 * sandbox, in which no program can be started. False: there is no pager. */
bool terminal_pager_prepare(void);
/* Ends the process if it got no text, else waits for the pager; its status. */
int terminal_pager_end(void);

/*
 * status - what the program's exit status means (sysexits.h).
 */

enum status {
    STATUS_OK = 0,
    STATUS_GATE_FAILED = 1,
    STATUS_GATE_INCONCLUSIVE = 2,
    STATUS_USAGE = 64,
    STATUS_BAD_INPUT = 65, /* the input is not what it claims */
    STATUS_NO_INPUT = 66,  /* no such input, or not readable */
    STATUS_BUG = 70,
    STATUS_NO_MEMORY = 71,
    STATUS_CANNOT_CREATE = 73,
    STATUS_CANNOT_WRITE = 74
};

/* For an error met while reading. */
enum status status_of_input(enum err_code code);

/* For an error met while writing. */
enum status status_of_output(enum err_code code);

/* The same, and the message of the error; nothing without one. */
enum status say_input_error(const struct err *err);
enum status say_output_error(const struct err *err);

/*
 * say - what goes to stderr.
 *
 * Names from files are printed with control characters shown as \xNN.
 */

/* "topfn: ..." */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* As say, unless --quiet. */
void say_warning(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* As say_warning, and only when stderr is a terminal. */
void say_hint(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Keeps hints back until hints_end, which prints them or drops them: hints of a
 * report are found before it is printed, so that the pager can leave them room.
 * Nothing is printed if stdout is a pipe, as a pager that the user started may
 * show the report: a hint would land on its screen. */
void hints_hold(void);
void hints_end(bool print);

/* Lines of the hints that are held. */
size_t hints_lines(void);

void say_quietly(bool quiet);

/* Lines of all that is said from now on are this wide; 0: no limit. */
void say_in_width(size_t width);
size_t say_columns(void);

/* True if a person is watching and wants to be told. */
bool say_is_watched(void);

/*
 * bar - a progress bar on stderr.
 *
 *     struct bar bar;
 *     struct progress progress = bar_start(&bar);
 *     ...
 *     bar_end(&bar);
 *
 * Shown only to a person who watches a terminal, and only when the work has
 * taken half a second. It has no colour.
 */

struct bar {
    int64_t start, shown; /* monotonic milliseconds; shown 0: not yet */
};

/* `bar` must live until bar_end. */
struct progress bar_start(struct bar *bar);

/* Wipes it away. */
void bar_end(struct bar *bar);

/* All bars from now on call `report` instead, at once and on no terminal. */
void bars_report_to(void (*report)(void *context, const char *what,
                                   uint64_t done, uint64_t total));

#endif
