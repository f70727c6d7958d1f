/*
 * with_source - what a page gets of source lines and instructions.
 *
 *     struct with_source w;
 *     with_source_find(&w, &subject, recording, options, files, count);
 *     ...                             // the report is written
 *     with_source_release(&w);
 *
 * The functions with most samples, and the instructions of the first of these
 * whose images are found.
 */
#ifndef TOPFN_CLI_WITH_SOURCE_H
#define TOPFN_CLI_WITH_SOURCE_H

#include "cli/commands/annotation.h"
#include "cli/commands/compare.h"
#include "cli/load/places.h"

struct with_source {
    struct source_places places;
    struct ranking *ranking;
    struct annotated *annotated;
    size_t count;
    struct annotator *annotator;
};

/* Fills in the subject's functions, its sources and `annotated`. The
 * recording must stay open. */
void with_source_find(struct with_source *w, struct subject *subject,
                      const struct recording *recording,
                      const struct options *options, const char *const *files,
                      size_t count);
/* Says which sources were not opened, too. */
void with_source_release(struct with_source *w);

#endif
