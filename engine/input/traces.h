/*
 * traces - the traces that paths name, in containers or plain.
 *
 *     struct traces traces = {0};
 *     if (!traces_open(&traces, paths, n, &err) &&
 *         (format = traces_format(&traces, &err)))
 *         read(format, traces.entries.data, traces.entries.len);
 *     traces_close(&traces);
 *
 * Formats are told by content, never by name.
 */
#ifndef TOPFN_TRACES_H
#define TOPFN_TRACES_H

#include "engine/attribution/trace_format.h"
#include "engine/base/vec.h"
#include "engine/container/container.h"

struct traces {
    VEC(struct container *) containers; /* of the paths, in order, then of the
                                           logs that recordings name */
    VEC(struct entry) entries; /* traces of them all, in order; behind a
                                  recording its logs, if it has some */
    size_t logs;               /* that many of the last entries are such logs,
                                  set by traces_format */
    VEC(char *) notes;         /* sentences about logs that were not opened */
};

/* Opens every path once and loads what is a trace by its name. A failure
 * leaves what traces_close can free. */
enum err_code traces_open(struct traces *traces, const char *const *paths,
                          size_t count, struct err *err);

/* The one format of all entries but the logs of a recording; of what containers
 * hold, files that only are called like traces are dropped. NULL: none, or
 * several. */
const struct trace_format *traces_format(struct traces *traces,
                                         struct err *err);

/* True for one database of topfn, which is no trace: it is read from the file
 * itself. */
bool traces_are_database(const struct traces *traces);

void traces_close(struct traces *traces);

/* The same, but leaves the containers open: they are the caller's. */
void traces_close_lists(struct traces *traces);

enum companion_place {
    COMPANION_FOUND,
    COMPANION_ABSENT,
    COMPANION_OUTSIDE, /* in another folder: it is not opened */
};

/* Finds a log that the recording at `recording` names (trace_format.h,
 * `companions`): at the path as it is written, in the current folder, in the
 * folder of the recording. The path comes from a stranger, so a file outside of
 * these two folders is never opened. `found`, which is to be freed, is NULL if
 * the log is absent. */
enum companion_place companion_find(const char *wanted, const char *recording,
                                    char **found);

#endif
