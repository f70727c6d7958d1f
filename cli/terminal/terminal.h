/*
 * terminal - what standard output is, if a person is watching it.
 *
 *     struct terminal t = terminal_find();
 *     if (t.there)
 *         options.width = t.columns;
 *
 * Into a pipe or a file nothing depends on any of this.
 */
#ifndef TOPFN_TERMINAL_H
#define TOPFN_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

enum colour_choice { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

struct terminal {
    bool there;
    size_t columns, lines; /* COLUMNS and LINES of the environment first */
};

struct terminal terminal_find(void);

/* On a terminal that is not "dumb" and unless NO_COLOR is set and not empty
 * (no-color.org), when a person leaves it open. */
bool terminal_takes_colours(enum colour_choice choice);

/* Shows the text with $TOPFN_PAGER, else $PAGER, else less. False: there is
 * none, or it is "cat" or empty, and nothing was shown. */
bool terminal_page(const char *text, size_t n);

#endif
