/*
 * about - the functions of a profile that a command is about.
 *
 *     struct about about;
 *     if (about_load(&about, command, options, arguments, count, &status)) {
 *         use(about.rows, about.chosen->len);
 *         about_release(&about);
 *     }
 *
 * The first argument is the function, as match.h takes it; files follow.
 */
#ifndef TOPFN_CLI_FUNCTIONS_H
#define TOPFN_CLI_FUNCTIONS_H

#include "cli/command.h"
#include "cli/load/places.h"
#include "engine/analysis/match.h"
#include "engine/input/recording.h"

struct about {
    struct recording *recording; /* of p, open */
    struct profile *p;
    struct selection *sel;
    struct ranking *chosen; /* not empty: those that may be shown, of `total` */
    const struct rank_row **rows; /* of these */
};

/* False, and a status other than 0, when there is nothing to go on with:
 * wrong use, unreadable input, or no such function, said with those that may
 * have been meant. A status other than 0 on success is for the end. */
bool about_load(struct about *about, const struct command *command,
                const struct options *options, const char *const *arguments,
                size_t count, enum status *status);
void about_release(struct about *about);

/* Says so, with the names that may have been meant. */
void say_unknown_function(const struct profile *p, const struct selection *sel,
                          const char *name);

#endif
